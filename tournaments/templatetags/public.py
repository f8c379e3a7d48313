"""Where, when and in what state: how a tournament, a round and a table are told in HTML."""

from __future__ import annotations

import datetime
from functools import cache
from html import escape

from django import template
from django.db.models import Model
from django.utils.formats import date_format
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import get_language, gettext, pgettext

from tournaments.countries import country_names
from tournaments.digits import local_digits
from tournaments.models import Entry, Match, PairingRound, Tournament
from tournaments.persian import persian_date
from tournaments.publication import withheld
from tournaments.queries.appeals import is_protested
from tournaments.queries.events import SideLine, TableLine
from tournaments.templatetags.domino import plain_points
from tournaments.words import hidden

register = template.Library()

_CHIPS = {
    "draft": "draft",
    "open": "info",
    "running": "live",
    "finished": "done",
    "published": "waiting",
    "playing": "live",
    "waiting": "waiting",
    "closed": "done",
    "registered": "info",
    "withdrawn": "bad",
    "disqualified": "bad",
}


@register.simple_tag
def event_hidden(tournament: Tournament) -> SafeString:
    """Say that results of an event are hidden; nothing where none are."""
    return _notice(hidden.of_event(tournament))


@register.simple_tag
def round_hidden(pairing_round: PairingRound) -> SafeString:
    """Say that the results of a round are hidden; nothing where they are not."""
    return _notice(hidden.of_round(pairing_round))


@register.simple_tag
def hidden_from_others(pairing_round: PairingRound) -> SafeString:
    """Tell an official that what they see here the public does not; others nothing."""
    if withheld(pairing_round.stage.tournament).has(pairing_round):
        return SafeString("")
    return round_hidden(pairing_round)


def _notice(sentence: str) -> SafeString:
    return format_html('<p class="alert info">{}</p>', sentence) if sentence else SafeString("")


@register.simple_tag
def state_chip(thing: Tournament | PairingRound | Match | Entry) -> SafeString:
    """Say in what state a tournament, a pairing round, a match or an entry is."""
    chip = _chip(type(thing), thing.state, get_language())
    if isinstance(thing, Match):
        return SafeString(chip + protest_chip(thing))
    return chip


@register.simple_tag
def protest_chip(match: Match) -> SafeString | str:
    """Say that the result of a match is under protest; nothing where it is not."""
    return _protested(get_language()) if is_protested(match) else ""


@cache
def _protested(language: str | None) -> SafeString:
    return format_html(' <span class="chip warn">{}</span>', gettext("Under protest"))


@cache
def _chip(model: type[Model], state: str, language: str | None) -> SafeString:
    """A long list of tables shows the same few chips again and again."""
    field = model._meta.get_field("state")
    label = dict(field.flatchoices)[state]  # type: ignore[union-attr]
    return format_html('<span class="chip {}">{}</span>', _CHIPS.get(state, ""), label)


@register.simple_tag
def meeting(table: TableLine) -> SafeString:
    """Say who plays at a table: a line for each side with its seats and its points."""
    waits = table.match.state == Match.State.WAITING
    sides = "".join(_side(side, waits=waits) for side in table.sides)
    return SafeString(f'<ul class="meeting" role="list">{sides}</ul>')


def _side(side: SideLine, *, waits: bool) -> str:
    """Return a side; written by hand, as a page has hundreds of them. Every name is escaped."""
    seats = "".join(
        f'<span class="meeting-seat"><span class="meeting-letter">{seat.seat}</span>'
        f" <bdi>{escape(seat.player.name)}</bdi>"
        f"{_called(get_language()) if waits and seat.called_at else ''}</span> "
        for seat in side.seats
    )
    named = f"<strong><bdi>{escape(side.name)}</bdi></strong>" if side.is_named else ""
    won = ""
    if side.is_winner:
        won = f'<span class="visually-hidden"> ({escape(side.outcome_label)})</span>'
    return (
        f'<li class="meeting-side{" winner" if side.is_winner else ""}">'
        f'<span class="meeting-who">{named}<span class="meeting-seats">{seats}</span></span>'
        f'<span class="meeting-points">{plain_points(side.points)}{won}</span></li>'
    )


@cache
def _called(language: str | None) -> SafeString:
    said = pgettext("a player to a table", "Called")
    return format_html(
        ' <span class="called-mark" title="{0}"><span class="visually-hidden">({0})</span></span>',
        said,
    )


@register.simple_tag
def place(tournament: Tournament) -> SafeString:
    """Say where a tournament is played, each name in its own direction."""
    names = country_names(get_language() or "en")
    country = names.get(tournament.country, tournament.country)
    parts = [part for part in (tournament.venue, tournament.city, country) if part]
    # Translators: what stands between two names of a list.
    return format_html_join(gettext(", "), "<bdi>{}</bdi>", ((part,) for part in parts))


@register.filter
def local_date(day: datetime.date) -> SafeString:
    """Write a day as the reader's language does: in Persian by both calendars."""
    written = local_digits(date_format(day, "DATE_FORMAT"))
    if get_language() == "fa":
        written = f"{persian_date(day)} ({written})"
    return format_html('<time datetime="{}">{}</time>', day.isoformat(), written)

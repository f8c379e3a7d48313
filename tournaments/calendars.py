"""The tables of a player as a calendar that a phone subscribes to."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta

from django.utils.translation import get_language, gettext
from icalendar import Calendar, Event

from tournaments.digits import local_digits
from tournaments.models import Match, Player
from tournaments.queries.players_tables import OwnTable

USUAL_MINUTES = 40
"""How long a round is noted where its time is not limited; a round lasts about that long."""


def calendar_of(player: Player, tables: Iterable[OwnTable], *, host: str, root: str) -> bytes:
    """Return the calendar. `root` is the address of the site, `host` its name in the marks.

    A round stands in it from when it starts, or was published where no start was set; one that
    has neither is left out: nobody could be there in time.
    """
    calendar = Calendar()
    calendar.add("prodid", f"-//{host}//domino//EN")
    calendar.add("version", "2.0")
    calendar.add("x-wr-calname", player.name)
    calendar.add("refresh-interval;value=duration", "PT5M")
    for one in tables:
        begins = one.pairing_round.starts_at or one.pairing_round.published_at
        if begins is not None:
            calendar.add_component(_event(one, begins, host=host, root=root))
    return bytes(calendar.to_ical())


def _event(one: OwnTable, begins: datetime, *, host: str, root: str) -> Event:
    event = Event()
    tournament, pairing_round, match = one.tournament, one.pairing_round, one.match
    event.add("uid", f"match-{match.pk}@{host}")
    event.add("dtstamp", match.changed_at.astimezone(UTC))
    event.add("last-modified", match.changed_at.astimezone(UTC))
    event.add("dtstart", begins.astimezone(UTC))
    minutes = pairing_round.minutes or USUAL_MINUTES
    event.add("dtend", begins.astimezone(UTC) + timedelta(minutes=minutes))
    event.add("summary", _summary(one))
    place = ", ".join(part for part in (tournament.venue, tournament.city) if part)
    if place:
        event.add("location", place)
    event.add("description", "\n".join(_told(one)))
    event.add("url", f"{root}/matches/{match.pk}/")
    return event


def _summary(one: OwnTable) -> str:
    return gettext("Table %(table)s, round %(round)s: %(event)s") % {
        "table": local_digits(one.match.table, get_language()),
        "round": local_digits(one.pairing_round.number, get_language()),
        "event": one.tournament.name,
    }


def _told(one: OwnTable) -> list[str]:
    lines = []
    if one.partners:
        lines.append(gettext("With %(names)s.") % {"names": _names(one.partners)})
    if one.opponents:
        lines.append(gettext("Against %(names)s.") % {"names": _names(one.opponents)})
    lines.append(gettext("Seat %(seat)s.") % {"seat": one.seat.seat})
    if one.match.state == Match.State.CLOSED and one.seat.outcome:
        said = {
            "outcome": one.seat.get_outcome_display(),
            "points": local_digits(one.seat.points_for or 0, get_language()),
            "against": local_digits(one.seat.points_against or 0, get_language()),
        }
        lines.append(gettext("%(outcome)s, %(points)s to %(against)s.") % said)
    return lines


def _names(players: Iterable[Player]) -> str:
    return gettext(", ").join(one.name for one in players)

"""Players, clubs and events found by what somebody typed, in any script and spelling."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeVar

from django.db.models import Exists, OuterRef, Q, QuerySet

from tournaments import permissions
from tournaments.digits import to_latin_digits
from tournaments.models import Club, Entry, EntryPlayer, Player, Tournament
from tournaments.names import folded
from tournaments.permissions import Visitor
from tournaments.queries.events import TournamentLine, tournament_lines
from tournaments.queries.spellings import publicly_spelled
from tournaments.sounds import sounds_key, sounds_like, spoken_words, wanted_in_key

SHOWN = 25
"""Of each kind; whoever is not among them is found by typing more."""
_LOOKED_AT = 200
_Named = TypeVar("_Named", Player, Club)


@dataclass(frozen=True, slots=True)
class Found:
    """What a search found, the likeliest first; `more` names the kinds that had more to show."""

    events: tuple[TournamentLine, ...] = ()
    players: tuple[Player, ...] = ()
    clubs: tuple[Club, ...] = ()
    more: frozenset[str] = frozenset()

    def __bool__(self) -> bool:
        return bool(self.events or self.players or self.clubs)


def search(typed: str, *, user: Visitor) -> Found:
    """Return what of that name the reader may know of; nothing for an empty search.

    Players and clubs are found where they are in an event the reader may know of, as on the page
    of a player.
    """
    wanted = folded(to_latin_digits(typed))
    if not wanted:
        return Found()
    seen = permissions.visible_tournaments(user)
    members = EntryPlayer.objects.filter(tournament__in=seen)
    members = members.exclude(entry__state=Entry.State.WAITING)
    events = _events(seen, wanted)
    players = _ranked(
        Player.objects.filter(Exists(members.filter(player=OuterRef("pk"))))
        .filter(_spelled(wanted) | _other_spelling(wanted))
        .select_related("club"),
        wanted,
    )
    of_club = Q(player__club=OuterRef("pk")) | Q(entry__club=OuterRef("pk"))
    clubs = _ranked(
        Club.objects.filter(Exists(members.filter(of_club))).filter(_spelled(wanted)), wanted
    )
    counts = {"events": len(events), "players": len(players), "clubs": len(clubs)}
    return Found(
        events=tuple(tournament_lines(events[:SHOWN])),
        players=tuple(players[:SHOWN]),
        clubs=tuple(clubs[:SHOWN]),
        more=frozenset(kind for kind, count in counts.items() if count > SHOWN),
    )


def _spelled(wanted: str) -> Q:
    """Return the condition that a name has every word, as it is written or as it sounds."""
    written = Q()
    for word in wanted.split():
        written &= Q(folded_name__contains=word) | Q(latin_name__icontains=word)
    words = spoken_words(wanted)
    if not words:
        return written
    heard = Q()
    for spoken in words:
        ways = Q()
        for way in spoken:
            ways |= Q(sounds__contains=wanted_in_key(way))
        heard &= ways
    return written | heard


def _other_spelling(wanted: str) -> Q:
    return Q(pk__in=publicly_spelled(wanted).values("player"))


def _ranked(found: QuerySet[_Named], wanted: str) -> list[_Named]:
    """Return names in the order somebody expects: as typed, then holding it, then sounding so."""

    def rank(one: _Named) -> tuple[int, str]:
        names = (one.folded_name, folded(one.latin_name))
        if wanted in names:
            place = 0
        elif any(f" {name}".find(f" {wanted}") >= 0 for name in names):
            place = 1
        elif any(wanted in name for name in names):
            place = 2
        else:
            place = 3
        return place, one.folded_name

    return sorted(found.order_by("folded_name", "pk")[:_LOOKED_AT], key=rank)


def _events(seen: QuerySet[Tournament], wanted: str) -> list[Tournament]:
    """Return the events whose name or place is like what was typed, the latest first.

    Events are hundreds where players are many thousands: they are read and compared here.
    """
    words = spoken_words(wanted)
    kept = seen.order_by("-starts_on", "name").values_list(
        "pk", "name", "venue", "city", "slug", named=True
    )
    found = [
        one.pk for one in kept if _is_like(wanted, words, (one.name, one.venue, one.city, one.slug))
    ]
    by_pk = Tournament.objects.in_bulk(found[: SHOWN + 1])
    return [by_pk[pk] for pk in found[: SHOWN + 1] if pk in by_pk]


def _is_like(wanted: str, words: tuple[tuple[str, ...], ...], names: Iterable[str]) -> bool:
    whole = " ".join(names)
    plain = folded(whole)
    if all(word in plain for word in wanted.split()):
        return True
    return bool(words) and sounds_like(sounds_key(whole), words)

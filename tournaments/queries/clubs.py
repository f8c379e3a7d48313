"""What the page of a club shows."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Count, Q
from django.http import Http404

from tournaments import permissions
from tournaments.models import Club, Entry, EntryPlayer, Player, Rating, Tournament
from tournaments.permissions import Visitor
from tournaments.queries.players import shown_rating

PLAYERS_SHOWN, EVENTS_SHOWN = 500, 100


@dataclass(frozen=True, slots=True)
class PlayerLine:
    """A player of a club, and the rating if there is one."""

    player: Player
    rating: int | None


@dataclass(frozen=True, slots=True)
class EventOfClub:
    """An event a club was in, with how many entries."""

    tournament: Tournament
    entries: int


@dataclass(frozen=True, slots=True)
class ClubPage:
    club: Club
    players: tuple[PlayerLine, ...]
    events: tuple[EventOfClub, ...]


def club_page(club: Club, *, user: Visitor) -> ClubPage:
    """Return a club with its players by name and its events, the latest first.

    Events the reader may not know of, and who is only in those, are left out. A club of which
    nothing is left is not there: Http404.
    """
    seen = permissions.visible_tournaments(user)
    members = EntryPlayer.objects.filter(tournament__in=seen)
    members = members.exclude(entry__state=Entry.State.WAITING)
    own = members.filter(player__club=club).values("player")
    players = list(Player.objects.filter(pk__in=own).order_by("folded_name", "pk")[:PLAYERS_SHOWN])
    ratings = {one.player_id: one for one in Rating.objects.filter(player__in=players)}
    entered = members.filter(Q(entry__club=club) | Q(player__club=club))
    counted = dict(
        entered.order_by().values_list("tournament").annotate(Count("entry", distinct=True))
    )
    events = Tournament.objects.filter(pk__in=counted).order_by("-starts_on", "name")
    if not players and not counted:
        raise Http404
    return ClubPage(
        club=club,
        players=tuple(PlayerLine(one, _rating(ratings.get(one.pk))) for one in players),
        events=tuple(EventOfClub(one, counted[one.pk]) for one in events[:EVENTS_SHOWN]),
    )


def _rating(rating: Rating | None) -> int | None:
    return None if rating is None else shown_rating(rating.mean, rating.deviation)

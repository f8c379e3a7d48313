"""The tables a player sat at: with whom, against whom, where and when."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from django.db.models import Prefetch, QuerySet

from engine.profiles import Rules
from tournaments import permissions, publication
from tournaments.models import Match, MatchSeat, PairingRound, Player, Tournament
from tournaments.permissions import Visitor
from tournaments.queries.appeals import with_protest
from tournaments.rules import rules_of, sides_of

TABLES_READ = 2000
"""The latest tables that are counted; nobody plays more in ten years."""


@dataclass(frozen=True, slots=True)
class OwnTable:
    """A table as the player sees it."""

    match: Match
    seat: MatchSeat
    partners: tuple[Player, ...]
    opponents: tuple[Player, ...]

    @property
    def pairing_round(self) -> PairingRound:
        return self.match.pairing_round

    @property
    def tournament(self) -> Tournament:
        return self.match.pairing_round.stage.tournament


@dataclass(slots=True)
class Company:
    """How the player did with a partner, or against an opponent."""

    player: Player
    tables: int = 0
    won: int = 0
    lost: int = 0
    difference: int = 0

    @property
    def level(self) -> int:
        return self.tables - self.won - self.lost


@dataclass(frozen=True, slots=True)
class Companies:
    """Partners and opponents, those met most often first."""

    partners: tuple[Company, ...] = field(default=())
    opponents: tuple[Company, ...] = field(default=())


def own_tables(player: Player, *, user: Visitor) -> tuple[OwnTable, ...]:
    """Return the tables of a player in rounds the reader may see, the latest first.

    Results that are hidden are known to the player alone.
    """
    seen = permissions.visible_tournaments(user)
    public = PairingRound.objects.exclude(state=PairingRound.State.DRAFT)
    rounds = public.filter(stage__tournament__in=seen)
    mine = MatchSeat.objects.filter(player=player, pairing_round__in=rounds)
    matches = _with_seats(Match.objects.filter(pk__in=mine.values("match")))
    newest = matches.order_by(
        "-pairing_round__stage__tournament__starts_on", "-pairing_round__published_at", "-pk"
    )
    found = list(newest[:TABLES_READ])
    # Rules are read once an event, not once a table.
    events = {_event(match).pk: _event(match) for match in found}
    rules = {pk: rules_of(event) for pk, event in events.items()}
    if not publication.is_own(user, player.user_id):
        withheld = {pk: publication.withheld(event, user) for pk, event in events.items()}
        for match in found:
            if withheld[_event(match).pk].has(match.pairing_round):
                match.is_protested = False  # type: ignore[attr-defined]
                for seat in match.seats.all():
                    publication.without_result(seat)
    return tuple(_own(match, player, rules[_event(match).pk]) for match in found)


def companies(tables: Iterable[OwnTable]) -> Companies:
    """Count how the player did with every partner and against every opponent.

    Only results count that stand; a table nobody came to says nothing of who plays well.
    """
    partners: dict[int, Company] = {}
    opponents: dict[int, Company] = {}
    for one in tables:
        if one.match.state != Match.State.CLOSED or not one.seat.outcome:
            continue
        if one.seat.outcome in (MatchSeat.Outcome.WALKOVER_WIN, MatchSeat.Outcome.WALKOVER_LOSS):
            continue
        for among, others in ((partners, one.partners), (opponents, one.opponents)):
            for other in others:
                _count(among.setdefault(other.pk, Company(other)), one.seat)
    return Companies(_most_first(partners.values()), _most_first(opponents.values()))


def _count(company: Company, seat: MatchSeat) -> None:
    company.tables += 1
    company.won += seat.outcome == MatchSeat.Outcome.WIN
    company.lost += seat.outcome == MatchSeat.Outcome.LOSS
    company.difference += (seat.points_for or 0) - (seat.points_against or 0)


def _most_first(found: Iterable[Company]) -> tuple[Company, ...]:
    return tuple(
        sorted(found, key=lambda one: (-one.tables, -one.won, -one.difference, one.player.name))
    )


def _with_seats(matches: QuerySet[Match]) -> QuerySet[Match]:
    seats = MatchSeat.objects.select_related("player").order_by("seat")
    return (
        with_protest(matches)
        .select_related("pairing_round__stage__tournament")
        .defer("pairing_round__draw", "pairing_round__standings", "score")
        .prefetch_related(Prefetch("seats", seats))
    )


def _event(match: Match) -> Tournament:
    return match.pairing_round.stage.tournament


def _own(match: Match, player: Player, rules: Rules) -> OwnTable:
    seats = list(match.seats.all())
    side_of = {letter: side for side in sides_of(rules, len(seats)) for letter in side}
    own = next(one for one in seats if one.player_id == player.pk)
    side = side_of[own.seat]
    return OwnTable(
        match=match,
        seat=own,
        partners=tuple(one.player for one in seats if one is not own and side_of[one.seat] == side),
        opponents=tuple(one.player for one in seats if side_of[one.seat] != side),
    )

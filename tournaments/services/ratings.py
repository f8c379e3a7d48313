"""Rates players by the tables they have finished, in the order the tables were closed."""

from __future__ import annotations

import logging
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import groupby, takewhile
from typing import NamedTuple

from celery import current_app
from django.contrib.contenttypes.models import ContentType
from django.db import transaction
from django.db.models import Count, Max, Q, QuerySet
from kombu.exceptions import OperationalError
from openskill.models import PlackettLuce

from engine.profiles import Rules
from tournaments.models import (
    Match,
    MatchSeat,
    PairingRound,
    Player,
    Rating,
    RatingChange,
    Tournament,
)
from tournaments.publication import known_matches
from tournaments.rules import sides_of

# Named, not imported: tasks are a door to the services and stand above them.
REBUILD_RATINGS = "tournaments.tasks.rebuild_ratings"
_PLAYED = (MatchSeat.Outcome.WIN, MatchSeat.Outcome.LOSS, MatchSeat.Outcome.TIE)

_logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Strength:
    """What is believed of a player: a mean, and how far off it may be (one standard deviation)."""

    mean: float
    deviation: float


class _Seat(NamedTuple):
    match: int
    seat: str
    player: int
    outcome: str
    points_against: int


@transaction.atomic
def rebuild_ratings(tournament: Tournament) -> None:
    """Rate anew from the tournament's first table on, and all tables closed after it.

    Before that nothing has changed. Run twice or at once, the ratings are the same.
    """
    # One row of the site is the lock: every event's tables move the same ratings.
    ContentType.objects.select_for_update().get(app_label="tournaments", model="rating")
    wanted = _rated().order_by("closed_at", "pk")
    sequence = list(wanted.values_list("pk", "pairing_round__stage__tournament"))
    stored = _stored_sequence()
    same = sum(
        1
        for _ in takewhile(lambda pair: pair[0][0] == pair[1], zip(sequence, stored, strict=False))
    )
    own = (at for at, (_, event) in enumerate(sequence) if event == tournament.pk)
    start = min(same, next(own, len(sequence)))
    gone = RatingChange.objects.filter(match__in=stored[start:])
    touched = set(gone.values_list("player", flat=True))
    gone.delete()
    tables = _tables([pk for pk, _ in sequence[start:]])
    touched |= {seat.player for _, table in tables for seat in table}
    strengths = _latest(touched)
    changes = list(_replayed(tables, strengths, _rules_at(sequence[start:])))
    RatingChange.objects.bulk_create(changes, batch_size=1000)
    _store(touched)


def schedule_ratings(tournament_id: int) -> None:
    """Have the ratings rebuilt once the change is stored."""
    transaction.on_commit(partial(_send, tournament_id))


def rated(teams: Sequence[Sequence[Strength]], ranks: Sequence[int]) -> list[list[Strength]]:
    """Return the strengths after a table where team n came in with rank n, less being better."""
    model = PlackettLuce()
    before = [[model.rating(mu=one.mean, sigma=one.deviation) for one in team] for team in teams]
    after = model.rate(before, ranks=[float(rank) for rank in ranks])
    return [[Strength(one.mu, one.sigma) for one in team] for team in after]


def newcomer() -> Strength:
    """Return what is believed of a player nobody has seen."""
    model = PlackettLuce()
    return Strength(model.mu, model.sigma)


def _rated() -> QuerySet[Match]:
    """Return the tables that count: closed, played by all, won by somebody or drawn.

    An event only its officials may know of tells nobody how strong its players are, nor does a
    table with a hidden result.
    """
    seats = MatchSeat.objects.filter(match__state=Match.State.CLOSED)
    unplayed = seats.exclude(outcome__in=_PLAYED).values("match")
    decided = seats.exclude(outcome=MatchSeat.Outcome.LOSS).values("match")
    public = Q(pairing_round__stage__tournament__is_private=False)
    closed = Match.objects.filter(public, state=Match.State.CLOSED, closed_at__isnull=False)
    return (
        closed.filter(pk__in=decided)
        .exclude(pk__in=unplayed)
        .exclude(pairing_round__state=PairingRound.State.DRAFT)
        .filter(known_matches())
    )


def _stored_sequence() -> list[int]:
    found = RatingChange.objects.order_by("pk").values_list("match", flat=True)
    return list(dict.fromkeys(found))


def _tables(matches: Sequence[int]) -> list[tuple[int, list[_Seat]]]:
    """Return the seats of some matches, in the order the matches are given."""
    rows = MatchSeat.objects.filter(match__in=matches).order_by("match", "seat")
    seats = (_Seat(*row) for row in rows.values_list(*_Seat._fields))
    found = {match: list(table) for match, table in groupby(seats, key=lambda one: one.match)}
    return [(match, found[match]) for match in matches]


def _rules_at(sequence: Iterable[tuple[int, int]]) -> dict[int, Rules]:
    """Return the rules of the event of each match."""
    events = {event for _, event in sequence}
    written = Tournament.objects.filter(pk__in=events).values_list("pk", "rules")
    rules = {pk: Rules.read(frozen) for pk, frozen in written}
    return {match: rules[event] for match, event in sequence}


def _latest(players: Collection[int]) -> defaultdict[int, Strength]:
    """Return what the changes that are kept have left each player with."""
    found: defaultdict[int, Strength] = defaultdict(newcomer)
    last = RatingChange.objects.filter(player__in=players).order_by().values("player")
    newest = last.annotate(last=Max("pk")).values("last")
    for player, mean, deviation in RatingChange.objects.filter(pk__in=newest).values_list(
        "player", "mean", "deviation"
    ):
        found[player] = Strength(mean, deviation)
    return found


def _replayed(
    tables: Iterable[tuple[int, list[_Seat]]],
    strengths: defaultdict[int, Strength],
    rules_at: Mapping[int, Rules],
) -> Iterable[RatingChange]:
    """Rate one table after the other; `strengths` are those before, and then those after."""
    for match, table in tables:
        teams, ranks = _teams(table, rules_at[match])
        before = [[strengths[seat.player] for seat in team] for team in teams]
        after = rated(before, ranks)
        for team, olds, news in zip(teams, before, after, strict=True):
            for seat, old, new in zip(team, olds, news, strict=True):
                strengths[seat.player] = new
                yield RatingChange(
                    player_id=seat.player,
                    match_id=match,
                    mean_before=old.mean,
                    deviation_before=old.deviation,
                    mean=new.mean,
                    deviation=new.deviation,
                )


def _teams(table: Sequence[_Seat], rules: Rules) -> tuple[list[list[_Seat]], list[int]]:
    """Return who played together, and the rank of each team.

    A deduction may let one partner lose what the side has won: the side has won it. In
    elimination everybody is alone, and of those who lost the one with fewer points is before.
    """
    at = {seat.seat: seat for seat in table}
    teams = [[at[letter] for letter in side] for side in sides_of(rules, len(table))]
    worth = [min(_worth(seat, rules) for seat in team) for team in teams]
    order = sorted(set(worth))
    return teams, [order.index(one) for one in worth]


def _worth(seat: _Seat, rules: Rules) -> tuple[int, int]:
    if seat.outcome == MatchSeat.Outcome.WIN:
        return 0, 0
    level = seat.outcome == MatchSeat.Outcome.TIE
    return (1, 0) if level else (2, seat.points_against if rules.elimination else 0)


def _store(players: Collection[int]) -> None:
    """Bring the ratings of some players to what their changes say."""
    strengths = _latest(players)
    changes = RatingChange.objects.filter(player__in=players).order_by().values("player")
    matches = dict(changes.annotate(n=Count("pk")).values_list("player", "n"))
    Rating.objects.filter(player__in=players).exclude(player__in=matches).delete()
    there = Player.objects.filter(pk__in=matches).values_list("pk", flat=True)
    Rating.objects.bulk_create(
        [
            Rating(
                player_id=player,
                mean=strengths[player].mean,
                deviation=strengths[player].deviation,
                matches=matches[player],
            )
            for player in there
        ],
        update_conflicts=True,
        unique_fields=["player"],
        update_fields=["mean", "deviation", "matches"],
    )


def _send(tournament_id: int) -> None:
    """Hand the ratings to a worker; without a broker this process rebuilds them itself."""
    try:
        current_app.signature(REBUILD_RATINGS, args=[tournament_id]).delay()
    except OperationalError:
        _logger.exception("No broker: ratings after event %s are rebuilt here.", tournament_id)
        rebuild_ratings(Tournament.objects.get(pk=tournament_id))

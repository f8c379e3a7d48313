"""What the tests of the hard situations begin with: tables, records, seventeen players."""

from __future__ import annotations

import random

from django.contrib.auth.models import User

from engine.events import Sheet
from referee.recorded import event_of
from referee.services import records as referee
from tests.factories import EntryFactory, MatchFactory, PairingRoundFactory, TournamentFactory
from tests.tournaments.test_services_draws import play
from tournaments.models import (
    Entry,
    Match,
    PairingRound,
    Stage,
    Tournament,
)
from tournaments.policies import Policies
from tournaments.services import (
    draws,
    pairings,
    registration,
    scores,
    stages,
)
from tournaments.services.stages import StagePlan
from tournaments.services.standings import rebuild_standings

LETTERS = {
    "win": "W", "loss": "L", "tie": "=", "walkover_win": "w", "walkover_loss": "l", "": "-"
}  # fmt: skip


def event(kind: str = Entry.Kind.SINGLE, **fields: object) -> Tournament:
    fields.setdefault("profile", "femundo")
    return TournamentFactory.create(
        slug="nile", state=Tournament.State.RUNNING, entry_kind=kind, **fields
    )


def table(tournament: Tournament, **fields: object) -> Match:
    pairing_round = PairingRoundFactory.create(stage__tournament=tournament)
    match = MatchFactory.create(pairing_round=pairing_round, **fields)
    return Match.objects.select_related("pairing_round__stage__tournament").get(pk=match.pk)


def director(match: Match) -> User:
    return match.pairing_round.stage.tournament.created_by


def store(match: Match, one: int, other: int, **settings: object) -> Match:
    points = {"AC": one, "BD": other}
    return scores.record_score(match, points=points, by=director(match), **settings)  # type: ignore[arg-type]


def seats(match: Match) -> dict[str, tuple[str, int | None, int | None]]:
    """Return by seat W for won, L for lost (w, l: without play), points for and against."""
    return {
        one.seat: (LETTERS[one.outcome], one.points_for, one.points_against)
        for one in match.seats.order_by("seat")
    }


def entry_at(match: Match, seat: str) -> Entry:
    return match.seats.select_related("entry").get(seat=seat).entry


def opened(match: Match) -> Match:
    referee.open_match(match, by=director(match))
    return match


def sheet(match: Match, number: int, side: str, points: int) -> None:
    line = event_of(f"result {side} {points} out")
    assert isinstance(line, Sheet)
    referee.record_sheet(match, number=number, sheet=line, by=director(match))


def write(match: Match, *lines: str) -> None:
    """Append lines to the last round of a record."""
    record = match.records.order_by("number").last()
    assert record is not None
    for line in lines:
        number = record.events.count()
        referee.append_event(record, number=number, event=event_of(line), by=director(match))


def seventeen(rounds: int, **policies: object) -> Stage:
    """Return a rotating stage of 17 players with this many rounds played."""
    tournament = event()
    by = tournament.created_by
    EntryFactory.create_batch(17, tournament=tournament)
    if policies:
        registration.set_policies(tournament, Policies(**policies), by=by)  # type: ignore[arg-type]
        tournament.refresh_from_db()
    stage = stages.make_stage(tournament, StagePlan("rotating", rounds=9), by=by)
    chance = random.Random(17)
    for number in range(1, rounds + 1):
        play(draws.draw_round(stage, number=number, by=by), by, chance)
    rebuild_standings(stage)
    return stage


def published(stage: Stage, number: int) -> PairingRound:
    by = stage.tournament.created_by
    return pairings.publish(draws.draw_round(stage, number=number, by=by), by=by)


def play_open(match: Match, chance: random.Random, by: User) -> None:
    points = {"AC": 200, "BD": chance.randrange(190)}
    scores.record_score(match, points=points, sure=True, by=by)

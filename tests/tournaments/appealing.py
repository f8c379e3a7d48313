"""A played Swiss round, and appeals about its tables."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import User

from tests.factories import EntryFactory, OfficialFactory, TournamentFactory
from tournaments.models import Appeal, Entry, Match, Official, PairingRound, Tournament
from tournaments.services import appeals, draws, pairings, scores, stages
from tournaments.services.stages import StagePlan
from tournaments.services.standings import rebuild_standings

GROUNDS = "The referee let a misplay stand."


def played_round(entries: int = 8, **fields: Any) -> PairingRound:
    """Return a published first Swiss round of pairs, every table closed 105 to 60."""
    tournament = TournamentFactory.create(state=Tournament.State.RUNNING, **fields)
    EntryFactory.create_batch(entries, tournament=tournament)
    by = tournament.created_by
    stage = stages.make_stage(tournament, StagePlan(name="Main", system="swiss", rounds=4), by=by)
    drawn = draws.draw_round(stage, number=1, by=by)
    pairings.publish(drawn, by=by)
    for match in drawn.matches.order_by("table"):
        scores.record_score(match, points={"AC": 105, "BD": 60}, sure=True, by=by)
    rebuild_standings(stage)
    return PairingRound.objects.select_related("stage__tournament").get(pk=drawn.pk)


def table_of(pairing_round: PairingRound, number: int = 1) -> Match:
    """Return a table with its event."""
    found = Match.objects.select_related("pairing_round__stage__tournament")
    return found.get(pairing_round=pairing_round, table=number)


def event_of(match: Match) -> Tournament:
    return match.pairing_round.stage.tournament


def director_of(match: Match) -> User:
    return event_of(match).created_by


def official_of(match: Match, duty: str = Official.Duty.REFEREE) -> User:
    return OfficialFactory.create(tournament=event_of(match), duty=duty).user


def side_of(match: Match, seat: str) -> Entry:
    return Entry.objects.get(seats__match=match, seats__seat=seat)


def filed(match: Match, *, by: User | None = None, **said: Any) -> Appeal:
    """File an appeal of the side that sits on B."""
    said.setdefault("entry", side_of(match, "B"))
    said.setdefault("grounds", GROUNDS)
    return appeals.file_appeal(match, **said, by=by or director_of(match))

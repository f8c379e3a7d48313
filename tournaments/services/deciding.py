"""Decides for a round that is not drawn yet what becomes of each entry: one decision for each."""

from __future__ import annotations

from enum import StrEnum

from django.contrib.auth.models import User
from django.db import transaction

from tournaments import permissions
from tournaments.errors import adjusting as adjust_errors
from tournaments.models import Absence, Bye, Entry, PairingRound, Stage
from tournaments.services import attendance, draws, log
from tournaments.services.leaving import withdraw
from tournaments.services.lifecycle import locked, require_not_finished
from tournaments.services.stages import require_stage_open


class Decision(StrEnum):
    """What is decided about an entry before a round is drawn."""

    PLAYS = "plays"
    ABSENT = "absent"
    EXCUSED = "excused"
    BYE = "bye"
    WITHDRAW = "withdraw"


_ABSENT = {Decision.ABSENT: Absence.Kind.ABSENT, Decision.EXCUSED: Absence.Kind.EXCUSED}
_DECIDED = {str(kind): decision for decision, kind in _ABSENT.items()}


@transaction.atomic
def decide(stage: Stage, *, number: int, entry: Entry, decision: str, by: User) -> None:
    """Note what becomes of `entry` in round `number`. Decided twice the same, it is noted once."""
    permissions.require_director(by, stage.tournament)
    tournament = locked(stage.tournament)
    require_not_finished(tournament)
    if decision not in list(Decision):
        raise adjust_errors.UnknownDecision(given=decision, known=", ".join(Decision))
    stage = Stage.objects.select_related("tournament").get(pk=stage.pk)
    require_stage_open(stage)
    pairing_round = draws.round_to_prepare(stage, number)
    if draws.is_drawn(pairing_round) or pairing_round.state != PairingRound.State.DRAFT:
        raise adjust_errors.RoundIsDrawn(round=number, stage=stage.title)
    was = decided(pairing_round).get(entry.pk, Decision.PLAYS)
    if was == decision:
        return
    Bye.objects.filter(pairing_round=pairing_round, entry=entry).delete()
    kind = _ABSENT.get(Decision(decision))
    if kind is not None or was in _ABSENT:
        attendance.set_absence(stage, number=number, entry=entry, kind=kind, by=by)
    if decision == Decision.WITHDRAW:
        withdraw(entry, by=by)
    elif kind is None:
        if decision == Decision.BYE:
            Bye.objects.create(pairing_round=pairing_round, entry=entry, kind=Bye.Kind.ASKED)
        log.write(
            tournament,
            "bye_asked" if decision == Decision.BYE else "entry_plays",
            by=by,
            stage=stage.title,
            round=number,
            entry=entry.number,
            name=entry.name,
        )


def decided(pairing_round: PairingRound) -> dict[int, Decision]:
    """Return what was decided about entries of a round, by their keys; all others play."""
    found = {
        one.entry_id: _DECIDED[one.kind]
        for one in pairing_round.absences.all()
        if one.kind in _DECIDED
    }
    asked = pairing_round.byes.filter(kind=Bye.Kind.ASKED)
    return found | {one.entry_id: Decision.BYE for one in asked}

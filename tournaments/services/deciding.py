"""Decides for a round that is not drawn yet what becomes of each entry: one decision for each."""

from __future__ import annotations

from enum import StrEnum

from django.contrib.auth.models import User
from django.db import transaction

from tournaments import permissions
from tournaments.errors import adjusting as adjust_errors
from tournaments.models import Absence, Bye, Entry, PairingRound, Stage
from tournaments.services import attendance, byes, draws, log, watches
from tournaments.services.leaving import withdraw
from tournaments.services.lifecycle import locked, require_not_finished
from tournaments.services.stages import require_stage_open
from tournaments.services.traces import traced


class Decision(StrEnum):
    """What is decided about an entry before a round is drawn."""

    PLAYS = "plays"
    ABSENT = "absent"
    EXCUSED = "excused"
    BYE = "bye"
    HALF_BYE = "half_bye"
    EMPTY_BYE = "empty_bye"
    WITHDRAW = "withdraw"


_ABSENT = {Decision.ABSENT: Absence.Kind.ABSENT, Decision.EXCUSED: Absence.Kind.EXCUSED}
_WORTH = {
    Decision.BYE: Bye.Worth.FULL,
    Decision.HALF_BYE: Bye.Worth.HALF,
    Decision.EMPTY_BYE: Bye.Worth.NONE,
}
_BYES = {worth: decision for decision, worth in _WORTH.items()}
_DECIDED = {str(kind): decision for decision, kind in _ABSENT.items()}


@transaction.atomic
@traced(watches.decision, main="last")
def decide(stage: Stage, *, number: int, entry: Entry, decision: str, by: User) -> None:
    """Note what becomes of `entry` in round `number`. Decided twice the same, it is noted once."""
    permissions.require_director(by, stage.tournament)
    tournament = locked(stage.tournament)
    require_not_finished(tournament)
    if decision not in list(Decision):
        raise adjust_errors.UnknownDecision(given=decision, known=[str(one) for one in Decision])
    stage = Stage.objects.select_related("tournament").get(pk=stage.pk)
    require_stage_open(stage)
    pairing_round = draws.round_to_prepare(stage, number)
    if draws.is_drawn(pairing_round) or pairing_round.state != PairingRound.State.DRAFT:
        raise adjust_errors.RoundIsDrawn(round=number, stage=stage.title)
    worth = _WORTH.get(Decision(decision))
    if worth is not None:
        byes.require_given(stage)
        byes.require_worth(stage, worth)
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
        if worth is not None:
            Bye.objects.create(
                pairing_round=pairing_round, entry=entry, kind=Bye.Kind.ASKED, worth=worth
            )
        log.write(
            tournament,
            "entry_plays" if worth is None else "bye_asked",
            by=by,
            stage=stage,
            round=number,
            entry=entry.number,
            name=entry.name,
            **({} if worth is None else {"worth": worth.value}),
        )


def decided(pairing_round: PairingRound) -> dict[int, Decision]:
    """Return what was decided about entries of a round, by their keys; all others play."""
    found = {
        one.entry_id: _DECIDED[one.kind]
        for one in pairing_round.absences.all()
        if one.kind in _DECIDED
    }
    asked = pairing_round.byes.filter(kind=Bye.Kind.ASKED)
    return found | {one.entry_id: _BYES[Bye.Worth(one.worth)] for one in asked}

"""Byes given by hand, and what a bye is worth."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.db import transaction

from tournaments import permissions
from tournaments.errors import entries as entry_errors
from tournaments.models import Absence, Bye, Entry, PairingRound, Stage
from tournaments.rules import rules_of
from tournaments.services import attendance, log, results, watches
from tournaments.services.draws import BY_ROUND, is_drawn, round_to_prepare
from tournaments.services.lifecycle import locked, require_not_finished
from tournaments.services.stages import require_stage_open
from tournaments.services.traces import traced

_GIVEN_IN = (*BY_ROUND, Stage.System.MANUAL)


@transaction.atomic
@traced(watches.decision)
def give_bye(
    stage: Stage, *, number: int, entry: Entry, worth: str = Bye.Worth.FULL, by: User
) -> Bye:
    """Let an entry rest in a round that is not drawn yet, or say what the bye it has is worth.

    Whoever rests leaves the field before the others are paired. A bye of any worth is one: who
    has had it is drawn for another only after those who have had fewer. Said twice, it is given
    once.
    """
    permissions.require_director(by, stage.tournament)
    tournament = locked(stage.tournament)
    require_not_finished(tournament)
    stage = Stage.objects.select_related("tournament").get(pk=stage.pk)
    require_stage_open(stage)
    require_worth(stage, worth)
    attendance.require_in_stage(stage, entry)
    drawn = stage.rounds.filter(number=number).first()
    bye = Bye.objects.filter(pairing_round=drawn, entry=entry).first()
    if bye is not None and bye.worth == worth:
        return bye
    is_drawn_round = drawn is not None and is_drawn(drawn)
    if bye is None:
        bye = _new_bye(stage, number, entry, drawn)
    bye.worth = worth
    bye.save()
    act = "bye_worth" if is_drawn_round else "bye_asked"
    _write(stage, number, entry, act, by=by, worth=worth)
    results.schedule_standings(stage)
    return bye


@transaction.atomic
@traced(watches.decision)
def take_bye_back(stage: Stage, *, number: int, entry: Entry, by: User) -> None:
    """Let an entry play that was to rest in a round not drawn yet. Asked twice, it is done once."""
    permissions.require_director(by, stage.tournament)
    tournament = locked(stage.tournament)
    require_not_finished(tournament)
    stage = Stage.objects.select_related("tournament").get(pk=stage.pk)
    require_stage_open(stage)
    bye = Bye.objects.filter(
        pairing_round__stage=stage, pairing_round__number=number, entry=entry
    ).first()
    if bye is None:
        return
    if is_drawn(bye.pairing_round):
        raise entry_errors.ByeStays(entry=entry.name, round=number, stage=stage.title)
    bye.delete()
    _write(stage, number, entry, "entry_plays", by=by)


def _new_bye(stage: Stage, number: int, entry: Entry, drawn: PairingRound | None) -> Bye:
    require_given(stage)
    attendance.require_round(stage, number)
    if drawn is not None:
        attendance.require_unseated(drawn, entry)
        if is_drawn(drawn) and drawn.state != PairingRound.State.DRAFT:
            raise entry_errors.RoundWithoutEntry(entry=entry.name, round=number, stage=stage.title)
        Absence.objects.filter(pairing_round=drawn, entry=entry).delete()
    return Bye(
        pairing_round=drawn or round_to_prepare(stage, number), entry=entry, kind=Bye.Kind.ASKED
    )


def are_given(stage: Stage) -> bool:
    """Say whether somebody can be given a bye in a stage, or its system says who rests."""
    return stage.system in _GIVEN_IN


def require_given(stage: Stage) -> None:
    """Refuse a bye where the system says who rests."""
    if not are_given(stage):
        raise entry_errors.ByesAreDrawn(stage=stage.title, system=Stage.System(stage.system).label)


def require_worth(stage: Stage, worth: str) -> None:
    """Refuse a worth that is none, or that would be the better bye where points are bad."""
    if worth not in Bye.Worth.values:
        raise entry_errors.UnknownByeWorth(given=worth[:20], known=list(Bye.Worth.values))
    if worth != Bye.Worth.FULL and rules_of(stage.tournament).elimination:
        raise entry_errors.ByeWithoutPoints(stage=stage.title)


def _write(
    stage: Stage, number: int, entry: Entry, act: str, *, by: User, **details: object
) -> None:
    log.write(
        stage.tournament,
        act,
        by=by,
        stage=stage,
        round=number,
        entry=entry.number,
        name=entry.name,
        **details,
    )

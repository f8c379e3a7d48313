"""Decides appeals, and carries out in the same change what that does to the result.

A director writes the decision down, or a member of the panel with a duty at the event. The
result changes by the same services as at the desk; a published round never does.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Max

from tournaments import permissions
from tournaments.errors import appeals as appeal_errors
from tournaments.models import Appeal, Entry, LogEntry, Match, PairingRound
from tournaments.names import tidy_lines
from tournaments.services import appeals, corrections, results
from tournaments.services.brackets import later_tables
from tournaments.services.corrections import Correction
from tournaments.services.places import moves, places
from tournaments.services.scores import Score

DECIDED: Final = (Appeal.State.UPHELD, Appeal.State.REJECTED)
# The same, and what becomes of a fee, as choices of a form.
VERDICTS: Final = [(one.value, one.label) for one in DECIDED]
FEES: Final = [(one.value, one.label) for one in (Appeal.Fee.RETURNED, Appeal.Fee.KEPT)]
_CARRIED_OUT: Final = ("result_corrected", "match_replayed")


class Replay(Protocol):
    """Lets a match be played again, with its record."""

    def __call__(self, match: Match, *, reason: str, appeal: Appeal, by: User) -> Match: ...


@dataclass(frozen=True, slots=True)
class Verdict:
    """What is decided: how, why, and what becomes of the result and of the fee.

    `points` and `deducted` are those of a corrected score; `absent` lose a walkover. An empty
    `fee_state` means what is usual: returned when upheld, kept when rejected.
    """

    state: str
    reasons: str
    effect: str = Appeal.Effect.NONE
    points: Score | None = None
    deducted: Mapping[str, int] | None = None
    absent: Collection[Entry] = ()
    fee_state: str = ""
    sure: bool = False


def play_again(match: Match, *, reason: str, appeal: Appeal, by: User) -> Match:
    """Let a match be played again that has no record."""
    return corrections.restart(match, reason=reason, attempt={}, appeal=appeal, by=by)


@transaction.atomic
def decide_appeal(
    appeal: Appeal, verdict: Verdict, *, replay: Replay = play_again, by: User
) -> Appeal:
    """Decide an appeal and carry out, in the same change, what that does to the result.

    What it changed is kept in `changed`. Rounds that are published stay as they are; where one
    would have to go, it is refused. Decided the same again, nothing changes.
    """
    permissions.require_may_decide(by, appeal)
    appeal, match = appeals.locked_appeal(appeal)
    reasons = tidy_lines(verdict.reasons)
    _require_sound(verdict, reasons)
    if appeal.state != Appeal.State.FILED:
        same = (appeal.state, appeal.effect, appeal.reasons)
        if same == (verdict.state, verdict.effect, reasons):
            return appeal
        appeals.require_open(appeal)
    stage = match.pairing_round.stage
    before = _result_of(match)
    newest = LogEntry.objects.filter(tournament=appeal.tournament_id).aggregate(n=Max("pk"))["n"]
    done = _carry_out(appeal, match, verdict, reasons, replay, by)
    effect = None
    if done is not None:
        effect = LogEntry.objects.filter(
            tournament=appeal.tournament_id,
            pk__gt=newest or 0,
            act__in=_CARRIED_OUT,
            details__match=match.pk,
        ).first()
        match = done.match
    appeal.effect = Appeal.Effect(verdict.effect)
    appeal.reasons = reasons
    appeal.changed = _changed(before, match, done)
    appeal.effect_log = effect
    usual = {Appeal.State.UPHELD: Appeal.Fee.RETURNED, Appeal.State.REJECTED: Appeal.Fee.KEPT}
    fee = verdict.fee_state or (usual[Appeal.State(verdict.state)] if appeal.fee else "")
    appeals.close(appeal, Appeal.State(verdict.state), fee, by=by)
    appeals.write(
        appeal, match, "appeal_decided", by=by, state=verdict.state, effect=verdict.effect
    )
    results.schedule_standings(stage)
    return appeal


def preview(appeal: Appeal, verdict: Verdict, *, replay: Replay = play_again, by: User) -> Appeal:
    """Return the appeal as `decide_appeal` would leave it, changing nothing; refuses the same."""
    # The change is made and thrown away, so that what is shown is exactly what will be.
    with transaction.atomic():
        try:
            return decide_appeal(appeal, verdict, replay=replay, by=by)
        finally:
            transaction.set_rollback(True)


def _require_sound(verdict: Verdict, reasons: str) -> None:
    appeals.require_known(verdict.state, DECIDED)
    appeals.require_known(verdict.effect, Appeal.Effect)
    appeals.require_known(verdict.fee_state, Appeal.Fee)
    if not reasons:
        raise appeal_errors.ReasonsMissing
    appeals.require_short(reasons, appeals.LONGEST_TEXT)
    if verdict.state == Appeal.State.REJECTED and verdict.effect != Appeal.Effect.NONE:
        raise appeal_errors.EffectNeedsUpheld(effect=str(Appeal.Effect(verdict.effect).label))


def _carry_out(
    appeal: Appeal, match: Match, verdict: Verdict, reasons: str, replay: Replay, by: User
) -> Correction | None:
    """Do to the result what is decided; None where it stands."""
    if verdict.effect == Appeal.Effect.NONE:
        return None
    published = _published_after(match)
    why = reasons.partition("\n")[0]
    why = why if len(why) <= appeals.LONGEST_REASON else why[: appeals.LONGEST_REASON - 1] + "…"
    if verdict.effect == Appeal.Effect.CORRECTED:
        done = corrections.correct_score(
            match,
            points=verdict.points or {},
            deducted=verdict.deducted,
            reason=why,
            sure=verdict.sure,
            appeal=appeal,
            by=by,
        )
    elif verdict.effect == Appeal.Effect.WALKOVER:
        done = corrections.award(match, absent=verdict.absent, reason=why, appeal=appeal, by=by)
    else:
        stage = match.pairing_round.stage
        before, gone = places(stage), corrections.stands_on(match)
        again = replay(match, reason=why, appeal=appeal, by=by)
        done = Correction(again, moves(stage, before), corrections.later_rounds(again), gone)
    for number, table in done.gone:
        if (number, table) in published:
            raise appeal_errors.DecisionWouldChangeDraw(at=table, round=number, table=match.table)
    return done


def _published_after(match: Match) -> set[tuple[int, int]]:
    return {
        (one.pairing_round.number, one.table)
        for one in later_tables(match)
        if one.pairing_round.state != PairingRound.State.DRAFT
    }


def _result_of(match: Match) -> list[dict[str, Any]]:
    return [
        {name: getattr(one, name) for name in appeals.SEAT_FIELDS} | {"player": one.player.name}
        for one in match.seats.select_related("player").order_by("seat")
    ]


def _changed(
    before: Sequence[Mapping[str, Any]], match: Match, done: Correction | None
) -> dict[str, Any]:
    """Return what a decision changed: results, places, and what stays or goes because of it."""
    after = _result_of(match)
    return {
        "before": list(before),
        "after": after if list(before) != after else [],
        "moves": [
            {
                "entry": one.entry.number,
                "name": one.entry.name,
                "before": one.before,
                "after": one.after,
            }
            for one in (done.moves if done else ())
        ],
        "later_rounds": list(done.later_rounds if done else corrections.later_rounds(match)),
        "gone": [list(one) for one in (done.gone if done else ())],
    }

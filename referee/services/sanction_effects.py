"""What a card does to results and entries: shown first, then carried out by a director."""

from __future__ import annotations

from dataclasses import dataclass, replace

from django.contrib.auth.models import User
from django.db import transaction

from referee.errors import sanctions as errors
from referee.models import Sanction
from referee.services.sanctions import effect_stands, name_of
from tournaments.models import Entry, LogEntry, Match, MatchSeat
from tournaments.permissions import require_director
from tournaments.rules import rules_of, sides_of
from tournaments.services import corrections, log, results
from tournaments.services.corrections import Correction
from tournaments.services.disqualification import (
    LEFT_GET_TARGET,
    disqualify,
    left_at_table,
    open_tables,
)
from tournaments.services.lifecycle import locked, require_not_finished
from tournaments.services.results import SeatResult

Outcome = MatchSeat.Outcome
_LOST = (Outcome.LOSS, Outcome.WALKOVER_LOSS)
_LOSES_MATCH = (Sanction.Severity.RED, Sanction.Severity.BLACK, Sanction.Severity.MATCH)


@dataclass(frozen=True, slots=True)
class SeatChange:
    """What one seat has before and after: the offender's, the partner's, the others', each own."""

    name: str
    is_offender: bool
    before: SeatResult
    after: SeatResult


@dataclass(frozen=True, slots=True)
class CarriedOut:
    """What a card changes: results seat by seat, places, open tables lost, the entry put out."""

    sanction: Sanction
    seats: tuple[SeatChange, ...] = ()
    correction: Correction | None = None
    entry: Entry | None = None
    tables: tuple[int, ...] = ()


def is_due(sanction: Sanction) -> bool:
    """Say whether a card changes something in the event that nobody has carried out yet."""
    if sanction.severity not in _LOSES_MATCH or sanction.state == Sanction.State.DROPPED:
        return False
    if effect_stands(sanction):
        return False
    entry = entry_of(sanction)
    if entry is None:
        return False
    if sanction.severity == Sanction.Severity.BLACK and entry.state != Entry.State.DISQUALIFIED:
        return True
    return _loses(sanction)


def entry_of(sanction: Sanction) -> Entry | None:
    """Return the entry that whoever is sanctioned plays for; nobody else has results to lose."""
    if sanction.player_id is None:
        return None
    members = {"members__player": sanction.player_id}
    return Entry.objects.filter(tournament=sanction.tournament_id, **members).first()


def _loses(sanction: Sanction) -> bool:
    """Say whether the table of a card is still to be lost by whoever has it."""
    if sanction.severity not in _LOSES_MATCH or sanction.match is None or sanction.in_record:
        return False
    seats = sanction.match.seats.filter(player=sanction.player_id)
    # Who lost the match by play loses the points made there, too: it is lost 0 to the target.
    return seats.exclude(outcome__in=_LOST, points_for__lte=0).exists()


@transaction.atomic
def carry_out(sanction: Sanction, *, by: User) -> CarriedOut:
    """Let a confirmed card have its effect; a director's act. Asked twice, it is done once.

    A red card loses the match it was given at: in a pairs event for the pair, otherwise for the
    offender alone, and the partner gets what the event's rules say. A black one puts the entry
    out of the event as well. Taken back in the log, it is due again.
    """
    require_director(by, sanction.tournament)
    tournament = locked(sanction.tournament)
    require_not_finished(tournament)
    sanction = Sanction.objects.select_related(
        "player", "tournament", "match__pairing_round__stage__tournament"
    ).get(pk=sanction.pk)
    if effect_stands(sanction):
        return CarriedOut(sanction)
    if sanction.state != Sanction.State.CONFIRMED:
        raise errors.SanctionNotConfirmed(name=name_of(sanction))
    if not is_due(sanction):
        raise errors.SanctionHasNoEffect(
            name=name_of(sanction), severity=str(sanction.get_severity_display())
        )
    why = _why(sanction)
    entry = entry_of(sanction)
    assert entry is not None
    newest = LogEntry.objects.filter(tournament=tournament).order_by("-pk").first()
    done = CarriedOut(sanction)
    black = sanction.severity == Sanction.Severity.BLACK
    # At a table that still plays, whoever is put out of the event loses by that.
    if _loses(sanction) and not (black and sanction.match.state != Match.State.CLOSED):  # type: ignore[union-attr]
        done = _lose(sanction, why, by)
    if black and entry.state != Entry.State.DISQUALIFIED:
        tables = tuple(sorted(one.table for one in open_tables(entry)))
        entry = disqualify(entry, reason=why, by=by)
        done = replace(done, entry=entry, tables=tables)
    lines = LogEntry.objects.filter(tournament=tournament, pk__gt=newest.pk if newest else 0)
    sanction.effect_log = lines.filter(
        act__in=("result_corrected", "entry_disqualified")
    ).last() or log.write(tournament, "card_carried_out", by=by, name=name_of(sanction))
    sanction.save(update_fields=["effect_log"])
    return replace(done, sanction=sanction)


def preview(sanction: Sanction, *, by: User) -> CarriedOut:
    """Return what `carry_out` would do, changing nothing; refuses what it refuses."""
    # The change is made and thrown away, so that what is shown is exactly what will be.
    with transaction.atomic():
        try:
            return carry_out(sanction, by=by)
        finally:
            transaction.set_rollback(True)


def _lose(sanction: Sanction, why: str, by: User) -> CarriedOut:
    """Let the table of a card be lost by whoever has it."""
    match = sanction.match
    assert match is not None
    if match.state != Match.State.CLOSED:
        raise errors.TableStillPlays(table=match.table)
    if rules_of(match).elimination:
        raise errors.EliminationByHand(table=match.table)
    before = {one.seat: one for one in match.seats.select_related("player")}
    given = lost_match(match, sanction)
    correction = corrections.write_results(match, given=given, reason=why, by=by)
    changes = tuple(
        SeatChange(
            name=one.player.name,
            is_offender=one.player_id == sanction.player_id,
            before=results.result_of(one),
            after=given[seat],
        )
        for seat, one in sorted(before.items())
    )
    return CarriedOut(sanction, changes, correction)


def lost_match(match: Match, sanction: Sanction) -> dict[str, SeatResult]:
    """Return what every seat leaves with when whoever has the card loses the match."""
    seats = {one.seat: one for one in match.seats.all()}
    rules = rules_of(match)
    offender = next((s for s, one in seats.items() if one.player_id == sanction.player_id), None)
    if offender is None:
        raise errors.NotAtThatTable(name=name_of(sanction), table=match.table)
    side = next(side for side in sides_of(rules, len(seats)) if offender in side)
    alone = match.pairing_round.stage.tournament.entry_kind == Entry.Kind.SINGLE
    # Femundo 28 credits the three others; elsewhere partners lose what they play together.
    losing = offender if alone and left_at_table(match) == LEFT_GET_TARGET else side
    return {
        seat: SeatResult(
            # Whoever is below 0 by deductions does not gain by losing.
            points_for=min(0, one.points_for or 0) if seat in losing else rules.target,
            points_against=rules.target if seat in losing else 0,
            outcome=Outcome.LOSS if seat in losing else Outcome.WIN,
            deducted=one.deducted,
            rounds_won=one.rounds_won,
        )
        for seat, one in seats.items()
    }


def _why(sanction: Sanction) -> str:
    """Return the reason the log has; it is kept in English, as all that is stored."""
    said = sanction.note or sanction.kind.replace("_", " ")
    return f"{sanction.severity} card: {said}" if said else f"{sanction.severity} card"

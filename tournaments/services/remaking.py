"""Draws a published round anew as long as nobody has begun it, because the field has changed."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.db import transaction

from tournaments import permissions
from tournaments.errors import draws as draw_errors
from tournaments.errors import scores as score_errors
from tournaments.models import Match, MatchSeat, PairingRound
from tournaments.names import tidy
from tournaments.services import draws, followers, log, results, watches
from tournaments.services.lifecycle import locked, require_not_finished
from tournaments.services.stages import require_stage_open
from tournaments.services.traces import traced

_WALKOVERS = (MatchSeat.Outcome.WALKOVER_WIN, MatchSeat.Outcome.WALKOVER_LOSS)


@transaction.atomic
@traced(watches.draft, main="last")
def remake_round(pairing_round: PairingRound, *, reason: str, by: User) -> PairingRound:
    """Draw a published round that nobody has begun anew for those who are there now.

    Tables that were closed only because somebody was absent give way; whoever has left is not
    drawn, and a bye that is not needed any more vanishes. The new draw is a draft, to be looked
    at and published. Tables locked by hand stay.
    """
    stage = pairing_round.stage
    permissions.require_director(by, stage.tournament)
    tournament = locked(stage.tournament)
    require_not_finished(tournament)
    pairing_round = PairingRound.objects.select_related("stage__tournament").get(
        pk=pairing_round.pk
    )
    stage = pairing_round.stage
    require_stage_open(stage)
    said = tidy(reason)
    if not said:
        raise score_errors.ReasonMissing
    if stage.system not in draws.BY_ROUND:
        raise draw_errors.WholeStageDrawn(stage=stage.title)
    later = stage.rounds.filter(number__gt=pairing_round.number, matches__isnull=False).first()
    if later is not None:
        raise score_errors.LaterRoundExists(later=later.number, round=pairing_round.number)
    begun = begun_table(pairing_round)
    if begun is not None:
        raise score_errors.RoundHasBegun(round=pairing_round.number, table=begun.table)
    for match in pairing_round.matches.filter(state=Match.State.CLOSED):
        results.take_back(results.locked_match(match))
    pairing_round.state = PairingRound.State.DRAFT
    pairing_round.published_at = None
    pairing_round.save(update_fields=["state", "published_at"])
    draws.discard_draft(pairing_round, by=by)
    drawn = draws.draw_round(stage, number=pairing_round.number, reason=said, by=by)
    log.write(
        tournament,
        "round_remade",
        by=by,
        stage=stage,
        stage_number=stage.number,
        round=drawn.number,
        tables=drawn.matches.count(),
        byes=drawn.byes.count(),
        reason=said,
    )
    results.schedule_standings(stage)
    followers.tables_changed(tournament, None, by=by)
    return drawn


def may_be_remade(pairing_round: PairingRound) -> bool:
    """Say whether a published round can be drawn anew: nobody has begun it, none follows."""
    stage = pairing_round.stage
    return (
        stage.system in draws.BY_ROUND
        and stage.state == stage.State.OPEN
        and pairing_round.state != PairingRound.State.DRAFT
        and not stage.rounds.filter(number__gt=pairing_round.number, matches__isnull=False).exists()
        and begun_table(pairing_round) is None
    )


def begun_table(pairing_round: PairingRound) -> Match | None:
    """Return a table of a round that somebody has played at, None while there is none."""
    for match in pairing_round.matches.exclude(state=Match.State.WAITING).order_by("table"):
        walkover = not match.seats.exclude(outcome__in=_WALKOVERS).exists()
        if match.state == Match.State.PLAYING or match.opened_at or not walkover:
            return match
    return None

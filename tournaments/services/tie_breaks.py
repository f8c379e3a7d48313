"""Chooses what orders the standings of a stage."""

from __future__ import annotations

from collections.abc import Sequence

from django.contrib.auth.models import User
from django.db import transaction

from tournaments import permissions
from tournaments.competition.types import TieBreak
from tournaments.errors import draws as draw_errors
from tournaments.models import Stage
from tournaments.services import log, standings, watches
from tournaments.services.lifecycle import locked, require_not_finished
from tournaments.services.stages import require_stage_open
from tournaments.services.traces import traced


@transaction.atomic
@traced(watches.itself("tie_breaks"))
def change_tie_breaks(stage: Stage, tie_breaks: Sequence[str], *, by: User) -> Stage:
    """Order the standings of an open stage by other tie-breaks, asked in this order.

    Standings kept with a round keep the chain of their time. The same again does nothing.
    """
    permissions.require_director(by, stage.tournament)
    tournament = locked(stage.tournament)
    require_not_finished(tournament)
    stage = Stage.objects.select_related("tournament").get(pk=stage.pk)
    require_stage_open(stage)
    _require_sound(tie_breaks)
    before = list(stage.tie_breaks)
    if before == list(tie_breaks):
        return stage
    stage.tie_breaks = list(tie_breaks)
    stage.save(update_fields=["tie_breaks"])
    standings.rebuild_standings(stage)
    log.write(
        tournament,
        "tie_breaks_changed",
        by=by,
        stage=stage,
        before=before,
        tie_breaks=stage.tie_breaks,
    )
    return stage


def _require_sound(tie_breaks: Sequence[str]) -> None:
    known = [one.value for one in TieBreak]
    for place, name in enumerate(tie_breaks):
        if name not in known or name in tie_breaks[:place]:
            raise draw_errors.BadStageSetting(
                setting="tie_breaks", expected=list(known), found=name
            )
    if not tie_breaks:
        raise draw_errors.BadStageSetting(setting="tie_breaks", expected="1–10", found=0)

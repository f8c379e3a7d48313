"""Draws that a worker makes: what went wrong is kept for whoever asked."""

from __future__ import annotations

from django.contrib.auth.models import User

from engine.errors import DominoError
from tournaments.models import Stage
from tournaments.services import draws, log

# Named, not imported: tasks are a door to the services and stand above them.
DRAW_ROUND = "tournaments.tasks.draw_round"
# A field up to this size is drawn while the page waits.
DRAWN_AT_ONCE = 400
# Within so many seconds there is a round or a sentence; larger fields have longer.
SECONDS, SECONDS_OF_LARGE, LARGE = 9, 60, 2_000


def seconds_for(stage: Stage) -> int:
    """Return how long the draw of a stage may take."""
    return SECONDS_OF_LARGE if stage.stage_entries.count() > LARGE else SECONDS


def draw_or_note(
    stage: Stage, *, number: int, reason: str = "", provisional: bool = False, by: User
) -> None:
    """Draw a round; a refusal is kept in the log, and the round stays undrawn."""
    try:
        draws.draw_round(stage, number=number, reason=reason, provisional=provisional, by=by)
    except DominoError as error:
        note_failure(stage, number, error, by=by)


def note_failure(stage: Stage, number: int, error: DominoError, *, by: User) -> None:
    """Keep why a round was not drawn."""
    log.write(
        stage.tournament,
        "round_not_drawn",
        by=by,
        stage=stage,
        stage_number=stage.number,
        round=number,
        code=error.code,
        text=error.text,
        plural=error.plural,
        number=error.number,
        params={name: _plain(value) for name, value in error.params.items()},
    )


def _plain(value: object) -> object:
    if isinstance(value, list | tuple):
        return [_plain(one) for one in value]
    return value if isinstance(value, int | str) else str(value)

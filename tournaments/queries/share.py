"""What the picture of an event shows: who leads or has won it, as its public pages say."""

from __future__ import annotations

from typing import Any, Final

from tournaments.models import PairingRound, Tournament
from tournaments.queries.events import latest_round, stage_lines
from tournaments.queries.standings import standings_page

_ROWS: Final = 5
_ROWS_UNDER_CHAMPION: Final = 3


def event_picture(tournament: Tournament) -> dict[str, Any]:
    """Return what the picture of an event shows. Drafts are not among it, whoever asks."""
    page = standings_page(tournament, limit=_ROWS)
    # While results are hidden, nobody is told who has won.
    is_over = tournament.state == Tournament.State.FINISHED and not page.hidden_rounds
    # Before any result counts, every entry is first.
    rows = page.rows if page.rounds_finished else ()
    first = [row for row in rows if row.place == 1 and not row.is_shared]
    champion = first[0].entry.name if is_over and len(first) == 1 else ""
    newest = latest_round(stage_lines(tournament, drafts=False))
    in_play = newest is not None and newest.state != PairingRound.State.FINISHED
    return {
        "tournament": tournament,
        "pairing_round": newest if in_play else None,
        "champion": champion,
        "rows": rows[1:_ROWS_UNDER_CHAMPION] if champion else rows[:4],
        "is_provisional": bool(page.protests),
    }

"""The appeals of an event file, stored: their evidence as it was frozen, their panels by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from engine.errors import Phrase, shown
from tournaments.competition.types import BadRequest
from tournaments.models import Appeal, Entry, LogEntry, Match, PanelMember, Tournament
from tournaments.services.appeals import LONGEST_NAME, MOST_ON_PANEL
from tournaments.services.event_readers import items, text
from tournaments.services.event_rows import objects, row_of

_panel = items(text(LONGEST_NAME, shortest=1), most=MOST_ON_PANEL)


def store_appeals(
    document: Mapping[str, object],
    tournament: Tournament,
    *,
    matches: Mapping[int, Match],
    entry_at: Callable[[object, str], Entry],
    line_at: Callable[[object, str], LogEntry | None],
) -> None:
    """Store the appeals of a file; one written before there were any has none.

    `matches` are those stored, by their ids in the file; `entry_at` and `line_at` find an entry
    by number and a line of the log by its place. Raises BadRequest with the path of what is wrong.
    """
    for at, given in objects({"appeals": document.get("appeals", [])}, "appeals"):
        number = given.get("match")
        match = matches.get(number) if type(number) is int else None
        if match is None:
            expected = Phrase("the id of a match of this file")
            raise BadRequest(path=f"{at}.match", expected=expected, found=shown(number))
        entry = entry_at(given.get("entry"), f"{at}.entry")
        if not match.seats.filter(entry=entry).exists():
            expected = Phrase("an entry that sat at the match")
            raise BadRequest(path=f"{at}.entry", expected=expected, found=entry.number)
        appeal = row_of(
            Appeal,
            given,
            at,
            tournament=tournament,
            match=match,
            entry=entry,
            effect_log=line_at(given.get("effect_log"), f"{at}.effect_log"),
        )
        names = given.get("panel", [])
        _panel(names, f"{at}.panel")
        appeal.save()
        assert isinstance(names, list)
        PanelMember.objects.bulk_create(PanelMember(appeal=appeal, name=str(one)) for one in names)

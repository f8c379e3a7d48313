"""Takes the record of a match back to an earlier event; all of it stays in the log."""

from __future__ import annotations

from uuid import UUID, uuid4

from django.db import transaction

from engine.events import Undo
from engine.notation import format_line
from referee.errors.links import PlayersDoNotRule
from referee.errors.records import ChangedBeforeGoingBack
from referee.going_back import undos_before, way_back
from referee.models import RecordedEvent
from referee.recorded import Recorded
from referee.rows import drop_round, read, store
from referee.services import records
from referee.services.sanction_following import follow_record
from tournaments.models import Match
from tournaments.permissions import Keeper, TableGuest, require_may_record
from tournaments.services import results


@transaction.atomic
def go_back(
    match: Match,
    *,
    number: int,
    event: int | None = None,
    seen: tuple[int, int],
    client_key: UUID | None = None,
    by: Keeper,
) -> Recorded:
    """Go back to just before `event` of round `number` (both from 0): a slip of the pen.

    The rounds after it fall away; without an `event` the round itself does, and is opened anew.
    `seen` is how many rounds the record had, and events its last round, when somebody looked at
    what would be lost: nothing else is ever lost. The same `client_key` again does nothing.
    """
    require_may_record(by, match)
    match = records.locked(match.pk)
    if client_key is not None and RecordedEvent.objects.filter(client_key=client_key).exists():
        return read(match)
    records.require_playing(match)
    recorded = read(match)
    found = (len(recorded.rounds), recorded.next_number)
    if seen != found:
        raise ChangedBeforeGoingBack(found=found[0], entry=found[1])
    back = way_back(recorded, number=number, event=event)
    after = back.rows.replayed()
    rulings_fall = recorded.state.infractions != after.state.infractions
    if rulings_fall and isinstance(by, TableGuest) and not by.rules:
        raise PlayersDoNotRule
    key = client_key or uuid4()
    for stored in reversed(back.falling):
        replay = recorded.state.rounds[stored.number].replayed
        is_asked = event is None and stored.number == number
        drop_round(stored, effective=undos_before(replay, 0), key=key if is_asked else None, by=by)
    if event is not None:
        line = format_line(Undo(back.undos))
        target = recorded.rounds[number]
        store(target, [(len(target.lines), line, key)], by=by)
    records.keep_substitutes(after)
    records.keep_score(after)
    follow_record(match.pk, by=by)
    results.write_log(
        match,
        "record_went_back",
        by=by,
        played=number + 1,
        rounds=len(back.falling),
    )
    return after

"""My table: where an entry sits in the round people look for."""

from __future__ import annotations

from dataclasses import dataclass

from tournaments.models import Bye, Entry, Match, MatchSeat, PairingRound
from tournaments.queries.desk_draw import room_of
from tournaments.queries.events import latest_round, stage_lines


@dataclass(frozen=True, slots=True)
class OwnTable:
    """The table of an entry in a round; without a match it has no opponents there."""

    pairing_round: PairingRound
    match: Match | None
    room: str
    seats: tuple[MatchSeat, ...]
    others: tuple[MatchSeat, ...]


def own_table(entry: Entry) -> OwnTable | None:
    """Return where an entry sits now, None where it does not play; drafts tell nothing."""
    pairing_round = latest_round(stage_lines(entry.tournament, drafts=False))
    if pairing_round is None:
        return None
    seats = MatchSeat.objects.filter(match__seats__entry=entry, pairing_round=pairing_round)
    found = list(seats.select_related("match", "player").distinct().order_by("seat"))
    if found:
        match = found[0].match
        return OwnTable(
            pairing_round,
            match,
            room_of(list(entry.tournament.rooms.all()), match.table),
            seats=tuple(one for one in found if one.entry_id == entry.pk),
            others=tuple(one for one in found if one.entry_id != entry.pk),
        )
    if Bye.objects.filter(pairing_round=pairing_round, entry=entry).exists():
        return OwnTable(pairing_round, None, "", (), ())
    return None

"""Going back to an event of an earlier round: what would be left of the record, and what not."""

from __future__ import annotations

from dataclasses import dataclass, replace

from engine.events import Undo
from engine.notation import format_line
from engine.replay import RoundReplay
from referee.errors.records import NothingToGoBackTo
from referee.recorded import Recorded, Rows, StoredRound


@dataclass(frozen=True, slots=True)
class Back:
    """A way back: `undos` in round `round`, and the rounds after it that fall away.

    With `event` None the round itself falls away as well, to be opened anew.
    """

    recorded: Recorded
    round: int
    event: int | None
    undos: int

    @property
    def falling(self) -> tuple[StoredRound, ...]:
        first = self.round if self.event is None else self.round + 1
        return self.recorded.rounds[first:]

    @property
    def rows(self) -> Rows:
        """The record as it would be."""
        rows = self.recorded.rows
        kept = rows.rounds[: self.round]
        if self.event is not None:
            target = rows.rounds[self.round]
            kept = (*kept, target.extended(format_line(Undo(self.undos))))
        return replace(rows, rounds=kept)


def way_back(recorded: Recorded, *, number: int, event: int | None = None) -> Back:
    """Return the way back to just before `event` of round `number`, or to before the round."""
    if not 0 <= number < len(recorded.rounds):
        raise NothingToGoBackTo(number=number + 1, event="–" if event is None else event)
    one = recorded.state.rounds[number]
    if event is None:
        return Back(recorded, number, None, undos_before(one.replayed, 0))
    in_effect = one.in_effect
    if not (0 <= event < len(in_effect) and in_effect[event]):
        raise NothingToGoBackTo(number=number + 1, event=event)
    return Back(recorded, number, event, undos_before(one.replayed, event))


def undos_before(replay: RoundReplay, number: int) -> int:
    """Return how many undos take a round back to just before its event `number`.

    Undoing a rewind brings back what it took, so they are counted by doing them.
    """
    saved = replay.saved
    if saved is None:
        return sum(1 for one in replay.effective if one[0] >= number)
    count = 0
    while replay.effective and replay.effective[-1][0] >= number:
        replay = saved[replay.effective[-1][0]]
        count += 1
    return count

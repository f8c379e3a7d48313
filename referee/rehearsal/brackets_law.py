"""Laws of brackets, groups and round robins, counted from the tables alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from itertools import combinations

from referee.rehearsal.event import SeatRow, byes_of, require, seats_of, sides_at, tables_of
from tournaments.models import Stage

WON = {"win", "walkover_win"}


def losses(stage: Stage) -> Counter[int]:
    """Return how many meetings each entry has lost, the one for third place left out."""
    lost: Counter[int] = Counter()
    for winner, loser in decided(stage).values():
        lost[loser] += 1
        lost[winner] += 0
    return lost


def decided(stage: Stage) -> dict[str, tuple[int, int]]:
    """Return who won and who lost each meeting that is decided, by its name."""
    drawn = {one["match"]: one for one in stage.settings.get("bracket", ())}
    games: dict[str, Counter[int]] = {}
    for table in tables_of(seats_of(stage)).values():
        if all(row.state == "closed" for row in table):
            won = {row.entry for row in table if row.outcome in WON}
            require(len(won) == 1, "one side wins a game", at=table[0].meeting, found=won)
            games.setdefault(table[0].meeting, Counter()).update(
                {row.entry: int(row.entry in won) for row in table if row.seat in "AB"}
            )
    found = {}
    for meeting, count in games.items():
        (winner, most), (loser, fewest) = count.most_common(2)
        best_of = int(drawn[meeting]["best_of"])
        require(most + fewest <= best_of, "no game too many", at=meeting, found=count)
        if most > best_of // 2 and drawn[meeting]["bracket"] != "third_place":
            found[meeting] = (winner, loser)
    return found


def check_bracket_round(stage: Stage, number: int, lives: int, before: Counter[int]) -> None:
    """Check who was drawn: nobody who is out. `before`: meetings lost before the round."""
    bracket = stage.settings["bracket"]
    third = {one["match"] for one in bracket if one["bracket"] == "third_place"}
    rows = seats_of(stage, round_number=number)
    ghosts = {row.entry for row in rows if before[row.entry] >= lives and row.meeting not in third}
    require(
        not ghosts,
        "nobody plays on who is out",
        at=f"{stage.system}, round {number}",
        found=ghosts,
    )


def check_bracket(stage: Stage, lives: int, gone: Collection[int]) -> int:
    """Check a bracket that is over; return its champion's number. `gone` have withdrawn."""
    lost = losses(stage)
    members = set(stage.stage_entries.values_list("entry__number", flat=True)) - set(gone)
    left = [one for one in members if lost[one] < lives]
    require(len(left) == 1, "one champion", at=stage.system, found=left)
    odd = {one: lost[one] for one in members if one not in left and lost[one] != lives}
    require(not odd, f"everybody who is out has lost {lives}", at=stage.system, found=odd)
    if not gone:
        reset = lost[left[0]] == lives - 1 and lives > 1
        wanted = lives * (len(members) - 1) + int(reset)
        played = len(decided(stage))
        require(played == wanted, "as many meetings as it takes", at=stage.system, found=played)
    if lives > 1:
        _no_reset_unless_needed(stage)
    return left[0]


def _no_reset_unless_needed(stage: Stage) -> None:
    finals = [one for one in stage.settings["bracket"] if one["bracket"] == "final"]
    results = decided(stage)
    (first,) = (one["match"] for one in finals if not one.get("conditional"))
    if first not in results:
        return
    names = {one["match"] for one in finals}
    beaten = {loser for meeting, (_, loser) in results.items() if meeting not in names}
    _, loser = results[first]
    played = len(names & results.keys()) == 2
    require(
        played == (loser not in beaten),
        "a second final only when the unbeaten side loses the first",
        at=stage.system,
        found=played,
    )


def check_all_meet(stage: Stage, gone: Collection[int], *, times: int = 1) -> int:
    """Check a round robin, or each of the groups: everybody meets everybody; return groups.

    `gone` have withdrawn.
    """
    groups: dict[str, list[int]] = {}
    for entry, name in stage.stage_entries.values_list("entry__number", "group"):
        groups.setdefault(name, []).append(entry)
    sizes = [len(group) for group in groups.values()]
    require(max(sizes) - min(sizes) <= 1, "groups are equal but for one", found=sizes)
    met: Counter[frozenset[int]] = Counter()
    side: Counter[int] = Counter()
    for table in tables_of(seats_of(stage)).values():
        one, other = _two(table)
        met[frozenset((one, other))] += 1
        side[one] += 1
        side[other] -= 1
    wanted = {frozenset(two): times for group in groups.values() for two in combinations(group, 2)}
    odd = {tuple(two): met[two] for two in met | wanted if met[two] != wanted.get(two)}
    require(not odd, "everybody meets everybody of the group", at=stage.system, found=odd)
    resting = Counter(entry for some in byes_of(stage).values() for entry in some)
    for group in groups.values():
        # Who has left has no bye any more.
        count = {resting[one] for one in group if one not in gone}
        require(len(count) <= 1, "everybody rests as often", at=stage.system, found=count)
    uneven = {one: value for one, value in side.items() if abs(value) > times}
    require(not uneven, "everybody sits on both sides as often", at=stage.system, found=uneven)
    return len(groups)


def check_qualifiers(stage: Stage, each: int, ahead: Sequence[int]) -> None:
    """Check that the first of every group go on, and nobody else."""
    wanted = {
        row.entry.number for row in stage.standing_rows.select_related("entry") if row.order <= each
    }
    require(set(ahead) == wanted, "the first of every group go on", found=set(ahead) ^ wanted)


def _two(table: Sequence[SeatRow]) -> tuple[int, int]:
    (one,), (other,) = sides_at(table)
    return one, other


def left_in(stage: Stage) -> set[int]:
    """Return who goes on from tables that send the best on: the last ones, and who rested."""
    rows = seats_of(stage)
    resting = {entry for some in byes_of(stage).values() for entry in some}
    return {row.entry for row in rows if row.outcome in WON} | resting

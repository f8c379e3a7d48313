"""Pairs one Swiss round of fixed sides by the law of `spec/pairing.md`, line by line."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

from engine.errors import DominoError, marked
from tournaments.competition.matching import Edge, cheapest, left_over
from tournaments.competition.round_robin import by_rank
from tournaments.competition.seating import by_table
from tournaments.competition.swiss_blocks import draw_in_blocks
from tournaments.competition.swiss_far import draw_from_afar, is_crowded
from tournaments.competition.swiss_field import Costs, Field, Rules, priced
from tournaments.competition.swiss_prices import Proved, proved
from tournaments.competition.types import Contender, Pairing, TooFewContenders

# Up to so many entries every possible meeting is looked at, which proves the draw the best.
EXACT_UP_TO = 400
# Above, how many entries are tried for the bye before a rematch is taken.
BYES_TRIED = 4
# Up to so many entries a refusal is proved; it is where somebody must not meet half the field.
PROVED_UP_TO = 2000
# How many entries a refusal names.
NAMED = 12


class NobodyToMeet(DominoError):
    code = "nobody_to_meet"
    text = marked(
        "Every meeting of %(entries)s is forbidden. Allow some of these meetings, or leave "
        "%(entries)s out of the round."
    )


class MeetingsForbidden(DominoError):
    code = "meetings_forbidden"
    text = marked(
        "The forbidden meetings leave no draw: of %(entries)s at most %(seated)s of %(found)s "
        "can be seated or have the bye. Allow more meetings for them, or leave some of them out."
    )


class NoDrawFound(DominoError):
    code = "no_draw_found"
    text = marked(
        "No draw without a forbidden meeting was found. Most meetings are forbidden for "
        "%(entries)s: allow some of them, or leave some of these entries out of the round."
    )


@dataclass(frozen=True, slots=True)
class SwissRound:
    """A draw. `optimal` says that no draw is better on any line of the law.

    `gap` is by how much at most the first line that is not proved could be better, as a share
    of what this draw costs there: 0.0 where all is proved.
    """

    tables: tuple[Pairing, ...]
    byes: tuple[str, ...]
    costs: Costs
    optimal: bool
    gap: float

    def json(self) -> dict[str, object]:
        return {
            "tables": [table.json() for table in self.tables],
            "byes": list(self.byes),
            "report": {
                "rematches": self.costs.rematches,
                "win_gap": self.costs.win_gap,
                "same_separated": self.costs.same_separated,
                "order_cost": self.costs.order,
                "optimal": self.optimal,
                "gap": self.gap,
            },
        }


@dataclass(frozen=True, slots=True)
class _Solved:
    """The tables of an even field, as places; `exact` where every meeting was looked at."""

    field: Field
    pairs: Sequence[Edge]
    exact: bool
    bye: Contender | None = None

    @property
    def rematches(self) -> int:
        return self.field.costs(self.pairs).rematches

    @property
    def byes_before(self) -> int:
        return 0 if self.bye is None else self.bye.byes


def draw(
    contenders: Iterable[Contender],
    *,
    met: Iterable[tuple[str, str]] = (),
    forbidden: Iterable[tuple[str, str]] = (),
    rules: Rules | None = None,
) -> SwissRound:
    """Return the best draw of a round.

    A table is a rematch however often the two have met. Who is named in `met` or `forbidden`
    and does not play this round counts for nothing: entries withdraw.

    Raises TooFewContenders, ContenderTwice, RankTwice, or, where forbidden meetings leave no
    draw, NobodyToMeet, MeetingsForbidden or NoDrawFound.
    """
    ranked = by_rank(contenders)
    if len(ranked) < 2:
        raise TooFewContenders(needed=2, found=len(ranked))
    field = Field(ranked, met, forbidden, rules or Rules())
    alone = field.alone()
    if len(alone) > len(ranked) % 2:
        raise NobodyToMeet(entries=_names(field, alone))
    if len(ranked) > EXACT_UP_TO:
        _require_a_draw(field)
    solved = _odd(field) if len(ranked) % 2 else _even(field)
    if solved is None:
        _require_a_draw(field)
        most = sorted(range(len(ranked)), key=lambda place: (-len(field.barred[place]), place))
        raise NoDrawFound(entries=_names(field, most[:NAMED]))
    return _answer(solved)


def _answer(solved: _Solved) -> SwissRound:
    field = solved.field
    if solved.exact:
        found = Proved(solved.pairs, field.costs(solved.pairs), gap=0.0)
    else:
        found = proved(field, _better(field, solved.pairs))
    return SwissRound(
        tables=by_table(_sides(field, *pair) for pair in found.pairs),
        byes=() if solved.bye is None else (solved.bye.id,),
        costs=found.costs,
        optimal=found.gap == 0.0,
        gap=found.gap,
    )


def _better(field: Field, pairs: Sequence[Edge]) -> Sequence[Edge]:
    """Return a draw of many entries, or one better than it where club-mates stand in one place."""
    afar = draw_from_afar(field) if is_crowded(field) else None
    if afar is None or field.costs(pairs).by_line <= field.costs(afar).by_line:
        return pairs
    return afar


def _sides(field: Field, one: int, other: int) -> tuple[Contender, Contender]:
    """Return who is AC and who is BD, by lot."""
    if field.lot(one, other) & 1:
        one, other = other, one
    return field.entries[one], field.entries[other]


def _even(field: Field) -> _Solved | None:
    """Return the best draw of an even field, None where there is none."""
    if len(field.entries) > EXACT_UP_TO:
        pairs = draw_in_blocks(field)
        return None if pairs is None else _Solved(field, pairs, exact=False)
    edges = _allowed(field)
    new = [(one, other) for one, other in edges if other not in field.met[one]]
    for meetings in (new, edges):
        prices = priced(field, meetings, size=len(field.entries))
        tables = cheapest(len(field.entries), prices.edges)
        if 2 * len(tables) == len(field.entries):
            return _Solved(field, tables, exact=prices.whole)
    return None


def _odd(field: Field) -> _Solved | None:
    """Return the best draw of an odd field, None where there is none.

    Lines 2 to 4 alone decide who has the bye: among those with the fewest byes the lowest-placed
    without whom the rest need no rematch. Only where each of them leaves a rematch are the
    rematches weighed for all of them at once.
    """
    exact = len(field.entries) <= EXACT_UP_TO
    best: _Solved | None = None
    for place in _in_line_for_bye(field)[: 1 if exact else BYES_TRIED]:
        if best is not None and best.byes_before < field.entries[place].byes:
            break
        solved = _without(field, place)
        if solved is not None and not solved.rematches:
            return solved
        if solved is not None and (best is None or solved.rematches < best.rematches):
            best = solved
    if not exact:
        return best
    bye = _weighed_bye(field)
    return None if bye is None else _without(field, bye)


def _without(field: Field, place: int) -> _Solved | None:
    solved = _even(field.without(place))
    if solved is None:
        return None
    return _Solved(solved.field, solved.pairs, solved.exact, bye=field.entries[place])


def _in_line_for_bye(field: Field) -> list[int]:
    """Return the places in the order in which they would have the bye: lines 2 and 4.

    Who may meet nobody is the only one who can have it.
    """
    entries = field.entries
    return field.alone() or sorted(
        range(len(entries)), key=lambda n: (entries[n].byes, -entries[n].rank)
    )


def _weighed_bye(field: Field) -> int | None:
    """Return whose bye is best on lines 2 to 4: byes, rematches of the others, place."""
    size = len(field.entries)
    in_line = _in_line_for_bye(field)
    byes = sorted({one.byes for one in field.entries})
    # More than all rematches together cost one more bye, more than all places one rematch.
    rematch = size
    bye = size * size
    edges = [(one, other, rematch * (other in field.met[one])) for one, other in _allowed(field)]
    edges += [
        (place, size, bye * byes.index(field.entries[place].byes) + n)
        for n, place in enumerate(in_line)
    ]
    matched = cheapest(size + 1, edges)
    if 2 * len(matched) <= size:
        return None
    return next(one for one, other in matched if other == size)


def _allowed(field: Field) -> list[Edge]:
    return [
        (one, other)
        for one, other in combinations(range(len(field.entries)), 2)
        if other not in field.barred[one]
    ]


def _require_a_draw(field: Field) -> None:
    """Raise MeetingsForbidden where that can be the reason and can be proved to be it.

    Who may all meet more than half of the others can always be seated (Dirac).
    """
    size = len(field.entries)
    if size > PROVED_UP_TO or all(2 * len(barred) < size - 1 for barred in field.barred):
        return
    edges = _allowed(field)
    if size % 2:
        edges += [(place, size) for place in range(size)]
    matched = cheapest(size + size % 2, [(one, other, 0) for one, other in edges])
    if 2 * len(matched) < size:
        group, unseated = left_over(size + size % 2, edges, matched)
        raise MeetingsForbidden(
            entries=_names(field, group), found=len(group), seated=len(group) - unseated
        )


def _names(field: Field, places: Sequence[int]) -> str:
    """Return the entries by name, the best-placed first; of many only some."""
    ranked = sorted((field.entries[place] for place in places), key=lambda one: one.rank)
    named = [one.id for one in ranked[:NAMED]]
    return ", ".join(named if len(ranked) <= NAMED else [*named, "…"])

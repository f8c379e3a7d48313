"""Tables of four for individuals whose partners change every round."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from engine.errors import DominoError, marked
from tournaments.competition.lots import dice, ticket
from tournaments.competition.rotation_costs import PATTERN, Field, Four, Meetings
from tournaments.competition.rotation_patterns import (
    Pattern,
    Shape,
    fixed,
    nearest,
    nearest_left,
    spread,
    wanted,
)
from tournaments.competition.rotation_search import Found, search
from tournaments.competition.round_robin import by_rank
from tournaments.competition.types import Contender, Pairing, SeparateBy, TooFewContenders

LARGEST_FIELD = 20_000
LARGEST_TEAM = 4


class Meeting(NamedTuple):
    """Two players that met before; a meeting of no known round is never too long ago."""

    one: str
    other: str
    round: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Past:
    """Who met whom, once for each time, and who must not meet.

    With a window only what happened in the last so many rounds counts. Players that do not
    play this round may be named.
    """

    met: Sequence[Meeting] = ()
    partnered: Sequence[Meeting] = ()
    forbidden: Sequence[tuple[str, str]] = ()
    opponent_window: int | None = None
    partner_window: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Wishes:
    """What is wanted of a round. `teams` names everybody's team where teams of four play."""

    round: int = 1
    seed: int = 0
    pattern: Pattern = Pattern.NEAREST
    separate_by: SeparateBy | None = None
    teams: Mapping[str, str] | None = None


@dataclass(frozen=True, slots=True)
class Report:
    """What a draw is worth.

    A partner repeated counts once, an opponent repeated as often as the two have met. No draw
    repeats fewer partners than `fewest_partners`, and none that repeats so few fewer opponents
    than `fewest_opponents`; a draw that reaches both is `optimal`. `win_spread` is 4 times the
    sum of the squared differences of each player's wins to the mean of the table;
    `same_separated` counts the tables with opponents that `separate_by` would rather part.
    """

    repeat_partners: int
    repeat_opponents: int
    win_spread: int
    same_separated: int
    fewest_partners: int
    fewest_opponents: int

    @property
    def optimal(self) -> bool:
        found = (self.repeat_partners, self.repeat_opponents)
        return found == (self.fewest_partners, self.fewest_opponents)

    def json(self) -> dict[str, object]:
        return {
            "repeat_partners": self.repeat_partners,
            "repeat_opponents": self.repeat_opponents,
            "win_spread": self.win_spread,
            "same_separated": self.same_separated,
            "bound": {
                "repeat_partners": self.fewest_partners,
                "repeat_opponents": self.fewest_opponents,
            },
            "optimal": self.optimal,
        }


@dataclass(frozen=True, slots=True)
class RotatingRound:
    """One drawn round: its tables from the best-placed player down, and who rests."""

    tables: tuple[Pairing, ...]
    byes: tuple[str, ...]
    report: Report

    def json(self) -> dict[str, object]:
        return {
            "tables": [table.json() for table in self.tables],
            "byes": list(self.byes),
            "report": self.report.json(),
        }


class ForbiddenTable(DominoError):
    code = "forbidden_table"
    text = marked(
        "No tables were found at which nobody sits with someone forbidden: %(entries)s would "
        "share one. Allow one of these meetings."
    )


class TeamsTooFew(DominoError):
    code = "teams_too_few"
    text = marked(
        "The members of a team sit at different tables, but %(entries)s of team %(team)s would "
        "share one. Four teams of equal size are the fewest; register more."
    )


class TeamTooLarge(DominoError):
    code = "team_too_large"
    text = marked("Team %(team)s has %(found)s members: %(limit)s are the most. Register fewer.")


class FieldTooLarge(DominoError):
    code = "field_too_large"
    text = marked("%(found)s players are too many for one draw: %(limit)s are the most. Part them.")


def rotating(contenders: Iterable[Contender], past: Past, wishes: Wishes) -> RotatingRound:
    """Return the draw of one round.

    Raises TooFewContenders, FieldTooLarge, ContenderTwice, RankTwice, TeamTooLarge, and
    ForbiddenTable or TeamsTooFew when no draw keeps those apart that must be.
    """
    ranked = by_rank(contenders)
    if len(ranked) < 4:
        raise TooFewContenders(needed=4, found=len(ranked))
    if len(ranked) > LARGEST_FIELD:
        raise FieldTooLarge(found=len(ranked), limit=LARGEST_FIELD)
    tiers = _ranks_inside(ranked, wishes.teams or {})
    resting = resting_of(ranked)
    draw = _Draw([one for one in ranked if one.id not in resting], tiers, past, wishes)
    in_shape = wishes.pattern is not Pattern.SPREAD
    found = search(draw.field, draw.start(), dice(wishes.seed), in_shape=in_shape)
    draw.require_allowed(found)
    return RotatingRound(
        tables=numbered(
            [[draw.players[place] for place in four] for four in found.seated],
        ),
        byes=tuple(one.id for one in ranked if one.id in resting),
        report=draw.report(found),
    )


def resting_of(ranked: Sequence[Contender]) -> frozenset[str]:
    """Return who rests, those with the fewest byes first and of them the lowest-placed."""
    spare = len(ranked) % 4
    waiting = sorted(ranked, key=lambda one: (one.byes, -one.rank))
    return frozenset(one.id for one in waiting[:spare])


def numbered(tables: Iterable[Sequence[Contender]]) -> tuple[Pairing, ...]:
    """Number the tables from the best-placed player down.

    Of each four the first two are partners; the best-placed player opens side AC.
    """
    sides = []
    for one, two, three, four in tables:
        pairs = [sorted(pair, key=lambda one: one.rank) for pair in ((one, two), (three, four))]
        sides.append(sorted(pairs, key=lambda pair: pair[0].rank))
    sides.sort(key=lambda pairs: pairs[0][0].rank)
    return tuple(
        Pairing(table, {"AC": (ac[0].id, ac[1].id), "BD": (bd[0].id, bd[1].id)})
        for table, (ac, bd) in enumerate(sides, start=1)
    )


def _ranks_inside(ranked: Iterable[Contender], teams: Mapping[str, str]) -> dict[str, int]:
    """Return everybody's rank inside the team, 0 being the best; nothing without teams."""
    members: Counter[str] = Counter()
    ranks = {}
    for one in ranked:
        if one.id in teams:
            team = teams[one.id]
            ranks[one.id] = members[team]
            members[team] += 1
    for team, found in members.items():
        if found > LARGEST_TEAM:
            raise TeamTooLarge(team=team, found=found, limit=LARGEST_TEAM)
    return ranks


def _numbers(names: Iterable[str]) -> list[int]:
    """Number the names from 1; no name is 0."""
    known: dict[str, int] = {"": 0}
    return [known.setdefault(name, len(known)) for name in names]


class _Draw:
    """The players of one round in the order in which the pattern sees them."""

    def __init__(
        self, seated: Iterable[Contender], tiers: Mapping[str, int], past: Past, wishes: Wishes
    ) -> None:
        self.wishes = wishes
        by_lot = wishes.pattern is Pattern.SPREAD

        def order(one: Contender) -> tuple[object, ...]:
            tier = tiers.get(one.id, 0)
            return (
                (tier, *ticket(one.id, wishes.seed, wishes.round)) if by_lot else (tier, one.rank)
            )

        self.players = sorted(seated, key=order)
        self.tiers = [tiers.get(one.id, 0) for one in self.players]
        self.teams = _numbers((wishes.teams or {}).get(one.id, "") for one in self.players)
        apart = wishes.separate_by or SeparateBy.CLUB
        self.clubs = _numbers(apart.of(one) for one in self.players)
        self.forbidden = self._places_of(past.forbidden) | self._team_mates()
        self.field = Field.of(
            len(self.players),
            self._shape(),
            rest=nearest_left(PATTERN) if wishes.pattern is Pattern.NEAREST else lambda _: 0,
            partnered=self._meetings(past.partnered, past.partner_window),
            met=self._meetings(past.met, past.opponent_window),
            forbidden=sorted(self.forbidden),
            tiers=self.tiers if any(self.tiers) else (),
            clubs=self.clubs if wishes.separate_by and any(self.clubs) else (),
        )

    def start(self) -> list[list[int]]:
        """Return the tables as the pattern wants them, whoever met before."""
        tables = len(self.players) // 4
        if self.wishes.pattern is not Pattern.SPREAD:
            return [list(four) for four in wanted(self.wishes.pattern, tables)]
        found: list[list[int]] = []
        for part in self._tiers_of_whole_tables():
            # Clubs are dealt out one after the other, the largest first: each table gets one.
            sizes = Counter(self.clubs[place] for place in part)
            part.sort(key=lambda place: (-sizes[self.clubs[place]], self.clubs[place], place))
            found += [part[table :: len(part) // 4] for table in range(len(part) // 4)]
        return found

    def require_allowed(self, found: Found) -> None:
        """Refuse tables at which somebody sits who must not."""
        for four in found.seated:
            for one in four:
                for other in four:
                    if (one, other) not in self.forbidden:
                        continue
                    entries = f"{self.players[one].id}, {self.players[other].id}"
                    if self.teams[one] == self.teams[other] > 0:
                        team = (self.wishes.teams or {})[self.players[one].id]
                        raise TeamsTooFew(entries=entries, team=team)
                    raise ForbiddenTable(entries=entries)

    def report(self, found: Found) -> Report:
        wins = [one.wins for one in self.players]
        spread_of_wins = same = 0
        for four in found.seated:
            of_table = [wins[place] for place in four]
            spread_of_wins += 4 * sum(one * one for one in of_table) - sum(of_table) ** 2
            same += self._are_opponents_alike(four)
        return Report(
            repeat_partners=found.partners,
            repeat_opponents=found.opponents,
            win_spread=spread_of_wins,
            same_separated=same,
            fewest_partners=found.bounds[0],
            fewest_opponents=found.bounds[1],
        )

    def _are_opponents_alike(self, four: Four) -> bool:
        if self.wishes.separate_by is None:
            return False
        one, two, three, last = (self.clubs[place] for place in four)
        return any(club > 0 and club in (three, last) for club in (one, two))

    def _shape(self) -> Shape:
        match self.wishes.pattern:
            case Pattern.NEAREST:
                return nearest(PATTERN)
            case Pattern.SPREAD:
                return spread(self.clubs, PATTERN)
            case pattern:
                return fixed(pattern, len(self.players) // 4, PATTERN)

    def _tiers_of_whole_tables(self) -> list[list[int]]:
        """Part the places where a tier ends, or up to three places before."""
        ends = {place // 4 * 4 for place in range(1, len(self.tiers)) if self._begins_tier(place)}
        cuts = sorted({0, len(self.players)} | ends)
        return [list(range(one, other)) for one, other in pairwise(cuts)]

    def _begins_tier(self, place: int) -> bool:
        return self.tiers[place] != self.tiers[place - 1]

    def _places_of(self, pairs: Iterable[tuple[str, str]]) -> set[tuple[int, int]]:
        places = {one.id: place for place, one in enumerate(self.players)}
        return {
            (min(two), max(two))
            for one, other in pairs
            if one in places and other in places and one != other
            for two in [(places[one], places[other])]
        }

    def _team_mates(self) -> set[tuple[int, int]]:
        members: dict[int, list[int]] = {}
        for place, team in enumerate(self.teams):
            if team:
                members.setdefault(team, []).append(place)
        return {
            (one, other)
            for places in members.values()
            for one in places
            for other in places
            if one < other
        }

    def _meetings(self, meetings: Iterable[Meeting], window: int | None) -> Meetings:
        """Yield the places of each two that met within the window."""
        places = {one.id: place for place, one in enumerate(self.players)}
        earliest = None if window is None else self.wishes.round - window
        for one, other, number in meetings:
            if one not in places or other not in places or one == other:
                continue
            if earliest is None or number is None or number >= earliest:
                yield places[one], places[other]

"""Places of a bracket: seeds and byes by the law, group-mates and club-mates far apart."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TypeAlias

from engine.errors import DominoError, marked
from tournaments.competition.matching import cheapest
from tournaments.competition.round_robin import by_rank
from tournaments.competition.types import Contender, SeparateBy, TooFewContenders

# How many ways of linking are tried where the first leaves group-mates nearer than need be.
WAYS = 32
# How many seeds are tried, in one halving, as the one without a neighbour.
LONERS = 8
# How many exchanges are compared where two must not meet in the first round.
EXCHANGES = 32
LARGEST_BRACKET = 4096

# Two entries that belong to different halves, by their order among those to be halved.
Link: TypeAlias = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Seed:
    """An entry of a bracket. `group` and `club` are empty if nothing keeps it from anybody.

    It must not meet those of `barred` in the first round.
    """

    id: str
    group: str = ""
    club: str = ""
    barred: frozenset[str] = frozenset()


# Who stands where, from the top down; None is a bye.
Way: TypeAlias = tuple[Seed | None, ...]


@dataclass(frozen=True, slots=True)
class Qualifier:
    """An entry with the group it comes from and its place there, 0 for one that comes straight.

    Its rank is its record among all the entries of the bracket.
    """

    contender: Contender
    group: str = ""
    place: int = 0


class BracketTooLarge(DominoError):
    code = "bracket_too_large"
    text = marked(
        "A bracket of %(found)s entries is too large: %(limit)s are the most. Play groups first."
    )


class ForbiddenFirstRound(DominoError):
    code = "forbidden_first_round"
    text = marked(
        "No bracket was found whose first round keeps apart who must not meet: %(one)s would "
        "meet %(other)s. Allow this meeting, or change the seeds."
    )


def seeds(
    qualifiers: Iterable[Qualifier],
    separate_by: SeparateBy | None = None,
    *,
    forbidden: Iterable[tuple[str, str]] = (),
) -> list[Seed]:
    """Return the entries by place in their group, then by rank: the best seed first.

    Two of `forbidden` do not meet in the first round; later it depends on who wins.

    Raises TooFewContenders, BracketTooLarge, ContenderTwice or RankTwice.
    """
    listed = list(qualifiers)
    by_id = {one.contender.id: one for one in listed}
    ranked = by_rank(one.contender for one in listed)
    if len(ranked) < 2:
        raise TooFewContenders(needed=2, found=len(ranked))
    if len(ranked) > LARGEST_BRACKET:
        raise BracketTooLarge(found=len(ranked), limit=LARGEST_BRACKET)
    # Sorting keeps the order by rank among those of one place.
    ordered = sorted((by_id[one.id] for one in ranked), key=lambda one: one.place)
    barred: defaultdict[str, set[str]] = defaultdict(set)
    for one, other in forbidden:
        barred[one].add(other)
        barred[other].add(one)
    return [
        Seed(
            one.contender.id,
            one.group,
            separate_by.of(one.contender) if separate_by else "",
            frozenset(barred[one.contender.id]),
        )
        for one in ordered
    ]


def slots(entries: Sequence[Seed]) -> tuple[str | None, ...]:
    """Return who stands where from the top down, None being a bye; a power of two in all.

    Seeds 1 and 2 stand in different halves, 1 to 4 in different quarters and so on; the byes
    are opposite the best seeds. That leaves free who of the seeds 3 and 4, 5 to 8, 9 to 16 and
    so on stands where: group-mates stand as far apart as their number allows, and without
    groups or clubs seed 1 meets the last, seed 2 the last but one. Only where nothing else
    keeps group-mates from a meeting in the first round does a bye go to the next seed.

    Every group is spread evenly over halves, quarters and so on when the byes in each of them
    are even in number, none included. Otherwise several ways are tried, and the one taken in
    which the fewest can meet in the first round, then in the second and so on.

    Before all of that, nobody meets in the first round whom he must not meet: seeds of one tier
    change places until that is so. Raises ForbiddenFirstRound.
    """
    size = 1 << (len(entries) - 1).bit_length()
    seeded = _byes_shifted(entries, size)
    target = _fewest_pairs(seeded, size)
    found: list[tuple[int, list[int], int, Way]] = []
    for turn in range(WAYS):
        way = tuple(_section(seeded, size, turn))
        found.append((len(_forbidden_matches(way)), _pairs(way), turn, way))
        if found[-1][:2] == (0, target):
            break
    *_, best = min(found, key=lambda one: one[:3])
    return tuple(None if one is None else one.id for one in _kept_apart(best, seeded))


def _kept_apart(way: Way, seeded: Sequence[Seed]) -> Way:
    """Return the places after exchanges that leave nobody who meets whom he must not meet.

    Only seeds of one tier that play the first round change places. Where no exchange of two is
    enough, the last tier is shared out anew among those it meets, which finds a first round if
    there is one.
    """
    places = list(way)
    while wrong := _forbidden_matches(places):
        exchanges = list(islice(_exchanges(places, seeded, wrong[0]), EXCHANGES))
        if not exchanges:
            return tuple(_shared_out(places, seeded))
        places = min(exchanges, key=_pairs)
    return tuple(places)


def _forbidden_matches(places: Sequence[Seed | None]) -> list[int]:
    """Return the places of the upper sides of matches that must not be."""
    return [n for n in range(0, len(places), 2) if _is_forbidden(places[n], places[n + 1])]


def _is_forbidden(one: Seed | None, other: Seed | None) -> bool:
    return one is not None and other is not None and other.id in one.barred


def _exchanges(
    places: Sequence[Seed | None], seeded: Sequence[Seed], match: int
) -> Iterator[list[Seed | None]]:
    """Yield the places after each exchange that ends a match and makes no other forbidden one."""
    tier = {one: n.bit_length() for n, one in enumerate(seeded)}
    for here in (match, match + 1):
        for there, other in enumerate(places):
            one, across = places[here], places[there ^ 1]
            if one is None or other is None or across is None or there // 2 == here // 2:
                continue
            if (
                tier[one] == tier[other]
                and not _is_forbidden(one, across)
                and not _is_forbidden(other, places[here ^ 1])
            ):
                changed = list(places)
                changed[here], changed[there] = other, one
                yield changed


def _shared_out(places: list[Seed | None], seeded: Sequence[Seed]) -> list[Seed | None]:
    first = next(n for n in _forbidden_matches(places))
    tier = {one: n for n, one in enumerate(seeded)}
    lower = [
        there if tier[other] > tier[one] else there - 1
        for there in range(1, len(places), 2)
        for one, other in [(places[there - 1], places[there])]
        if one is not None and other is not None
    ]
    edges = []
    for n, here in enumerate(lower):
        for m, there in enumerate(lower):
            upper, one = places[here ^ 1], places[there]
            if upper is not None and one is not None and not _is_forbidden(upper, one):
                edges.append((n, len(lower) + m, _nearness(upper, one, here != there)))
    matched = cheapest(2 * len(lower), edges)
    if len(matched) < len(lower):
        one, other = places[first], places[first + 1]
        assert one is not None
        assert other is not None
        raise ForbiddenFirstRound(one=one.id, other=other.id)
    changed = list(places)
    for n, m in matched:
        changed[lower[n]] = places[lower[m - len(lower)]]
    return changed


def _nearness(one: Seed, other: Seed, moves: bool) -> int:
    """Return what it costs that two meet: group-mates most, then club-mates, then a move."""
    same_group = bool(one.group) and one.group == other.group
    same_club = bool(one.club) and one.club == other.club
    return (same_group * LARGEST_BRACKET + same_club) * LARGEST_BRACKET + moves


def _byes_shifted(entries: Sequence[Seed], size: int) -> list[Seed]:
    """Change the order where the first round could not be drawn without group-mates meeting.

    Who plays it are the last seeds. If one group has more than half of them, its best one there
    changes places with the last seed of another group that has a bye.
    """
    seeded = list(entries)
    byes = size - len(seeded)
    meetings = (len(seeded) - byes) // 2
    while True:
        playing = Counter(one.group for one in seeded[byes:] if one.group)
        group, most = max(playing.items(), key=lambda item: item[1], default=("", 0))
        resting = [n for n, one in enumerate(seeded[:byes]) if one.group != group]
        if most <= meetings or not resting:
            return seeded
        first = next(n for n in range(byes, len(seeded)) if seeded[n].group == group)
        seeded[resting[-1]], seeded[first] = seeded[first], seeded[resting[-1]]


def _pairs(way: Sequence[Seed | None]) -> list[int]:
    """Return the pairs of group-mates inside sections of 2, 4, 8 and so on places: a half last."""
    found = []
    width = 2
    while width < len(way):
        sections = (way[start : start + width] for start in range(0, len(way), width))
        counts = [Counter(one.group for one in some if one and one.group) for some in sections]
        found.append(sum(n * (n - 1) // 2 for count in counts for n in count.values()))
        width *= 2
    return found


def _fewest_pairs(entries: Sequence[Seed], size: int) -> list[int]:
    """Return what `_pairs` would find if every group were spread evenly over the sections."""
    found = []
    sections = size // 2
    while sections > 1:
        pairs = 0
        for members in Counter(one.group for one in entries if one.group).values():
            each, more = divmod(members, sections)
            pairs += sections * (each * (each - 1) // 2) + more * each
        found.append(pairs)
        sections //= 2
    return found


def _section(entries: Sequence[Seed], size: int, turn: int) -> Iterator[Seed | None]:
    if size == 2:
        yield entries[0]
        yield entries[1] if len(entries) == 2 else None
        return
    is_upper = _halving(entries, size, turn)
    for half in (True, False):
        part = [one for one, upper in zip(entries, is_upper, strict=True) if upper is half]
        yield from _section(part, size // 2, turn)


def _halving(entries: Sequence[Seed], size: int, turn: int) -> list[bool]:
    """Tell of each entry, the best seed first, whether it belongs to the upper half.

    Neighbours in seed are linked two by two: 1 and 2, 3 and 4, and so on, one of them for each
    half. Two by two the members of each group are linked too. Where every entry has one link of
    either sort at most, links never close an odd ring, so all of them hold at once and each
    group is halved evenly.
    """
    best: _Halves | None = None
    fewest = (0, 0, 0)
    for links in _seed_links(len(entries), size, turn):
        halves = _Halves(len(entries), links)
        broken = (
            halves.broken(_mates((one.group for one in entries), turn)),
            halves.broken(_barred(entries)),
            halves.broken(_mates((one.club for one in entries), turn)),
        )
        if best is None or broken < fewest:
            best, fewest = halves, broken
        if fewest[:2] == (0, 0):
            break
    assert best is not None
    return best.is_upper()


def _seed_links(count: int, size: int, turn: int) -> Iterator[list[Link]]:
    """Yield the links by seed that keep the law; more than one way when the byes are odd.

    With an odd number of byes one seed with a bye is linked to one of its tier without. The
    lower seeds, who meet those without a bye, are odd in number then, too: one has no
    neighbour, and belongs where that seed without a bye is, to be met there.
    """
    byes = size - count
    links: list[Link] = []
    first, end = 0, 2
    while end <= size // 2:
        middle = min(max(byes, first), end)
        with_bye = _turned(range(first, middle), turn)
        tier = with_bye + _turned(range(middle, end), turn)
        links += zip(tier[::2], tier[1::2], strict=True)
        if len(with_bye) % 2:
            last_with_bye = with_bye[-1]
        first, end = end, 2 * end
    lower = range(size // 2, count)
    if byes % 2 == 0:
        in_order = _turned(lower, turn)
        yield links + list(zip(in_order[::2], in_order[1::2], strict=True))
        return
    for way in range(min(len(lower), LONERS)):
        # Without a turn it is the last, whose neighbour would be the first seed missing.
        *others, alone = _turned(lower, turn + way)
        yield [*links, *zip(others[::2], others[1::2], strict=True), (last_with_bye, alone)]


def _mates(names: Iterable[str], turn: int) -> list[Link]:
    """Link the members of each group two by two, the best seeds first unless `turn` says."""
    members: defaultdict[str, list[int]] = defaultdict(list)
    for one, name in enumerate(names):
        if name:
            members[name].append(one)
    links: list[Link] = []
    for n, some in enumerate(members.values(), start=1):
        turned = _turned(some, turn * n)
        links += zip(turned[::2], turned[1::2], strict=False)
    return links


def _barred(entries: Sequence[Seed]) -> list[Link]:
    """Link those who must not meet in the first round."""
    place = {one.id: n for n, one in enumerate(entries)}
    return [
        (n, place[other])
        for n, one in enumerate(entries)
        for other in sorted(one.barred)
        if place.get(other, -1) > n
    ]


def _turned(some: Sequence[int], turn: int) -> list[int]:
    first = turn % len(some) if some else 0
    return [*some[first:], *some[:first]]


class _Halves:
    """Which entries belong to one half, and which to different ones, as far as links tell."""

    def __init__(self, count: int, links: Iterable[Link]) -> None:
        # Whom each entry follows, and whether it belongs to the other half than that one. Of
        # those linked together all follow the best seed.
        self._leader = list(range(count))
        self._turned = [False] * count
        for link in links:
            self._hold(link)

    def broken(self, links: Iterable[Link]) -> int:
        """Hold all links that can be held and return how many cannot."""
        return sum(not self._hold(link) for link in links)

    def is_upper(self) -> list[bool]:
        """Return the halves: the best seed of those linked stands where seeds usually do.

        That is seeds 1, 4, 5, 8, 9 and so on in the upper half.
        """
        found = []
        for one in range(len(self._leader)):
            leader, turned = self._followed(one)
            found.append(((leader + 1) % 4 in (0, 1)) != turned)
        return found

    def _followed(self, one: int) -> tuple[int, bool]:
        turned = False
        while self._leader[one] != one:
            turned ^= self._turned[one]
            one = self._leader[one]
        return one, turned

    def _hold(self, link: Link) -> bool:
        (one, one_turned), (other, other_turned) = map(self._followed, link)
        if one == other:
            return one_turned != other_turned
        leader, follower = sorted((one, other))
        self._leader[follower] = leader
        self._turned[follower] = one_turned == other_turned
        return True

"""A bracket in play: who is where, what can be played, and the places, from the results so far.

Nothing is kept between two questions. A result that is taken back, or put in place of another,
leaves no trace: the bracket is what its matches and the results say, and nothing else.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, StrEnum
from typing import Final, TypeAlias

from engine.errors import DominoError, counted, marked
from tournaments.competition.bracket_matches import BracketMatch, By, Part, Source


class Nobody(Enum):
    """What stands on a side whom nobody will ever take: who could have come is out."""

    NOBODY = "nobody"


NOBODY: Final = Nobody.NOBODY
# An entry; nobody; or None while it is open who comes.
Occupant: TypeAlias = str | Nobody | None


class Status(StrEnum):
    """How far a match is."""

    WAITING = "waiting"
    READY = "ready"
    PLAYED = "played"
    # One side comes to nobody: it goes on without play.
    FREE = "free"
    # Nobody comes.
    EMPTY = "empty"
    # The second final, after the unbeaten side has won the first.
    NOT_NEEDED = "not_needed"


@dataclass(frozen=True, slots=True)
class MatchResult:
    """Who won a meeting, by play or by walkover; None when both sides are disqualified.

    `loser_leaves` says that the loser leaves the event, expelled or withdrawn: where it would
    have gone on to, nobody comes.
    """

    winner: str | None
    loser_leaves: bool = False


@dataclass(frozen=True, slots=True)
class MatchInPlay:
    """One match with who stands on each side, and who comes out of it."""

    match: BracketMatch
    sides: Mapping[str, Occupant]
    status: Status
    winner: Occupant = None
    loser: Occupant = None

    @property
    def entries(self) -> tuple[str, ...]:
        return tuple(one for one in self.sides.values() if isinstance(one, str))


@dataclass(frozen=True, slots=True)
class Bracket:
    """All matches as they stand, by name, and the place of every entry that has one.

    The first place is the champion's. Those who go out in one round share a place, as in
    1 2 3 3 5 5 5 5; places of those who are out in pairs stay empty where nobody takes them.
    """

    matches: Mapping[str, MatchInPlay]
    places: Mapping[str, int]

    @property
    def ready(self) -> tuple[str, ...]:
        """Return the names of the matches that can be played now."""
        return tuple(name for name, one in self.matches.items() if one.status is Status.READY)

    @property
    def champion(self) -> str | None:
        return next((entry for entry, place in self.places.items() if place == 1), None)

    @property
    def is_over(self) -> bool:
        """Tell whether nothing is left to play, with a champion or, all being out, without."""
        return not any(
            one.status in (Status.READY, Status.WAITING) for one in self.matches.values()
        )


class UnknownMatch(DominoError):
    code = "unknown_match"
    text = marked("The bracket has no match %(match)s. Choose one of its matches.")


class MatchNotReady(DominoError):
    code = "match_not_ready"
    text = marked(
        "Match %(match)s has a result, but it cannot be played: a side is missing, or it is not "
        "needed. Take the result back, or enter the matches before it."
    )


class WinnerElsewhere(DominoError):
    code = "winner_elsewhere"
    text = marked(
        "%(winner)s cannot win match %(match)s between %(one)s and %(other)s. Give one of them, or "
        "take the result back."
    )


class MeetingDecided(DominoError):
    code = "meeting_decided"
    text, plural = counted(
        "A meeting best of %(best_of)s is decided after %(decided)s match, but the number given"
        " is %(found)s. Take back those after the decision.",
        "A meeting best of %(best_of)s is decided after %(decided)s matches, but the number "
        "given is %(found)s. Take back those after the decision.",
    )
    counts = "decided"


def played(matches: Iterable[BracketMatch], results: Mapping[str, MatchResult]) -> Bracket:
    """Return the bracket after these results; matches come after those they depend on.

    Raises UnknownMatch, MatchNotReady or WinnerElsewhere when a result does not belong to it:
    after a correction, `standing_on` names the later results that must go first.
    """
    found: dict[str, MatchInPlay] = {}
    for match in matches:
        found[match.name] = _in_play(match, found, results.get(match.name))
    for name in results:
        if name not in found:
            raise UnknownMatch(match=name)
    return Bracket(found, _places(found))


def standing_on(
    matches: Sequence[BracketMatch], results: Mapping[str, MatchResult], name: str
) -> tuple[str, ...]:
    """Return the matches with a result that depend on who won or lost match `name`, in order."""
    if name not in {match.name for match in matches}:
        raise UnknownMatch(match=name)
    touched = {name}
    for match in matches:
        if any(one.by is not By.ENTRY and one.name in touched for one in match.sides.values()):
            touched.add(match.name)
    return tuple(
        match.name
        for match in matches
        if match.name in touched and match.name != name and match.name in results
    )


def without(
    matches: Sequence[BracketMatch], results: Mapping[str, MatchResult], name: str
) -> dict[str, MatchResult]:
    """Return the results without that of match `name` and without all that stand on it."""
    gone = {name, *standing_on(matches, results, name)}
    return {match: result for match, result in results.items() if match not in gone}


def meeting_winner(best_of: int, winners: Sequence[str]) -> str | None:
    """Return who has won the majority of `best_of` matches, None while nobody has.

    `winners` are those of the matches played so far, in order. Raises MeetingDecided when a
    match was played after the decision.
    """
    won: dict[str, int] = {}
    for n, winner in enumerate(winners, start=1):
        won[winner] = won.get(winner, 0) + 1
        if 2 * won[winner] > best_of:
            if n < len(winners):
                raise MeetingDecided(best_of=best_of, decided=n, found=len(winners))
            return winner
    return None


def _in_play(
    match: BracketMatch, before: Mapping[str, MatchInPlay], result: MatchResult | None
) -> MatchInPlay:
    sides = {side: _occupant(source, before) for side, source in match.sides.items()}
    status = _status(match, sides, before)
    if result is None:
        return _without_play(match, sides, status)
    if status is not Status.READY:
        raise MatchNotReady(match=match.name)
    if result.winner is None:
        return MatchInPlay(match, sides, Status.PLAYED, NOBODY, NOBODY)
    if result.winner not in sides.values():
        one, other = sides.values()
        raise WinnerElsewhere(match=match.name, winner=result.winner, one=one, other=other)
    loser = next(one for one in sides.values() if one != result.winner)
    goes_on = NOBODY if result.loser_leaves else loser
    return MatchInPlay(match, sides, Status.PLAYED, result.winner, goes_on)


def _occupant(source: Source, before: Mapping[str, MatchInPlay]) -> Occupant:
    if source.by is By.ENTRY:
        return source.name
    earlier = before[source.name]
    return earlier.winner if source.by is By.WINNER else earlier.loser


def _status(
    match: BracketMatch, sides: Mapping[str, Occupant], before: Mapping[str, MatchInPlay]
) -> Status:
    if match.conditional and _unbeaten_won(match, before):
        return Status.NOT_NEEDED
    if None in sides.values():
        return Status.WAITING
    nobodies = sum(one is NOBODY for one in sides.values())
    return (Status.READY, Status.FREE, Status.EMPTY)[nobodies]


def _unbeaten_won(match: BracketMatch, before: Mapping[str, MatchInPlay]) -> bool:
    """Tell whether the first final is over and its side AC did not lose it by play."""
    first = before[match.sides["AC"].name]
    if first.winner is None:
        return False
    return first.winner != first.sides["BD"] or first.status is not Status.PLAYED


def _without_play(
    match: BracketMatch, sides: Mapping[str, Occupant], status: Status
) -> MatchInPlay:
    if status is Status.FREE:
        winner = next(one for one in sides.values() if one is not NOBODY)
        return MatchInPlay(match, sides, status, winner, NOBODY)
    out = NOBODY if status in (Status.EMPTY, Status.NOT_NEEDED) else None
    return MatchInPlay(match, sides, status, out, out)


def _places(found: Mapping[str, MatchInPlay]) -> dict[str, int]:
    """Return the places taken so far, best first: of all who have come out of their last match."""
    onward = _onward(one.match for one in found.values())
    losing = _places_of_losers([one.match for one in found.values()], onward)
    places: dict[str, int] = {}
    for name, one in found.items():
        if one.status not in (Status.PLAYED, Status.FREE):
            continue
        for entry in one.entries:
            is_winner = entry == one.winner
            goes_to = onward.get(Source(By.WINNER if is_winner else By.LOSER, name))
            is_last = goes_to is None or found[goes_to].status is Status.NOT_NEEDED
            if is_last or entry not in (one.winner, one.loser):
                places[entry] = losing[name] - is_winner
    return dict(sorted(places.items(), key=lambda item: (item[1], item[0])))


def _onward(matches: Iterable[BracketMatch]) -> dict[Source, str]:
    """Return the match to which the winner or the loser of another one goes on."""
    return {source: match.name for match in matches for source in match.sides.values()}


def _places_of_losers(
    matches: Sequence[BracketMatch], onward: Mapping[Source, str]
) -> dict[str, int]:
    """Return the place of who loses each match; the place of the one it then goes to, if any.

    So who leaves the event on the way has the place of who loses all that was left to lose.
    """
    leaving: Counter[tuple[int, int]] = Counter()
    for match in matches:
        if Source(By.LOSER, match.name) not in onward:
            leaving[_lateness(match)] += 2 if match.part is Part.THIRD_PLACE else 1
    place_of = {}
    better = 1
    for lateness, count in sorted(leaving.items(), reverse=True):
        third = lateness[0] == _LATENESS[Part.THIRD_PLACE]
        place_of[lateness] = better + (2 if third else 1)
        better += count
    places: dict[str, int] = {}
    for match in reversed(matches):
        goes_to = onward.get(Source(By.LOSER, match.name))
        places[match.name] = places[goes_to] if goes_to else place_of[_lateness(match)]
    return places


# The rounds of the winners' and of the losers' bracket never both send somebody home.
_LATENESS: Mapping[Part, int] = {
    Part.WINNERS: 0,
    Part.LOSERS: 0,
    Part.THIRD_PLACE: 1,
    Part.FINAL: 2,
}


def _lateness(match: BracketMatch) -> tuple[int, int]:
    """Return what orders matches by how late in the event who loses them goes out."""
    return _LATENESS[match.part], match.round

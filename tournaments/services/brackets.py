"""Reads the bracket of a stage from its tables, and keeps it sound when a result is taken back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import NamedTuple

from engine.profiles import Rules
from engine.seats import Seat
from tournaments.competition.bracket_matches import BracketMatch, By, Source
from tournaments.competition.brackets import (
    Bracket,
    MatchResult,
    meeting_winner,
    played,
    standing_on,
)
from tournaments.competition.requests_brackets import matches_at
from tournaments.errors import draws as draw_errors
from tournaments.models import LONG_IN_ROUND, Entry, Match, MatchSeat, Stage
from tournaments.rules import rules_of, sides_of

BRACKETS = (Stage.System.KNOCKOUT, Stage.System.DOUBLE_ELIMINATION)
# Where the settings of a stage keep who goes on from games that both sides lost.
DECIDED = "decided"
_WON = (MatchSeat.Outcome.WIN, MatchSeat.Outcome.WALKOVER_WIN)


class Game(NamedTuple):
    """One table of a meeting: the entry numbers of its sides, and who won it.

    `winner` is None where nobody has: it is open, both sides were absent or expelled, or the desk
    has decided so. A level game decides nothing; another one is played. Where both sides lost by
    a ruling nobody goes on by itself: it `is_undecided` until the desk says who does.
    """

    match: int
    entries: tuple[str, ...]
    is_closed: bool
    is_level: bool
    is_undecided: bool
    winner: str | None


def bracket_of(stage: Stage, *, until: int | None = None) -> Bracket | None:
    """Return the bracket as it stands, None while it has not been drawn.

    With `until` as if nothing had been played in later rounds than that one.
    """
    if "bracket" not in stage.settings:
        return None
    matches = matches_of(stage)
    return played(matches, _meeting_results(stage, matches, games_of(stage, until=until)))


def matches_of(stage: Stage) -> tuple[BracketMatch, ...]:
    """Return the meetings of a bracket that has been drawn, each after those it depends on."""
    return matches_at(stage.settings["bracket"], "matches")


def games_of(stage: Stage, *, until: int | None = None) -> dict[str, list[Game]]:
    """Return the tables of each meeting that has any, in the order they were played.

    Those of later rounds than `until` are as if nobody had played there.
    """
    rules = rules_of(stage.tournament)
    decided = decisions_of(stage)
    seats = (
        MatchSeat.objects.filter(match__pairing_round__stage=stage)
        .exclude(match__meeting="")
        .order_by("match__meeting", "match__game", "match", "seat")
        .values_list(*_COLUMNS)
    )
    games: dict[str, list[Game]] = {}
    for (meeting, game, _), table in groupby(map(_Seat._make, seats), key=lambda one: one[:3]):
        said = decided.get(decision_key(meeting, game))
        seated = list(table)
        if until is not None and seated[0].round > until:
            seated = [one._replace(state=Match.State.WAITING, outcome="") for one in seated]
        games.setdefault(meeting, []).append(_game(seated, rules, said))
    return games


def decisions_of(stage: Stage) -> dict[str, int]:
    """Return whom the desk let go on from games that both sides lost, by `decision_key`.

    The numbers are those of entries; 0 says that nobody goes on.
    """
    return {str(key): int(number) for key, number in stage.settings.get(DECIDED, {}).items()}


def decision_key(meeting: str, game: int) -> str:
    return f"{meeting}/{game}"


def keep_decision(match: Match, number: int | None) -> None:
    """Write down who goes on from a game that both sides lost; None takes the decision back."""
    stage = Stage.objects.select_for_update().get(pk=match.pairing_round.stage_id)
    decided = decisions_of(stage)
    key = decision_key(match.meeting, match.game)
    before = decided.pop(key, None)
    if number is not None:
        decided[key] = number
    if before == number:
        return
    stage.settings = {name: one for name, one in stage.settings.items() if name != DECIDED}
    if decided:
        stage.settings[DECIDED] = decided
    stage.save(update_fields=["settings"])
    match.pairing_round.stage.settings = stage.settings


def is_undecided(match: Match) -> bool:
    """Tell whether both sides of a bracket's table have lost, and nobody has said who goes on."""
    if not match.meeting or match.state != Match.State.CLOSED:
        return False
    return match.pk in undecided_games(match.pairing_round.stage)


def undecided_games(stage: Stage) -> list[int]:
    """Return the keys of the tables of a bracket that wait for the desk to say who goes on."""
    if stage.system not in BRACKETS:
        return []
    return [one.match for games in games_of(stage).values() for one in games if one.is_undecided]


def undecided_tables(stage: Stage) -> list[Match]:
    """Return the tables of a bracket that wait for the desk to say who goes on."""
    found = Match.objects.filter(pk__in=undecided_games(stage)).select_related("pairing_round")
    found = found.defer(*LONG_IN_ROUND)
    return list(found.order_by("pairing_round__number", "table"))


class _Seat(NamedTuple):
    meeting: str
    game: int
    match: int
    state: str
    seat: str
    entry: int
    outcome: str
    points: int | None
    round: int


_COLUMNS = (
    "match__meeting",
    "match__game",
    "match",
    "match__state",
    "seat",
    "entry__number",
    "outcome",
    "points_for",
    "match__pairing_round__number",
)


def _game(table: Sequence[_Seat], rules: Rules, decided: int | None) -> Game:
    side_of = {Seat(one): side for side in sides_of(rules, len(table)) for one in side}
    sides: dict[str, list[_Seat]] = {}
    for one in table:
        sides.setdefault(side_of[Seat(one.seat)], []).append(one)
    outcomes = {one.outcome for one in table}
    won = [side for side, seats in sides.items() if any(one.outcome in _WON for one in seats)]
    is_closed = table[0].state == Match.State.CLOSED
    is_level = MatchSeat.Outcome.TIE in outcomes or len(won) > 1
    # Both absent or expelled is a decision; both having lost, by deductions or a ruling, is none.
    both_lost = is_closed and not won and not is_level
    needs_word = both_lost and outcomes != {MatchSeat.Outcome.WALKOVER_LOSS}
    entries = tuple(str(seats[0].entry) for seats in sides.values())
    winner = entries[list(sides).index(won[0])] if is_closed and len(won) == 1 else None
    if needs_word and decided is not None and str(decided) in entries:
        winner = str(decided)
    return Game(
        match=table[0].match,
        entries=entries,
        is_closed=is_closed,
        is_level=is_level,
        is_undecided=needs_word and decided is None,
        winner=winner,
    )


def later_tables(match: Match) -> list[Match]:
    """Return the tables that were made because of what happened at this one, the first first.

    They are the later games of its meeting, and the meetings its winner or loser has gone on to.
    """
    if not match.meeting:
        return []
    stage = match.pairing_round.stage
    games = games_of(stage)
    seated = {name: MatchResult(None) for name in games}
    names = standing_on(matches_of(stage), seated, match.meeting)
    in_stage = Match.objects.filter(pairing_round__stage=stage).select_related("pairing_round")
    in_stage = in_stage.defer(*LONG_IN_ROUND)
    return [
        *in_stage.filter(meeting=match.meeting, game__gt=match.game).order_by("game"),
        *in_stage.filter(meeting__in=names).order_by("pairing_round__number", "table"),
    ]


def make_way(match: Match) -> list[int]:
    """Take away the tables that stand on the result of `match`, which is about to be taken back.

    Returns their table numbers. Raises BracketWentOn when play has begun at one of them: what
    was played there is taken back first.
    """
    later = later_tables(match)
    begun = [one for one in later if one.state != Match.State.WAITING]
    if begun:
        raise draw_errors.BracketWentOn(
            table=match.table,
            meeting=match.meeting,
            later=begun[-1].meeting,
            round=begun[-1].pairing_round.number,
            at=begun[-1].table,
        )
    if match.meeting:
        keep_decision(match, None)
    rounds = {one.pairing_round_id: one.pairing_round for one in later}
    Match.objects.filter(pk__in=[one.pk for one in later]).delete()
    for emptied in rounds.values():
        if not emptied.matches.exists():
            emptied.delete()
    return [one.table for one in later]


def places_of(stage: Stage) -> list[int]:
    """Return the numbers of the entries that have come out of a bracket, the best first.

    Entries that share a place are in the order of their seeds.
    """
    bracket = bracket_of(stage)
    if bracket is None:
        return []
    seeds = dict(stage.stage_entries.values_list("entry__number", "seed"))
    numbers = {int(entry): place for entry, place in bracket.places.items()}
    return sorted(numbers, key=lambda number: (numbers[number], seeds.get(number, 0), number))


def _meeting_results(
    stage: Stage, matches: Sequence[BracketMatch], games: Mapping[str, list[Game]]
) -> dict[str, MatchResult]:
    """Return the meetings decided so far: by the majority of their games, or by expulsion."""
    found: dict[str, MatchResult] = {}
    last_of: dict[str, str] = {}
    for match in matches:
        tables = games.get(match.name, [])
        for entry in tables[0].entries if tables else ():
            last_of[entry] = match.name
        closed = [
            one for one in tables if one.is_closed and not one.is_level and not one.is_undecided
        ]
        if any(one.winner is None for one in closed):
            found[match.name] = MatchResult(None)
            continue
        winner = meeting_winner(match.best_of, [one.winner for one in closed if one.winner])
        if winner is not None:
            found[match.name] = MatchResult(winner)
    gone = _gone(stage)
    for entry, name in last_of.items():
        result = found.get(name)
        if result is None or result.winner in (None, entry):
            continue
        # Who has left the event after losing is not waited for, nor is who returned too late.
        if entry in gone or _was_passed_over(name, matches, games):
            found[name] = MatchResult(result.winner, loser_leaves=True)
    return found


def _was_passed_over(
    name: str, matches: Sequence[BracketMatch], games: Mapping[str, list[Game]]
) -> bool:
    """Tell whether play went on beyond the meeting the loser of `name` would have gone to."""
    goes_to = next(
        (one.name for one in matches if Source(By.LOSER, name) in one.sides.values()), None
    )
    if goes_to is None or goes_to in games:
        return False
    seated = {one: MatchResult(None) for one in games}
    return bool(standing_on(matches, seated, goes_to))


def _gone(stage: Stage) -> set[str]:
    states = [Entry.State.WITHDRAWN, Entry.State.DISQUALIFIED]
    gone = stage.tournament.entries.filter(state__in=states)
    return {str(number) for number in gone.values_list("number", flat=True)}

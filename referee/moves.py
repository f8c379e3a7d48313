"""A match to be looked at move by move: the line of play as it grew, hands, what passes tell."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.utils.safestring import SafeString
from django.utils.translation import gettext

from engine.match import replay
from engine.record import Record
from engine.scoring import Ended
from engine.state import Laid, RoundState
from referee import states
from referee.curve import curve_svg
from referee.hands_shown import Lack, SeatHand, Slot, hands_by_step
from referee.queries.records import without_draws
from referee.recorded import Recorded, StoredRound
from referee.rows import read
from referee.states import Json
from tournaments.digits import local_digits
from tournaments.direction import isolated
from tournaments.models import Match
from tournaments.permissions import Visitor, may_record
from tournaments.queries.appeals import is_protested
from tournaments.rules import profile_name
from tournaments.words.tiles import tile_name

ACTS = ("play", "draw", "pass")


@dataclass(frozen=True, slots=True)
class Move:
    """An event of the round with what can be said of it. `step` is None where it was undone."""

    step: int | None
    event: int
    type: str
    sentence: str
    tells: str
    """What a pass tells about the hand, in a sentence; empty for all else."""
    line: str
    infraction: Json | None
    findings: tuple[Json, ...]


@dataclass(frozen=True, slots=True)
class Ends:
    """The open ends from step `since` on."""

    left: int
    right: int
    since: int
    until: int | None


@dataclass(frozen=True, slots=True)
class Turn:
    """Who is to act once step `since` is done."""

    seat: str
    name: str
    since: int
    until: int | None


@dataclass(frozen=True, slots=True)
class HandShown:
    """A seat with its hand, step by step."""

    seat: str
    name: str
    side: int
    slots: tuple[Slot, ...]
    lacks: tuple[Lack, ...]
    sizes: tuple[tuple[int, int, int | None], ...]
    turns: tuple[Turn, ...]


@dataclass(frozen=True, slots=True)
class RoundLine:
    """A round in the list of rounds: its points and the score after it, in the order of sides."""

    number: int
    ended_label: str
    sentence: str
    points: tuple[int, ...]
    totals: tuple[int, ...]
    is_over: bool


@dataclass(frozen=True, slots=True)
class RoundShown:
    """The round that is looked at, from its opening (step 0) to its last step."""

    number: int
    at: int
    opening: str
    moves: tuple[Move, ...]
    layout: tuple[Laid, ...]
    since: tuple[int, ...]
    """The step of each tile of the layout."""
    ends: tuple[Ends, ...]
    hands: tuple[HandShown, ...]
    findings: tuple[Json, ...]
    """Those about the round as a whole."""
    sentence: str
    last: int
    is_open: bool
    """Whether its hands may be shown."""
    is_over: bool
    from_sheet: bool

    @property
    def laid(self) -> tuple[tuple[str, int], ...]:
        """The tiles from left to right in words, each with the step that laid it."""
        names = (tile_name(f"{laid.left}-{laid.right}") for laid in self.layout)
        return tuple(zip(names, self.since, strict=True))

    @property
    def move(self) -> Move | None:
        """The move of the step that is looked at; None at the opening."""
        return next((one for one in self.moves if one.step == self.at), None) if self.at else None


@dataclass(frozen=True, slots=True)
class Side:
    """A side with its score."""

    names: tuple[str, ...]
    total: int
    is_winner: bool


@dataclass(frozen=True, slots=True)
class MatchMoves:
    """A match move by move."""

    match: Match
    profile: str
    target: int
    sides: tuple[Side, ...]
    rounds: tuple[RoundLine, ...]
    round: RoundShown | None
    curve: SafeString
    is_live: bool
    under_protest: bool

    @property
    def before(self) -> RoundLine | None:
        """The round before the one that is looked at."""
        number = self.round.number if self.round else 1
        return self.rounds[number - 2] if number > 1 else None

    @property
    def after(self) -> RoundLine | None:
        """The round after the one that is looked at."""
        number = self.round.number if self.round else len(self.rounds)
        return self.rounds[number] if number < len(self.rounds) else None


def match_moves(match: Match, user: Visitor, said: Mapping[str, str]) -> MatchMoves:
    """Return a match at the move that an address names by `round` and `move`, or `event`.

    The move is a number, or `last`. What is not there is as near to it as can be; without any,
    a match in play is shown as it is now and another from its beginning.
    """
    keeps = may_record(user, match)
    recorded = read(match)
    if not keeps:
        recorded = without_draws(recorded)
    rounds = _round_lines(recorded)
    over = [one.totals for one in rounds if one.is_over]
    totals = [[0, *(one[side] for one in over)] for side in range(len(recorded.sides))]
    shown = _shown(recorded, match, said, keeps=keeps) if rounds else None
    winner = recorded.state.winner
    return MatchMoves(
        match=match,
        profile=profile_name(recorded.rules),
        target=recorded.rules.target,
        sides=tuple(
            Side(
                tuple(recorded.name(seat) for seat in side),
                recorded.state.totals.get(side, 0),
                winner == side,
            )
            for side in recorded.sides
        ),
        rounds=rounds,
        round=shown,
        curve=curve_svg(totals, target=recorded.rules.target, now=shown.number if shown else 1),
        is_live=match.state != Match.State.CLOSED,
        under_protest=is_protested(match),
    )


def _round_lines(recorded: Recorded) -> tuple[RoundLine, ...]:
    lines = []
    known = None
    for number, (stored, one) in enumerate(
        zip(recorded.rounds, recorded.state.rounds, strict=True), start=1
    ):
        # The score after each round, rulings included: the match as if it ended there.
        until = Record(recorded.rules, recorded.players, recorded.record.rounds[:number])
        known = replay(until, known=known)
        line = states.round_line(recorded, stored, one)
        lines.append(
            RoundLine(
                number=number,
                ended_label=line["ended_label"],
                sentence=line["sentence"],
                points=tuple(one.points.get(side, 0) for side in recorded.sides),
                totals=tuple(known.totals.get(side, 0) for side in recorded.sides),
                is_over=one.ended is not Ended.UNFINISHED,
            )
        )
    return tuple(lines)


def _number(text: str) -> int | None:
    return int(text) if text.isdecimal() and text.isascii() and len(text) <= 6 else None


def _shown(recorded: Recorded, match: Match, said: Mapping[str, str], *, keeps: bool) -> RoundShown:
    number = _number(said.get("round", ""))
    asked = said.get("move", "")
    event = _number(said.get("event", ""))
    is_live = match.state == Match.State.PLAYING
    names_nothing = number is None and not asked and event is None
    if number is None:
        number = len(recorded.rounds) if is_live and names_nothing else 1
    number = min(max(number, 1), len(recorded.rounds))
    stored, one = recorded.rounds[number - 1], recorded.state.rounds[number - 1]
    told = states.events_of(recorded, stored, one)
    step_of = {
        event: step
        for step, event in enumerate((each["number"] for each in told if each["in_effect"]), 1)
    }
    last = len(step_of)
    if event is not None:
        at = max((step for each, step in step_of.items() if each <= event), default=0)
    elif asked == "last" or (names_nothing and is_live):
        at = last
    else:
        at = min(_number(asked) or 0, last)
    return _round(recorded, stored, one, told, step_of, at, keeps=keeps)


def _round(
    recorded: Recorded,
    stored: StoredRound,
    one: RoundState,
    told: Sequence[Json],
    step_of: Mapping[int, int],
    at: int,
    *,
    keeps: bool,
) -> RoundShown:
    last = len(step_of)
    is_over = one.ended is not Ended.UNFINISHED
    false = {
        each.event
        for each in recorded.state.findings
        if (each.round, each.kind) == (one.number, "false_pass")
    }
    hands = {}
    if not one.from_sheet:
        hands = hands_by_step(stored, one, step_of, false, open_to_reader=is_over or keeps)
    findings = [
        states.finding(recorded, each)
        for each in recorded.state.findings
        if each.round == one.number
    ]
    infractions = {
        each.event: states.infraction(recorded, each)
        for each in recorded.state.infractions
        if each.round == one.number
    }
    tells = _tells(recorded, hands)
    turns = _turns(recorded, one, told, step_of)
    line = states.round_line(recorded, stored, one)
    opener = recorded.name(one.opener.value) if one.opener else ""
    return RoundShown(
        number=one.number + 1,
        at=at,
        opening=gettext("%(player)s is to open.") % {"player": isolated(opener)}
        if opener
        else gettext("Who opened was not recorded."),
        moves=tuple(
            Move(
                step=step_of.get(each["number"]),
                event=each["number"],
                type=each["type"],
                sentence=each["sentence"],
                tells=tells.get(step_of.get(each["number"], 0), ""),
                line=each["line"],
                infraction=infractions.get(each["number"]),
                findings=tuple(found for found in findings if found["event"] == each["number"]),
            )
            for each in told
        ),
        layout=one.layout,
        since=tuple(step_of[laid.event] for laid in one.layout),
        ends=_ends(one, step_of),
        hands=tuple(
            HandShown(
                seat=sitting.seat,
                name=sitting.name,
                side=next(n for n, side in enumerate(recorded.sides) if sitting.seat in side),
                slots=hand.slots,
                lacks=hand.lacks,
                sizes=hand.sizes(last),
                turns=tuple(turn for turn in turns if turn.seat == sitting.seat),
            )
            for sitting in recorded.sittings
            if (hand := hands.get(sitting.seat)) is not None
        ),
        findings=tuple(found for found in findings if found["event"] is None),
        sentence=line["sentence"] if is_over else "",
        last=last,
        is_open=is_over or keeps,
        is_over=is_over,
        from_sheet=one.from_sheet,
    )


def _tells(recorded: Recorded, hands: Mapping[str, SeatHand]) -> dict[int, str]:
    """Return what each pass tells, by its step."""
    said = {}
    for seat, hand in hands.items():
        for step, numbers in hand.told.items():
            filling = {
                "player": isolated(recorded.name(seat)),
                "number": local_digits(numbers[0]),
                "other": local_digits(numbers[-1]),
            }
            if len(numbers) == 1:
                sentence = gettext("So %(player)s holds no tile with %(number)s.")
            else:
                sentence = gettext("So %(player)s holds no tile with %(number)s or %(other)s.")
            said[step] = sentence % filling
    return said


def _ends(one: RoundState, step_of: Mapping[int, int]) -> tuple[Ends, ...]:
    found: list[tuple[int, int, int]] = []
    for laid in one.line:
        left, right = (found[-1][0], found[-1][1]) if found else (laid.left, laid.right)
        if laid.end is not None and laid.end.value == "left":
            left = laid.left
        elif laid.end is not None:
            right = laid.right
        found.append((left, right, step_of[laid.event]))
    nexts: list[int | None] = [*(since for _, _, since in found), None]
    return tuple(Ends(*each, until) for each, until in zip(found, nexts[1:], strict=True))


def _turns(
    recorded: Recorded, one: RoundState, told: Sequence[Json], step_of: Mapping[int, int]
) -> list[Turn]:
    """Return who acts next from each step on: whoever did, and in the end whoever is to."""
    acts = [
        (step_of[each["number"]], str(each["seat"].value))
        for each in told
        if each["in_effect"] and each["type"] in ACTS
    ]
    turns = []
    since = 0
    for step, seat in acts:
        turns.append(Turn(seat, recorded.name(seat), since, step))
        since = step
    if one.turn is not None:
        turns.append(Turn(one.turn.value, recorded.name(one.turn.value), since, None))
    return turns

"""A match for anyone to check: round by round, every event, ruling and finding, ready to print."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from django.utils.translation import get_language

from engine.events import Draw, Event, Show
from engine.notation import format_line
from engine.scoring import Ended
from engine.state import Laid, RoundState
from referee import states
from referee.models import RecordedEvent
from referee.queries.records import without_draws
from referee.queries.signing import Signing, signing_of
from referee.recorded import Recorded, StoredRound, event_of
from referee.rows import read
from referee.sentences import substitute_label, told
from referee.states import Json
from tournaments.models import Match, MatchSeat, PairingRound, Stage, Tournament
from tournaments.permissions import Visitor, may_record
from tournaments.queries.appeals import AppealsSaid, appeals_said, may_appeal
from tournaments.rules import profile_name

# So many rounds are all drawn; a longer page would take a phone too long to load and to read.
FEW_ROUNDS = 3
ALL = "all"


@dataclass(frozen=True, slots=True)
class SheetPlayer:
    """Who sits on a seat; `substitute` holds it for them since they left."""

    seat: str
    name: str
    substitute: str


@dataclass(frozen=True, slots=True)
class SheetSide:
    """A side with its running total."""

    side: str
    name: str
    """The entry's name where it says more than the players' names, otherwise empty."""
    players: tuple[SheetPlayer, ...]
    total: int
    ruled: int
    """What rulings added to the points of the rounds, or took from them."""
    is_winner: bool
    is_out: bool


@dataclass(frozen=True, slots=True)
class SheetHand:
    """The tiles of a seat, dealt or left; `pips` is None where it is not known."""

    seat: str
    name: str
    tiles: tuple[str, ...]
    pips: int | None = None


@dataclass(frozen=True, slots=True)
class SheetEvent:
    """An event as a sentence, with the ruling on it and what the record proves against it."""

    number: int
    type: str
    line: str
    sentence: str
    in_effect: bool
    is_latest: bool
    infraction: Json | None
    findings: tuple[Json, ...]


@dataclass(frozen=True, slots=True)
class SheetRound:
    """One round. `number` counts from 1, as people do."""

    number: int
    opener: str
    ended: str
    ended_label: str
    sentence: str
    points: tuple[int, ...]
    """In the order of the sides."""
    layout: tuple[Laid, ...]
    events: tuple[SheetEvent, ...]
    findings: tuple[Json, ...]
    """Those about the round as a whole."""
    dealt: tuple[SheetHand, ...]
    left: tuple[SheetHand, ...]
    is_drawn: bool
    """Shown in full: its line of play and its events, not only how it ended."""

    @property
    def is_over(self) -> bool:
        return self.ended != Ended.UNFINISHED.value


@dataclass(frozen=True, slots=True)
class FallenRound:
    """A round, from 1, as it was before the record went back; its events, a sentence each."""

    number: int
    events: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Sheet:
    match: Match
    tournament: Tournament
    stage: Stage
    pairing_round: PairingRound
    profile: str
    target: int
    sides: tuple[SheetSide, ...]
    rounds: tuple[SheetRound, ...]
    findings: tuple[Json, ...]
    result: tuple[MatchSeat, ...]
    status: str
    """The score and what comes next, for those who hear the page."""
    may_record: bool
    signing: Signing | None
    fallen: tuple[FallenRound, ...]
    """What the record went back over: it stays in the log, and here for anyone to see."""
    may_appeal: bool
    appeals: AppealsSaid
    asked: str
    """Which round was asked for beside those always drawn: its number, `all`, or empty."""

    @property
    def is_live(self) -> bool:
        return self.match.state != Match.State.CLOSED

    @property
    def round_in_play(self) -> SheetRound | None:
        last = self.rounds[-1] if self.rounds else None
        return last if last is not None and not last.is_over and self.is_live else None

    @property
    def newest_first(self) -> tuple[SheetRound, ...]:
        """The rounds as they are read: while it is played, what happens now stands on top."""
        return self.rounds[::-1] if self.is_live else self.rounds

    @property
    def has_folded(self) -> bool:
        return any(not one.is_drawn for one in self.rounds)

    @property
    def has_rulings(self) -> bool:
        return any(side.ruled for side in self.sides)


def match_sheet(match: Match, user: Visitor, asked: str = "") -> Sheet:
    """Return the sheet of a match, which comes with its pairing round, stage and tournament.

    Of a long match only the last round is drawn, and the round whose number was `asked` for;
    all of them for `all`.
    """
    recorded = read(match)
    keeps = may_record(user, match)
    live = states.live(recorded if keeps else without_draws(recorded))
    pairing_round = match.pairing_round
    return Sheet(
        match=match,
        tournament=pairing_round.stage.tournament,
        stage=pairing_round.stage,
        pairing_round=pairing_round,
        profile=profile_name(recorded.rules),
        target=recorded.rules.target,
        sides=tuple(_side(recorded, live, side) for side in recorded.sides),
        rounds=tuple(
            _round(
                recorded, live, stored, one, keeps=keeps, is_drawn=_is_drawn(recorded, one, asked)
            )
            for stored, one in zip(recorded.rounds, recorded.state.rounds, strict=True)
        ),
        findings=tuple(live["findings"]),
        result=tuple(match.seats.select_related("player", "entry").exclude(outcome="")),
        status=live["last_sentence"],
        may_record=keeps,
        signing=signing_of(match, recorded),
        fallen=_fallen(recorded) if recorded.rows.out_of_use else (),
        may_appeal=may_appeal(user, match),
        appeals=appeals_said(match, user),
        asked=asked if asked == ALL or asked.isdecimal() else "",
    )


def _fallen(recorded: Recorded) -> tuple[FallenRound, ...]:
    """Return the events that fell away, round by round, a sentence each."""
    skips = {one.pk: one.skip for one in (*recorded.rounds, *recorded.rows.fallen)}
    names, language = recorded.names, get_language() or ""
    rows = RecordedEvent.objects.filter(round__match=recorded.match.pk)
    of_round: dict[int, list[str]] = {}
    for pk, number, place, line in rows.order_by("round__number", "number").values_list(
        "round", "round__number", "number", "notation"
    ):
        if place < skips.get(pk, 0):
            of_round.setdefault(number, []).append(
                told(_unseen(line), names, opens=False, language=language)
            )
    return tuple(FallenRound(number + 1, tuple(said)) for number, said in of_round.items())


def _side(recorded: Recorded, live: Json, side: str) -> SheetSide:
    seats = [one for one in recorded.sittings if one.seat in side]
    names = {one.entry_name for one in seats}
    name = names.pop() if len(names) == 1 else ""
    players = tuple(
        SheetPlayer(
            one.seat,
            one.name,
            substitute_label(held) if (held := live["substitutes"].get(one.seat)) else "",
        )
        for one in seats
    )
    plain = sorted(name.split(" / ")) == sorted(one.name for one in seats)
    scored = sum(one.points.get(side, 0) for one in recorded.state.rounds)
    total = live["totals"].get(side, 0)
    return SheetSide(
        side=side,
        name="" if plain or len(seats) == 1 else name,
        players=players,
        total=total,
        ruled=total - scored,
        is_winner=live["winner"] == side,
        is_out=side in live["out"],
    )


def _is_drawn(recorded: Recorded, one: RoundState, asked: str) -> bool:
    rounds = len(recorded.rounds)
    return rounds <= FEW_ROUNDS or one.number == rounds - 1 or asked in (ALL, str(one.number + 1))


def _round(
    recorded: Recorded,
    live: Json,
    stored: StoredRound,
    one: RoundState,
    *,
    keeps: bool,
    is_drawn: bool,
) -> SheetRound:
    line = live["rounds"][one.number]
    findings = [each for each in live["findings"] if each["round"] == one.number]
    over = one.ended is not Ended.UNFINISHED
    return SheetRound(
        number=one.number + 1,
        opener=recorded.name(one.opener.value) if one.opener else "",
        ended=line["ended"],
        ended_label=line["ended_label"],
        sentence=line["sentence"],
        points=tuple(one.points.get(side, 0) for side in recorded.sides),
        layout=one.layout,
        events=_events(recorded, live, stored, one, findings, hidden=not (over or keeps)),
        findings=tuple(each for each in findings if each["event"] is None),
        # The hands of a round in play are for nobody's eyes but the officials'.
        dealt=_hands(recorded, stored.hands) if stored.hands and (over or keeps) else (),
        left=_left(recorded, stored, one) if over and not one.from_sheet else (),
        is_drawn=is_drawn,
    )


def _events(
    recorded: Recorded,
    live: Json,
    stored: StoredRound,
    one: RoundState,
    findings: Sequence[Json],
    *,
    hidden: bool,
) -> tuple[SheetEvent, ...]:
    """Return the events; while a round is played, tiles drawn are `hidden` from the public."""
    if hidden:
        stored = replace(stored, lines=tuple(map(_unseen, stored.lines)))
    ruled = {each["event"]: each for each in live["infractions"] if each["round"] == one.number}
    told = states.events_of(recorded, stored, one)
    return tuple(
        SheetEvent(
            number=each["number"],
            type=each["type"],
            line=each["line"],
            sentence=each["sentence"],
            in_effect=each["in_effect"],
            is_latest=each is told[-1] and one.ended is Ended.UNFINISHED,
            infraction=ruled.get(each["number"]),
            findings=tuple(found for found in findings if found["event"] == each["number"]),
        )
        for each in told
    )


def _unseen(line: str) -> str:
    event: Event = event_of(line)
    return format_line(Draw(event.seat, None)) if isinstance(event, Draw) else line


def _hands(recorded: Recorded, hands: Mapping[str, Sequence[str]]) -> tuple[SheetHand, ...]:
    return tuple(
        SheetHand(one.seat, one.name, tuple(hands[one.seat]))
        for one in recorded.sittings
        if one.seat in hands
    )


def _left(recorded: Recorded, stored: StoredRound, one: RoundState) -> tuple[SheetHand, ...]:
    """Return what was left in each hand: known, or shown at the end."""
    tiles: dict[str, tuple[str, ...]] = {}
    if one.hands is not None:
        tiles = {seat.value: tuple(map(str, held)) for seat, held in one.hands.items()}
    else:
        shown = [
            event
            for event, counts in zip(map(event_of, stored.lines), one.in_effect, strict=True)
            if counts and isinstance(event, Show)
        ]
        tiles = {event.seat.value: tuple(map(str, event.tiles)) for event in shown}
    pips = {seat.value: left for seat, left in one.left.items()}
    return tuple(
        SheetHand(each.seat, each.name, tiles.get(each.seat, ()), pips.get(each.seat))
        for each in recorded.sittings
    )

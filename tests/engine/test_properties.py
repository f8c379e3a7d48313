"""What must hold of every record: of matches played at random from a seed."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import DominoError, Refusal
from engine.events import PENDING, End, Event, Infraction, Play, Ruling, Undo
from engine.match import MatchState, replay, score
from engine.notation import format_line, parse_line
from engine.penalties import KINDS, PLAIN_MEASURES, Measure
from engine.reading import read_event, read_record, read_text
from engine.record import Record
from engine.seats import SEATS
from engine.state import RoundState
from engine.tiles import SET_PIPS, TILES
from engine.written import event_json, record_json
from tests.engine.playing import blind, played

# The heavy half of the run: `slow` properties see 2,000 examples where CI asks for them.
pytestmark = pytest.mark.slow

TABLES = [("domna", 2), ("domna", 4), ("wdf", 2), ("wdf", 4), ("femundo", 4)]
TABLES += [("elimination", players) for players in (2, 3, 4)]
OPTIONS: st.SearchStrategy[dict[str, str | int]] = st.fixed_dictionaries(
    {},
    optional={
        "first_opener": st.sampled_from(["highest_double", "lot"]),
        "next_opener": st.sampled_from(["winner", "highest_double", "rotates"]),
        "opening_tile": st.sampled_from(["forced", "free"]),
        "stock_reserve": st.integers(0, 8),
        "block_winner": st.sampled_from(["lowest_hand", "lowest_side"]),
        "points_out": st.sampled_from(["opponents", "all"]),
        "points_block": st.sampled_from(["opponents", "difference", "all"]),
        "round_to": st.sampled_from([1, 5]),
        "bonus_both_ends": st.integers(0, 50),
    },
)


@st.composite
def matches(draw: st.DrawFn, rounds: int = 2) -> Record:
    profile, players = draw(st.sampled_from(TABLES))
    return played(
        draw(st.integers(0, 2**32)),
        profile=profile,
        players=players,
        target=draw(st.sampled_from([10, 100, 150])),
        rounds=rounds,
        options=draw(OPTIONS),
    )


tiles = st.sampled_from(TILES)
texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)
measures = st.one_of(
    st.sampled_from([Measure(name) for name in PLAIN_MEASURES]),
    st.builds(Measure, st.sampled_from(["rewind", "points", "percent"]), st.integers(0, 100)),
    st.builds(Measure, st.just("card"), st.sampled_from(["yellow", "red", "black"])),
)
infractions = st.builds(
    Infraction,
    seat=st.sampled_from(SEATS),
    kind=st.sampled_from(sorted(KINDS)),
    tile=tiles,
    end=st.sampled_from([End.LEFT, End.RIGHT, None]),
    open=st.none() | st.integers(0, 6),
    measures=st.one_of(
        st.none(),
        st.just(PENDING),
        st.lists(measures.filter(lambda measure: measure.name != "stand"), max_size=3).map(tuple),
    ),
    deliberate=st.booleans(),
    note=texts,
)


def replayed(record: Record) -> MatchState | Refusal:
    """Return the match, or what the engine has against its record."""
    try:
        return replay(record)
    except Refusal as refusal:
        return refusal


def shape(state: RoundState) -> object:
    """Return everything a round state says, for comparing two."""
    return (
        state.json(),
        state.turn,
        state.tiles_in_hand,
        state.stock_left,
        state.must,
        state.skips,
        state.pending,
        state.hands,
        state.layout,
    )


@given(matches())
def test_a_blind_twin_scores_like_its_open_original(record: Record) -> None:
    original, twin = replay(record), replay(blind(record))
    assert twin.totals == original.totals
    assert (twin.over, twin.winner) == (original.over, original.winner)
    assert [one.points for one in twin.rounds] == [one.points for one in original.rounds]
    assert [one.line for one in twin.rounds] == [one.line for one in original.rounds]
    assert twin.findings == original.findings == []


@given(matches(), st.data())
def test_undoing_the_last_event_restores_the_state(record: Record, data: st.DataObject) -> None:
    *before, last = record.rounds
    cut = data.draw(st.integers(0, len(last.events) - 1))
    events = last.events[:cut]
    there = replay(replace(record, rounds=(*before, replace(last, events=events))))
    undone = replace(last, events=(*events, last.events[cut], Undo(1)))
    again = replay(replace(record, rounds=(*before, undone)))
    assert shape(again.rounds[-1]) == shape(there.rounds[-1])
    assert again.totals == there.totals


@given(matches(), infractions, st.data())
def test_undoing_an_infraction_restores_the_state(
    record: Record, act: Infraction, data: st.DataObject
) -> None:
    *before, last = record.rounds
    cut = data.draw(st.integers(0, len(last.events)))
    events = last.events[:cut]
    there = replay(replace(record, rounds=(*before, replace(last, events=events))))
    undone = replace(last, events=(*events, act, Undo(1)))
    again = replayed(replace(record, rounds=(*before, undone)))
    if isinstance(again, Refusal):
        assert again.code == "bad_record"
        return
    assert shape(again.rounds[-1]) == shape(there.rounds[-1])
    assert again.totals == there.totals
    assert again.deductions == there.deductions


@given(matches(), infractions)
def test_a_ruling_later_is_a_ruling_at_once(record: Record, act: Infraction) -> None:
    """At the end of a round, where measures about turns have no effect."""
    *before, last = record.rounds
    if act.measures is None or act.measures is PENDING:
        return
    where = len(last.events)
    at_once: tuple[Event, ...] = (*last.events, act)
    later = (*last.events, replace(act, measures=PENDING), Ruling(where, tuple(act.measures)))
    one, other = (
        replayed(replace(record, rounds=(*before, replace(last, events=events))))
        for events in (at_once, later)
    )
    if isinstance(one, Refusal) or isinstance(other, Refusal):
        assert isinstance(one, Refusal)
        assert isinstance(other, Refusal)
        assert one.code == other.code
        return
    assert (one.totals, one.winner) == (other.totals, other.winner)
    assert one.rounds[-1].json() == other.rounds[-1].json()


@given(matches())
def test_pips_are_conserved(record: Record) -> None:
    for state in replay(record).rounds:
        assert state.hands is not None
        on_table = sum(one.tile.pips for one in state.line)
        in_hands = sum(tile.pips for held in state.hands.values() for tile in held)
        drawn = {one for one in state.unseen if not any(one in h for h in state.hands.values())}
        assert on_table + in_hands + sum(tile.pips for tile in drawn) == SET_PIPS
        assert len(drawn) == state.stock_left
        halves = [(one.left, one.right) for one in state.layout]
        assert all(one[1] == other[0] for one, other in pairwise(halves))
        assert state.ends == (halves[0][0], halves[-1][1])


@given(matches(rounds=4))
def test_totals_are_the_sums_of_their_parts(record: Record) -> None:
    state = replay(record)
    for side, total in state.totals.items():
        assert total == sum(one.points[side] for one in state.rounds)


@given(matches(), st.lists(infractions, max_size=4), st.data())
def test_infractions_neither_crash_nor_hide(
    record: Record, acts: list[Infraction], data: st.DataObject
) -> None:
    """Whatever is recorded between the plays, the answer says it or a refusal names it."""
    *before, last = record.rounds
    events = list(last.events)
    for act in acts:
        events.insert(data.draw(st.integers(0, len(events))), act)
    changed = replace(record, rounds=(*before, replace(last, events=tuple(events))))
    state = replayed(changed)
    if isinstance(state, Refusal):
        assert state.round == len(before)
        assert state.event is not None
        assert "%(" not in str(state)
        return
    said = [one for one in state.infractions if one.round == len(before)]
    assert len(said) == sum(isinstance(event, Infraction) for event in events)
    json.dumps(state.answer())


@given(matches(rounds=1))
def test_a_record_survives_json(record: Record) -> None:
    text = json.dumps(record_json(record))
    assert read_text(text) == record
    assert score(read_text(text)) == score(record)


@given(st.one_of(infractions, st.builds(Play, st.sampled_from(SEATS), tiles)))
def test_an_event_survives_its_line_and_its_json(event: Event) -> None:
    assert parse_line(format_line(event)) == event
    assert "\n" not in format_line(event)
    assert read_event(json.loads(json.dumps(event_json(event)))) == event


def read_line(line: str) -> Event | DominoError:
    try:
        return parse_line(line)
    except DominoError as refusal:
        return refusal


@given(st.text(max_size=80))
def test_any_line_is_read_or_refused(line: str) -> None:
    event = read_line(line)
    if isinstance(event, DominoError):
        assert event.code == "bad_notation"
        assert str(event)
    else:
        assert parse_line(format_line(event)) == event


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=8,
)


@given(matches(rounds=1), json_values, st.data())
def test_a_broken_document_is_refused_with_its_path(
    record: Record, junk: object, data: st.DataObject
) -> None:
    document = json.loads(json.dumps(record_json(record)))
    where = document
    while True:
        keys = list(where) if isinstance(where, dict) else list(range(len(where)))
        key = data.draw(st.sampled_from(keys))
        if isinstance(where[key], dict | list) and where[key] and data.draw(st.booleans()):
            where = where[key]
            continue
        where[key] = junk
        break
    answer = answered(document)
    assert str(answer) if isinstance(answer, Refusal) else json.dumps(answer)


def answered(document: object) -> dict[str, object] | Refusal:
    try:
        return score(read_record(document))
    except Refusal as refusal:
        return refusal

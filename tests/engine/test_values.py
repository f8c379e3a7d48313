"""Tiles, rules, wording and the robot."""

from __future__ import annotations

from random import Random

import pytest

from engine.errors import BadRecord
from engine.events import Draw, Pass, Play
from engine.match import replay
from engine.options import OPTIONS
from engine.profiles import PROFILES, Rules
from engine.record import Record, Round
from engine.robot import deal, propose
from engine.seats import Seat, sides
from engine.tiles import SET_PIPS, TILES, BadTile, Tile
from engine.wording import in_words
from tests.engine.playing import match_of


def test_the_set_has_28_tiles_and_168_pips() -> None:
    assert len(set(TILES)) == 28
    assert SET_PIPS == 168
    assert [tile.index for tile in TILES] == list(range(28))


@pytest.mark.parametrize("text", ["6-3", "3-6", "63", "36"])
def test_a_tile_is_read_in_either_order_and_written_larger_first(text: str) -> None:
    assert str(Tile.parse(text)) == "6-3"


@pytest.mark.parametrize("text", ["", "7-1", "6", "6-3-1", "٦-٣", "six"])
def test_what_is_no_tile_is_refused_in_a_sentence(text: str) -> None:
    with pytest.raises(BadTile, match=r"is not a tile\. Write two numbers"):
        Tile.parse(text)


def test_a_tile_knows_its_other_half() -> None:
    assert Tile(3, 6).other_half(6) == 3
    with pytest.raises(ValueError, match="has no 5"):
        Tile(3, 6).other_half(5)
    with pytest.raises(ValueError, match="expected 0 <= low"):
        Tile(6, 3)


def test_sides() -> None:
    assert sides(4, True) == ("AC", "BD")
    assert sides(3, False) == ("A", "B", "C")


# -- rules ------------------------------------------------------------------------------------


@pytest.mark.parametrize("key", PROFILES)
def test_rules_survive_freezing(key: str) -> None:
    rules = Rules.of(key, 150, {"round_to": 5})
    assert Rules.read(rules.frozen_json()) == rules
    assert Rules.read(rules.json()) == rules


@pytest.mark.parametrize(
    ("written", "path"),
    [
        (None, "rules"),
        ({}, "rules.profile"),
        ({"profile": "chess"}, "rules.profile"),
        ({"profile": "wdf", "target": 0}, "rules.target"),
        ({"profile": "wdf", "target": True}, "rules.target"),
        ({"profile": "wdf", "target": 1.5}, "rules.target"),
        ({"profile": "wdf", "target": 10**30}, "rules.target"),
        ({"profile": "wdf", "version": 2}, "rules.version"),
        ({"profile": "wdf", "options": []}, "rules.options"),
        ({"profile": "wdf", "options": {"speed": 1}}, "rules.options"),
        ({"profile": "wdf", "options": {"round_to": 3}}, "rules.options.round_to"),
        ({"profile": "wdf", "options": {"round_to": True}}, "rules.options.round_to"),
        ({"profile": "wdf", "options": {"stock_reserve": -1}}, "rules.options.stock_reserve"),
        ({"profile": "wdf", "extra": 1}, "rules"),
    ],
)
def test_rules_that_cannot_be_are_refused_with_their_path(written: object, path: str) -> None:
    with pytest.raises(BadRecord) as refused:
        Rules.read(written)
    assert refused.value.path == path


@pytest.mark.parametrize("key", PROFILES)
def test_every_rule_is_said_in_whole_sentences(key: str) -> None:
    profile = PROFILES[key]
    for players in profile.players:
        for option in OPTIONS:
            for value, _ in option.choices or ((option.lowest, ""), (option.highest, "")):
                said = in_words(Rules.of(key, options={option.name: value}), players)
                assert all(str(one).endswith(".") for one in said)
    assert any(one.article for one in in_words(Rules.of(key), profile.players[0]))


# -- robot ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("profile", "players"), [("wdf", 4), ("domna", 2), ("elimination", 3), ("femundo", 4)]
)
def test_robots_play_whole_rounds_that_the_engine_accepts(profile: str, players: int) -> None:
    for seed in range(20):
        hands, stock = deal(Random(seed), players)
        opener = Seat.A if profile == "femundo" else None
        events: tuple[Play | Draw | Pass, ...] = ()
        while True:
            one = Round(events, hands, stock, opener)
            state = replay(Record(Rules.of(profile), players, (one,))).rounds[0]
            if state.turn is None:
                break
            act = propose(state, state.turn)
            assert isinstance(act, Play | Draw | Pass)
            events = (*events, act)
        assert state.ended in ("out", "blocked", "drawn")


def test_a_robot_goes_out_when_it_can() -> None:
    state = match_of("A 6-6", opener="A").rounds[0]
    assert propose(state, Seat.B, [Tile(1, 6)]) == Play(Seat.B, Tile(1, 6))


def test_a_robot_sheds_weight() -> None:
    state = match_of("A 6-6", opener="A").rounds[0]
    hand = [Tile(0, 6), Tile(5, 6), Tile(1, 2)]
    assert propose(state, Seat.B, hand) == Play(Seat.B, Tile(5, 6))


def test_a_robot_plays_the_obliged_tile() -> None:
    state = match_of("A 6-6\nB! touch 6-0", opener="A").rounds[0]
    assert propose(state, Seat.B, [Tile(0, 6), Tile(5, 6)]) == Play(Seat.B, Tile(0, 6))


def test_a_robot_never_guesses() -> None:
    state = match_of("A 6-6", opener="A").rounds[0]
    with pytest.raises(ValueError, match="is not known"):
        propose(state, Seat.B)
    with pytest.raises(ValueError, match="not the turn of seat C"):
        propose(state, Seat.C, [Tile(0, 6)])

"""Lines people write, hostile documents, and `python -m engine`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from engine.__main__ import main
from engine.errors import BadNotation, BadRecord
from engine.events import Draw, End, Infraction, Leaves, Play, Sheet
from engine.notation import format_line, format_record, parse_line
from engine.reading import read_record, read_text
from engine.record import MOST_EVENTS
from engine.seats import Seat
from engine.tiles import Tile

RECORD: dict[str, Any] = {
    "format": "domino-record",
    "version": 1,
    "rules": {"profile": "wdf", "target": 150, "options": {"round_to": 5}},
    "players": 4,
    "names": {"A": "هالة", "B": "Ann # 2"},
    "rounds": [{"opener": "A", "events": [{"seat": "A", "play": "6-6"}]}],
}


@pytest.mark.parametrize(
    "line",
    [
        "A 6-6",
        "B 6-3 right",
        "C pass",
        "D draws 3-1",
        "D draws ?",
        "B! touch 5-1 -> must_play",
        "C! signaling deliberate -> disqualify # thumb shown twice",
        "B! misplay 5-4 right open 4 -> stand, warning",
        "C! signaling -> pending",
        "C! delay -> nothing",
        "ruling 9 -> warning, points 20, card yellow, rewind 3 # so",
        "ruling 9",
        "D shows 5-5 5-0",
        "D shows",
        "D counts 15",
        "result AC 37 out",
        "result - 0 blocked",
        "result A A=0 B=12 C=9 out",
        "time over",
        "C leaves robot",
        "C leaves Nadia # the second",
        "undo 1",
    ],
)
def test_a_line_survives_reading_and_writing(line: str) -> None:
    assert format_line(parse_line(line)) == line


def test_short_forms_are_read() -> None:
    assert parse_line("A 36 left") == Play(Seat.A, Tile(3, 6), End.LEFT)
    assert parse_line("  D   draws  13 ") == Draw(Seat.D, Tile(1, 3))


@pytest.mark.parametrize(
    "note", ["two\nlines", "\\n", " edges ", "a # b", "\u200fمرحبا\u200e", "😀"]
)
def test_notes_survive(note: str) -> None:
    act = Infraction(Seat.B, "delay", note=note)
    line = format_line(act)
    assert len(line.splitlines()) == 1
    assert parse_line(line) == act


@pytest.mark.parametrize("kind", ["Foo", "my kind", "لمس", "a#b", "x\\y"])
def test_kinds_of_an_event_survive(kind: str) -> None:
    act = Infraction(Seat.B, kind, measures=())
    assert parse_line(format_line(act)) == act


def test_names_of_substitutes_and_points_by_seat_survive() -> None:
    for event in (Leaves(Seat.C, "  two  words "), Sheet(None, {}, "blocked")):
        assert parse_line(format_line(event)) == event


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("", "…"),
        ("E 6-6", "E"),
        ("A 9-9", "9-9"),
        ("A 6-6 up", "up"),
        ("A 6-6 left twice", "twice"),
        ("A pass # why", "#"),
        ("undo x", "x"),
        ("undo 0", "0"),
        ("time out", "time"),
        ("A! touch -> points", "points"),
        ("A! touch -> points ٣", "٣"),
        ("A! touch -> bribe 3", "bribe 3"),
        ("A! touch 6-6 -> stand", ""),
        ("A! delay # \\q", "\\"),
        ("A 6-6" + " " * 10_000, "A 6-6"),
    ],
)
def test_a_bad_line_is_refused_with_what_was_found(line: str, found: str) -> None:
    with pytest.raises(BadNotation) as refused:
        parse_line(line)
    assert refused.value.code == "bad_notation"
    assert found in str(refused.value)


# -- documents --------------------------------------------------------------------------------


def broken(**changes: object) -> object:
    return {**RECORD, **changes}


def one_event(event: object) -> object:
    return broken(rounds=[{"opener": "A", "events": [event]}])


@pytest.mark.parametrize(
    ("document", "path"),
    [
        ([], "$"),
        (broken(format="chess"), "format"),
        (broken(version=True), "version"),
        (broken(players=3), "players"),
        (broken(players="4"), "players"),
        (broken(partnership=False), "partnership"),
        (broken(names={"E": "x"}), "names"),
        (broken(names={"A": "x" * 300}), "names.A"),
        (broken(rounds={}), "rounds"),
        (broken(extra=1), "$"),
        (broken(rounds=[[]]), "rounds[0]"),
        (broken(rounds=[{"events": 1}]), "rounds[0].events"),
        (broken(rounds=[{"events": [], "opener": "E"}]), "rounds[0].opener"),
        (broken(rounds=[{"events": [], "hands": {"A": []}}]), "rounds[0].hands.B"),
        (broken(rounds=[{"events": [], "stock": []}]), "rounds[0].stock"),
        (one_event(None), "rounds[0].events[0]"),
        (one_event({"seat": "A"}), "rounds[0].events[0]"),
        (one_event({"seat": "A", "play": "6-6", "pass": True}), "rounds[0].events[0]"),
        (one_event({"seat": "A", "play": 66}), "rounds[0].events[0].play"),
        (one_event({"seat": "Z", "play": "6-6"}), "rounds[0].events[0].seat"),
        (one_event({"seat": "A", "play": "6-6", "end": "up"}), "rounds[0].events[0].end"),
        (one_event({"seat": "A", "pass": 1}), "rounds[0].events[0].pass"),
        (one_event({"seat": "A", "count": -1}), "rounds[0].events[0].count"),
        (one_event({"seat": "A", "show": ["6-6", "6-6"]}), "rounds[0].events[0].show"),
        (one_event({"undo": 0}), "rounds[0].events[0].undo"),
        (one_event({"undo": True}), "rounds[0].events[0].undo"),
        (one_event({"time": "up"}), "rounds[0].events[0].time"),
        (one_event({"seat": "A", "leaves": " "}), "rounds[0].events[0].leaves"),
        (one_event({"seat": "A", "infraction": ""}), "rounds[0].events[0].infraction"),
        (one_event({"seat": "A", "infraction": "phone"}), "rounds[0].events[0].measures"),
        (
            one_event({"seat": "A", "infraction": "x", "measures": [{"fine": 1}]}),
            "rounds[0].events[0].measures[0]",
        ),
        (
            one_event({"seat": "A", "infraction": "x", "measures": ["expose"]}),
            "rounds[0].events[0].tile",
        ),
        (
            one_event({"seat": "A", "infraction": "x", "measures": [], "note": "\ud800"}),
            "rounds[0].events[0].note",
        ),
        (
            one_event({"result": {"winner": "A", "points": 1, "ended": "out"}}),
            "rounds[0].events[0].result.winner",
        ),
        (
            one_event({"result": {"points": 1, "ended": "out"}}),
            "rounds[0].events[0].result.winner",
        ),
        (
            one_event({"result": {"winner": "AC", "points": {"A": 1}, "ended": "out"}}),
            "rounds[0].events[0].result.points",
        ),
        (
            broken(rounds=[{"opener": "A", "events": [{"undo": 1}] * (MOST_EVENTS + 1)}]),
            "rounds[0].events",
        ),
    ],
)
def test_a_malformed_document_is_refused_with_its_path(document: object, path: str) -> None:
    with pytest.raises(BadRecord) as refused:
        read_record(document)
    assert refused.value.path == path
    assert refused.value.code == "bad_record"
    assert str(refused.value).startswith(f"The record cannot be read at {path}: expected ")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[" * 200_000,
        '{"a":' * 100_000,
        "1" * 10_000,
        "NaN",
        '"\ud800"',
        b"\xff\xfe\x00",
        b"\x00" * 100,
        "9" * (16 * 1024 * 1024 + 1),
    ],
)
def test_hostile_text_is_a_bad_record(text: str | bytes) -> None:
    with pytest.raises(BadRecord):
        read_text(text)


# -- the command ------------------------------------------------------------------------------


def run(
    capsys: pytest.CaptureFixture[str], command: str, path: Path, content: str
) -> tuple[int, str]:
    path.write_text(content, "utf-8")
    code = main([command, str(path)])
    return code, capsys.readouterr().out


def test_score_prints_the_answer(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    code, out = run(capsys, "score", tmp_path / "one.json", json.dumps(RECORD))
    assert code == 0
    assert json.loads(out)["rounds"][0]["line"] == ["6-6"]


def test_a_refused_record_prints_its_error(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    document = one_event({"seat": "B", "play": "6-6"})
    code, out = run(capsys, "score", tmp_path / "one.json", json.dumps(document))
    assert code == 1
    error = json.loads(out)["error"]
    assert (error["round"], error["event"], error["code"]) == (0, 0, "out_of_turn")
    assert error["message"].startswith("Seat B acted, but it is the turn of seat A.")


def test_a_jsonl_file_prints_an_answer_a_line(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    content = "\n".join([json.dumps(RECORD), "nonsense", "", json.dumps(RECORD)])
    code, out = run(capsys, "score", tmp_path / "many.jsonl", content)
    assert code == 1
    assert ["error" in json.loads(line) for line in out.splitlines()] == [False, True, False]


def test_check_says_the_path_and_what_was_expected(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert run(capsys, "check", tmp_path / "a.json", json.dumps(RECORD))[0] == 0
    code, out = run(capsys, "check", tmp_path / "b.json", json.dumps(broken(players=3)))
    assert code == 1
    assert json.loads(out)["error"]["path"] == "players"
    assert json.loads(out)["error"]["expected"] == "2 or 4 under wdf"


def test_lines_prints_the_record_for_people(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    code, out = run(capsys, "lines", tmp_path / "a.json", json.dumps(RECORD))
    assert code == 0
    assert out == format_record(read_record(RECORD))
    assert out.endswith("\nround 0\nopener A\nA 6-6\n")


def test_a_file_that_is_not_there_is_no_traceback(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert main(["score", str(tmp_path / "none.json")]) == 1
    assert json.loads(capsys.readouterr().out)["error"]["code"] == "bad_record"

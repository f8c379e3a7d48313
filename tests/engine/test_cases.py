"""The shared cases: every stored record gives the stored answer."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import Any

import pytest

from engine.errors import Refusal
from engine.match import replay, score
from engine.notation import format_line, parse_line
from engine.reading import read_event, read_record
from engine.written import event_json, record_json

CASES = [
    json.loads(line)
    for line in (Path(__file__).parent / "records.jsonl").read_text("utf-8").splitlines()
]
NAMES = [f"{number}-{case['kind']}" for number, case in enumerate(CASES)]


def answer_to(written: object) -> dict[str, Any]:
    try:
        answer = json.loads(json.dumps(score(read_record(written))))
    except Refusal as refusal:
        place = {"round": refusal.round, "event": refusal.event}
        return {"error": {**place, "code": refusal.code}}
    answer["findings"] = [
        [one["round"], one["event"], one["seat"], one["kind"]] for one in answer["findings"]
    ]
    return dict(answer)


@pytest.mark.parametrize("case", CASES, ids=NAMES)
def test_the_answer_is_the_stored_one(case: dict[str, Any]) -> None:
    assert answer_to(case["record"]) == case["answer"]


@pytest.mark.parametrize("case", CASES, ids=NAMES)
def test_events_survive_lines_and_json(case: dict[str, Any]) -> None:
    for one in case["record"]["rounds"]:
        for written in one["events"]:
            try:
                event = read_event(written)
            except Refusal:
                continue
            assert parse_line(format_line(event)) == event
            assert read_event(event_json(event)) == event


@pytest.mark.parametrize("case", CASES, ids=NAMES)
def test_a_record_written_again_gives_the_same_answer(case: dict[str, Any]) -> None:
    if case["answer"].get("error", {}).get("code") == "bad_record":
        with pytest.raises(Refusal):
            read_record(case["record"])
        return
    record = read_record(case["record"])
    assert read_record(json.loads(json.dumps(record_json(record)))) == record
    assert answer_to(record_json(record)) == case["answer"]


@pytest.mark.parametrize("case", CASES, ids=NAMES)
def test_a_replay_may_go_on_from_the_rounds_before(case: dict[str, Any]) -> None:
    try:
        record = read_record(case["record"])
        whole = replay(record)
    except Refusal:
        return
    for known in range(len(record.rounds)):
        before = replay(dataclasses.replace(record, rounds=record.rounds[:known]))
        kept = before.answer()
        assert replay(record, known=before).answer() == whole.answer()
        assert before.answer() == kept

"""The rules that run in the page agree with the engine, refusal for refusal."""

from __future__ import annotations

import inspect
import json
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

from engine import errors
from engine.errors import DominoError, Refusal
from engine.findings import PROOFS, Finding
from engine.match import MatchState, score
from engine.reading import read_record
from referee.page_rules import refusal_texts, tables
from tests.engine.disturbed import documents

pytestmark = pytest.mark.browser

Json = dict[str, Any]

RECORDS = Path(__file__).parents[1] / "engine" / "records.jsonl"
ROUNDS = 10_000
NAMES = {text: name for name, text in PROOFS.items()}
# One call of the browser takes so many documents.
AT_ONCE = 500

SCORE = """async ([documents, tables]) => {
  const { score } = await import("/static/referee/rules/score.js");
  return documents.map((one) => score(JSON.parse(one), tables));
}"""


def engine_answer(document: Json) -> Json:
    """Return the engine's answer, the sentences as their names and what fills them."""
    try:
        record = read_record(document)
        answer: Json = json.loads(json.dumps(score(record)))
        found = MatchState(record).findings
    except Refusal as refusal:
        filled = filling(refusal)
        if refusal.code == "bad_record":
            filled = {key: filled[key] for key in ("path", "asked", "possible") if key in filled}
        return {
            "error": {
                "round": refusal.round,
                "event": refusal.event,
                "code": refusal.code,
                "name": type(refusal).__name__,
                "params": filled,
            }
        }
    for one, written in zip(found, answer["findings"], strict=True):
        del written["proof"]
        written |= {"text": NAMES[one.text], "params": filling(one)}
    return answer


def filling(one: DominoError | Finding) -> Json:
    return {
        key: value if isinstance(value, int) else str(value) for key, value in one.params.items()
    }


def page_answers(page: Page, some: Sequence[Json]) -> list[Json]:
    # As text, as it comes over the network: numbers keep their kind.
    answers: list[Json] = page.evaluate(SCORE, [[json.dumps(one) for one in some], tables()])
    return answers


@pytest.fixture
def page(new_page: Callable[..., Page]) -> Page:
    page = new_page()
    page.goto("/login/")
    return page


def test_the_page_answers_the_shared_cases_like_the_engine(page: Page):
    some = [json.loads(line)["record"] for line in RECORDS.read_text("utf-8").splitlines()]
    assert page_answers(page, some) == [engine_answer(one) for one in some]


def test_the_page_answers_ten_thousand_disturbed_rounds_like_the_engine(page: Page):
    some = list(documents(2026, ROUNDS))
    wrong: list[tuple[Json, Json, Json]] = []
    met: Counter[str] = Counter()
    for start in range(0, len(some), AT_ONCE):
        part = some[start : start + AT_ONCE]
        for document, answer in zip(part, page_answers(page, part), strict=True):
            expected = engine_answer(document)
            met[expected["error"]["name"] if "error" in expected else "answered"] += 1
            met.update(one["kind"] for one in expected.get("findings", ()))
            met.update(one["ended"] for one in expected.get("rounds", ()))
            if answer != expected:
                wrong.append((document, expected, answer))
    assert wrong == []
    # The documents are worth something: nothing they are made for is missing among them.
    assert met["answered"] > len(some) / 2
    assert min(met[one] for one in ("out", "blocked", "lost", "void", "drawn", "false_pass")) > 5


def test_the_page_knows_every_refusal_of_the_engine(page: Page):
    known: dict[str, list[str | None]] = page.evaluate(
        """async (names) => {
          const { Refusal } = await import("/static/referee/rules/refusals.js");
          const pair = (one) => [one.code, one.asInfraction];
          return Object.fromEntries(names.map((name) => [name, pair(new Refusal(name))]));
        }""",
        [name for name in refusal_texts() if "." not in name],
    )
    own = {
        name: [one.code, one.as_infraction]
        for name, one in inspect.getmembers(errors, inspect.isclass)
        if issubclass(one, Refusal) and one is not Refusal
    }
    assert known == own

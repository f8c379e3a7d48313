"""Every refusal of the project, filled with numbers from none to two."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.conf import settings
from django.utils import translation

from engine.errors import DominoError, Phrase
from tests.test_conventions import refusals
from tournaments.errors.base import explain

PARAMETER = re.compile(r"%\((\w+)\)[a-z]")
# What is counted in a sentence; "1 rounds" and the like are never said.
NOUNS = (
    "rounds", "groups", "tables", "entries", "players", "tiles", "events", "matches", "games",
    "points", "teams", "members", "seats", "places", "minutes", "seconds", "times", "lines",
    "columns", "characters", "names", "stages", "fields", "files", "hours", "days", "sides",
    "officials", "appeals", "sets", "categories", "substitutes", "byes", "meetings",
)  # fmt: skip
# Limits, and what is said only above one: numbers that are never small.
LARGE = {"limit", "most", "largest", "target", "best_of", "playing"}
ABOVE_A_LIMIT = {
    "text_too_long", "too_many_for_round_robin", "too_many_contenders", "bracket_too_large",
    "field_too_large", "team_too_large", "too_many_categories", "above_target",
    "schedule_too_long", "team_is_full", "team_too_large_here", "too_many_for_team",
}  # fmt: skip
NAMES = dict.fromkeys(("stage", "tournament", "entry", "player", "names", "name", "team"), "Rosa")
WORDS: dict[str, object] = NAMES | {
    "reason": DominoError(),
    "expected": Phrase("a list"),
}

REFUSALS = sorted(
    (one for one in refusals() if one.text), key=lambda one: (one.__module__, one.__name__)
)


def filled(kind: type[DominoError], number: int) -> DominoError:
    """Return a refusal whose every gap is filled with the same number."""
    refusal = kind.__new__(kind)
    names = PARAMETER.findall(f"{kind.text} {kind.plural}")
    params: dict[str, Any] = {
        name: 40
        if name in LARGE or (kind.code in ABOVE_A_LIMIT and name == "found")
        else WORDS.get(name, number)
        for name in names
    }
    DominoError.__init__(refusal, **params)
    return refusal


@pytest.mark.parametrize("number", [0, 1, 2])
def test_every_refusal_reads_well_with_small_numbers(number: int):
    wrong = []
    plural_of_one = re.compile(rf"\b1 (?:{'|'.join(NOUNS)})\b")
    for kind in REFUSALS:
        refusal = filled(kind, number)
        for said in (str(refusal), explain(refusal)):
            if "%(" in said or "  " in said or plural_of_one.search(said):
                wrong += [f"{kind.__name__}: {said}"]
    assert wrong == []


@pytest.mark.parametrize("language", [code for code, _ in settings.LANGUAGES if code != "en"])
def test_every_refusal_can_be_filled_in_every_language(language: str):
    with translation.override(language):
        said = [explain(filled(kind, number)) for kind in REFUSALS for number in (0, 1, 2, 5, 40)]
    assert [one for one in said if "%(" in one] == []


def test_a_sentence_with_two_forms_has_the_number_that_decides_among_its_gaps():
    wrong = []
    for kind in REFUSALS:
        if not (kind.plural or kind.counts):
            continue
        names = PARAMETER.findall(kind.plural)
        owner = next(one for one in kind.__mro__ if "text" in vars(one))
        fine = kind.counts in names and "plural" in vars(owner) and kind.text != kind.plural
        if not fine or set(PARAMETER.findall(kind.text)) - set(names):
            wrong.append(kind.__name__)
    assert wrong == []


def test_one_is_told_apart_from_any_other_number():
    class Left(DominoError):
        text, plural = "%(found)s tile is left.", "%(found)s tiles are left."
        counts = "found"

    assert [str(Left(found=number)) for number in (0, 1, 2)] == [
        "0 tiles are left.",
        "1 tile is left.",
        "2 tiles are left.",
    ]
    assert explain(Left(found=1)) == "1 tile is left."

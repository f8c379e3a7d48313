"""Every refusal in the reader's language."""

from __future__ import annotations

import pytest
from django.utils import translation

from engine.errors import BadNotation, BadRecord, Misplay, Phrase
from engine.notation import parse_line
from engine.profiles import Rules
from engine.tiles import Tile
from tournaments.errors import base as errors
from tournaments.errors import tables as table_errors
from tournaments.errors.base import explain
from tournaments.rules import rule_lines


def test_a_refusal_is_filled_with_what_was_found():
    assert explain(table_errors.TableTwice(table=3)) == (
        "Table 3 is used twice in this round. Give each table its own number."
    )


def test_a_list_is_joined_and_a_reason_is_a_sentence_of_its_own():
    refusal = errors.WrongTableSize(found=3, allowed=[2, 4])
    assert explain(refusal).endswith("Choose one of these numbers: 2, 4.")
    refused = errors.ImportRefused(lines=[(4, errors.NameMissing()), (9, refusal)])
    assert explain(refused) == (
        "Nothing was imported, because lines are wrong (2 in all). The first is line 4: The "
        "tournament has no name. Enter one."
    )


def test_a_sentence_of_the_engine_is_explained_too():
    refusal = Misplay(tile=Tile.parse("5-4"), left=6, right=3)
    assert explain(refusal).startswith("5-4 does not fit: the ends are 6 and 3.")
    assert explain(Phrase("Aim for %(target)s.", target=150)) == "Aim for 150."


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        ("en", "6-4 at 12: Rosa"),
        ("es", "6-4 at 12: Rosa"),
        ("ar", "\u20686-4\u2069 at ١٢: \u2068Rosa\u2069"),
        ("fa", "\u20686-4\u2069 at ۱۲: \u2068Rosa\u2069"),
    ],
)
def test_names_and_tiles_keep_their_direction_and_numbers_get_the_readers_digits(
    language, expected
):
    params = {"tile": "6-4", "table": 12, "names": ["Rosa"]}
    with translation.override(language):
        assert explain(Phrase("%(tile)s at %(table)s: %(names)s", **params)) == expected


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        ("en", "at rules: expected one of lot, luck, found nothing."),
        (
            "es",
            "en rules: se esperaba uno de estos valores: lot, luck, se encontró un campo vacío.",
        ),
    ],
)
def test_what_a_record_should_hold_is_said_in_the_readers_language(language, expected):
    wanted = Phrase("one of %(choices)s", choices="lot, luck")
    with translation.override(language):
        assert explain(BadRecord("rules", wanted)).endswith(expected)


@pytest.mark.parametrize("language", ["ar", "fa"])
@pytest.mark.parametrize("line", ["", "B", "B 7-3", "undo x", "B! ", "result AC", "B pass now"])
def test_a_line_that_cannot_be_read_says_so_without_english(language, line):
    with pytest.raises(BadNotation) as refused, translation.override("en"):
        parse_line(line)
    wanted = refused.value.params["expected"]
    assert isinstance(wanted, Phrase)
    with translation.override(language):
        assert explain(wanted) != str(wanted)


def test_the_article_of_a_rule_is_told_in_the_readers_language_and_digits():
    with translation.override("ar"):
        articles = [line.article for line in rule_lines(Rules.of("domna"), 4) if line.article]
    assert articles
    assert all(article.startswith(("الدومنة، البند", "WDF، البند")) for article in articles)


def test_a_value_no_option_has_is_refused_with_those_it_has():
    with pytest.raises(BadRecord) as refused:
        Rules.of("wdf", None, {"round_to": 7})
    assert explain(refused.value).endswith("round_to: expected one of 1, 5, found 7.")

"""How tiles, scores and digits look on a page."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from django.template import Context, Template
from django.test import override_settings
from django.utils import translation

from engine.tiles import TILES, BadTile, Tile
from tournaments.digits import local_digits, to_latin_digits
from tournaments.words.tiles import TILE_NAMES


@dataclass(frozen=True)
class Laid:
    left: int
    right: int
    event: int
    standing: bool = False


LINE = (Laid(1, 6, 3), Laid(6, 6, 1), Laid(6, 3, 2, standing=True))


def page(text: str, **context: object) -> str:
    return Template("{% load domino %}" + text).render(Context(context))


def test_a_tile_is_drawn_with_all_its_pips_and_named_in_words() -> None:
    html = page("{% tile t %}", t=Tile(3, 6))
    assert 'role="img" aria-label="six-three"' in html
    assert html.split('class="pips" d="')[1].split('"')[0].count("M") == 9


def test_a_tile_may_be_given_in_notation_and_lies_as_written() -> None:
    lying, turned = page('{% tile "6-3" %}'), page('{% tile "3-6" %}')
    assert lying != turned
    assert 'aria-label="six-three"' in turned


def test_a_tile_may_stand_be_large_and_be_silent() -> None:
    html = page('{% tile "5-5" vertical=True size="large" hidden=True %}')
    assert 'class="tile vertical large"' in html
    assert 'aria-hidden="true"' in html
    assert "aria-label" not in html


def test_what_is_no_tile_is_refused() -> None:
    with pytest.raises(BadTile, match="“7-1” is not a tile"):
        page('{% tile "7-1" %}')


def test_every_tile_has_a_name() -> None:
    assert list(TILE_NAMES) == [str(tile) for tile in TILES]
    assert "double six" in page("{% tile_names_script %}")


def test_half_a_tile_is_drawn_and_named_by_its_number() -> None:
    html = page("{% pips 4 %}")
    assert html.count("h.1") == 4
    assert 'aria-label="4"' in html


def test_the_line_of_play_is_drawn_for_phone_and_desk_and_listed_in_words() -> None:
    html = page("{% line_of_play line %}", line=LINE)
    assert html.count("<svg") == 2
    assert 'dir="ltr"' in html
    assert "Open ends: 1 on the left, 3 on the right." in html
    assert html.index("six-one, laid last") < html.index("double six") < html.index("six-three")


def test_the_last_tile_a_standing_one_and_both_ends_are_marked() -> None:
    html = page("{% line_of_play line width=13 %}", line=LINE)
    assert html.count("<svg") == 1
    assert html.count('class="laid last"') == 1
    assert html.count('class="laid standing"') == 1
    assert html.count('class="open"') == 2


def test_a_line_without_tiles_says_so() -> None:
    assert "No tile has been played yet." in page("{% line_of_play line %}", line=())


@pytest.mark.parametrize(
    ("language", "written"), [("en", "120"), ("es", "120"), ("ar", "١٢٠"), ("fa", "۱۲۰")]
)
def test_digits_follow_the_language_and_all_are_read(language: str, written: str) -> None:
    with translation.override(language):
        assert page("{{ n|local_digits }}", n=120) == written
    assert to_latin_digits(written) == "120"


def test_a_regional_language_has_the_digits_of_its_language() -> None:
    assert local_digits("7:5", "ar-eg") == "٧:٥"


@pytest.mark.parametrize(
    ("number", "signed", "plain"),
    [(35, "+35", "35"), (0, "0", "0"), (-20, "\N{MINUS SIGN}20", "\N{MINUS SIGN}20")],
)
def test_a_score_keeps_its_sign_in_front(number: int, signed: str, plain: str) -> None:
    assert page("{{ n|points }}", n=number) == f'<bdi dir="ltr">{signed}</bdi>'
    assert page("{{ n|plain_points }}", n=number) == f'<bdi dir="ltr">{plain}</bdi>'


def test_a_score_that_is_not_known_is_a_dash_that_is_read_aloud() -> None:
    assert "not known yet" in page("{{ n|points }}", n=None)


@override_settings(LANGUAGE_CODE="en")
def test_a_name_is_never_markup() -> None:
    html = page("{% include '_field.html' %}", field={"label": "<b>", "id_for_label": "x"})
    assert "<b>" not in html

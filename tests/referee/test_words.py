"""The page's script and its sentences belong together."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.conf import settings
from django.utils.translation import override

import referee
from referee.words.record import page_words

# The engine's sentences, by the engine's names: `live.js` puts the names together.
OF_THE_RULES = r"(?:refusal|proof|opens_by|ended_label)_"
SCRIPTS = Path(referee.__file__).parent / "static" / "referee"


def test_every_sentence_the_script_asks_for_exists():
    source = "".join(script.read_text() for script in SCRIPTS.glob("*.js"))
    asked = set(re.findall(r'\bsay\(\s*"(\w+)"', source))
    assert asked
    assert asked <= set(page_words())


def test_no_sentence_is_left_over():
    source = "".join(script.read_text() for script in SCRIPTS.glob("*.js"))
    built = {"plays_left", "plays_right", "fits_left", "fits_right", "end_left", "end_right"}
    built |= {"cards_so_far_play", "cards_so_far_discipline"}
    shown = {"clockwise", "counter_clockwise"}
    left_over = {name for name in page_words() if f'"{name}"' not in source}
    of_the_rules = {name for name in left_over if re.match(OF_THE_RULES, name)}
    assert left_over - of_the_rules == built | shown


@pytest.mark.parametrize("language", [code for code, _ in settings.LANGUAGES])
def test_the_page_has_a_sentence_for_every_number_a_refusal_counts(language):
    categories = {"ar": 6}.get(language, 2)
    with override(language):
        words = page_words()
    counting = [name for name, text in words.items() if text in ("stock", "asked")]
    assert counting
    for name in counting:
        forms = [text for form, text in words.items() if form.startswith(f"{name}.")]
        assert len(forms) == categories
        assert all("%(" in one for one in forms)

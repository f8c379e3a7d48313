"""The page's script and its sentences belong together."""

from __future__ import annotations

import re
from pathlib import Path

import referee
from referee.words import page_words

SCRIPTS = Path(referee.__file__).parent / "static" / "referee"


def test_every_sentence_the_script_asks_for_exists():
    source = "".join(script.read_text() for script in SCRIPTS.glob("*.js"))
    asked = set(re.findall(r'\bsay\(\s*"(\w+)"', source))
    assert asked
    assert asked <= set(page_words())


def test_no_sentence_is_left_over():
    source = "".join(script.read_text() for script in SCRIPTS.glob("*.js"))
    built = {"plays_left", "plays_right", "fits_left", "fits_right", "end_left", "end_right"}
    shown = {"clockwise", "counter_clockwise"}
    left_over = {name for name in page_words() if f'"{name}"' not in source}
    assert left_over == built | shown

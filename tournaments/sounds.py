"""What a name sounds like: one name is found written in Arabic, Persian or Latin letters.

محمد, Mohamed and Muhammad share a skeleton of consonants. Vowels are hardly written in Arabic
and written in every way in Latin letters, so only that a word begins with one is kept. A letter
that is transcribed in two ways (ق as q and gh, ث as th and s) gives a skeleton for each.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import chain, islice, product

from tournaments.names import folded

MOST_WAYS = 6
"""Skeletons of one word; a word with many ambiguous letters keeps the first ones."""
LONGEST_KEY = 250
ENOUGH_TO_BEGIN = 3

_ARABIC = {
    "ا": "-", "ع": "-", "ء": "", "ی": "-", "و": "-", "ب": "b", "پ": "p", "ت": "t", "ث": "ts",
    "ج": "jg", "چ": "c", "ح": "h", "خ": "x", "د": "d", "ذ": "dz", "ر": "r", "ز": "z", "ژ": "j",
    "س": "s", "ش": "c", "ص": "s", "ض": "dz", "ط": "t", "ظ": "zd", "غ": "g", "ف": "f", "ق": "kg",
    "ک": "k", "گ": "g", "ل": "l", "م": "m", "ن": "n", "ه": "h",
}  # fmt: skip
# Two letters that stand for one sound come first; "-" is a vowel.
_LATIN = {
    "tch": "c", "sch": "c", "sh": "c", "ch": "c", "kh": "x", "gh": "g", "th": "ts", "dh": "dz",
    "zh": "j", "ph": "f", "ck": "k", "dj": "jg", "a": "-", "e": "-", "i": "-", "o": "-",
    "u": "-", "y": "-", "w": "-", "v": "-", "b": "b", "c": "k", "d": "d", "f": "f", "g": "gj",
    "h": "h", "j": "jg", "k": "k", "l": "l", "m": "m", "n": "n", "p": "p", "q": "kg", "r": "r",
    "s": "s", "t": "t", "x": "k", "z": "z",
}  # fmt: skip
_SIGNS = {**_ARABIC, **_LATIN}
_PARTS = re.compile("|".join(map(re.escape, sorted(_SIGNS, key=len, reverse=True))))
_TWICE = re.compile(r"([^-])\1+")
# What is written before a name and as often left out: the article, in two scripts.
_ARTICLES = frozenset({"al", "el", "ال"})
# The first sound of a word, where its letter may be a vowel or not.
_FIRST = {"و": "w", "w": "w", "v": "w", "ی": "y", "y": "y"}


def sounds_of(word: str) -> tuple[str, ...]:
    """Return the skeletons of one folded word; none of a word without letters known here."""
    parts = _PARTS.findall(word)
    if not parts:
        return ()
    first = _FIRST.get(parts[0], _SIGNS[parts[0]])
    rest = [_SIGNS[one] or "-" for one in parts[1:]]
    # An h at the end is a vowel's in one script and left out in the other.
    if rest and rest[-1] == "h":
        rest[-1] = "-"
    found = dict.fromkeys(
        _TWICE.sub(r"\1", way[0] + "".join(way[1:]).replace("-", ""))
        for way in islice(product(first or "-", *rest), 4 * MOST_WAYS)
    )
    return tuple(islice(found, MOST_WAYS))


def spoken_words(name: str) -> tuple[tuple[str, ...], ...]:
    """Return for each word of a name what it may sound like; articles are left out."""
    words = (one for one in folded(name).split() if one not in _ARTICLES)
    found = (tuple(dict.fromkeys(chain(*map(sounds_of, _written(one))))) for one in words)
    return tuple(one for one in found if one)


def sounds_key(*names: str) -> str:
    """Return all that the spellings of one name sound like, each word between blanks."""
    ways = dict.fromkeys(way for name in names for word in spoken_words(name) for way in word)
    return f" {' '.join(ways)} "[:LONGEST_KEY] if ways else ""


def wanted_in_key(way: str) -> str:
    """Return what a key holds if a word of it sounds like `way`, or begins like it.

    Few consonants begin too many names: they stand for a whole word.
    """
    return f" {way}" if len(way) >= ENOUGH_TO_BEGIN else f" {way} "


def sounds_like(key: str, words: Iterable[tuple[str, ...]]) -> bool:
    """Say whether a name of that key has every one of the words, whichever way it is said."""
    return all(any(wanted_in_key(way) in key for way in word) for word in words)


def _written(word: str) -> Iterator[str]:
    """Return a word as it is written, and without the article written with it."""
    yield word
    for article in _ARTICLES:
        if word.startswith(article) and len(word) > len(article) + 3:
            yield word[len(article) :]
    # Abdel Rahman is written in one word, in two, and in three.
    if word.startswith("abd") and word[3:] in {"el", "al", "ul", "ol"}:
        yield "abd"

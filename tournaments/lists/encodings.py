"""Which encoding a text file is in: byte order marks, then what reads like names."""

from __future__ import annotations

import codecs
import re
import unicodedata
from collections.abc import Iterator
from typing import Final

from django.utils.translation import gettext_noop

ENCODINGS: Final = {
    "utf-8": gettext_noop("UTF-8 (most programs)"),
    "windows-1256": gettext_noop("Windows-1256 (Arabic, Persian, older Excel)"),
    "windows-1252": gettext_noop("Windows-1252 (Western European, older Excel)"),
    "utf-16-le": gettext_noop("UTF-16, little endian (Excel “Unicode text”)"),
    "utf-16-be": gettext_noop("UTF-16, big endian"),
}

_MARKS: Final = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
# The letters names and headings are mostly made of; the rest of the block counts half.
_COMMON_ARABIC: Final = frozenset("ابتجحدرزسعفقكلمنهويةىشخصط")
_WORDS: Final = re.compile(r"[^\s\d,;|/\\\"'()\[\]{}.:&+_\t“”‘’«»–—…-]+")
_SAMPLE: Final = 65_536


def encoding_of(content: bytes) -> str:
    """Return the encoding the file is most probably in, one of ENCODINGS."""
    for mark, name in _MARKS:
        if content.startswith(mark):
            return name
    sample = content[:_SAMPLE]
    wide = _wide(sample)
    if wide is not None:
        return wide
    if _is_utf8(sample, whole=len(content) <= _SAMPLE):
        return "utf-8"
    arabic = sum(map(_arabic_points, _words(sample, "windows-1256")))
    western = sum(map(_western_points, _words(sample, "windows-1252")))
    return "windows-1256" if arabic > western else "windows-1252"


def decoded(content: bytes, encoding: str) -> str:
    """Return the text; bytes that mean nothing in `encoding` become the replacement mark."""
    for mark, name in _MARKS:
        if name == encoding and content.startswith(mark):
            content = content[len(mark) :]
    return content.decode(encoding, errors="replace")


def _is_utf8(sample: bytes, *, whole: bool) -> bool:
    try:
        codecs.getincrementaldecoder("utf-8")().decode(sample, final=whole)
    except UnicodeDecodeError:
        return False
    return True


def _wide(sample: bytes) -> str | None:
    """Recognise UTF-16 without its mark: delimiters and line ends have a zero byte beside."""
    if len(sample) < 4 or b"\x00" not in sample:
        return None
    even = sample[: len(sample) // 2 * 2]
    points = {
        name: _plausible(even.decode(name, errors="replace")) for name in ("utf-16-le", "utf-16-be")
    }
    best = max(points, key=lambda name: points[name])
    return best if points[best] > 0.8 else None


def _plausible(text: str) -> float:
    """Return the share of characters that a list of names is made of."""
    good = sum(
        one in "\r\n\t"
        or " " <= one < "\u0250"
        or "\u0600" <= one < "\u0700"
        or "\u2000" <= one < "\u2070"
        or one == "\u00a0"
        for one in text
    )
    return good / max(len(text), 1)


def _words(sample: bytes, encoding: str) -> Iterator[str]:
    """Return the words that hold a letter outside ASCII: the others decide nothing."""
    for word in _WORDS.findall(sample.decode(encoding, errors="replace")):
        if not word.isascii():
            yield word


def _is_arabic(letter: str) -> bool:
    return "\u0600" <= letter < "\u0700" or letter in "\u200c\u200d\u200e\u200f"


def _arabic_points(word: str) -> float:
    """Judge a word read as Windows-1256: Arabic letters never share a word with Latin ones."""
    arabic = sum(map(_is_arabic, word))
    if arabic < len(word):
        return -3.0 if arabic else 0.5
    if unicodedata.combining(word[0]):
        return -3.0
    return sum(1.0 if one in _COMMON_ARABIC else 0.5 for one in word)


def _western_points(word: str) -> float:
    """Judge a word read as Windows-1252: a few accents among plain letters, capitals first."""
    strange = sum(not (one.isascii() or one.isalpha()) for one in word)
    accents = sum(one.isalpha() and not one.isascii() for one in word)
    plain = len(word) - strange - accents
    if strange or accents > plain + 1:
        return -1.0 * (strange + accents)
    late_capitals = sum(one.isupper() and not one.isascii() for one in word[1:])
    if late_capitals and not word.isupper():
        return -1.0
    return 1.0 + plain

"""Spellings of names: one person is found behind several ways of writing."""

from __future__ import annotations

import unicodedata

# Letters that Arabic and Persian keyboards give differently for the same letter.
SAME_LETTER = str.maketrans(
    {
        "ي": "ی",
        "ى": "ی",
        "ئ": "ی",
        "ك": "ک",
        "ة": "ه",
        "ۀ": "ه",
        "أ": "ا",
        "إ": "ا",
        "آ": "ا",
        "ٱ": "ا",
        "ؤ": "و",
        "ـ": "",
        "\u200c": "",
        "\u200d": "",
        "\u200e": "",
        "\u200f": "",
    }
)


def folded(name: str) -> str:
    """Return the spelling two writings of one name share: no accents, case, marks or gaps.

    Arabic and Persian forms of a letter count as one; hyphens and apostrophes are gaps.
    """
    letters = unicodedata.normalize("NFKC", name).translate(SAME_LETTER)
    plain = "".join(
        one for one in unicodedata.normalize("NFD", letters) if not unicodedata.combining(one)
    )
    words = "".join(one if one.isalnum() else " " for one in plain.casefold()).split()
    return " ".join(words)


def tidy(text: str) -> str:
    """Return `text` on one line, without control characters and gaps at its ends."""
    seen = "".join(" " if unicodedata.category(one) in ("Cc", "Zl", "Zp") else one for one in text)
    return " ".join(seen.split())

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
# Embeddings, overrides and isolates: unbalanced, they change the direction of the rest of a page.
_TURNING = dict.fromkeys((*range(0x202A, 0x202F), *range(0x2066, 0x206A)))


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
    """Return `text` on one line, without control characters and gaps at its ends.

    Nothing is left of a text nobody could see, nor of signs that would turn what follows around.
    """
    plain = text.translate(_TURNING)
    kinds = [unicodedata.category(one) for one in plain]
    if all(kind in ("Cf", "Cc", "Zs", "Zl", "Zp") for kind in kinds):
        return ""
    seen = (
        " " if kind in ("Cc", "Zl", "Zp") else one for one, kind in zip(plain, kinds, strict=True)
    )
    return " ".join("".join(seen).split())


def tidy_lines(text: str) -> str:
    """Return a text of several lines, each tidy, with no more than one empty line in a row."""
    kept: list[str] = []
    for line in map(tidy, text.splitlines()):
        if line or (kept and kept[-1]):
            kept.append(line)
    return "\n".join(kept).strip()


def shortened(name: str) -> str:
    """Return a name as strangers read that of a minor: the given name and an initial.

    The first word stays, of the last one its first letter; “Roa, Ana” has its given name behind
    the comma. A name of one word is short already.
    """
    family, comma, given = name.replace("،", ",").partition(",")
    words = [*given.split(), *family.split()[:1]] if comma and given.strip() else name.split()
    if len(words) < 2:
        return name
    letters = (one for one in unicodedata.normalize("NFC", words[-1]) if one.isalpha())
    initial = next(letters, "")
    return f"{words[0]} {initial.upper()}." if initial else words[0]

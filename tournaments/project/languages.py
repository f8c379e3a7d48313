"""The languages of the site: English, and each one that has a catalog in `tournaments/locale/`.

What the site must know of a language stands in the head of its catalog: `Language-Name` is how its
readers call it, `Digits` how they write 0 to 9. A new language is a new catalog, and no code:
`python scripts/messages.py --add LANGUAGE`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

CATALOGS: Final = Path(__file__).resolve().parents[1] / "locale"
_FIELD: Final = re.compile(r'^"([A-Za-z-]+): (.*)\\n"$', re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Language:
    """One language: its code, its own name, and its digits where they are not 0 to 9."""

    code: str
    name: str
    digits: str = ""
    plurals: str = ""


def catalog_path(code: str, folder: Path | None = None) -> Path:
    return (folder or CATALOGS) / code / "LC_MESSAGES" / "django.po"


def read_head(path: Path) -> Language:
    """Return what the head of a catalog says; the head ends at the first empty line."""
    head, _, _ = path.read_text(encoding="utf-8").partition("\n\n")
    fields = dict(_FIELD.findall(head))
    code = path.parents[1].name
    return Language(
        code,
        fields.get("Language-Name", code),
        fields.get("Digits", ""),
        fields.get("Plural-Forms", ""),
    )


@cache
def languages(folder: Path | None = None) -> tuple[Language, ...]:
    """Return English and then every language with a catalog, by its code."""
    paths = sorted((folder or CATALOGS).glob("*/LC_MESSAGES/django.po"))
    return (Language("en", "English"), *(read_head(path) for path in paths))

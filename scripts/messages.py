#!/usr/bin/env python3
"""Collect, check and compile the translations of the whole project, without gettext.

python scripts/messages.py             bring the catalogs up to date with the sentences
python scripts/messages.py --check     fail where a catalog is stale, unfinished or wrong
python scripts/messages.py --add fr    begin the catalog of a new language, here French
python scripts/messages.py --compile   write the .mo files Django reads
"""

from __future__ import annotations

import argparse
import io
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import cast

from babel import Locale
from babel.core import UnknownLocaleError
from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract
from babel.messages.mofile import write_mo
from babel.messages.plurals import get_plural
from babel.messages.pofile import read_po, write_po
from django.conf import settings
from django.utils.translation.template import templatize

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from tournaments.project.languages import CATALOGS, Language, read_head
from tournaments.project.languages import catalog_path as path_of

LOCALE = CATALOGS
FOLDERS = ("engine", "tournaments", "referee", "templates")
WIDTH = 100

ARABIC_LETTERS = re.compile(r"[\u0621-\u06d3]")
KEYWORDS = {
    "marked": None,
    "counted": (1, 2),
    "Phrase": None,
    "gettext": None,
    "gettext_lazy": None,
    "gettext_noop": None,
    "_": None,
    "ngettext": (1, 2),
    "ngettext_lazy": (1, 2),
    "pgettext": ((1, "c"), 2),
    "pgettext_lazy": ((1, "c"), 2),
    "npgettext": ((1, "c"), 2, 3),
    "npgettext_lazy": ((1, "c"), 2, 3),
}
PLACEHOLDER = re.compile(r"%\(\w+\)[a-z]|\{\w+\}")


def catalog_path(language: str) -> Path:
    return path_of(language, LOCALE)


def languages() -> list[str]:
    """Return the languages that have a catalog; English is the language sentences are in."""
    return sorted(path.parents[1].name for path in LOCALE.glob("*/LC_MESSAGES/django.po"))


def header(language: str) -> str:
    """Return the head of a catalog: what reading it needs and nothing that changes by itself."""
    return head_of(read_head(catalog_path(language)))


def head_of(one: Language) -> str:
    fields = {
        "Language": one.code,
        "Language-Name": one.name,
        **({"Digits": one.digits} if one.digits else {}),
        "MIME-Version": "1.0",
        "Content-Type": "text/plain; charset=utf-8",
        "Content-Transfer-Encoding": "8bit",
        "Plural-Forms": one.plurals,
    }
    lines = [f'"{name}: {value}\\n"\n' for name, value in fields.items()]
    return f'msgid ""\nmsgstr ""\n{"".join(lines)}\n'


def read_catalog(language: str) -> Catalog:
    return read_po(io.BytesIO(catalog_path(language).read_bytes()), locale=language)


def sources() -> Iterator[tuple[Path, str]]:
    """Yield each file with sentences, in a fixed order, as Python the extractor can read."""
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix == ".py" and "migrations" not in path.parts:
                yield path, path.read_text(encoding="utf-8")
            elif path.suffix in {".html", ".txt"} and "static" not in path.parts:
                calls = templatize(path.read_text(encoding="utf-8"), origin=str(path))
                # What is left of a template is calls; their indentation means nothing.
                yield path, "\n".join(line.strip() for line in calls.splitlines())


def collect(language: str) -> Catalog:
    """Return every marked sentence, none translated, counted as `language` counts."""
    found = read_po(io.BytesIO(header(language).encode()), locale=language)
    for path, source in sources():
        name = path.relative_to(ROOT).as_posix()
        sentences = extract(
            "python", io.BytesIO(source.encode()), KEYWORDS, ("Translators:",), {}, True
        )
        for _line, message_id, comments, context in sentences:
            empty = ("",) * found.num_plurals if isinstance(message_id, tuple) else ""
            found.add(message_id, empty, [(name, 0)], auto_comments=comments, context=context)
    return found


def updated(language: str) -> Catalog:
    """Return the sentences of today with the translations the catalog already has."""
    old, new = read_catalog(language), collect(language)
    for message in new:
        before = old.get(cast(str, message.id), message.context) if message.id else None
        if before is None:
            continue
        message.user_comments = before.user_comments
        if isinstance(message.string, tuple) == isinstance(before.string, (tuple, list)):
            message.string = before.string
            message.flags |= before.flags & {"fuzzy"}
    return new


def written(language: str, catalog: Catalog) -> str:
    body = io.BytesIO()
    write_po(body, catalog, width=WIDTH, omit_header=True, include_lineno=False)
    return header(language) + body.getvalue().decode().strip() + "\n"


def placeholders(text: str) -> set[str]:
    return set(PLACEHOLDER.findall(text))


def faults(language: str, message: Message) -> Iterator[str]:
    """Yield what is wrong with one translation."""
    ids = message.id if isinstance(message.id, (tuple, list)) else (message.id,)
    string = message.string
    forms = [one or "" for one in (string if isinstance(string, (tuple, list)) else (string,))]
    wanted = set().union(*(placeholders(one) for one in ids))
    to_arabic = Locale.parse(language, sep="_").text_direction == "rtl"
    if message.fuzzy:
        yield "is marked fuzzy"
    if not all(forms):
        yield "is not translated"
        return
    for number, form in enumerate(forms):
        missing = wanted - placeholders(form)
        # A form for exactly none, one or two may say the number in words.
        spared = 1 if len(forms) > 1 and number < len(forms) - 1 else 0
        if extra := placeholders(form) - wanted:
            yield f"has {', '.join(sorted(extra))}, which the sentence does not have"
        if len(missing) > spared:
            yield f"lacks {', '.join(sorted(missing))}"
        if message.python_format or any("%(" in one for one in ids):
            yield from _format_faults(form, wanted)
        if (form[0].isspace(), form[-1].isspace()) != (ids[0][0].isspace(), ids[0][-1].isspace()):
            yield "begins or ends with a blank where the sentence does not, or the other way round"
        if to_arabic and _has_words(ids[0]) and not ARABIC_LETTERS.search(form):
            yield "is still in Latin letters"


def _format_faults(form: str, wanted: set[str]) -> Iterator[str]:
    values = {name[2:-2]: 1 for name in wanted if name.startswith("%(")}
    try:
        form % values
    except (KeyError, TypeError, ValueError) as error:
        yield f"cannot be filled in ({error}); a per cent sign is written %%"


def _has_words(text: str) -> bool:
    return bool(re.search(r"[a-z]{3}", PLACEHOLDER.sub("", text)))


def update() -> int:
    for language in languages():
        catalog = updated(language)
        path = catalog_path(language)
        path.write_text(written(language, catalog), encoding="utf-8")
        left = sum(1 for one in catalog if one.id and any(faults(language, one)))
        print(f"{path.relative_to(ROOT)}: {len(catalog)} sentences, {left} to be looked at")
    return 0


def add(language: str) -> int:
    """Begin the catalog of a new language with what the Unicode consortium knows of it."""
    path = catalog_path(language)
    if path.exists():
        print(f"{path.relative_to(ROOT)} is there already.")
        return 1
    try:
        known = Locale.parse(language, sep="_")
    except (UnknownLocaleError, ValueError):
        print(f"“{language}” is no language's code, such as fr or pt.")
        return 1
    name = (known.get_language_name(language) or language).capitalize()
    counted = get_plural(language).plural_forms
    path.parent.mkdir(parents=True)
    path.write_text(head_of(Language(language, name, plurals=counted)), encoding="utf-8")
    return update()


def check() -> int:
    wrong = 0
    for language in languages():
        path = catalog_path(language)
        name = path.relative_to(ROOT)
        catalog = updated(language)
        if path.read_text(encoding="utf-8") != written(language, catalog):
            print(f"{name}: does not have the sentences of the code. Run `make messages`.")
            wrong += 1
        for message in catalog:
            for fault in faults(language, message) if message.id else ():
                print(f"{name}: “{message.id}” {fault}.")
                wrong += 1
    return 1 if wrong else 0


def compile_catalogs() -> None:
    """Write each .mo file that is missing or older than its catalog."""
    for language in languages():
        source = catalog_path(language)
        target = source.with_suffix(".mo")
        if target.exists() and target.stat().st_mtime >= source.stat().st_mtime:
            continue
        content = io.BytesIO()
        write_mo(content, read_catalog(language))
        part = target.with_suffix(".part")
        part.write_bytes(content.getvalue())
        part.replace(target)


def main() -> int:
    parser = argparse.ArgumentParser(description="Translations of the whole project.")
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--check", action="store_true", help="fail where a catalog is not finished")
    what.add_argument("--add", metavar="LANGUAGE", help="begin the catalog of a new language")
    what.add_argument("--compile", action="store_true", help="write the .mo files")
    chosen = parser.parse_args()
    if not settings.configured:
        settings.configure()
    if chosen.compile:
        compile_catalogs()
        return 0
    if chosen.add:
        return add(chosen.add)
    return check() if chosen.check else update()


if __name__ == "__main__":
    sys.exit(main())

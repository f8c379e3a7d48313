"""The promises of the style guide that a program can keep an eye on."""

from __future__ import annotations

import ast
import importlib
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

import pytest
from django.core.management import call_command
from django.template import TemplateSyntaxError
from django.template.loader import get_template

from engine.errors import DominoError

ROOT = Path(__file__).resolve().parents[1]
APPS = ("engine", "tournaments", "referee")
# About 400 lines; tests, which are read one by one, somewhat more.
MOST_LINES, MOST_LINES_OF_TESTS = 450, 600
MODULES = sorted(
    path for app in APPS for path in (ROOT / app).rglob("*.py") if "migrations" not in path.parts
)
PYTHON = sorted(
    [ROOT / "manage.py", *MODULES]
    + [path for name in ("tests", "scripts", "benchmarks") for path in (ROOT / name).rglob("*.py")]
)
TEMPLATES = sorted((ROOT / "templates").rglob("*.html"))
STYLES = sorted(path for app in APPS for path in (ROOT / app).glob("static/**/*.css"))
SCRIPTS = sorted(path for app in APPS for path in (ROOT / app).glob("static/**/*.js"))

MAY_IMPORT = {
    "engine": {"engine"},
    "tournaments": {"engine", "tournaments"},
    "referee": {"engine", "tournaments", "referee"},
}
# Inside an app a module may import what stands on its own level or below, never above.
LEVELS = {
    "urls": 5,
    "views": 4,
    "api": 4,
    "tasks": 4,
    "admin": 4,
    "management": 4,
    "forms": 3,
    "serializers": 3,
    "lists": 3,
    "words": 2,
    "services": 2,
    "queries": 2,
    "permissions": 1,
    "models": 1,
    "errors": 1,
    "competition": 0,
}
# A refusal that gives the reason of another one ends with that sentence.
ENDS = (".", "!", "?", ": %(reason)s")
WORLD = {"random", "secrets", "time", "socket", "subprocess", "threading", "urllib"}
INLINE = {
    r"<style|\sstyle\s*=": "a style; it belongs in site.css",
    r"\son[a-z]+\s*=\s*[\"']": "a handler; it belongs in a script file",
    r"<script\b(?![^>]*(?:\bsrc=|application/json))": "a script; it belongs in a file",
    r"(?:\ssrc|<link[^>]*\shref)=[\"'](?:https?:)?//": "a file of another site",
}
ONE_SIDED = re.compile(
    r"(?:^|[\s;{])(?:(?:margin|padding|border|inset)-(?:left|right)[\w-]*|left|right)\s*:"
    r"|(?:text-align|float|clear)\s*:\s*(?:left|right)\b"
)


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def read(path: Path) -> str:
    return path.read_text(encoding="utf-8")


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(read(path))


def imports(path: Path) -> Iterator[str]:
    """Yield the dotted name of everything a file imports, wherever in the file it does."""
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Import):
            yield from (one.name for one in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{node.module}.{one.name}" for one in node.names)


def level(parts: Iterable[str]) -> int | None:
    """Return how high in its app a module stands; None where the guide says nothing."""
    second = [*parts, ""][1]
    # A kind is a folder, or one file where an app needs no more: `errors/scores.py`, `errors.py`.
    found = [LEVELS[word] for word in second.removesuffix(".py").split("_") if word in LEVELS]
    return found[0] if found else None


def is_above(path: Path, imported: str) -> bool:
    """Tell whether the import points upwards, to another app or to another level."""
    mine, its = path.relative_to(ROOT).parts, imported.split(".")
    if its[0] == "tests" or its[:2] == ["tournaments", "project"]:
        return True
    if its[0] not in MAY_IMPORT:
        return False
    if its[0] != mine[0]:
        return its[0] not in MAY_IMPORT[mine[0]]
    here, there = level(mine), level(its)
    return here is not None and there is not None and there > here


def test_imports_point_downwards():
    project = ROOT / "tournaments" / "project"
    wrong = [
        f"{name_of(path)} imports {name}"
        for path in MODULES
        if project not in path.parents
        for name in imports(path)
        if is_above(path, name)
    ]
    assert wrong == []


def test_the_rules_import_only_the_standard_library_and_each_other():
    # One exception: matchings are left to a proven library, behind one module.
    pure = [path for path in MODULES if path.is_relative_to(ROOT / "engine")]
    pure += [path for path in MODULES if "competition" in path.parts]
    wrong = [
        f"{name_of(path)} imports {name}"
        for path in pure
        for name in imports(path)
        if not name.startswith(("engine.", "tournaments.competition."))
        and name.split(".")[0] not in sys.stdlib_module_names
        and (name_of(path), name) != ("tournaments/competition/matching.py", "rustworkx")
    ]
    assert wrong == []


def test_the_rules_know_no_clock_no_chance_and_no_world():
    wrong = [
        f"{name_of(path)} imports {name}"
        for path in MODULES
        if path.is_relative_to(ROOT / "engine") and path.name != "__main__.py"
        for name in imports(path)
        # The robot's deal takes a generator from its caller; only the type is named.
        if name.split(".")[0] in WORLD and name != "random.Random"
    ]
    assert wrong == []


def test_imports_stand_at_the_top():
    wrong = [
        f"{name_of(path)}:{node.lineno}"
        for path in MODULES
        for function in ast.walk(tree(path))
        if isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef))
        for node in ast.walk(function)
        if isinstance(node, (ast.Import, ast.ImportFrom))
    ]
    assert wrong == []


def test_there_are_no_signals():
    wrong = [
        f"{name_of(path)} imports {name}"
        for path in MODULES
        for name in imports(path)
        if {"signals", "dispatch"} & set(name.split("."))
    ]
    assert wrong == []


def test_every_module_opens_with_one_line():
    wrong = []
    for path in PYTHON:
        source = read(path)
        docstring = ast.get_docstring(tree(path)) or ""
        if path.name == "__init__.py" and path.parent.name == "models":
            fine = True  # Django finds the models of an app in its module `models`.
        elif path.name == "__init__.py":
            fine = len(source.splitlines()) <= 1
        else:
            fine = docstring.partition("\n")[0].endswith((".", ":", "?"))
        if not fine:
            wrong.append(name_of(path))
    assert wrong == []


def test_files_stay_short():
    too_long = {
        name_of(path): lines
        for path in PYTHON + TEMPLATES + SCRIPTS
        if (lines := read(path).count("\n"))
        > (MOST_LINES_OF_TESTS if path.is_relative_to(ROOT / "tests") else MOST_LINES)
    }
    assert too_long == {}


def test_nothing_is_left_to_do():
    left = re.compile(r"\b(?:[T]ODO|[F]IXME|[X]XX)\b")
    files = PYTHON + TEMPLATES + SCRIPTS + STYLES
    assert [name_of(path) for path in files if left.search(read(path))] == []


def refusals() -> list[type[DominoError]]:
    """Return every kind of refusal the project can give."""
    for path in MODULES:
        if "class " in read(path) and path.name != "__main__.py":
            importlib.import_module(name_of(path).removesuffix(".py").replace("/", "."))
    found: list[type[DominoError]] = [DominoError]
    for one in found:
        found += [sub for sub in one.__subclasses__() if sub.__module__.startswith(APPS)]
    return found


def test_every_refusal_has_its_own_code():
    codes = Counter(one.code for one in refusals() if "code" in vars(one))
    assert {code for code, count in codes.items() if count > 1} == set()
    assert {code for code in codes if not re.fullmatch(r"[a-z]+(_[a-z]+)*", code)} == set()


def test_every_refusal_is_whole_sentences():
    texts = {one.text for one in refusals() if one.text}
    wrong = [text for text in texts if text[0].islower() or not text.endswith(ENDS)]
    assert wrong == []


@pytest.mark.django_db
def test_no_migration_is_missing():
    call_command("makemigrations", check=True, dry_run=True, verbosity=0)


def test_every_template_compiles():
    wrong = []
    for path in TEMPLATES:
        try:
            get_template(path.relative_to(ROOT / "templates").as_posix())
        except TemplateSyntaxError as error:
            wrong.append(f"{name_of(path)}: {error}")
    assert wrong == []


def test_templates_have_nothing_inline_and_nothing_from_elsewhere():
    wrong = [
        f"{name_of(path)} has {what}"
        for path in TEMPLATES
        for pattern, what in INLINE.items()
        if re.search(pattern, read(path))
    ]
    assert wrong == []


def test_every_partial_says_what_it_needs():
    partials = [path for path in TEMPLATES if path.name.startswith("_")]
    says = re.compile(r"\{(?:% comment %\}|#)\s*Needs:? ")
    assert [name_of(path) for path in partials if not says.match(read(path))] == []


def test_styles_read_in_both_directions():
    wrong = [
        f"{name_of(path)}: {line.strip()}"
        for path in STYLES
        for line in re.sub(r"/\*.*?\*/", "", read(path), flags=re.DOTALL).splitlines()
        if ONE_SIDED.search(line)
    ]
    assert wrong == []


def test_translations_are_compiled_without_other_programs():
    answer = subprocess.run(
        [sys.executable, "scripts/messages.py", "--compile"],
        cwd=ROOT,
        env={"PATH": ""},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (answer.returncode, answer.stderr) == (0, "")

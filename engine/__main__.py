"""`python -m engine score|lines|check FILE`: answer a record, print its lines, or check it."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from engine.errors import BadRecord, DominoError, Phrase, Refusal
from engine.match import score
from engine.notation import format_record
from engine.reading import read_text
from engine.record import MOST_BYTES, Record

Written = dict[str, object]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code: 0, or 1 where a record was refused."""
    parser = argparse.ArgumentParser(prog="python -m engine", description=__doc__)
    parser.add_argument("command", choices=("score", "lines", "check"))
    parser.add_argument("file", help="a record (.json), one a line (.jsonl), or - for input")
    given = parser.parse_args(arguments)
    try:
        content = _content(given.file)
    except OSError as error:
        refusal = BadRecord(
            "$", Phrase("a file that can be read"), error.strerror or Phrase("an error")
        )
        print(json.dumps({"error": refused(refusal)}))
        return 1
    act = COMMANDS[given.command]
    if not given.file.endswith(".jsonl"):
        return act(content)
    failed = 0
    for line in content.splitlines():
        if line.strip():
            failed |= act(line)
    return failed


def _content(file: str) -> bytes:
    if file == "-":
        return sys.stdin.buffer.read(MOST_BYTES + 1)
    return Path(file).read_bytes()


def refused(refusal: DominoError) -> Written:
    """Return a refusal as the record format prints it."""
    return {
        "round": getattr(refusal, "round", None),
        "event": getattr(refusal, "event", None),
        "code": refusal.code,
        "message": str(refusal),
    }


def _answer(content: bytes, act: Callable[[Record], object]) -> int:
    try:
        print(json.dumps(act(read_text(content))))
    except Refusal as refusal:
        print(json.dumps({"error": refused(refusal)}))
        return 1
    return 0


def print_score(content: bytes) -> int:
    return _answer(content, score)


def print_check(content: bytes) -> int:
    """Say whether the record is well-formed, not whether its play was right."""
    try:
        read_text(content)
    except BadRecord as refusal:
        path: Written = {"path": refusal.path, "expected": refusal.expected}
        print(json.dumps({"error": {**refused(refusal), **path}}))
        return 1
    print(json.dumps({"well_formed": True}))
    return 0


def print_lines(content: bytes) -> int:
    try:
        print(format_record(read_text(content)), end="")
    except Refusal as refusal:
        print(json.dumps({"error": refused(refusal)}))
        return 1
    return 0


COMMANDS: dict[str, Callable[[bytes], int]] = {
    "score": print_score,
    "lines": print_lines,
    "check": print_check,
}

if __name__ == "__main__":
    sys.exit(main())

"""`python -m tournaments.competition pair|standings|verify FILE`: a request in, an answer out."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from engine.errors import DominoError
from tournaments.competition import proof, requests
from tournaments.competition.reading import Answer, read

COMMANDS: Mapping[str, Callable[[object], Answer]] = {
    "pair": requests.pair,
    "standings": requests.order,
    "verify": proof.verify,
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the answer and return 0; return 1 after an error, or for a draw that is not valid."""
    parser = argparse.ArgumentParser(
        prog="python -m tournaments.competition", description="Draws and standings, without Django."
    )
    parser.add_argument("command", choices=COMMANDS)
    parser.add_argument("file", metavar="FILE", help="a request as JSON; - for standard input")
    asked = parser.parse_args(arguments)
    try:
        text = sys.stdin.buffer.read() if asked.file == "-" else Path(asked.file).read_bytes()
    except OSError as error:
        parser.error(f"{asked.file}: {error.strerror}")
    try:
        answer = COMMANDS[asked.command](read(text))
    except DominoError as error:
        answer = {"error": {"code": error.code, "message": str(error)}}
    # Half a character in an id is written as JSON writes it, not refused by the terminal.
    printed = json.dumps(answer, ensure_ascii=False).encode("utf-8", "backslashreplace")
    sys.stdout.buffer.write(printed + b"\n")
    return 0 if answer.get("valid", "error" not in answer) else 1


if __name__ == "__main__":
    sys.exit(main())

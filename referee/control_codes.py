"""Control codes: what a printed sheet was signed for, short enough to be typed from paper."""

from __future__ import annotations

import json
from base64 import b32encode
from collections.abc import Mapping, Sequence
from hashlib import sha256

from referee.errors.signing import BadCode
from tournaments.digits import to_latin_digits

_LENGTH = 16
_ALPHABET = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")
# Base 32 has no 0, 1 and 8: whoever reads them on paper means the letter.
_ALIKE = str.maketrans("018", "OIB")

Result = Mapping[str, Sequence[object]]


def control_code(origin: str, head: str, result: Result) -> str:
    """Return the 16 signs for a match, by where it began, its chained record and its result."""
    told = json.dumps([origin, head, result], sort_keys=True, separators=(",", ":"))
    return b32encode(sha256(told.encode()).digest()).decode()[:_LENGTH]


def grouped(code: str) -> str:
    """Return a code as it is printed: in groups of four."""
    return "-".join(code[start : start + 4] for start in range(0, len(code), 4))


def read_code(typed: str) -> str:
    """Return the code that somebody typed, with whatever blanks and dashes; raises BadCode."""
    signs = to_latin_digits(typed[:200]).upper()
    code = "".join(one for one in signs if one.isalnum()).translate(_ALIKE)
    if len(code) != _LENGTH or not set(code) <= _ALPHABET:
        raise BadCode(found="".join(one for one in typed[:40] if one.isprintable()))
    return code

"""What pages, the sheet and the API show of signatures and control codes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import QuerySet

from referee.control_codes import control_code, grouped, read_code
from referee.errors.signing import CodeUnknown
from referee.models import SidePin, Signature
from referee.recorded import Recorded
from referee.rows import read
from referee.services import signing
from referee.verifying import head_of
from tournaments.models import Entry, Match, Tournament
from tournaments.permissions import Visitor, may_see_match
from tournaments.publication import may_see_play


@dataclass(frozen=True, slots=True)
class Signed:
    """One side's word on the sheet; `path` draws the name in a box of 1000 by 400."""

    side: str
    name: str
    how: str
    label: str
    path: str
    reason: str
    at: datetime


@dataclass(frozen=True, slots=True)
class SideToSign:
    """A side with its word on the sheet as it is now, None while it has not signed."""

    side: str
    name: str
    has_pin: bool
    signed: Signed | None


@dataclass(frozen=True, slots=True)
class Signing:
    """Who has signed the sheet of a match, and its control code."""

    sides: tuple[SideToSign, ...]
    superseded: tuple[Signed, ...]
    """What was said of an earlier record or result; it no longer counts."""
    code: str
    """As it is printed, in groups; empty while there is nothing to sign."""

    @property
    def is_any(self) -> bool:
        return bool(self.superseded) or any(one.signed for one in self.sides)

    @property
    def is_kept(self) -> bool:
        """Whether a side has said something of this result, so that its code can be checked."""
        return any(one.signed for one in self.sides)

    @property
    def is_complete(self) -> bool:
        return all(one.signed for one in self.sides)


@dataclass(frozen=True, slots=True)
class CheckedSheet:
    """What a control code says. `match` is None where whoever asks may not see the match."""

    code: str
    fits: bool
    """Whether the stored record and result are still those that were signed."""
    match: Match | None
    signed: tuple[Signed, ...]
    result: tuple[Any, ...]


def signing_of(match: Match, recorded: Recorded) -> Signing | None:
    """Return who has signed; None while there is nothing to sign and nothing was."""
    found = list(Signature.objects.filter(match=match))
    result = signing.result_of(match, recorded)
    head = head_of(match.pk) if result is not None else ""
    ready = bool(head)
    if not found and not ready:
        return None
    now = {
        one.side: one
        for one in found
        if ready and one.superseded_at is None and (one.head, one.result) == (head, result)
    }
    code = ""
    if result is not None and ready:
        code = grouped(control_code(signing.origin_in(match), head, result))
    entries = {one.seat: one.entry for one in recorded.sittings}
    with_pin = set(
        SidePin.objects.filter(entry__in=entries.values()).values_list("entry", flat=True)
    )
    return Signing(
        sides=tuple(
            SideToSign(
                side=side,
                name=recorded.side_name(side),
                has_pin=any(entries.get(seat) in with_pin for seat in side),
                signed=_signed(now[side], recorded) if side in now else None,
            )
            for side in recorded.sides
        ),
        superseded=tuple(_signed(one, recorded) for one in found if now.get(one.side) is not one),
        code=code,
    )


def signing_json(match: Match, recorded: Recorded) -> dict[str, Any] | None:
    """Return who has signed for the page's script and the API."""
    found = signing_of(match, recorded)
    if found is None:
        return None
    return {
        "code": found.code,
        "sides": {
            one.side: {
                "has_pin": one.has_pin,
                "how": one.signed.how if one.signed else None,
                "label": one.signed.label if one.signed else None,
                "reason": one.signed.reason if one.signed else "",
                "path": one.signed.path if one.signed else "",
            }
            for one in found.sides
        },
        "superseded": len(found.superseded),
    }


def checked(typed: str, user: Visitor) -> CheckedSheet:
    """Return the sheet with a control code; raises BadCode and CodeUnknown.

    Names and result are for those who may see the match and its play; that the code is known is
    for everyone who holds the paper.
    """
    code = read_code(typed)
    found = list(
        Signature.objects.filter(code=code).select_related(
            "match__pairing_round__stage__tournament"
        )
    )
    if not found:
        raise CodeUnknown(found=grouped(code))
    match = found[0].match
    recorded = read(match)
    result = signing.result_of(match, recorded)
    fits = result is not None and code == control_code(
        signing.origin_in(match), head_of(match.pk), result
    )
    fits = fits and any(one.superseded_at is None for one in found)
    if not (may_see_match(user, match) and may_see_play(user, match)):
        return CheckedSheet(grouped(code), fits, None, (), ())
    seats = tuple(match.seats.select_related("player", "entry").order_by("seat"))
    signed = tuple(_signed(one, recorded) for one in found)
    return CheckedSheet(grouped(code), fits, match, signed, seats)


def pins_of(tournament: Tournament) -> QuerySet[Entry]:
    """Return the entries of an event, each with its PIN if one is set."""
    return tournament.entries.select_related("sign_pin").order_by("number")


def _signed(one: Signature, recorded: Recorded) -> Signed:
    name = recorded.side_name(one.side) if one.side in recorded.sides else one.side
    return Signed(
        side=one.side,
        name=name,
        how=one.how,
        label=one.get_how_display(),
        path=path_of(one.strokes or []),
        reason=one.reason,
        at=one.signed_at,
    )


def path_of(strokes: Sequence[Sequence[int]]) -> str:
    """Return what was drawn as the path of an SVG image."""
    return " ".join(
        "M" + " L".join(f"{x} {y}" for x, y in zip(one[::2], one[1::2], strict=True))
        for one in strokes
    )

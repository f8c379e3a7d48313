"""Both sides accept the sheet of a match: by a drawn name, by PIN, or not, with a reason."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from django.contrib.auth.hashers import check_password, make_password
from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from engine.seats import Side
from referee.control_codes import Result, control_code
from referee.errors import signing as errors
from referee.models import RoundRecord, SidePin, Signature
from referee.models.signing import LONGEST_REASON
from referee.outcome import result_to_write
from referee.recorded import Recorded
from referee.rows import read
from referee.verifying import head_of
from tournaments.digits import to_latin_digits
from tournaments.errors.base import TextTooLong
from tournaments.models import Entry, Match, Tournament
from tournaments.permissions import Keeper, require_may_record, require_referee
from tournaments.services import log, results

MOST_POINTS: Final = 2000
FEWEST_POINTS: Final = 8
WIDTH, HEIGHT = 1000, 400
MOST_WRONG: Final = 5
LOCKED_FOR: Final = timedelta(minutes=15)
# A drawing of the most points, with its commas and brackets, is shorter than this.
_LONGEST_DRAWING: Final = 12 * MOST_POINTS
How = Signature.How


@dataclass(frozen=True, slots=True)
class Seen:
    """How far the record had come, and the score, when a side looked at its sheet."""

    rounds: int
    events: int
    totals: Mapping[Side, int]


def seen_in(recorded: Recorded) -> Seen:
    """Return what a side sees of a record now."""
    return Seen(
        rounds=len(recorded.rounds),
        events=sum(len(one.lines) for one in recorded.rounds),
        totals=dict(recorded.state.totals),
    )


def sign(
    match: Match,
    *,
    side: Side,
    how: str,
    pin: str = "",
    strokes: object = None,
    reason: str = "",
    seen: Seen | None = None,
    by: Keeper,
) -> Signature:
    """Keep what one side says of the sheet, for the record and the result as they are now.

    `by` holds the device. Said twice it is kept once; said otherwise, the later word stands and
    the earlier one is kept as superseded. `strokes` are what was drawn, as lists of x, y, x, y …
    or as JSON of these; `reason` is why the side refuses. `seen` is what the side looked at: a
    word on another record is refused.
    """
    require_may_record(by, match)
    if how not in How:
        raise errors.WayUnknown(found=how[:40])
    sides = read(match).sides
    if side not in sides:
        raise errors.SideUnknown(table=match.table, found=side[:10], sides=", ".join(sides))
    drawn = read_strokes(strokes) if how == How.DRAWN else None
    said = _read_reason(reason, side) if how == How.REFUSED else ""
    if how == How.PIN:
        # Not inside the change: a wrong guess counts, whatever becomes of the rest.
        _require_pin(match, side, pin)
    return _keep(match, side, How(how), drawn, said, seen, by)


@transaction.atomic
def _keep(
    match: Match,
    side: Side,
    how: How,
    strokes: list[list[int]] | None,
    reason: str,
    seen: Seen | None,
    by: Keeper,
) -> Signature:
    match = results.locked_match(match)
    recorded = read(match)
    if seen is not None and seen != seen_in(recorded):
        raise errors.SheetChanged(table=match.table, side=side)
    head, result = head_of(match.pk), result_of(match, recorded)
    if result is None or not head:
        raise errors.SheetNotReady(table=match.table)
    standing = Signature.objects.filter(match=match, side=side, superseded_at=None).first()
    if standing is not None:
        same = (standing.head, standing.result, standing.how) == (head, result, how)
        if same and standing.reason == reason:
            return standing
        standing.superseded_at = timezone.now()
        standing.save(update_fields=["superseded_at"])
    signature = Signature.objects.create(
        match=match,
        side=side,
        how=how,
        strokes=strokes,
        reason=reason,
        head=head,
        result=result,
        code=control_code(origin_in(match), head, result),
        by=by if isinstance(by, User) else None,
    )
    # Whoever reads the sheet along learns that it has changed.
    match.save(update_fields=["changed_at"])
    act = "signing_refused" if how == How.REFUSED else "sheet_signed"
    told = {"reason": reason} if reason else {}
    results.write_log(match, act, by=by, name=recorded.side_name(side), **told)
    return signature


def origin_in(match: Match) -> str:
    """Return where the chain of a match begins; empty where nothing was recorded."""
    first = RoundRecord.objects.filter(match=match, number=0).only("origin").first()
    return "" if first is None else first.origin


def result_of(match: Match, recorded: Recorded) -> Result | None:
    """Return what there is to sign: each seat's outcome, points for and against, deduction.

    None while the match goes on or a ruling is open. Of a closed match it is what was written.
    """
    if match.state == Match.State.CLOSED:
        return {
            one.seat: [one.outcome, one.points_for, one.points_against, one.deducted]
            for one in match.seats.order_by("seat")
        }
    if match.state != Match.State.PLAYING or not recorded.state.over:
        return None
    if any(one.pending for one in recorded.state.rounds):
        return None
    return {
        seat: [str(one.outcome), one.points_for, one.points_against, one.deducted]
        for seat, one in sorted(result_to_write(match, recorded).items())
    }


def supersede(match: Match) -> None:
    """Let no signature of a locked match stand any longer: it is opened again, or played anew."""
    standing = Signature.objects.filter(match=match, superseded_at=None)
    standing.update(superseded_at=timezone.now())


# --- PINs ------------------------------------------------------------------------------------


@transaction.atomic
def set_pin(entry: Entry, *, pin: str, by: User) -> SidePin:
    """Set the digits by which an entry signs; they are stored hashed, and any lock ends."""
    tournament = entry.tournament
    require_referee(by, tournament)
    digits = read_digits(pin)
    made, _ = SidePin.objects.update_or_create(
        entry=entry,
        defaults={
            "digest": make_password(digits),
            "set_at": timezone.now(),
            "set_by": by,
            "failures": 0,
            "locked_until": None,
        },
    )
    log.write(tournament, "pin_set", by=by, entry=entry.number, name=entry.name)
    return made


def pins_by_entry(tournament: Tournament) -> dict[tuple[int, str], SidePin]:
    """Return the PINs of an event by number and name of their entries: no file has them."""
    found = SidePin.objects.filter(entry__tournament=tournament).select_related("entry")
    return {(one.entry.number, one.entry.name): one for one in found}


def put_pins_back(tournament: Tournament, pins: Mapping[tuple[int, str], SidePin]) -> None:
    """Give the entries of an event that was restored the PINs they had before."""
    for entry in tournament.entries.all():
        kept = pins.get((entry.number, entry.name))
        if kept is not None:
            kept.pk, kept.entry = None, entry
            kept.save(force_insert=True)


def read_digits(typed: str) -> str:
    """Return the digits of a PIN as they are hashed, in whatever script they were typed."""
    digits = to_latin_digits(typed.strip())
    if not (digits.isascii() and digits.isdecimal() and 4 <= len(digits) <= 6):
        raise errors.BadPin
    return digits


def _require_pin(match: Match, side: Side, typed: str) -> None:
    """Refuse any PIN but that of an entry on the side; guesses are counted, then locked out."""
    digits = read_digits(typed)
    entries = set(match.seats.filter(seat__in=list(side)).values_list("entry", flat=True))
    with transaction.atomic():
        pins = list(SidePin.objects.select_for_update().filter(entry__in=entries).order_by("pk"))
        refusal = _refusal(pins, side, digits)
    if refusal is not None:
        raise refusal


def _refusal(pins: Sequence[SidePin], side: Side, digits: str) -> errors.DominoError | None:
    now = timezone.now()
    if not pins:
        return errors.NoPin(side=side)
    open_ones = [one for one in pins if one.locked_until is None or one.locked_until <= now]
    if not open_ones:
        until = min(one.locked_until for one in pins if one.locked_until)
        return errors.PinLocked(side=side, minutes=-(-(until - now).seconds // 60))
    right = next((one for one in open_ones if check_password(digits, one.digest)), None)
    if right is not None:
        right.failures, right.locked_until = 0, None
        right.save(update_fields=["failures", "locked_until"])
        return None
    for one in open_ones:
        one.failures += 1
        if one.failures >= MOST_WRONG:
            one.failures, one.locked_until = 0, now + LOCKED_FOR
        one.save(update_fields=["failures", "locked_until"])
    left = max(MOST_WRONG - one.failures if one.failures else 0 for one in open_ones)
    if not left:
        return errors.PinLocked(side=side, minutes=int(LOCKED_FOR.total_seconds()) // 60)
    return errors.WrongPin(side=side, left=left)


# --- what was drawn or said -------------------------------------------------------------------


def _read_reason(reason: str, side: Side) -> str:
    said = " ".join(reason.split())
    if not said:
        raise errors.WhyNotSigned(side=side)
    if len(said) > LONGEST_REASON:
        raise TextTooLong(given=said[:20], found=len(said), limit=LONGEST_REASON)
    return said


def read_strokes(given: object) -> list[list[int]]:
    """Return a drawn name, as lists or as JSON of these; refuses one that is none or too long."""
    if isinstance(given, str):
        if len(given) > _LONGEST_DRAWING:
            raise errors.DrawingTooLong(most=MOST_POINTS)
        try:
            given = json.loads(given)
        except (ValueError, RecursionError):
            raise errors.DrawingUnreadable(found="no JSON") from None
    if not isinstance(given, list):
        raise errors.DrawingUnreadable(found="no list of lines")
    points = 0
    for stroke in given:
        points += _points(stroke)
        if points > MOST_POINTS:
            raise errors.DrawingTooLong(most=MOST_POINTS)
    if points < FEWEST_POINTS:
        raise errors.DrawingTooShort(found=points)
    return given


def _points(stroke: object) -> int:
    if not isinstance(stroke, list) or not stroke or len(stroke) % 2:
        raise errors.DrawingUnreadable(found="a line that is no list of points")
    if len(stroke) > 2 * MOST_POINTS:
        raise errors.DrawingTooLong(most=MOST_POINTS)
    _require_within(stroke[::2], WIDTH)
    _require_within(stroke[1::2], HEIGHT)
    return len(stroke) // 2


def _require_within(numbers: Iterable[object], most: int) -> None:
    for one in numbers:
        if type(one) is not int or not 0 <= one <= most:
            raise errors.DrawingUnreadable(found=str(one)[:20])

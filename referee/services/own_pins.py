"""Players choose the PIN of their entry at the table, once, before their first sheet."""

from __future__ import annotations

from django.contrib.auth.hashers import make_password
from django.db import transaction
from django.utils import timezone

from referee.errors import signing as errors
from referee.models import SidePin, Signature
from referee.services.signing import read_digits
from tournaments.models import Entry, Match
from tournaments.permissions import TableGuest, Visitor, is_guest_of
from tournaments.policies_links import link_rules
from tournaments.services import results


def seats_for(match: Match, by: Visitor) -> list[str]:
    """Return the seats whose entries may be given a PIN by this visitor: those of their link."""
    if not (isinstance(by, TableGuest) and is_guest_of(by, match)):
        return []
    if not (by.side or by.records):
        return []
    if not link_rules(match.pairing_round.stage.tournament).players_record:
        return []
    seats = match.seats.order_by("seat").values_list("seat", flat=True)
    return [seat for seat in seats if not by.side or seat in by.side]


@transaction.atomic
def choose_pin(match: Match, *, seat: str, pin: str, by: Visitor) -> SidePin:
    """Set the PIN of the entry at a seat, which has none and has signed nothing yet.

    The desk gives another one, whatever was chosen here.
    """
    allowed = seats_for(match, by)
    if not (allowed and isinstance(by, TableGuest)):
        raise errors.PinsByDesk
    if seat not in allowed:
        raise errors.SeatOfOthers(seats=", ".join(allowed), found=seat[:10])
    digits = read_digits(pin)
    match = results.locked_match(match)
    held = match.seats.get(seat=seat).entry_id
    entry = Entry.objects.select_for_update().get(pk=held)
    if SidePin.objects.filter(entry=entry).exists():
        raise errors.PinIsSet(name=entry.name)
    if _has_signed(entry):
        raise errors.PinTooLate(name=entry.name)
    made = SidePin.objects.create(
        entry=entry, digest=make_password(digits), set_at=timezone.now(), set_by=None
    )
    match.save(update_fields=["changed_at"])
    results.write_log(match, "pin_chosen", by=by, name=entry.name)
    return made


def _has_signed(entry: Entry) -> bool:
    signed = Signature.objects.filter(match__seats__entry=entry)
    at = dict(entry.seats.values_list("match", "seat"))
    return any(at[match] in side for match, side in signed.values_list("match", "side"))

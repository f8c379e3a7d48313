"""Who has come: entries checked in by their code or from a list, and the absent withdrawn."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext

from tournaments import permissions
from tournaments.errors import entries as entry_errors
from tournaments.models import Entry, MatchSeat, Tournament
from tournaments.services import leaving, log, waiting_list, watches
from tournaments.services.entries import new_code
from tournaments.services.lifecycle import locked, require_not_finished
from tournaments.services.traces import traced

_PLAYED = (MatchSeat.Outcome.WIN, MatchSeat.Outcome.LOSS, MatchSeat.Outcome.TIE)


@transaction.atomic
@traced(watches.itself("checked_in_at"))
def check_in(entry: Entry, *, by: User) -> Entry:
    """Note that an entry has come. Any official may; noted twice, the first time counts."""
    tournament = _at_the_door(entry, by=by)
    entry = Entry.objects.get(pk=entry.pk)
    if entry.state != Entry.State.REGISTERED:
        raise entry_errors.NotRegisteredNow(entry=entry.name, state=entry.get_state_display())
    if entry.checked_in_at is None:
        entry.checked_in_at = timezone.now()
        entry.save(update_fields=["checked_in_at"])
        log.write(tournament, "checked_in", by=by, entry=entry.number, name=entry.name)
    return entry


@transaction.atomic
@traced(watches.itself("checked_in_at"))
def undo_check_in(entry: Entry, *, by: User) -> Entry:
    """Take a check-in back that was a slip; asked twice, it is taken back once."""
    tournament = _at_the_door(entry, by=by)
    entry = Entry.objects.get(pk=entry.pk)
    if entry.checked_in_at is not None:
        entry.checked_in_at = None
        entry.save(update_fields=["checked_in_at"])
        log.write(tournament, "check_in_undone", by=by, entry=entry.number, name=entry.name)
    return entry


@transaction.atomic
def give_codes(tournament: Tournament, *, by: User) -> None:
    """Give a code to entries that were made without one, before codes are printed."""
    permissions.require_director(by, tournament)
    tournament = locked(tournament)
    entries = list(tournament.entries.filter(check_in_code=""))
    for entry in entries:
        entry.check_in_code = new_code()
    Entry.objects.bulk_update(entries, ["check_in_code"])


def absent_entries(tournament: Tournament) -> QuerySet[Entry]:
    """Return who would play but has neither been checked in nor sat at a table."""
    seen = Q(outcome__in=_PLAYED) | Q(match__opened_at__isnull=False)
    played = MatchSeat.objects.filter(seen, entry__tournament=tournament)
    missing = tournament.entries.filter(state=Entry.State.REGISTERED, checked_in_at__isnull=True)
    return missing.exclude(pk__in=played.values("entry")).order_by("number")


@transaction.atomic
@traced(watches.only_its_lines)
def withdraw_absent(tournament: Tournament, *, typed: int, by: User) -> list[Entry]:
    """Withdraw everybody who has not come, if `typed` says how many that are.

    The log keeps one line for all, from which all of them can be brought back.
    """
    permissions.require_director(by, tournament)
    tournament = locked(tournament)
    require_not_finished(tournament)
    absent = list(absent_entries(tournament))
    if not absent:
        raise entry_errors.NobodyIsMissing
    if typed != len(absent):
        raise entry_errors.CountDiffers(typed=typed, found=len(absent))
    written = log.write(
        tournament,
        "entries_withdrawn",
        by=by,
        entries=[one.number for one in absent],
        count=len(absent),
    )
    matches = [match.pk for entry in absent for match in leaving.take_out(entry, by=by)]
    moved = waiting_list.move_up(tournament, by=by)
    written.details = {
        **written.details,
        "matches": matches,
        "moved_up": [one.number for one in moved],
    }
    written.save(update_fields=["details"])
    return absent


def _at_the_door(entry: Entry, *, by: User) -> Tournament:
    if not permissions.is_official(by, entry.tournament):
        raise PermissionDenied(gettext("Only an official of this tournament may check in."))
    tournament = locked(entry.tournament)
    require_not_finished(tournament)
    return tournament

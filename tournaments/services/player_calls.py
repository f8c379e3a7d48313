"""Calls players to their table, and takes a call back: heard on pages, screens and answers."""

from __future__ import annotations

from collections.abc import Collection

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from tournaments import permissions
from tournaments.errors import calls as errors
from tournaments.models import Match, MatchSeat
from tournaments.services import results


@transaction.atomic
def call_players(match: Match, *, seats: Collection[str] = (), by: User) -> list[MatchSeat]:
    """Call those at some seats of a table that waits, or everybody; who is called stays called.

    Returns who is called to the table now. A call counts until the table plays.
    """
    match, chosen = _chosen(match, seats, by)
    fresh = [seat for seat in chosen if seat.called_at is None]
    if fresh:
        now = timezone.now()
        MatchSeat.objects.filter(pk__in=[seat.pk for seat in fresh]).update(called_at=now)
        match.save(update_fields=["changed_at"])
        results.write_log(
            match, "players_called", by=by, players=[seat.player.name for seat in fresh]
        )
    return called_to(match)


@transaction.atomic
def clear_calls(match: Match, *, seats: Collection[str] = (), by: User) -> list[MatchSeat]:
    """Take back the call of some seats of a table, or of all. Returns who is still called."""
    match, chosen = _chosen(match, seats, by)
    called = [seat for seat in chosen if seat.called_at is not None]
    if called:
        MatchSeat.objects.filter(pk__in=[seat.pk for seat in called]).update(called_at=None)
        match.save(update_fields=["changed_at"])
        results.write_log(
            match, "players_not_called", by=by, players=[seat.player.name for seat in called]
        )
    return called_to(match)


def called_to(match: Match) -> list[MatchSeat]:
    """Return the seats of a table whose players are called to it."""
    seats = match.seats.select_related("player").order_by("seat")
    return list(seats.filter(called_at__isnull=False, match__state=Match.State.WAITING))


def _chosen(match: Match, seats: Collection[str], by: User) -> tuple[Match, list[MatchSeat]]:
    permissions.require_referee(by, match.pairing_round.stage.tournament)
    match = results.locked_match(match)
    if match.state != Match.State.WAITING:
        raise errors.NobodyToCall(table=match.table)
    there = {seat.seat: seat for seat in match.seats.select_related("player").order_by("seat")}
    for letter in seats:
        if letter not in there:
            raise errors.NoSuchSeatToCall(
                table=match.table, found=str(letter)[:8], seats=list(there)
            )
    return match, [seat for letter, seat in there.items() if not seats or letter in seats]

"""Closes tables that somebody left or was put out of, and puts entries out of the event."""

from __future__ import annotations

from collections.abc import Collection

from django.contrib.auth.models import User
from django.db import transaction

from tournaments import permissions
from tournaments.errors import scores as score_errors
from tournaments.errors import tables as table_errors
from tournaments.models import LONG_IN_ROUND, Entry, Match, MatchSeat, PairingRound
from tournaments.names import tidy
from tournaments.rules import rules_of, sides_of
from tournaments.services import attendance, followers, log, results, standings
from tournaments.services.lifecycle import locked, require_not_finished
from tournaments.services.results import SeatResult

# What those left at a table get when play had begun there: the whole target (femundo 28), or
# what they would get against somebody absent.
LEFT_GET_TARGET = "target"
LEFT_GET_WALKOVER = "walkover"


@transaction.atomic
def disqualify(entry: Entry, *, reason: str, with_partner: bool = False, by: User) -> Entry:
    """Put an entry out: its open tables are lost, those left there win, whoever sat with it too.

    A table that waits becomes a walkover; at one being played the others get what the event's
    policy `left_at_table` says. Where the last of a table go on, the others play on for it.
    `with_partner` puts out the partner of this round as well, who then loses the table, too: in
    an individual event signals fall on both (femundo 24). Results stored before stay. Asked
    twice, it is out once.
    """
    permissions.require_director(by, entry.tournament)
    tournament = locked(entry.tournament)
    require_not_finished(tournament)
    said = tidy(reason)
    if not said:
        raise score_errors.ReasonMissing
    entry = Entry.objects.get(pk=entry.pk)
    partner = partner_of(entry) if with_partner else None
    if with_partner and partner is None:
        raise table_errors.NoPartnerAtTable(entry=entry.name)
    leaving = [
        one for one in (entry, partner) if one is not None and one.state != Entry.State.DISQUALIFIED
    ]
    lines = []
    for one in leaving:
        before = one.state
        one.state = Entry.State.DISQUALIFIED
        one.save(update_fields=["state"])
        lines.append(
            log.write(
                tournament,
                "entry_disqualified",
                by=by,
                entry=one.number,
                name=one.name,
                reason=said,
                before=before,
            )
        )
        attendance.leave_stages(one)
    tables = {match.pk: (match, one) for one in reversed(leaving) for match in open_tables(one)}
    for match, one in tables.values():
        _lose(match, one, by=by)
    for line in lines:
        line.details = {**line.details, "matches": list(tables)}
        line.save(update_fields=["details"])
    followers.tables_changed(tournament, list(tables), by=by)
    return entry


def partner_of(entry: Entry) -> Entry | None:
    """Return whom an entry of an individual event plays with, or played with last."""
    if entry.kind != Entry.Kind.SINGLE:
        return None
    seats = (
        MatchSeat.objects.filter(entry=entry)
        .exclude(pairing_round__state=PairingRound.State.DRAFT)
        .select_related("match__pairing_round__stage__tournament")
        .defer(*(f"match__{name}" for name in LONG_IN_ROUND))
        .order_by("-pairing_round__stage__number", "-pairing_round__number")
    )
    for seat in seats[:1]:
        table = {one.seat: one.entry for one in seat.match.seats.select_related("entry")}
        side = next(one for one in sides_of(rules_of(seat.match), len(table)) if seat.seat in one)
        return next((table[one] for one in side if one != seat.seat), None)
    return None


def open_tables(entry: Entry) -> list[Match]:
    """Return the published tables of an entry that have no result yet."""
    found = (
        Match.objects.filter(pk__in=MatchSeat.objects.filter(entry=entry).values("match"))
        .exclude(state=Match.State.CLOSED)
        .exclude(pairing_round__state=PairingRound.State.DRAFT)
        .select_related("pairing_round__stage__tournament")
        .defer(*LONG_IN_ROUND)
    )
    return list(found.order_by("pk"))


def left_at_table(match: Match) -> str:
    """Return what those left at a table that had begun get: the target, or a walkover."""
    said = match.pairing_round.stage.tournament.policies.get("left_at_table")
    if said in (LEFT_GET_TARGET, LEFT_GET_WALKOVER):
        return str(said)
    return LEFT_GET_TARGET if rules_of(match).profile == "femundo" else LEFT_GET_WALKOVER


@transaction.atomic
def abandon(match: Match, *, left: Collection[Entry], reason: str, by: User) -> Match:
    """Close a table that some left in the middle of play: they lose it, those who stayed win.

    Sent twice, it is closed once. A match that is to count from the start is replayed instead.
    """
    permissions.require_referee(by, match.pairing_round.stage.tournament)
    match = results.locked_match(match)
    said = tidy(reason)
    if not said:
        raise score_errors.ReasonMissing
    if match.state == Match.State.WAITING:
        raise score_errors.PlayHasNotBegun(table=match.table)
    gone = {one.pk for one in left}
    seated = {seat.entry_id: seat.entry for seat in match.seats.select_related("entry")}
    for one in left:
        if one.pk not in seated:
            names = [entry.name for entry in seated.values()]
            raise table_errors.NotAtTable(entry=one.name, table=match.table, entries=names)
    if not gone:
        raise table_errors.NobodyAbsent(table=match.table)
    rules = rules_of(match)
    if results.plays_on_without(match, rules, gone):
        raise table_errors.OthersPlayOn(
            table=match.table,
            found=match.seats.exclude(entry__in=gone).count(),
            survivors=rules.survivors,
        )
    given = _without(match, gone)
    numbers = sorted(one.number for one in left)
    match = results.close_with(match, given, act="table_left", by=by, left=numbers, reason=said)
    followers.table_changed_after(match, by=by)
    return match


def _lose(match: Match, entry: Entry, *, by: User) -> None:
    match = results.locked_match(match)
    gone = {one.pk for one in results.withdrawn_at(match)} | {entry.pk}
    if results.plays_on_without(match, rules_of(match), gone):
        if match.state == Match.State.WAITING:
            results.empty_seats(match, gone, by=by)
        return
    results.close_with(
        match,
        _without(match, gone),
        act="walkover",
        by=by,
        absent=[entry.number],
        disqualified=entry.number,
    )


def _without(match: Match, gone: Collection[int]) -> dict[str, SeatResult]:
    """Return what each seat leaves with when the entries with these keys are gone."""
    rules = rules_of(match)
    lost = SeatResult(
        *standings.walkover_points(rules, present=False), MatchSeat.Outcome.WALKOVER_LOSS
    )
    points = standings.walkover_points(rules, present=True)
    begun = match.state != Match.State.WAITING
    if begun and not rules.elimination and left_at_table(match) == LEFT_GET_TARGET:
        points = (rules.target, 0)
    won = SeatResult(*points, MatchSeat.Outcome.WALKOVER_WIN)
    return {seat.seat: lost if seat.entry_id in gone else won for seat in match.seats.all()}

"""Changes a round by hand after its draw: seats, numbers, byes, locks, forbidden meetings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction

from tournaments import permissions
from tournaments.competition import changes
from tournaments.competition.changes import Act, Change, Cost, Facts, Seating
from tournaments.competition.reading import contenders_at
from tournaments.competition.types import Pairing
from tournaments.errors import adjusting as adjust_errors
from tournaments.errors import tables as table_errors
from tournaments.models import (
    Bye,
    Entry,
    ForbiddenMeeting,
    LogEntry,
    Match,
    MatchSeat,
    PairingRound,
    Stage,
    Tournament,
)
from tournaments.rules import rules_of, sides_of
from tournaments.services import draw_requests, draws, log, results, seat_requests, watches
from tournaments.services.lifecycle import locked, require_not_finished
from tournaments.services.seating import Table, take_seats
from tournaments.services.stages import require_stage_open
from tournaments.services.traces import traced

# What the log calls each change, the answer of the draw restored among them.
ACTS: Mapping[str, str] = {
    Act.SWAP: "round_places_exchanged",
    Act.RENUMBER: "table_renumbered",
    Act.REST: "table_dissolved",
    Act.SEAT: "table_added",
    "restore": "round_restored",
}
TAKEN_BACK = "round_change_taken_back"
# Added to the numbers of tables that move, so that no two of a round are ever the same.
_ASIDE = 1_000_000


@dataclass(frozen=True, slots=True)
class Preview:
    """What a change would make of a round. `seen` is what it was looked at, for `change`."""

    before: Seating
    after: Seating
    cost: Cost
    seen: str


def seating_of(pairing_round: PairingRound) -> Seating:
    """Return who sits where in a round; entries by their numbers, as requests have them."""
    rules = rules_of(pairing_round.stage.tournament)
    seats = MatchSeat.objects.filter(pairing_round=pairing_round).order_by("match__table", "seat")
    seated: dict[int, dict[str, str]] = {}
    for table, letter, number in seats.values_list("match__table", "seat", "entry__number"):
        seated.setdefault(table, {})[letter] = str(number)
    tables = [
        Pairing(
            table,
            {
                str(side): tuple(dict.fromkeys(at[one] for one in side if one in at))
                for side in sides_of(rules, len(at))
            },
        )
        for table, at in seated.items()
    ]
    byes = pairing_round.byes.order_by("entry__number").values_list("entry__number", flat=True)
    return Seating(tuple(tables), tuple(map(str, byes)))


def facts_of(pairing_round: PairingRound) -> Facts:
    """Return what is known of the entries before a round, with what is forbidden by now."""
    asked = draw_requests.next_round(
        pairing_round.stage,
        pairing_round.number,
        provisional=bool(pairing_round.draw and pairing_round.draw.get("provisional")),
    )
    return Facts.of(asked.request, contenders_at(asked.request))


def preview(pairing_round: PairingRound, change: Change, *, by: User) -> Preview:
    """Return what a change would do and cost, changing nothing; refuses what `change` refuses."""
    permissions.require_director(by, pairing_round.stage.tournament)
    before = seating_of(pairing_round)
    after = _after(pairing_round, before, change)
    _require_changeable(pairing_round, before, after)
    cost = facts_of(pairing_round).cost(before, after)
    return Preview(before, after, cost, before.fingerprint())


@transaction.atomic
def change_seats(pairing_round: PairingRound, change: Change, *, seen: str, by: User) -> Seating:
    """Make a change of the round that looked like `seen`. Sent twice, it is made once."""
    pairing_round, before = _locked_round(pairing_round, by=by)
    said = _written_change(change)
    if before.fingerprint() != seen:
        _require_sent_twice(pairing_round, before, seen, said)
        return before
    after = _after(pairing_round, before, change)
    _make(pairing_round, before, after, ACTS[change.act], by=by, **said)
    return after


@transaction.atomic
def restore_answer(pairing_round: PairingRound, *, by: User) -> Seating:
    """Seat a round as the draw answered; locked tables stay. Asked twice, it is so once."""
    pairing_round, before = _locked_round(pairing_round, by=by)
    after = answer_of(pairing_round, before)
    if after.fingerprint() == before.fingerprint():
        return before
    _make(pairing_round, before, after, ACTS["restore"], by=by)
    return after


def has_answer(pairing_round: PairingRound) -> bool:
    """Say whether a draw has answered who meets whom: not so where the round was made by hand."""
    drawn = pairing_round.draw
    by_hand = drawn.get("request", {}).get("system") in (None, Stage.System.MANUAL)
    return not by_hand and "tables" in drawn.get("answer", {})


def answer_of(pairing_round: PairingRound, now: Seating) -> Seating:
    """Return the seating the draw answered, with the tables that were locked before it."""
    drawn = pairing_round.draw
    if not has_answer(pairing_round):
        raise adjust_errors.NoAnswerToRestore(
            round=pairing_round.number, stage=pairing_round.stage.title
        )
    stage = pairing_round.stage
    drawn_now = {one["id"] for one in drawn["request"].get("entries", ())}
    kept = [one for one in now.tables if not drawn_now.intersection(one.entries)]
    written = seat_requests.tables_of(drawn["request"], drawn["answer"])
    entries = {str(one.number): one for one in stage.tournament.entries.all()}
    tables = draws.at_fixed_tables([draws.table_of(stage, one, entries) for one in written])
    seated = [_pairing(stage.tournament, one) for one in tables]
    resting = [one for one in now.byes if one not in drawn_now]
    return Seating(
        tuple(sorted([*kept, *seated], key=lambda one: one.table)),
        (*map(str, drawn["answer"]["byes"]), *resting),
    )


@transaction.atomic
def undo_change(pairing_round: PairingRound, *, last: int, by: User) -> Seating:
    """Take the last change by hand back. `last` is its line of the log: asked twice, once."""
    pairing_round, before = _locked_round(pairing_round, by=by)
    given = LogEntry.objects.filter(pk=last, tournament=pairing_round.stage.tournament_id).first()
    if given is not None and given.undone_by_id is not None:
        return before
    line = last_change(pairing_round)
    if line is None or line.pk != last:
        raise adjust_errors.NothingToUndo(round=pairing_round.number)
    if line.details["now"] != before.fingerprint():
        raise adjust_errors.SeatsHaveChanged(
            round=pairing_round.number, stage=pairing_round.stage.title
        )
    gone = {one["table"] for one in line.details["after"]["tables"]}
    back = [_read_table(one) for one in line.details["before"]["tables"]]
    tables = [one for one in before.tables if one.table not in gone]
    after = Seating(
        tuple(sorted([*tables, *back], key=lambda one: one.table)),
        tuple(line.details["before"]["byes"]),
    )
    line.undone_by = _make(pairing_round, before, after, TAKEN_BACK, by=by, was=line.act)
    line.save(update_fields=["undone_by"])
    return after


def changes_of(pairing_round: PairingRound) -> list[LogEntry]:
    """Return the changes by hand of a round since its draw, the first one first."""
    lines = LogEntry.objects.filter(
        tournament=pairing_round.stage.tournament_id,
        act__in=[*ACTS.values(), TAKEN_BACK],
        details__pairing_round=pairing_round.pk,
        details__drawn=drawing_of(pairing_round),
    )
    return list(lines.select_related("by").order_by("pk"))


def drawing_of(pairing_round: PairingRound) -> int:
    """Return how many drafts of a round were thrown away: a new draw has no changes yet."""
    return LogEntry.objects.filter(
        tournament=pairing_round.stage.tournament_id,
        act="draft_discarded",
        details__round=pairing_round.number,
        details__stage_number=pairing_round.stage.number,
        undone_by__isnull=True,
    ).count()


def last_change(pairing_round: PairingRound) -> LogEntry | None:
    """Return the change that undo takes back, None when none is left."""
    return last_of(changes_of(pairing_round))


def last_of(changes: Iterable[LogEntry]) -> LogEntry | None:
    """Return the one of the changes of a round that undo takes back, None when none is left."""
    open_ones = [one for one in changes if one.undone_by_id is None and one.act != TAKEN_BACK]
    return open_ones[-1] if open_ones else None


@transaction.atomic
@traced(watches.itself("is_locked"))
def lock_table(match: Match, *, is_locked: bool, by: User) -> Match:
    """Lock a table, so that it is kept when the draft is drawn anew, or unlock it."""
    stage = match.pairing_round.stage
    permissions.require_director(by, stage.tournament)
    tournament = locked(stage.tournament)
    require_not_finished(tournament)
    match = Match.objects.select_related("pairing_round__stage").get(pk=match.pk)
    if match.is_locked == is_locked:
        return match
    if stage.system not in draws.BY_ROUND:
        raise adjust_errors.CannotBeLocked(stage=stage.title)
    match.is_locked = is_locked
    match.save(update_fields=["is_locked", "changed_at"])
    results.write_log(match, "table_locked" if is_locked else "table_unlocked", by=by)
    return match


@transaction.atomic
@traced(watches.meetings)
def forbid(one: Entry, other: Entry, *, by: User) -> None:
    """Let two entries not meet in any later draw. Said twice, it is forbidden once."""
    tournament = one.tournament
    permissions.require_director(by, tournament)
    require_not_finished(locked(tournament))
    if one.pk == other.pk:
        raise adjust_errors.SameEntryForbidden(entry=one.name)
    first, second = sorted((one, other), key=lambda entry: entry.pk)
    _, is_new = ForbiddenMeeting.objects.get_or_create(
        tournament=tournament, one=first, other=second
    )
    if is_new:
        log.write(tournament, "meeting_forbidden", by=by, one=one.name, other=other.name)


@transaction.atomic
@traced(watches.meetings)
def allow(one: Entry, other: Entry, *, by: User) -> None:
    """Let two entries meet again. Said twice, it is allowed once."""
    tournament = one.tournament
    permissions.require_director(by, tournament)
    require_not_finished(locked(tournament))
    first, second = sorted((one, other), key=lambda entry: entry.pk)
    deleted, _ = ForbiddenMeeting.objects.filter(one=first, other=second).delete()
    if deleted:
        log.write(tournament, "meeting_allowed", by=by, one=one.name, other=other.name)


def _locked_round(pairing_round: PairingRound, *, by: User) -> tuple[PairingRound, Seating]:
    """Return the round and its seating as they are now, locked, for a director."""
    tournament = pairing_round.stage.tournament
    permissions.require_director(by, tournament)
    require_not_finished(locked(tournament))
    found = PairingRound.objects.select_related("stage__tournament").get(pk=pairing_round.pk)
    require_stage_open(found.stage)
    # A referee who begins a table holds its row: whoever comes second sees what the first did.
    list(found.matches.select_for_update().order_by("pk"))
    return found, seating_of(found)


def _after(pairing_round: PairingRound, before: Seating, change: Change) -> Seating:
    tournament = pairing_round.stage.tournament
    usual = change.act is Act.SEAT and not change.number
    is_numbered = change.act in (Act.RENUMBER, Act.SEAT) and not usual
    if is_numbered and not 1 <= change.number <= table_errors.LARGEST_TABLE:
        raise table_errors.BadTableNumber(table=change.number)
    if usual:
        change = Change(change.act, change.entries, number=pairing_round.stage.first_table)
    return changes.changed(before, change, sides=_shape(tournament))


def _shape(tournament: Tournament) -> dict[str, int]:
    """Return how many entries each side of a table has."""
    single = tournament.entry_kind == Entry.Kind.SINGLE
    sides = sides_of(rules_of(tournament), tournament.players_per_table)
    return {str(side): len(side) if single else 1 for side in sides}


def _require_changeable(pairing_round: PairingRound, before: Seating, after: Seating) -> None:
    """Refuse changes of tables that have begun or are locked, or that the system forbids."""
    stage = pairing_round.stage
    gone, come = _differing(before, after)
    touched = {one.table for one in gone}
    for match in pairing_round.matches.filter(table__in=touched).order_by("table"):
        if match.state != Match.State.WAITING:
            raise adjust_errors.TableHasBegun(table=match.table, round=pairing_round.number)
        if match.is_locked:
            raise adjust_errors.TableIsLocked(table=match.table)
    laid_down = stage.system in (*draws.AT_ONCE, *draws.BRACKETS)
    if laid_down and sorted(_who(one) for one in gone) != sorted(_who(one) for one in come):
        raise adjust_errors.SeatsFollowTheDraw(stage=stage.title)


def _who(table: Pairing) -> tuple[tuple[str, ...], ...]:
    """Return who plays with whom at a table, whatever its number and their seats."""
    return tuple(sorted(tuple(sorted(ids)) for ids in table.sides.values()))


def _differing(before: Seating, after: Seating) -> tuple[list[Pairing], list[Pairing]]:
    gone = [one for one in before.tables if one not in after.tables]
    come = [one for one in after.tables if one not in before.tables]
    return gone, come


def _make(
    pairing_round: PairingRound,
    before: Seating,
    after: Seating,
    act: str,
    *,
    by: User,
    **said: object,
) -> LogEntry:
    """Store a seating; return the line of the log that says what it was and what it is."""
    _require_changeable(pairing_round, before, after)
    stage = pairing_round.stage
    entries = {str(one.number): one for one in stage.tournament.entries.all()}
    _store_tables(pairing_round, before, after, entries)
    rested, rest = set(before.byes), set(after.byes)
    pairing_round.byes.filter(entry__number__in=[int(one) for one in rested - rest]).delete()
    Bye.objects.bulk_create(
        Bye(pairing_round=pairing_round, entry=entries[one]) for one in sorted(rest - rested)
    )
    gone, come = _differing(before, after)
    names: Any = said.get("entries") or ()
    line = log.write(
        stage.tournament,
        act,
        by=by,
        pairing_round=pairing_round.pk,
        drawn=drawing_of(pairing_round),
        stage=stage,
        round=pairing_round.number,
        seen=before.fingerprint(),
        now=after.fingerprint(),
        before={"tables": [one.json() for one in gone], "byes": list(before.byes)},
        after={"tables": [one.json() for one in come], "byes": list(after.byes)},
        names=[entries[one].name for one in names],
        **said,
    )
    if pairing_round.state != PairingRound.State.DRAFT:
        results.settle_round(pairing_round)
        results.schedule_standings(stage)
    return line


def _store_tables(
    pairing_round: PairingRound, before: Seating, after: Seating, entries: Mapping[str, Entry]
) -> None:
    """Bring the stored tables to `after`; a table that only moves keeps its match."""
    tournament = pairing_round.stage.tournament
    gone, come = _differing(before, after)
    matches = {one.table: one for one in pairing_round.matches.all()}
    moved = {_who(one): one.table for one in gone}
    free = {one.table for one in gone}
    kept: list[tuple[Match, Pairing]] = []
    for same in (True, False):
        for table in come:
            if any(one is table for _, one in kept):
                continue
            place = moved.get(_who(table), 0) if same else table.table
            if place in free:
                free.discard(place)
                kept.append((matches[place], table))
    new = [one for one in come if not any(one is table for _, table in kept)]
    MatchSeat.objects.filter(match__in=[matches[one.table] for one in gone]).delete()
    for place in free:
        matches[place].delete()
    for aside in (_ASIDE, 0):
        for match, table in kept:
            match.table = table.table + aside
            match.save(update_fields=["table", "changed_at"])
    rules = draws.table_rules(pairing_round.stage)
    for table in new:
        match = Match.objects.create(pairing_round=pairing_round, table=table.table, rules=rules)
        kept.append((match, table))
    take_seats(tournament, [(match, _table(table, entries)) for match, table in kept])


def _table(table: Pairing, entries: Mapping[str, Entry]) -> Table:
    """Return a table with its entries in the order they take seats: A, B, C, D."""
    at = {
        letter: entry
        for side, ids in table.sides.items()
        for letter, entry in zip(side, ids, strict=False)
    }
    return Table(table.table, [entries[at[letter]] for letter in sorted(at)])


def _pairing(tournament: Tournament, table: Table) -> Pairing:
    """Return a table as sides with the numbers of its entries."""
    single = tournament.entry_kind == Entry.Kind.SINGLE
    players = len(table.entries) if single else tournament.players_per_table
    at = dict(zip("ABCD", (str(one.number) for one in table.entries), strict=False))
    return Pairing(
        table.number,
        {
            str(side): tuple(at[letter] for letter in side if letter in at)
            for side in sides_of(rules_of(tournament), players)
        },
    )


def _written_change(change: Change) -> dict[str, Any]:
    return {
        "change": str(change.act),
        "entries": list(change.entries),
        "table": change.table,
        "number": change.number,
    }


def _require_sent_twice(
    pairing_round: PairingRound, now: Seating, seen: str, said: Mapping[str, object]
) -> None:
    """Refuse a change of a seating that is no more, unless it is this very change that made it."""
    done = changes_of(pairing_round)
    if done:
        last = done[-1].details
        same = all(last.get(name) == value for name, value in said.items())
        if same and last["seen"] == seen and last["now"] == now.fingerprint():
            return
    raise adjust_errors.SeatsHaveChanged(
        round=pairing_round.number, stage=pairing_round.stage.title
    )


def _read_table(written: Mapping[str, Any]) -> Pairing:
    sides = {side: tuple(ids) for side, ids in written.items() if side != "table"}
    return Pairing(written["table"], sides)

"""Makes stages, seats their rounds and publishes them."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Max, Q, QuerySet
from django.utils import timezone

from tournaments import permissions
from tournaments.competition import round_robin
from tournaments.competition.types import Contender, ScheduledRound
from tournaments.errors import base as errors
from tournaments.errors import tables as table_errors
from tournaments.models import (
    LONG_IN_ROUND,
    Entry,
    Match,
    MatchSeat,
    PairingRound,
    Stage,
    Tournament,
)
from tournaments.names import tidy
from tournaments.rules import rules_of, sides_of, table_sizes, usual_tie_breaks
from tournaments.services import log, results, watches
from tournaments.services.lifecycle import locked, require_not_finished
from tournaments.services.seating import Table, seat
from tournaments.services.traces import keep_made, traced

LARGEST_ROUND_ROBIN = 64
_LONGEST_NAME = 80
_LARGEST_SEED = 999_999


@dataclass(frozen=True, slots=True)
class TableData:
    """A table made by hand. `entries` are entry numbers: pairs as (AC, BD), singles by seat."""

    table: int
    entries: tuple[int, ...]


@transaction.atomic
def make_round_robin(tournament: Tournament, *, name: str = "", legs: int = 1, by: User) -> Stage:
    """Make a stage with all its rounds as drafts. Asked twice, the first one is returned."""
    permissions.require_director(by, tournament)
    tournament = locked(tournament)
    _require_running(tournament)
    before = _open_stages(tournament, Stage.System.ROUND_ROBIN).first()
    if before is not None:
        return before
    rules = rules_of(tournament)
    sides = sides_of(rules, tournament.players_per_table)
    if tournament.entry_kind == Entry.Kind.SINGLE and tournament.players_per_table != 2:
        raise table_errors.RoundRobinNeedsTwoSides(found=tournament.players_per_table)
    entries = list(_seated_entries(tournament).order_by("seed", "number"))
    if len(entries) < 2:
        raise errors.TooFewEntries(tournament=tournament.name, found=len(entries), needed=2)
    if len(entries) > LARGEST_ROUND_ROBIN:
        raise table_errors.TooManyForRoundRobin(found=len(entries), limit=LARGEST_ROUND_ROBIN)
    stage = _make_stage(tournament, Stage.System.ROUND_ROBIN, tidy(name))
    contenders = [Contender(str(entry.number), rank) for rank, entry in enumerate(entries, start=1)]
    request: dict[str, object] = {
        "system": "round_robin",
        "legs": legs,
        "entries": [{"id": one.id, "rank": one.rank} for one in contenders],
    }
    by_id = {str(entry.number): entry for entry in entries}
    rounds = round_robin.schedule(contenders, legs=legs)
    stored = PairingRound.objects.bulk_create(
        PairingRound(
            stage=stage, number=one.number, draw={"request": request, "answer": one.json()}
        )
        for one in rounds
    )
    seat(
        tournament,
        [
            (pairing_round, _tables(one, by_id), [by_id[entry] for entry in one.byes])
            for pairing_round, one in zip(stored, rounds, strict=True)
        ],
    )
    line = log.write(
        tournament,
        "round_robin_made",
        by=by,
        stage=stage,
        rounds=len(rounds),
        entries=len(entries),
        sides=list(sides),
    )
    keep_made(line, [stage, *stored])
    return stage


@transaction.atomic
def make_manual_stage(tournament: Tournament, *, name: str = "", by: User) -> Stage:
    """Make a stage whose rounds are seated by hand; the open one of that name if there is one."""
    permissions.require_director(by, tournament)
    tournament = locked(tournament)
    _require_running(tournament)
    called = tidy(name)
    before = _open_stages(tournament, Stage.System.MANUAL).filter(name=called).first()
    if before is not None:
        return before
    stage = _make_stage(tournament, Stage.System.MANUAL, called)
    keep_made(log.write(tournament, "stage_made", by=by, stage=stage), [stage])
    return stage


@transaction.atomic
@traced(watches.seated_round)
def save_manual_round(
    stage: Stage,
    *,
    number: int,
    tables: Sequence[TableData],
    byes: Sequence[int] = (),
    by: User,
) -> PairingRound:
    """Seat draft round `number` (an existing draft or the next) anew. `byes`: entry numbers."""
    permissions.require_director(by, stage.tournament)
    tournament = locked(stage.tournament)
    _require_running(tournament)
    stage = Stage.objects.get(pk=stage.pk)
    _require_by_hand(stage)
    pairing_round = _draft_to_seat(stage, number)
    entries = {entry.number: entry for entry in tournament.entries.all()}
    _require_fit(tournament, tables, byes, entries)
    if pairing_round is None:
        pairing_round = PairingRound(stage=stage, number=number)
    pairing_round.draw = {
        "request": {"system": "manual"},
        "answer": {
            "tables": [{"table": one.table, "entries": list(one.entries)} for one in tables],
            "byes": list(byes),
        },
    }
    pairing_round.save()
    pairing_round.matches.all().delete()
    worth = dict(pairing_round.byes.values_list("entry__number", "worth"))
    pairing_round.byes.all().delete()
    seated = [Table(one.table, [entries[n] for n in one.entries]) for one in tables]
    seat(tournament, [(pairing_round, seated, [entries[n] for n in byes])])
    for one in pairing_round.byes.select_related("entry"):
        if one.entry.number in worth:
            one.worth = worth[one.entry.number]
            one.save(update_fields=["worth"])
    log.write(tournament, "round_seated", by=by, stage=stage, round=number, tables=len(tables))
    return pairing_round


@transaction.atomic
@traced(watches.byes)
def publish(pairing_round: PairingRound, *, leave_out: bool = False, by: User) -> PairingRound:
    """Show a draft to everybody. `leave_out`: entries without table or bye are meant to be.

    Published twice, it is published once. A table made before an entry of it left the event, or
    of one that is noted as absent, becomes a walkover.
    """
    tournament = pairing_round.stage.tournament
    permissions.require_director(by, tournament)
    tournament = locked(tournament)
    pairing_round = PairingRound.objects.select_related("stage__tournament").get(
        pk=pairing_round.pk
    )
    if pairing_round.state != PairingRound.State.DRAFT:
        return pairing_round
    _require_running(tournament)
    stage = pairing_round.stage
    # Of a draft that was thrown away only locked tables are left: it is to be drawn first.
    drawn_anew = pairing_round.draw or pairing_round.matches.filter(is_locked=False).exists()
    if not drawn_anew or not pairing_round.matches.exists():
        raise table_errors.RoundIsEmpty(round=pairing_round.number, stage=stage.title)
    earlier = (
        stage.rounds.filter(number__lt=pairing_round.number, state=PairingRound.State.DRAFT)
        .order_by("number")
        .first()
    )
    if earlier is not None:
        raise table_errors.EarlierRoundIsDraft(earlier=earlier.number, round=pairing_round.number)
    withdrawn = Entry.objects.filter(
        seats__pairing_round=pairing_round,
        state__in=[Entry.State.WITHDRAWN, Entry.State.DISQUALIFIED],
    ).distinct()
    if stage.system == Stage.System.MANUAL:
        first = withdrawn.order_by("number").first()
        if first is not None:
            raise table_errors.EntryHasWithdrawn(number=first.number, entry=first.name)
        if stage.number == 1 and not leave_out:
            _require_nobody_left_out(tournament, pairing_round)
    away = pairing_round.absences.values("entry")
    pairing_round.byes.exclude(entry__state=Entry.State.REGISTERED).delete()
    pairing_round.byes.filter(entry__in=away).delete()
    pairing_round.state = PairingRound.State.PUBLISHED
    pairing_round.published_at = timezone.now()
    pairing_round.save(update_fields=["state", "published_at"])
    log.write(
        tournament,
        "round_published",
        by=by,
        stage=stage,
        round=pairing_round.number,
        pairing_round=pairing_round.pk,
        left_out=leave_out,
    )
    missing = Entry.objects.filter(Q(pk__in=withdrawn.values("pk")) | Q(pk__in=away))
    seats = MatchSeat.objects.filter(pairing_round=pairing_round, entry__in=missing)
    deserted = Match.objects.filter(pk__in=seats.values("match"))
    for match in deserted.select_related("pairing_round__stage__tournament").defer(*LONG_IN_ROUND):
        gone = missing.filter(seats__match=match).distinct()
        results.record_walkover(match, absent=tuple(gone), by=by)
    pairing_round.refresh_from_db()
    results.schedule_standings(stage)
    return pairing_round


@transaction.atomic
@traced(watches.whole_stage)
def discard_stage(stage: Stage, *, by: User) -> None:
    """Throw away a stage nothing of which has been published. Asked twice, it is gone once."""
    permissions.require_director(by, stage.tournament)
    tournament = locked(stage.tournament)
    require_not_finished(tournament)
    published = stage.rounds.exclude(state=PairingRound.State.DRAFT).order_by("number").first()
    if published is not None:
        raise table_errors.RoundIsPublished(round=published.number, stage=stage.title)
    deleted, _ = Stage.objects.filter(pk=stage.pk).delete()
    if deleted:
        log.write(tournament, "stage_discarded", by=by, stage=stage)


def _make_stage(tournament: Tournament, system: str, name: str) -> Stage:
    if len(name) > _LONGEST_NAME:
        raise errors.TextTooLong(given=name[:20], found=len(name), limit=_LONGEST_NAME)
    last = tournament.stages.aggregate(last=Max("number"))["last"] or 0
    return Stage.objects.create(
        tournament=tournament,
        number=last + 1,
        name=name,
        system=system,
        tie_breaks=list(usual_tie_breaks(rules_of(tournament))),
        seed=1 + secrets.randbelow(_LARGEST_SEED),
    )


def _tables(scheduled: ScheduledRound, by_id: Mapping[str, Entry]) -> list[Table]:
    return [
        Table(pairing.table, [by_id[entry] for entry in pairing.entries])
        for pairing in scheduled.tables
    ]


def _seated_entries(tournament: Tournament) -> QuerySet[Entry]:
    return tournament.entries.filter(state=Entry.State.REGISTERED)


def _open_stages(tournament: Tournament, system: str) -> QuerySet[Stage]:
    stages = tournament.stages.filter(system=system, state=Stage.State.OPEN)
    return stages.order_by("number")


def _draft_to_seat(stage: Stage, number: int) -> PairingRound | None:
    """Return the draft of that number, None when it is the next one to be made."""
    existing = {one.number: one for one in stage.rounds.all()}
    draft = existing.get(number)
    if draft is not None and draft.state != PairingRound.State.DRAFT:
        raise table_errors.RoundIsPublished(round=number, stage=stage.title)
    expected = max(existing, default=0) + 1
    if draft is None and number != expected:
        raise table_errors.WrongRoundNumber(found=number, stage=stage.title, expected=expected)
    return draft


def _require_running(tournament: Tournament) -> None:
    require_not_finished(tournament)
    if tournament.state != Tournament.State.RUNNING:
        raise errors.TournamentNotStarted(tournament=tournament.name)


def _require_by_hand(stage: Stage) -> None:
    if stage.state == Stage.State.CLOSED:
        raise table_errors.StageIsClosed(stage=stage.title)
    if stage.system != Stage.System.MANUAL:
        raise table_errors.StageIsNotByHand(stage=stage.title)


def _require_fit(
    tournament: Tournament,
    tables: Sequence[TableData],
    byes: Sequence[int],
    entries: Mapping[int, Entry],
) -> None:
    """Refuse tables that nobody could sit down at."""
    sizes = table_sizes(tournament, rules_of(tournament))
    used: set[int] = set()
    seated: dict[int, int] = {}
    for one in tables:
        if not 1 <= one.table <= table_errors.LARGEST_TABLE:
            raise table_errors.BadTableNumber(table=one.table)
        if one.table in used:
            raise table_errors.TableTwice(table=one.table)
        used.add(one.table)
        if len(one.entries) not in sizes:
            raise table_errors.WrongNumberAtTable(
                table=one.table, found=len(one.entries), allowed=list(sizes)
            )
        for number in one.entries:
            entry = _known(tournament, number, entries)
            if number in seated:
                if seated[number] == one.table:
                    raise table_errors.SeatedTwiceAtTable(
                        number=number, entry=entry.name, table=one.table
                    )
                raise table_errors.SeatedTwice(
                    number=number, entry=entry.name, one=seated[number], other=one.table
                )
            seated[number] = one.table
    resting: set[int] = set()
    for number in byes:
        entry = _known(tournament, number, entries)
        if number in seated:
            raise table_errors.SeatedAndBye(number=number, entry=entry.name, table=seated[number])
        if number in resting:
            raise table_errors.ByeTwice(number=number, entry=entry.name)
        resting.add(number)


def _known(tournament: Tournament, number: int, entries: Mapping[int, Entry]) -> Entry:
    entry = entries.get(number)
    if entry is None:
        raise table_errors.UnknownEntry(tournament=tournament.name, number=number)
    if entry.state != Entry.State.REGISTERED:
        raise table_errors.EntryHasWithdrawn(number=number, entry=entry.name)
    return entry


def _require_nobody_left_out(tournament: Tournament, pairing_round: PairingRound) -> None:
    left_out = (
        _seated_entries(tournament)
        .exclude(pk__in=MatchSeat.objects.filter(pairing_round=pairing_round).values("entry"))
        .exclude(pk__in=pairing_round.byes.values("entry"))
        .order_by("number")
    )
    names = [f"{entry.number} {entry.name}" for entry in left_out]
    if names:
        raise table_errors.EntriesLeftOut(entries=names)

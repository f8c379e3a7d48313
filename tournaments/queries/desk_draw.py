"""What the desk shows of a round before its draw, and of a draft that is changed by hand."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import Q

from tournaments.competition.changes import Blemish, Seating
from tournaments.models import (
    LONG_IN_ROUND,
    Absence,
    Appeal,
    Entry,
    ForbiddenMeeting,
    LogEntry,
    Match,
    MatchSeat,
    PairingRound,
    Room,
    Stage,
)
from tournaments.queries.events import StageLine, TableLine, table_lines
from tournaments.services import adjusting, appeals, brackets, byes, draw_requests, draws
from tournaments.services.deciding import Decision, decided
from tournaments.services.provisional import Reported, reported_results
from tournaments.words.draws import Said, blemish_words


@dataclass(frozen=True, slots=True)
class Doubtful:
    """An entry of which somebody has to say whether it plays, and why."""

    entry: Entry
    decision: Decision
    is_checked_in: bool
    was_absent: bool


@dataclass(frozen=True, slots=True)
class PreparePage:
    """A round before its draw."""

    stage: Stage
    number: int
    doubtful: tuple[Doubtful, ...]
    others: tuple[Entry, ...]
    open_tables: tuple[TableLine, ...]
    """Not closed yet, or closed with a result that waits for its check or for who goes on."""
    appeals: tuple[Appeal, ...]
    """Not decided yet, in this stage and in those its entries come from."""
    playing: int
    failure: LogEntry | None
    """The last draw of this round that failed in a task."""
    kept: tuple[TableLine, ...]
    """Tables that stay as they are, because they are locked."""
    reported: tuple[Reported, ...]
    """Results not confirmed yet that the draw would count if it is told to."""
    gives_byes: bool
    """Somebody can be given a bye; elsewhere the system says who rests."""


@dataclass(frozen=True, slots=True)
class AdjustTable:
    line: TableLine
    blemishes: tuple[Said, ...]
    room: str
    absent: tuple[Entry, ...]
    """Who is noted as absent: the table becomes a walkover when the round is published."""

    @property
    def may_change(self) -> bool:
        return self.line.match.state == Match.State.WAITING and not self.line.match.is_locked


@dataclass(frozen=True, slots=True)
class AdjustPage:
    """A round that is changed by hand."""

    pairing_round: PairingRound
    tables: tuple[AdjustTable, ...]
    byes: tuple[Entry, ...]
    bye_blemishes: tuple[Said, ...]
    names: Mapping[str, str]
    seen: str
    changes: tuple[LogEntry, ...]
    """The changes by hand since the draw, the first one first."""
    last_change: LogEntry | None
    is_changed: bool
    """The seats are not those the draw answered."""
    forbidden: tuple[ForbiddenMeeting, ...]
    is_laid_down: bool
    """Who meets whom follows from the system."""
    provisional: tuple[Mapping[str, Any], ...]
    """The results the draw counted that were not confirmed then: `round`, `table`, `score`."""

    @property
    def is_draft(self) -> bool:
        return self.pairing_round.state == PairingRound.State.DRAFT


def prepare_page(stage: Stage, number: int) -> PreparePage:
    """Return what is to be settled before round `number` of a stage is drawn."""
    existing = stage.rounds.filter(number=number).defer("draw", "standings").first()
    decisions = decided(existing) if existing is not None else {}
    away = set(
        Absence.objects.filter(
            pairing_round__stage=stage, pairing_round__number=number - 1
        ).values_list("entry", flat=True)
    )
    members = [one.entry for one in draw_requests.in_stage(stage, number)]
    members += list(Entry.objects.filter(pk__in=decisions.keys(), state=Entry.State.REGISTERED))
    entries = sorted({one.pk: one for one in members}.values(), key=lambda one: one.number)
    checks_in = any(one.checked_in_at for one in entries)
    # Who has sat at a table that is closed was here, whether the door noted it or not.
    played = MatchSeat.objects.filter(entry__in=entries, match__state=Match.State.CLOSED)
    absent = MatchSeat.Outcome.WALKOVER_LOSS
    came = set(played.exclude(outcome=absent).values_list("entry", flat=True))
    doubtful, others = [], []
    for one in entries:
        missing = checks_in and one.checked_in_at is None and one.pk not in came
        if missing or one.pk in decisions or one.pk in away:
            decision = decisions.get(one.pk, Decision.PLAYS)
            doubtful.append(Doubtful(one, decision, not missing, one.pk in away))
        else:
            others.append(one)
    locked = Match.objects.filter(pairing_round=existing, is_locked=True)
    return PreparePage(
        stage=stage,
        number=number,
        doubtful=tuple(doubtful),
        others=tuple(others),
        open_tables=open_tables(stage, number),
        appeals=tuple(appeals.undecided(stage)),
        playing=len(entries) - len(decisions),
        failure=_failure(stage, number),
        kept=table_lines(locked, stage.tournament) if existing is not None else (),
        reported=tuple(reported_results(stage)) if stage.system in draws.BY_ROUND else (),
        gives_byes=byes.are_given(stage),
    )


def open_tables(stage: Stage, number: int) -> tuple[TableLine, ...]:
    """Return the tables of the round before `number` about which something is open."""
    before = Match.objects.filter(
        pairing_round__stage=stage, pairing_round__number=number - 1
    ).exclude(pairing_round__state=PairingRound.State.DRAFT)
    unsettled = before.exclude(state=Match.State.CLOSED) | before.filter(
        reported__accepted__isnull=True, reported__isnull=False
    )
    # A meeting that both sides lost waits for the desk, however long ago it was played.
    unsettled |= Match.objects.filter(pk__in=brackets.undecided_games(stage))
    found = Match.objects.filter(pk__in=unsettled.values("pk"))
    found = found.select_related("pairing_round__stage__tournament").defer(*LONG_IN_ROUND)
    return table_lines(found, stage.tournament)


def adjust_page(pairing_round: PairingRound) -> AdjustPage:
    """Return a round with what is wrong at each table; director only."""
    stage = pairing_round.stage
    tournament = stage.tournament
    seating = adjusting.seating_of(pairing_round)
    facts = adjusting.facts_of(pairing_round)
    names = {str(one.number): one.name for one in tournament.entries.all()}
    found = {one.table: _said(facts.of_table(one), names) for one in seating.tables}
    resting = [one for one in facts.blemishes(seating) if one.entries[0] in seating.byes]
    rooms = list(tournament.rooms.all())
    changes = tuple(adjusting.changes_of(pairing_round))
    is_draft = pairing_round.state == PairingRound.State.DRAFT
    away = set(pairing_round.absences.values_list("entry", flat=True)) if is_draft else set()
    return AdjustPage(
        pairing_round=pairing_round,
        tables=tuple(
            AdjustTable(
                line,
                found.get(line.match.table, ()),
                room_of(rooms, line.match.table),
                tuple(one for side in line.sides for one in side.entries if one.pk in away),
            )
            for line in table_lines(pairing_round.matches.all(), tournament)
        ),
        byes=tuple(Entry.objects.filter(byes__pairing_round=pairing_round).order_by("number")),
        bye_blemishes=_said(resting, names),
        names=names,
        seen=seating.fingerprint(),
        changes=changes,
        last_change=adjusting.last_of(changes),
        is_changed=_is_changed(pairing_round, seating),
        forbidden=tuple(
            tournament.forbidden_meetings.select_related("one", "other").order_by("pk")
        ),
        is_laid_down=stage.system in (*draws.AT_ONCE, *draws.BRACKETS),
        provisional=tuple((pairing_round.draw or {}).get("provisional", ())),
    )


def next_draw(line: StageLine) -> int:
    """Return the number of the round of a stage that can be drawn next, 0 where none can."""
    stage = line.stage
    if stage.state != Stage.State.OPEN or stage.system == Stage.System.MANUAL:
        return 0
    with_draw = stage.rounds.filter(~Q(draw={}) | Q(matches__is_locked=False))
    known = set(with_draw.values_list("pk", flat=True))
    drawn = [one for one in line.rounds if one.pairing_round.pk in known]
    if any(one.is_draft for one in drawn):
        return 0
    number = len(drawn) + 1
    if drawn and stage.system in draws.AT_ONCE:
        return 0
    if stage.rounds_planned and number > stage.rounds_planned:
        return 0
    if stage.system in draws.BRACKETS:
        bracket = brackets.bracket_of(stage)
        return 0 if bracket is not None and bracket.is_over else number
    return number


def room_of(rooms: list[Room], table: int) -> str:
    """Return the name of the room a table stands in, "" where none is named."""
    for room in rooms:
        if room.first_table <= table <= room.last_table:
            return room.name
    return ""


def _said(blemishes: list[Blemish], names: Mapping[str, str]) -> tuple[Said, ...]:
    return tuple(blemish_words(one, names) for one in blemishes)


def _is_changed(pairing_round: PairingRound, seating: Seating) -> bool:
    if not adjusting.has_answer(pairing_round):
        return False
    answered = adjusting.answer_of(pairing_round, seating)
    return answered.fingerprint() != seating.fingerprint()


def _failure(stage: Stage, number: int) -> LogEntry | None:
    about = LogEntry.objects.filter(
        tournament=stage.tournament_id,
        act__in=["round_not_drawn", "round_drawn"],
        details__stage_number=stage.number,
        details__round=number,
    )
    last = about.order_by("-pk").first()
    return last if last is not None and last.act == "round_not_drawn" else None

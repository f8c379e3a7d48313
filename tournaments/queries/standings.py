"""The standings of a stage as pages and the API show them, now and after each round."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from typing import Protocol

from django.http import Http404

from tournaments import publication
from tournaments.models import Entry, PairingRound, Stage, Tournament
from tournaments.publication import Hidden
from tournaments.queries.appeals import Protest, protests_of
from tournaments.rules import tie_break_label
from tournaments.services.frozen import frozen_of
from tournaments.words.standings import StandingColumn, column, level, reason

# What a row shows; to read only this makes a page of hundreds of rows faster.
_SHOWN = (
    *("stage", "group", "order", "place", "played", "values", "decided_by"),
    *("entry__number", "entry__name", "entry__full_name", "entry__club__name"),
)


@dataclass(frozen=True, slots=True)
class StandingValue:
    """One tie-break of a row: its name, its label and how much."""

    name: str
    label: str
    value: int
    is_deciding: bool


@dataclass(frozen=True, slots=True)
class StandingLine:
    """A row of the standings.

    `reason` says in words why it is below the row above, `level` what both have in common.
    """

    place: int
    is_shared: bool
    entry: Entry
    played: int
    values: tuple[StandingValue, ...]
    decided_by: str
    reason: str
    level: str = ""
    group: str = ""


@dataclass(frozen=True, slots=True)
class StandingGroup:
    """The rows of one group; the only one of a stage without groups has no name."""

    name: str
    rows: tuple[StandingLine, ...]


@dataclass(frozen=True, slots=True)
class StandingsPage:
    """The standings of a stage. `kept` are the numbers of the rounds whose standings are kept."""

    tournament: Tournament
    stage: Stage | None
    stages: tuple[Stage, ...]
    columns: tuple[StandingColumn, ...]
    rows: tuple[StandingLine, ...]
    rounds_finished: int
    rounds: int
    kept: tuple[int, ...] = ()
    protests: tuple[Protest, ...] = ()
    """Results under protest: while there are any, these standings are provisional."""
    hidden_rounds: tuple[int, ...] = ()
    """Published rounds of the stage the reader is not to know the results of: none is counted."""
    is_any_hidden: bool = False
    """Of some stage there are such rounds."""

    @property
    def has_groups(self) -> bool:
        return any(row.group for row in self.rows)

    @property
    def groups(self) -> tuple[StandingGroup, ...]:
        found = groupby(self.rows, key=lambda row: row.group)
        return tuple(StandingGroup(name, tuple(rows)) for name, rows in found)


@dataclass(frozen=True, slots=True)
class Moved:
    """An entry that a correction moved from one place to another; 0 is no place."""

    entry: Entry
    before: int
    after: int


@dataclass(frozen=True, slots=True)
class CorrectionLine:
    """When the results up to a round were corrected, and who moved."""

    at: datetime
    moves: tuple[Moved, ...]


@dataclass(frozen=True, slots=True)
class AfterPage:
    """The standings as they were after a round, and what corrections made of them."""

    page: StandingsPage
    pairing_round: PairingRound
    corrections: tuple[CorrectionLine, ...]
    reopened: tuple[int, ...]
    """Rounds up to this one with a result taken back since."""


class _Row(Protocol):
    """What a stored row and one kept with a round have in common."""

    @property
    def group(self) -> str: ...
    @property
    def place(self) -> int: ...
    @property
    def played(self) -> int: ...
    @property
    def values(self) -> Mapping[str, int]: ...
    @property
    def decided_by(self) -> str: ...


def standings_page(
    tournament: Tournament, *, stage: Stage | None = None, limit: int | None = None
) -> StandingsPage:
    """Return the standings of `stage`, or of the latest stage the public knows."""
    published = _published(tournament)
    stages = tuple(dict.fromkeys(one.stage for one in published))
    if stage is None:
        stage = stages[-1] if stages else None
    if stage is None:
        return StandingsPage(tournament, None, (), (), (), 0, 0)
    withheld = publication.withheld(tournament)
    unknown = tuple(one.number for one in withheld.among(published) if one.stage == stage)
    names: Sequence[str] = tuple(stage.tie_breaks)
    entries_and_rows: list[tuple[Entry, _Row]]
    if unknown:
        names, entries_and_rows = _known_rows(tournament, stage, withheld, names)
    else:
        rows = stage.standing_rows.select_related("entry__club").only(*_SHOWN)
        entries_and_rows = [(row.entry, row) for row in rows.order_by("group", "order")]
    publication.name_in_full(tournament, [entry for entry, _ in entries_and_rows])
    entries_and_rows.sort(key=lambda pair: (len(pair[1].group), pair[1].group))
    return StandingsPage(
        tournament=tournament,
        stage=stage,
        stages=stages,
        columns=tuple(column(name) for name in names),
        rows=standing_lines(entries_and_rows, names)[:limit],
        rounds_finished=sum(
            one.state == PairingRound.State.FINISHED
            for one in published
            if one.stage == stage and one.number not in unknown
        ),
        rounds=sum(one.stage == stage for one in published),
        kept=_kept(stage, withheld) if limit is None else (),
        protests=protests_of([stage], until=withheld.last_known(stage)),
        hidden_rounds=unknown,
        is_any_hidden=bool(withheld.among(published)),
    )


def _known_rows(
    tournament: Tournament, stage: Stage, withheld: Hidden, names: Sequence[str]
) -> tuple[Sequence[str], list[tuple[Entry, _Row]]]:
    """Return the standings kept before the first hidden round, none where none were kept."""
    known = stage.rounds.filter(number__lte=withheld.last_known(stage) or 0).defer("draw")
    last = known.exclude(standings=[]).order_by("-number").first()
    frozen = None if last is None else frozen_of(last)
    if frozen is None:
        return names, []
    entries = {one.number: one for one in tournament.entries.select_related("club")}
    rows: list[tuple[Entry, _Row]] = [
        (entries[row.entry], row) for row in frozen.rows if row.entry in entries
    ]
    return frozen.tie_breaks, rows


def standings_after(stage: Stage | None, number: str) -> AfterPage:
    """Return the standings kept with a round of a stage; Http404 where there are none.

    Of a round whose results the reader is not to know there are none.
    """
    rounds = PairingRound.objects.select_related("stage__tournament").defer("draw")
    written = number.isdecimal() and number.isascii() and len(number) <= 4
    pairing_round = rounds.filter(stage=stage, number=number).first() if written else None
    frozen = frozen_of(pairing_round) if pairing_round is not None else None
    if pairing_round is None or frozen is None:
        raise Http404
    stage = pairing_round.stage
    withheld = publication.withheld(stage.tournament)
    if withheld.has(pairing_round):
        raise Http404
    entries = {one.number: one for one in stage.tournament.entries.select_related("club")}
    publication.name_in_full(stage.tournament, entries.values())
    names = frozen.tie_breaks
    published = _published(stage.tournament)
    page = StandingsPage(
        tournament=stage.tournament,
        stage=stage,
        stages=tuple(dict.fromkeys(one.stage for one in published)),
        columns=tuple(column(name) for name in names),
        rows=standing_lines(
            [(entries[row.entry], row) for row in frozen.rows if row.entry in entries], names
        ),
        rounds_finished=pairing_round.number,
        rounds=sum(one.stage == stage for one in published),
        kept=_kept(stage, withheld),
        protests=protests_of([stage], until=pairing_round.number),
    )
    corrections = tuple(
        CorrectionLine(
            datetime.fromisoformat(at),
            tuple(
                Moved(entries[move.entry], move.before, move.after)
                for move in moves
                if move.entry in entries
            ),
        )
        for at, moves in frozen.corrections
    )
    reopened = tuple(
        one.number
        for one in published
        if one.stage == stage
        and one.number <= pairing_round.number
        and one.state != PairingRound.State.FINISHED
    )
    return AfterPage(page, pairing_round, corrections, reopened)


def standing_lines(
    rows: Iterable[tuple[Entry, _Row]], names: Sequence[str]
) -> tuple[StandingLine, ...]:
    """Return rows as they are shown, group after group; places begin anew in each."""
    found = list(rows)
    sharing = Counter((row.group, row.place) for _, row in found)
    labels = {name: tie_break_label(name) for name in names}
    levels = {name: level(names[:at]) for at, name in enumerate(names)}
    lines = []
    above: _Row | None = None
    for entry, row in found:
        if above is not None and above.group != row.group:
            above = None
        lines.append(
            StandingLine(
                place=row.place,
                is_shared=sharing[row.group, row.place] > 1,
                entry=entry,
                played=row.played,
                values=tuple(
                    StandingValue(
                        name, labels[name], row.values.get(name, 0), name == row.decided_by
                    )
                    for name in names
                ),
                decided_by=row.decided_by,
                reason="" if above is None else _reason(row, above),
                level="" if above is None else levels.get(row.decided_by, ""),
                group=row.group,
            )
        )
        above = row
    return tuple(lines)


def _values(row: _Row, labels: Mapping[str, str]) -> tuple[StandingValue, ...]:
    return tuple(
        StandingValue(name, label, row.values.get(name, 0), name == row.decided_by)
        for name, label in labels.items()
    )


def _reason(row: _Row, above: _Row) -> str:
    name = row.decided_by
    if name == "" and row.place != above.place:
        return ""
    return reason(name, row.values.get(name, 0), above.values.get(name, 0))


def _published(tournament: Tournament) -> list[PairingRound]:
    rounds = PairingRound.objects.filter(stage__tournament=tournament).defer("draw", "standings")
    public = rounds.exclude(state=PairingRound.State.DRAFT).select_related("stage")
    return list(public.order_by("stage__number", "number"))


def _kept(stage: Stage, withheld: Hidden) -> tuple[int, ...]:
    rounds = stage.rounds.exclude(withheld.rounds()) if withheld else stage.rounds.all()
    kept = rounds.filter(standings__rows__isnull=False, standings__rows__0__isnull=False)
    return tuple(kept.order_by("number").values_list("number", flat=True))

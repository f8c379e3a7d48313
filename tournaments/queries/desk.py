"""What the pages of the director's desk show, beside what everybody sees."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from tournaments import permissions
from tournaments.models import (
    LONG_IN_ROUND,
    Appeal,
    Bye,
    Entry,
    LogEntry,
    Match,
    Official,
    PairingRound,
    Stage,
    Tournament,
)
from tournaments.permissions import Visitor
from tournaments.queries import events as queries
from tournaments.queries.events import EntryLine, StageLine, TableLine, TournamentLine
from tournaments.rules import profile_name, rules_of, table_sizes

LOG_SHOWN = 20


@dataclass(frozen=True, slots=True)
class DeskLine:
    """A tournament somebody has duties in."""

    line: TournamentLine
    duties: tuple[Official, ...]

    @property
    def is_director(self) -> bool:
        return any(one.duty == Official.Duty.DIRECTOR for one in self.duties)


@dataclass(frozen=True, slots=True)
class DeskPage:
    lines: tuple[DeskLine, ...]
    may_create: bool


@dataclass(frozen=True, slots=True)
class DirectorPage:
    tournament: Tournament
    profile: str
    target: int
    entries_registered: int
    entries_withdrawn: int
    officials: tuple[Official, ...]
    stages: tuple[StageLine, ...]
    open_tables: tuple[TableLine, ...]
    """Tables of published rounds that are not closed."""
    log: tuple[LogEntry, ...]
    appeals: int
    """How many are not decided yet."""
    has_published: bool
    """The rules cannot change any more."""

    @property
    def next_draft(self) -> PairingRound | None:
        """The first draft with tables, the one to publish next."""
        for stage in self.stages:
            for one in stage.rounds:
                if one.is_draft and one.tables:
                    return one.pairing_round
        return None


@dataclass(frozen=True, slots=True)
class ManualRoundPage:
    """A round that is seated by hand: who sits where so far, and who could."""

    tournament: Tournament
    stage: Stage
    number: int
    pairing_round: PairingRound | None
    tables: tuple[tuple[int, tuple[int, ...]], ...]
    """Table number and entry numbers, in the order services.pairings.TableData wants them."""
    byes: tuple[int, ...]
    entries: tuple[EntryLine, ...]
    """The entries that can be seated."""
    sizes: tuple[int, ...]
    """How many entries a table may have."""


def desk_page(user: Visitor) -> DeskPage:
    """Return the tournaments `user` has a duty in; an administrator sees all."""
    tournaments = Tournament.objects.all()
    duties: defaultdict[int, list[Official]] = defaultdict(list)
    if not user.is_authenticated:
        return DeskPage((), may_create=False)
    for duty in Official.objects.filter(user=user).order_by("duty", "table"):
        duties[duty.tournament_id].append(duty)
    if not user.is_superuser:
        tournaments = tournaments.filter(pk__in=duties)
    return DeskPage(
        tuple(
            DeskLine(line, tuple(duties[line.tournament.pk]))
            for line in queries.tournament_lines(tournaments)
        ),
        may_create=permissions.may_create_tournament(user),
    )


def director_page(tournament: Tournament) -> DirectorPage:
    """Return the state of a tournament for its directors; drafts are among the rounds."""
    rules = rules_of(tournament)
    states = list(tournament.entries.values_list("state", flat=True))
    stages = queries.stage_lines(tournament, drafts=True)
    open_tables = (
        Match.objects.filter(pairing_round__stage__tournament=tournament)
        .exclude(pairing_round__state=PairingRound.State.DRAFT)
        .exclude(state=Match.State.CLOSED)
        .select_related("pairing_round__stage")
        .defer(*LONG_IN_ROUND)
    )
    return DirectorPage(
        tournament=tournament,
        profile=profile_name(rules),
        target=rules.target,
        entries_registered=states.count(Entry.State.REGISTERED),
        entries_withdrawn=states.count(Entry.State.WITHDRAWN),
        officials=tuple(
            tournament.officials.select_related("user").order_by("duty", "user__username", "table")
        ),
        stages=stages,
        open_tables=queries.table_lines(open_tables, tournament),
        log=tuple(tournament.log.select_related("by")[:LOG_SHOWN]),
        appeals=tournament.appeals.filter(state=Appeal.State.FILED).count(),
        has_published=any(not one.is_draft for stage in stages for one in stage.rounds),
    )


def manual_round_page(stage: Stage, *, number: int | None = None) -> ManualRoundPage:
    """Return draft round `number` of a stage seated by hand, or the next one, still empty."""
    tournament = stage.tournament
    rounds = {one.number: one for one in stage.rounds.defer("draw", "standings")}
    if number is None:
        drafts = [n for n, one in rounds.items() if one.state == PairingRound.State.DRAFT]
        number = min(drafts, default=max(rounds, default=0) + 1)
    pairing_round = rounds.get(number)
    tables: list[tuple[int, tuple[int, ...]]] = []
    byes: tuple[int, ...] = ()
    if pairing_round is not None:
        for match in pairing_round.matches.prefetch_related("seats__entry").order_by("table"):
            # An entry takes its first seat in the order the table lists them.
            numbers = dict.fromkeys(seat.entry.number for seat in match.seats.all())
            tables.append((match.table, tuple(numbers)))
        found = Bye.objects.filter(pairing_round=pairing_round)
        byes = tuple(found.order_by("entry__number").values_list("entry__number", flat=True))
    return ManualRoundPage(
        tournament=tournament,
        stage=stage,
        number=number,
        pairing_round=pairing_round,
        tables=tuple(tables),
        byes=byes,
        entries=tuple(line for line in queries.entry_lines(tournament) if line.is_registered),
        sizes=table_sizes(tournament, rules_of(tournament)),
    )

"""What public pages and the API show: one function a page, few queries whatever the size."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container, Iterable
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Prefetch, Q, QuerySet

from engine.profiles import Rules
from tournaments import permissions, publication
from tournaments.models import (
    Bye,
    Club,
    Entry,
    EntryPlayer,
    Match,
    MatchSeat,
    Official,
    PairingRound,
    Player,
    Stage,
    Tournament,
)
from tournaments.permissions import Visitor
from tournaments.queries.appeals import is_protested, with_protest
from tournaments.queries.standings import StandingsPage, standings_page
from tournaments.rules import (
    RuleLine,
    profile_name,
    rule_lines,
    rules_of,
    sides_of,
)
from tournaments.words.rules import OptionLine, PenaltyLine, option_lines, penalty_lines

LEADERS_SHOWN = 10
# What no list of tables shows; leaving it out makes a list of 240 tables twice as fast.
_NOT_AT_TABLE = (
    *(f"entry__{name}" for name in ("tournament", "kind", "seed", "club", "state")),
    *("entry__registered_at", "player__number", "player__club", "player__user"),
)


@dataclass(frozen=True, slots=True)
class TournamentLine:
    """A tournament in a list."""

    tournament: Tournament
    profile: str
    target: int
    entries: int
    rounds_published: int
    tables_open: int


@dataclass(frozen=True, slots=True)
class EntryLine:
    """An entry with its players in order, each with club."""

    entry: Entry
    players: tuple[Player, ...]
    club: Club | None
    bench: tuple[Player, ...] = ()
    """Who can be put in for one of the players."""

    @property
    def is_named(self) -> bool:
        """Says the name of the entry more than the names of its players?"""
        return _says_more(self.entry.name, self.players)

    @property
    def is_registered(self) -> bool:
        return self.entry.state == Entry.State.REGISTERED


@dataclass(frozen=True, slots=True)
class SideLine:
    """A side of a table: who sits where, and what it has or took."""

    side: str
    entries: tuple[Entry, ...]
    seats: tuple[MatchSeat, ...]
    points: int | None
    outcome: str
    outcome_label: str

    @property
    def name(self) -> str:
        return " / ".join(entry.name for entry in self.entries)

    @property
    def is_named(self) -> bool:
        """Says the name of the side more than the names of who sits there?"""
        return len(self.seats) > 1 and _says_more(self.name, [seat.player for seat in self.seats])

    @property
    def is_winner(self) -> bool:
        return self.outcome in (MatchSeat.Outcome.WIN, MatchSeat.Outcome.WALKOVER_WIN)


@dataclass(frozen=True, slots=True)
class TableLine:
    """A table of a pairing round. `points` of its sides are running until it is closed."""

    match: Match
    sides: tuple[SideLine, ...]
    is_hidden: bool = False
    """The reader is not to know the result, nor how it stands: nothing here tells of it."""

    @property
    def is_closed(self) -> bool:
        return self.match.state == Match.State.CLOSED

    @property
    def is_playing(self) -> bool:
        return self.match.state == Match.State.PLAYING

    @property
    def is_protested(self) -> bool:
        """Is the result under protest, because an appeal is not decided?"""
        return is_protested(self.match) and not self.is_hidden

    @property
    def lost_by_both(self) -> bool:
        """Say whether both sides of a bracket's table have lost it by play or by a ruling."""
        outcomes = {side.outcome for side in self.sides}
        return (
            self.is_closed
            and bool(self.match.meeting)
            and MatchSeat.Outcome.LOSS in outcomes
            and outcomes <= {MatchSeat.Outcome.LOSS, MatchSeat.Outcome.WALKOVER_LOSS}
        )

    @property
    def round(self) -> int | None:
        """The round (deal) being played, counted from 1."""
        number: int | None = self.match.score.get("round")
        return number


@dataclass(frozen=True, slots=True)
class RoundLine:
    """A pairing round in a list."""

    pairing_round: PairingRound
    tables: int
    tables_open: int

    @property
    def is_draft(self) -> bool:
        return self.pairing_round.state == PairingRound.State.DRAFT


@dataclass(frozen=True, slots=True)
class StageLine:
    """A stage with the rounds the reader may see."""

    stage: Stage
    rounds: tuple[RoundLine, ...]


@dataclass(frozen=True, slots=True)
class PairingsPage:
    tournament: Tournament
    stage: Stage
    pairing_round: PairingRound
    tables: tuple[TableLine, ...]
    byes: tuple[Entry, ...]
    is_drawn: bool
    numbers: tuple[int, ...]
    """The rounds of the stage the reader may see."""
    are_results_hidden: bool = False
    """The reader is not to know the results of this round yet."""


@dataclass(frozen=True, slots=True)
class TournamentPage:
    tournament: Tournament
    profile: str
    target: int
    rules: tuple[RuleLine, ...]
    entries: int
    stages: tuple[StageLine, ...]
    latest: PairingsPage | None
    standings: StandingsPage
    """The first rows only."""
    officials: tuple[Official, ...]
    duties: frozenset[str]
    """What the reader does at this tournament."""


@dataclass(frozen=True, slots=True)
class RulesPage:
    tournament: Tournament
    profile: str
    rules: Rules
    lines: tuple[RuleLine, ...]
    options: tuple[OptionLine, ...]
    penalties: tuple[PenaltyLine, ...]


def tournament_lines(tournaments: Iterable[Tournament]) -> tuple[TournamentLine, ...]:
    """Return tournaments with their figures, in the order given."""
    found = list(tournaments)
    entries = _counted(
        Entry.objects.filter(tournament__in=found, state=Entry.State.REGISTERED), "tournament"
    )
    published = PairingRound.objects.filter(stage__tournament__in=found).exclude(
        state=PairingRound.State.DRAFT
    )
    rounds = _counted(published, "stage__tournament")
    tables = _counted(
        Match.objects.filter(pairing_round__in=published).exclude(state=Match.State.CLOSED),
        "pairing_round__stage__tournament",
    )
    return tuple(
        TournamentLine(
            tournament=one,
            profile=profile_name(one),
            target=rules_of(one).target,
            entries=entries.get(one.pk, 0),
            rounds_published=rounds.get(one.pk, 0),
            tables_open=tables.get(one.pk, 0),
        )
        for one in found
    )


def tournament_page(tournament: Tournament, *, user: Visitor) -> TournamentPage:
    """Return one tournament: entries, stages, the latest round and the leaders."""
    rules = rules_of(tournament)
    officials = tuple(tournament.officials.select_related("user").order_by("duty", "pk"))
    stages = stage_lines(tournament, drafts=False)
    latest = latest_round(stages)
    return TournamentPage(
        tournament=tournament,
        profile=profile_name(rules),
        target=rules.target,
        rules=rule_lines(rules, tournament.players_per_table),
        entries=tournament.entries.filter(state=Entry.State.REGISTERED).count(),
        stages=stages,
        latest=None if latest is None else _latest_page(latest, stages),
        standings=standings_page(tournament, limit=LEADERS_SHOWN),
        officials=officials,
        duties=permissions.duties_among(officials, user),
    )


def _latest_page(latest: PairingRound, stages: tuple[StageLine, ...]) -> PairingsPage:
    """Return a round with its tables; which rounds its stage has was read already."""
    rounds = next(one.rounds for one in stages if one.stage.pk == latest.stage_id)
    numbers = tuple(one.pairing_round.number for one in rounds)
    return pairings_page(latest, drafts=False, numbers=numbers)


def rules_page(tournament: Tournament) -> RulesPage:
    rules = rules_of(tournament)
    players = tournament.players_per_table
    return RulesPage(
        tournament,
        profile_name(rules),
        rules,
        rule_lines(rules, players),
        option_lines(rules, players),
        penalty_lines(rules),
    )


def entry_lines(tournament: Tournament) -> tuple[EntryLine, ...]:
    """Return the entries of a tournament by number, in whatever state."""
    in_order = EntryPlayer.objects.select_related("player__club").order_by("position")
    entries = tournament.entries.select_related("club").prefetch_related(
        Prefetch("members", in_order)
    )
    lines = []
    named = [one.player for entry in entries for one in entry.members.all()]
    publication.name_in_full(tournament, [*entries, *named])
    for entry in entries:
        members = entry.members.all()
        players = tuple(one.player for one in members if not one.on_bench)
        bench = tuple(one.player for one in members if one.on_bench)
        lines.append(EntryLine(entry, players, entry.club, bench))
    return tuple(lines)


def stage_lines(tournament: Tournament, *, drafts: bool) -> tuple[StageLine, ...]:
    """Return the stages with their rounds; with drafts for directors only."""
    rounds = PairingRound.objects.filter(stage__tournament=tournament)
    if not drafts:
        rounds = rounds.exclude(state=PairingRound.State.DRAFT)
    lines: defaultdict[int, list[RoundLine]] = defaultdict(list)
    counted = rounds.annotate(
        tables=Count("matches"),
        tables_open=Count("matches", filter=~Q(matches__state=Match.State.CLOSED)),
    )
    for one in (
        counted.defer("draw", "standings").select_related("stage__tournament").order_by("number")
    ):
        lines[one.stage_id].append(RoundLine(one, one.tables, one.tables_open))
    return tuple(
        StageLine(stage, tuple(lines[stage.pk]))
        for stage in tournament.stages.order_by("number")
        if drafts or lines[stage.pk]
    )


def pairings_page(
    pairing_round: PairingRound, *, drafts: bool, numbers: tuple[int, ...] | None = None
) -> PairingsPage:
    """Return a pairing round with its tables; ask permissions.may_see_round first."""
    stage = pairing_round.stage
    tournament = stage.tournament
    found = Bye.objects.filter(pairing_round=pairing_round).select_related("entry")
    byes = [one.entry for one in found.order_by("entry__number")]
    publication.name_in_full(tournament, byes)
    rounds = stage.rounds.all() if drafts else stage.rounds.exclude(state=PairingRound.State.DRAFT)
    withheld = publication.withheld(tournament)
    return PairingsPage(
        tournament=tournament,
        stage=stage,
        pairing_round=pairing_round,
        tables=table_lines(pairing_round.matches.all(), tournament, of_round=pairing_round),
        byes=tuple(byes),
        # Only whether there is one: the draw itself is long.
        is_drawn=not withheld.stands_on(pairing_round)
        and PairingRound.objects.filter(pk=pairing_round.pk).exclude(draw={}).exists(),
        numbers=tuple(rounds.order_by("number").values_list("number", flat=True))
        if numbers is None
        else numbers,
        are_results_hidden=withheld.has(pairing_round),
    )


def table_lines(
    matches: QuerySet[Match], tournament: Tournament, *, of_round: PairingRound | None = None
) -> tuple[TableLine, ...]:
    """Return tables of one tournament, or `of_round`, with who sits there and how it stands.

    Where results are hidden from the reader they are not in the answer.
    """
    frozen = rules_of(tournament)
    unknown = _unknown(tournament, of_round)
    tables = list(with_protest(matches).order_by("table"))
    seats = MatchSeat.objects.filter(match__in=[one.pk for one in tables]).order_by("seat")
    at_tables = list(seats.select_related("entry", "player").defer(*_NOT_AT_TABLE))
    # Sorted out here: a prefetch would make a query of its own, unasked, for each table.
    seated: defaultdict[int, list[MatchSeat]] = defaultdict(list)
    for seat in at_tables:
        seated[seat.match_id].append(seat)
    named: list[Entry | Player] = [one.entry for one in at_tables]
    publication.name_in_full(tournament, [*named, *(one.player for one in at_tables)])
    return tuple(
        _table_line(
            match, seated[match.pk], Rules.read(match.rules) if match.rules else frozen, unknown
        )
        for match in tables
    )


def _unknown(tournament: Tournament, of_round: PairingRound | None) -> frozenset[int]:
    """Return the keys of the rounds whose results the reader is not to know."""
    withheld = publication.withheld(tournament)
    if not withheld:
        return frozenset()
    if of_round is not None:
        return frozenset({of_round.pk} if withheld.has(of_round) else ())
    rounds = PairingRound.objects.filter(withheld.rounds(), stage__tournament=tournament)
    return frozenset(rounds.values_list("pk", flat=True))


def _table_line(
    match: Match, seated: Iterable[MatchSeat], rules: Rules, unknown: Container[int]
) -> TableLine:
    is_hidden = match.pairing_round_id in unknown
    if is_hidden:
        # Of these rows nothing is ever stored.
        match.score = {}
        for seat in seated:
            publication.without_result(seat)
    seats = {seat.seat: seat for seat in seated}
    return TableLine(
        match,
        tuple(
            _side_line(match, side, tuple(seats[one] for one in side if one in seats), rules)
            for side in sides_of(rules, len(seats))
        ),
        is_hidden,
    )


def _side_line(match: Match, side: str, seats: tuple[MatchSeat, ...], rules: Rules) -> SideLine:
    entries = {seat.entry_id: seat.entry for seat in seats}
    first = seats[0] if seats else None
    closed = first is not None and bool(first.outcome)
    points: int | None = match.score.get("totals", {}).get(side)
    if first is not None and closed:
        # In elimination points are bad: what a player has is what counts against them.
        points = first.points_against if rules.elimination else first.points_for
    return SideLine(
        side=side,
        entries=tuple(entries.values()),
        seats=seats,
        points=points,
        outcome=first.outcome if first else "",
        outcome_label=str(first.get_outcome_display()) if first and closed else "",
    )


def latest_round(stages: tuple[StageLine, ...]) -> PairingRound | None:
    """Return the round people look for: the one being played, else the last published."""
    seen = [one.pairing_round for stage in stages for one in stage.rounds]
    waiting = [one for one in seen if one.state != PairingRound.State.FINISHED]
    if waiting:
        return waiting[0]
    return seen[-1] if seen else None


def _says_more(name: str, players: Iterable[Player]) -> bool:
    return sorted(name.split(" / ")) != sorted(player.name for player in players)


def _counted(rows: QuerySet[Any], group: str) -> dict[int, int]:
    return dict(rows.order_by().values(group).annotate(n=Count("pk")).values_list(group, "n"))

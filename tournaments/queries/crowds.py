"""Standings seen another way: by player, team, club, country, category, or over all stages."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from django.db.models import Q
from django.utils.functional import Promise
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from tournaments.competition.standings import standings
from tournaments.competition.types import EntryResult, Outcome, TieBreak
from tournaments.countries import country_names
from tournaments.models import Entry, EntryPlayer, MatchSeat, Player, Stage, StandingRow
from tournaments.queries.standings import StandingLine, StandingsPage, standing_lines
from tournaments.rules import rules_of, sides_of
from tournaments.services.frozen import FrozenRow
from tournaments.services.standings import entry_id, results_of
from tournaments.words.standings import StandingColumn, column

MOST_COUNTED = 20
_USUAL_COUNTED = 3
# What entries bring into the sum of a crowd; places drawn or won among two do not add up.
_NO_SUM = (TieBreak.DIRECT, TieBreak.LOT)


class By(StrEnum):
    """Whom a row of the standings stands for."""

    ENTRY = "entry"
    PLAYER = "player"
    TEAM = "team"
    CLUB = "club"
    COUNTRY = "country"
    CATEGORY = "category"
    EVENT = "event"


LABELS: Mapping[By, Promise] = {
    By.ENTRY: _("Entries"),
    By.PLAYER: _("Players"),
    By.TEAM: _("Teams"),
    By.CLUB: _("Clubs"),
    By.COUNTRY: _("Countries"),
    By.CATEGORY: _("Categories"),
    By.EVENT: _("Whole event"),
}


@dataclass(frozen=True, slots=True)
class Member:
    """An entry of a crowd: who counts, and with what."""

    entry: Entry
    place: int
    values: tuple[int, ...]
    counts: bool


@dataclass(frozen=True, slots=True)
class CrowdLine:
    """A team, a club or a country: the sum of those of its entries that count."""

    place: int
    is_shared: bool
    name: str
    values: tuple[int, ...]
    members: tuple[Member, ...]


@dataclass(frozen=True, slots=True)
class PlayerLine:
    """A player's own results; `differs` where the partner's are others."""

    place: int
    is_shared: bool
    player: Player
    entry: Entry
    values: tuple[int, ...]
    played: int
    differs: bool


@dataclass(frozen=True, slots=True)
class CategoryLines:
    """The entries of one category, in places of their own."""

    name: str
    rows: tuple[StandingLine, ...]


@dataclass(frozen=True, slots=True)
class EventLine:
    """An entry's place in the whole event: where it got to, and its place there."""

    place: int
    is_shared: bool
    entry: Entry
    stage: Stage
    place_there: int
    group: str
    played: int


def columns_of(stage: Stage, by: By) -> tuple[StandingColumn, ...]:
    """Return the columns of a view; only what adds up where several entries are summed."""
    names = _summed(stage) if by in (By.TEAM, By.CLUB, By.COUNTRY) else stage.tie_breaks
    return tuple(column(name) for name in names)


def views_of(page: StandingsPage) -> tuple[By, ...]:
    """Return the views that say something about this stage.

    They count all results; while the reader is not to know some of them, there are none.
    """
    tournament, stage = page.tournament, page.stage
    found = [By.ENTRY]
    if stage is None or page.is_any_hidden:
        return tuple(found) if stage is not None else ()
    if tournament.entry_kind != Entry.Kind.SINGLE:
        found.append(By.PLAYER)
    if stage.system == Stage.System.TEAMS_OF_FOUR:
        found.append(By.TEAM)
    entries = tournament.entries.all()
    if entries.filter(club__isnull=False).exists():
        found.append(By.CLUB)
    if EntryPlayer.objects.filter(tournament=tournament).exclude(player__country="").exists():
        found.append(By.COUNTRY)
    if entries.exclude(category="").exists():
        found.append(By.CATEGORY)
    if len(page.stages) > 1:
        found.append(By.EVENT)
    return tuple(found)


def usual_count(by: By) -> int:
    """Return how many of a crowd count when nobody asks: all of a team, else the best three."""
    return MOST_COUNTED if by is By.TEAM else _USUAL_COUNTED


def crowd_lines(stage: Stage, by: By, best: int) -> tuple[CrowdLine, ...]:
    """Return teams, clubs or countries by the sum of their `best` entries.

    A stage in groups compares entries that met different opponents: by place, then by values.
    """
    names = _summed(stage)
    crowd_of = _CROWDS[by](stage)
    rows = stage.standing_rows.select_related("entry").order_by("place", "group", "order")
    members: defaultdict[str, list[Member]] = defaultdict(list)
    for row in rows:
        name = crowd_of.get(row.entry_id)
        if name:
            values = tuple(row.values.get(one, 0) for one in names)
            counts = len(members[name]) < best
            members[name].append(Member(row.entry, row.place, values, counts))
    sums = {
        name: tuple(map(sum, zip(*(one.values for one in crowd if one.counts), strict=True)))
        for name, crowd in members.items()
    }
    signs = [1 if TieBreak(name).less_is_better else -1 for name in names]
    keys = {
        name: tuple(sign * one for sign, one in zip(signs, total, strict=True))
        for name, total in sums.items()
    }
    return tuple(
        CrowdLine(place, shared, name, sums[name], tuple(members[name]))
        for name, place, shared in _placed(keys)
    )


def player_lines(stage: Stage) -> tuple[PlayerLine, ...]:
    """Return the players of a stage by what each took alone.

    Partners differ where a deduction fell on one of them, or where a substitute sat.
    """
    tournament = stage.tournament
    rules = rules_of(tournament)
    entries = {one.pk: one for one in tournament.entries.all()}
    members = EntryPlayer.objects.filter(tournament=tournament).select_related("player")
    entry_of = {one.player_id: entries[one.entry_id] for one in members}
    players = {one.player_id: one.player for one in members}
    present: defaultdict[str, list[int]] = defaultdict(list)
    for one in members:
        if not one.on_bench:
            present[entry_id(entries[one.entry_id].number)].append(one.player_id)
    results = [
        EntryResult(
            one.round, _player_id(player), one.outcome, (), one.points_for, one.points_against
        )
        for one in results_of(stage, rules)
        if one.outcome in (Outcome.BYE, Outcome.ABSENT)
        for player in present[one.entry]
    ]
    results += _results_of_players(stage)
    played = Counter(
        one.entry for one in results if one.outcome not in (Outcome.BYE, Outcome.ABSENT)
    )
    chain = [TieBreak(name) for name in stage.tie_breaks]
    rows = standings(results, chain, target=stage.target or rules.target, seed=stage.seed)
    rows = tuple(row for row in rows if int(row.entry) in players)
    sharing = Counter(row.place for row in rows)
    seen = {int(row.entry): tuple(row.values[name] for name in chain) for row in rows}
    told = {player: _without_lot(chain, values) for player, values in seen.items()}
    of_entry: defaultdict[int, set[tuple[int, ...]]] = defaultdict(set)
    for player, values in told.items():
        of_entry[entry_of[player].pk].add(values)
    return tuple(
        PlayerLine(
            place=row.place,
            is_shared=sharing[row.place] > 1,
            player=players[int(row.entry)],
            entry=entry_of[int(row.entry)],
            values=seen[int(row.entry)],
            played=played[row.entry],
            differs=len(of_entry[entry_of[int(row.entry)].pk]) > 1,
        )
        for row in rows
    )


def category_lines(stage: Stage) -> tuple[CategoryLines, ...]:
    """Return the entries of each category in the order of the stage, with their own places."""
    rows = stage.standing_rows.select_related("entry__club").exclude(entry__category="")
    by_category: defaultdict[str, list[StandingRow]] = defaultdict(list)
    for row in rows.order_by("place", "group", "order"):
        by_category[row.entry.category].append(row)
    return tuple(
        CategoryLines(name, _own_places(some, stage.tie_breaks))
        for name, some in sorted(by_category.items())
    )


def event_lines(stages: Sequence[Stage]) -> tuple[EventLine, ...]:
    """Return every entry's place in the whole event.

    Whoever got further is before those who did not; of two stages from one source the first one
    is the better. Within a stage its standings decide, and its groups share their places.
    """
    depth: dict[int, int] = {}
    for one in sorted(stages, key=lambda each: each.number):
        before = one.source_id if one.source_id in depth else None
        depth[one.pk] = (depth[before] if before else max(depth.values(), default=0)) + 1
    order = sorted(stages, key=lambda each: (-depth[each.pk], each.number))
    lines: list[EventLine] = []
    placed: set[int] = set()
    for stage in order:
        rows = [
            row
            for row in stage.standing_rows.select_related("entry__club")
            if row.entry_id not in placed
        ]
        rows.sort(key=lambda row: (row.place, len(row.group), row.group, row.order))
        sharing = Counter(row.place for row in rows)
        before_stage = len(lines)
        place = 0
        last = None
        for at, row in enumerate(rows, start=1):
            if row.place != last:
                place, last = before_stage + at, row.place
            shared = sharing[row.place] > 1
            lines.append(
                EventLine(place, shared, row.entry, stage, row.place, row.group, row.played)
            )
        placed |= {row.entry_id for row in rows}
    return tuple(lines)


def _summed(stage: Stage) -> list[str]:
    return [name for name in stage.tie_breaks if name not in _NO_SUM]


def _without_lot(chain: Sequence[TieBreak], values: Sequence[int]) -> tuple[int, ...]:
    return tuple(one for name, one in zip(chain, values, strict=True) if name is not TieBreak.LOT)


def _placed(keys: Mapping[str, tuple[int, ...]]) -> Iterable[tuple[str, int, bool]]:
    """Return names with place and whether it is shared; less is better."""
    sharing = Counter(keys.values())
    place, last = 0, None
    for at, name in enumerate(sorted(keys, key=lambda one: (keys[one], one)), start=1):
        if keys[name] != last:
            place, last = at, keys[name]
        yield name, place, sharing[keys[name]] > 1


def _own_places(rows: Sequence[StandingRow], names: Sequence[str]) -> tuple[StandingLine, ...]:
    placed: list[tuple[Entry, FrozenRow]] = []
    above: StandingRow | None = None
    for at, row in enumerate(rows, start=1):
        level = above is not None and (row.place, row.group) == (above.place, above.group)
        differs = (
            ()
            if above is None
            else [name for name in names if row.values.get(name, 0) != above.values.get(name, 0)]
        )
        place = placed[-1][1].place if level else at
        decided_by = next(iter(differs), "")
        placed.append(
            (row.entry, FrozenRow(row.entry.number, "", place, row.played, row.values, decided_by))
        )
        above = row
    return standing_lines(placed, names)


def _results_of_players(stage: Stage) -> Iterable[EntryResult]:
    rules = rules_of(stage.tournament)
    tables: defaultdict[int, list[MatchSeat]] = defaultdict(list)
    seats = MatchSeat.objects.filter(~Q(outcome=""), pairing_round__stage=stage)
    for seat in seats.select_related("pairing_round").order_by("match", "seat").only(
        "match", "seat", "player", "outcome", "points_for", "points_against", "deducted",
        "rounds_won", "pairing_round__number",
    ):  # fmt: skip
        tables[seat.match_id].append(seat)
    for table in tables.values():
        side_of = {letter: side for side in sides_of(rules, len(table)) for letter in side}
        for seat in table:
            yield EntryResult(
                round=seat.pairing_round.number,
                entry=_player_id(seat.player_id),
                outcome=Outcome(seat.outcome),
                opponents=tuple(
                    _player_id(one.player_id)
                    for one in table
                    if side_of[one.seat] != side_of[seat.seat]
                ),
                points_for=seat.points_for or 0,
                points_against=seat.points_against or 0,
                rounds_won=seat.rounds_won,
                penalty=seat.deducted,
            )


def _player_id(player: int) -> str:
    return f"{player:012}"


def _teams(stage: Stage) -> dict[int, str]:
    return dict(stage.stage_entries.exclude(group="").values_list("entry", "group"))


def _clubs(stage: Stage) -> dict[int, str]:
    entries = stage.tournament.entries.filter(club__isnull=False)
    return dict(entries.values_list("pk", "club__name"))


def _countries(stage: Stage) -> dict[int, str]:
    """Return the country all players of an entry are from; none where they differ."""
    names = country_names(get_language() or "en")
    codes: defaultdict[int, set[str]] = defaultdict(set)
    members = EntryPlayer.objects.filter(tournament=stage.tournament, on_bench=False)
    for entry, code in members.values_list("entry", "player__country"):
        codes[entry].add(code)
    return {
        entry: names.get(code, code)
        for entry, found in codes.items()
        if len(found) == 1
        for code in found
        if code
    }


_CROWDS: Mapping[By, Callable[[Stage], dict[int, str]]] = {
    By.TEAM: _teams,
    By.CLUB: _clubs,
    By.COUNTRY: _countries,
}

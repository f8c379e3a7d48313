"""What the screens of a hall show: the tables, names and times the public may see, never more.

Who sits where comes from the same rows as the notice on the wall and the sheet on the table
(`tournaments.queries.prints.printed_tables`), so that the three cannot differ.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from math import ceil
from typing import Any, Final, TypeVar

from django.db.models import Func, Subquery

from referee.queries.links import open_calls
from referee.queries.records import matches
from referee.recorded import Sitting
from referee.rows import read
from referee.sentences import ROBOT
from tournaments import publication
from tournaments.competition.bracket_matches import Part
from tournaments.competition.brackets import Status
from tournaments.drawing import LaidTile
from tournaments.freshness import CALL_ACTS, public_acts
from tournaments.models import (
    LogEntry,
    Match,
    MatchSeat,
    PairingRound,
    Screen,
    StandingRow,
    Tournament,
)
from tournaments.queries.brackets import (
    BracketColumn,
    BracketPage,
    BracketRead,
    MeetingLine,
    bracket_read,
)
from tournaments.queries.desk_draw import room_of
from tournaments.queries.events import StageLine, latest_round, stage_lines
from tournaments.queries.player_calls import called_in
from tournaments.queries.prints import printed_names, printed_tables, without_opponents
from tournaments.queries.standings import standings_page
from tournaments.services.brackets import BRACKETS
from tournaments.services.clock import Clock, clock_of
from tournaments.words.standings import column

Shows = Screen.Shows
Row = TypeVar("Row")
# A row has room for so many numbers in letters that are read from afar.
_VALUES: Final = 3
# A round of so many meetings is drawn beside the next ones; a larger one is a list.
_DRAWN: Final = 2
_COLUMNS: Final = 3
_EXTRA_SHOWN: Final = 6
# What changes with every tile laid somewhere; the others change by acts of the desk alone.
_BY_TABLES: Final = frozenset({Shows.BRACKET, Shows.CALLS, Shows.FEATURED})


@dataclass(frozen=True, slots=True)
class FeaturedSeat:
    letter: str
    name: str
    on_turn: bool


@dataclass(frozen=True, slots=True)
class FeaturedSide:
    """A side of the featured table with what it has."""

    seats: tuple[FeaturedSeat, ...]
    total: int | None
    is_winner: bool


@dataclass(frozen=True, slots=True)
class Featured:
    """One table as everybody may see it: what lies on it, never what is in hand."""

    table: int
    state: str
    deal: int | None
    """The round of the match, counted from 1."""
    sides: tuple[FeaturedSide, ...]
    layout: Sequence[LaidTile]
    ends: tuple[int, int] | None
    turn: str
    is_hidden: bool = False
    """How it stands is shown at the prize-giving."""


@dataclass(frozen=True, slots=True)
class CallOnScreen:
    """A table that waits for a referee. Why it does is not for the hall."""

    table: int
    room: str
    called_at: datetime
    on_the_way: bool


@dataclass(frozen=True, slots=True)
class BracketBlock:
    """A page of the bracket: meetings of one round in a list, or the last rounds drawn."""

    title: str
    meetings: tuple[MeetingLine, ...] = ()
    columns: tuple[tuple[BracketColumn, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Shown:
    """What a screen shows now, in no language yet. `rows` are of its part of the list."""

    screen: Screen
    tournament: Tournament
    pairing_round: PairingRound | None
    clock: Clock | None
    content: Mapping[str, Any]
    bracket: BracketRead | None = None


def facts(screen: Screen) -> tuple[object, ...]:
    """Return what changes whenever the screen would show something else, in one query."""
    pk = screen.tournament_id
    all_acts = LogEntry.objects.filter(tournament=pk).order_by()
    # A draft, and what else the desk does out of sight, makes no screen new.
    log = public_acts(all_acts)
    rows = StandingRow.objects.filter(stage__tournament=pk)
    newest = {
        "logged": Subquery(log.order_by("-pk").values("pk")[:1]),
        # Two acts may be stored in another order than they were begun in.
        "lines": Subquery(log.annotate(all=Func("pk", function="COUNT")).values("all")),
        "ranked": Subquery(rows.order_by("-pk").values("pk")[:1]),
    }
    if screen.shows == Shows.CALLS:
        calls = all_acts.filter(act__in=CALL_ACTS)
        newest["called"] = Subquery(calls.order_by("-pk").values("pk")[:1])
    if screen.shows in _BY_TABLES:
        at_tables = Match.objects.filter(pairing_round__stage__tournament=pk)
        at_tables = at_tables.exclude(pairing_round__state=PairingRound.State.DRAFT)
        newest["played"] = Subquery(at_tables.order_by("-changed_at").values("changed_at")[:1])
    found = Tournament.objects.filter(pk=pk).values_list("name", "state", *newest.values()).get()
    own = [getattr(screen, field.attname) for field in Screen._meta.concrete_fields]
    return (*own, *found)


def shown(screen: Screen) -> Shown:
    """Return what a screen shows: what the public may know, whoever asks."""
    with publication.for_everybody():
        return _shown(screen)


def _shown(screen: Screen) -> Shown:
    tournament = screen.tournament
    lines = () if screen.shows == Shows.BLACK else stage_lines(tournament, drafts=False)
    if screen.stage_id is not None:
        lines = tuple(line for line in lines if line.stage.pk == screen.stage_id)
    pairing_round = latest_round(lines)
    in_play = pairing_round is not None and pairing_round.state != PairingRound.State.FINISHED
    return Shown(
        screen=screen,
        tournament=tournament,
        pairing_round=pairing_round,
        clock=clock_of(pairing_round) if pairing_round is not None and in_play else None,
        content=_content(screen, pairing_round, lines),
        bracket=_bracket(lines) if screen.shows == Shows.BRACKET else None,
    )


def in_words(found: Shown) -> dict[str, Any]:
    """Return what a screen shows in the language of the moment."""
    bracket = None if found.bracket is None else found.bracket.in_words()
    return {
        "screen": found.screen,
        "tournament": found.tournament,
        "pairing_round": found.pairing_round,
        "clock": found.clock,
        "label": found.screen.get_shows_display(),
        **found.content,
        "blocks": () if bracket is None else bracket_blocks(bracket),
        "champion": bracket and bracket.champion,
        "columns": [column(name) for name in found.content.get("values", ())],
    }


def _content(
    screen: Screen, pairing_round: PairingRound | None, lines: Sequence[StageLine]
) -> dict[str, Any]:
    match screen.shows:
        case Shows.STANDINGS if lines:
            return _standings(screen)
        case Shows.CALLS:
            return {"rows": _calls(screen), "called": called_in(screen.tournament)}
        case Shows.MESSAGE:
            return {"message": screen.message, "size": _size(screen.message)}
        case _ if pairing_round is None:
            return {}
        case Shows.TABLES:
            byes = without_opponents(pairing_round) if screen.part == screen.parts else ()
            return {"rows": _part(printed_tables(pairing_round), screen), "byes": byes}
        case Shows.NAMES:
            return {"rows": _part(printed_names(printed_tables(pairing_round)), screen)}
        case Shows.CLOCK:
            return _extra_times(pairing_round)
        case Shows.FEATURED:
            return {"featured": featured(pairing_round, screen.table)}
    return {}


def _part(rows: Sequence[Row], screen: Screen) -> Sequence[Row]:
    """Return the rows of a long list that this screen shows, others showing the rest."""
    share = ceil(len(rows) / screen.parts)
    return rows[share * (screen.part - 1) : share * screen.part]


def _size(message: str) -> str:
    """Say how long a message is, for letters as large as it allows."""
    return "short" if len(message) <= 40 else "middle" if len(message) <= 100 else "long"


def _standings(screen: Screen) -> dict[str, Any]:
    page = standings_page(screen.tournament, stage=screen.stage)
    groups: dict[str, list[Any]] = {}
    for row in _part(page.rows, screen):
        groups.setdefault(row.group, []).append(row)
    values = tuple(one.name for one in page.columns[:_VALUES])
    return {"groups": list(groups.items()), "values": values, "standings": page}


def _extra_times(pairing_round: PairingRound) -> dict[str, Any]:
    """Return the tables that play on for longer, with their own ends."""
    found = pairing_round.matches.filter(extra_seconds__gt=0).exclude(state=Match.State.CLOSED)
    extra = [
        (one.table, clock_of(pairing_round, extra_seconds=one.extra_seconds))
        for one in found.order_by("table")
    ]
    return {"extra": extra[:_EXTRA_SHOWN], "more": max(0, len(extra) - _EXTRA_SHOWN)}


def _calls(screen: Screen) -> list[CallOnScreen]:
    rooms = list(screen.tournament.rooms.all())
    return [
        CallOnScreen(
            table=call.match.table,
            room=room_of(rooms, call.match.table),
            called_at=call.called_at,
            on_the_way=call.claimed_by_id is not None,
        )
        for call in open_calls(screen.tournament)
    ]


def featured(pairing_round: PairingRound, table: int) -> Featured | None:
    """Return a table of a round as the hall sees it, None where the round has no such table.

    Where its result is hidden, it is a table at which play has not begun.
    """
    match = matches().filter(pairing_round=pairing_round, table=table).first()
    if match is None:
        return None
    recorded = read(match)
    is_hidden = publication.withheld(pairing_round.stage.tournament).has(pairing_round)
    if is_hidden:
        match.state, match.score = Match.State.WAITING, {}
        recorded = replace(recorded.rows, rounds=()).replayed()
    now = recorded.round
    turn = now.turn.value if now is not None and now.turn else ""
    totals = _totals(match, recorded.rules.elimination) or recorded.state.totals
    held = recorded.substitutes
    return Featured(
        table=match.table,
        state=match.state,
        deal=None if now is None else now.number + 1,
        sides=tuple(
            FeaturedSide(
                seats=tuple(
                    FeaturedSeat(one.seat, _who(one, held.get(one.seat, "")), one.seat == turn)
                    for one in recorded.sittings
                    if one.seat in side
                ),
                total=totals.get(side),
                is_winner=recorded.state.winner == side,
            )
            for side in recorded.sides
        ),
        layout=now.layout if now is not None else (),
        ends=now.ends if now is not None else None,
        turn=recorded.name(turn) if turn else "",
        is_hidden=is_hidden,
    )


def _who(sitting: Sitting, held: str) -> str:
    """Return who holds a seat: whoever came for somebody who left, if it is a person."""
    return held if held and held != ROBOT else sitting.substitute or sitting.name


def _totals(match: Match, elimination: bool) -> dict[str, int]:
    """Return what each side of a closed table has; rulings of the desk are in it."""
    if match.state != Match.State.CLOSED:
        return {}
    points: dict[str, int] = {}
    seats: dict[int, str] = {}
    for seat in MatchSeat.objects.filter(match=match).exclude(outcome="").order_by("seat"):
        seats[seat.entry_id] = seats.get(seat.entry_id, "") + seat.seat
        found = seat.points_against if elimination else seat.points_for
        points[seats[seat.entry_id]] = found or 0
    return points


# --- the bracket ----------------------------------------------------------------------------


def _bracket(lines: Sequence[StageLine]) -> BracketRead | None:
    found = [line.stage for line in lines if line.stage.system in BRACKETS]
    return bracket_read(found[-1]) if found else None


def bracket_blocks(page: BracketPage) -> tuple[BracketBlock, ...]:
    """Return the pages of a bracket: rounds that are not over yet, then the last ones, drawn."""
    blocks: list[BracketBlock] = []
    for part in page.parts:
        blocks += [
            BracketBlock(_title(part.title, one.title), meetings=one.meetings)
            for one in part.columns
            if len(one.meetings) > _DRAWN and not all(map(_is_decided, one.meetings))
        ]
        drawn = [one for one in part.columns if len(one.meetings) <= _DRAWN]
        groups = _under_each_other(drawn)
        for start in range(0, len(groups), _COLUMNS):
            some = tuple(groups[start : start + _COLUMNS])
            blocks.append(BracketBlock(part.title or page.stage.title, columns=some))
    return tuple(blocks)


def _under_each_other(columns: Sequence[BracketColumn]) -> list[tuple[BracketColumn, ...]]:
    """Let the match for the third place stand under the final, which is played beside it."""
    groups: list[tuple[BracketColumn, ...]] = []
    for one in columns:
        if one.meetings[0].part == Part.THIRD_PLACE and groups:
            groups[-1] = (*groups[-1], one)
        else:
            groups.append((one,))
    return groups


def _title(part: str, round_: str) -> str:
    return f"{part} · {round_}" if part else round_


def _is_decided(one: MeetingLine) -> bool:
    return one.status in (Status.PLAYED, Status.FREE, Status.EMPTY, Status.NOT_NEEDED)

"""Reads an event as all its pages do, so that a file no page could show is refused on its way in.

The shapes of `services.event_shapes` come first and name the path. This is the second line: the
queries of the public pages, of the desk and of the referee, called once for everything there is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Final

from django.contrib.auth.models import AnonymousUser, User
from django.db import OperationalError
from django.http import Http404

from engine.errors import DominoError
from referee import sheets
from referee.queries import records as record_queries
from referee.queries.sanctions import card_rules_of, ledger_page, public_lines
from tournaments.competition.types import BadRequest
from tournaments.models import LogEntry, Match, PairingRound, Stage, Tournament
from tournaments.queries import crowds, desk, desk_draw, events, players, results, standings
from tournaments.queries.appeals import appeal_page, appeals_page, readable_appeals
from tournaments.queries.brackets import bracket_page
from tournaments.queries.crowds import By
from tournaments.queries.groups import groups_page
from tournaments.queries.next_step import next_step, way
from tournaments.queries.proofs import proof_page, stored_draw
from tournaments.services import adjusting, exports, exports_desk
from tournaments.services.brackets import BRACKETS
from tournaments.words.log import log_lines

# Of so many entries the page is read, and of so many lines of the log the way back is tried: in
# a larger event the others are of the same rows, which have been read with their rounds.
MOST_READ_ONE_BY_ONE: Final = 300


def read_back(tournament: Tournament, user: User) -> None:
    """Read everything that the pages of an event read; raises whatever one of them would."""
    for read, at in _reads(tournament, user):
        try:
            read()
        except (Http404, OperationalError):
            # What is not there is told so by its page; a query longer than SQLite takes is no
            # fault of the file.
            continue
        except DominoError as error:
            raise BadRequest(path=at, expected="what its pages can show", found=error) from None
        except (ArithmeticError, AssertionError, AttributeError, LookupError, TypeError,
                ValueError) as error:  # fmt: skip
            found = f"{type(error).__name__}: {error}"[:120]
            raise BadRequest(path=at, expected="what its pages can show", found=found) from error


Read = tuple[Callable[[], object], str]


def _reads(tournament: Tournament, user: User) -> Iterator[Read]:
    """Yield each thing that is read, with the path in the file it is about."""
    page = partial(desk.director_page, tournament)
    yield partial(events.tournament_lines, [tournament]), "event"
    for visitor in (AnonymousUser(), user):
        yield partial(events.tournament_page, tournament, user=visitor), "event"
    yield partial(events.rules_page, tournament), "event.rules"
    yield partial(events.entry_lines, tournament), "entries"
    yield lambda: (next_step(page()), way(page())), "stages"
    yield partial(_read_log, tournament), "log"
    yield partial(record_queries.my_tables, user, tournament), "stages"
    yield partial(exports.entries_sheet, tournament, private=True), "entries"
    yield partial(standings.standings_page, tournament), "stages"
    yield partial(appeals_page, tournament), "appeals"
    yield partial(ledger_page, tournament, user), "sanctions"
    yield partial(public_lines, tournament), "sanctions"
    yield partial(card_rules_of, tournament), "event.policies"
    for place, appeal in enumerate(readable_appeals().filter(tournament=tournament)):
        yield partial(appeal_page, appeal), f"appeals[{place}]"
    for kind in exports_desk.SHEETS:
        yield partial(exports_desk.desk_sheet, tournament, kind), "event"
    for entry in tournament.entries.order_by("number")[:MOST_READ_ONE_BY_ONE]:
        yield partial(players.entry_page, entry), f"entries ({entry.number})"
    for place, stage in enumerate(
        tournament.stages.select_related("tournament").order_by("number")
    ):
        yield from _of_stage(stage, f"stages[{place}]", user)


def _of_stage(stage: Stage, at: str, user: User) -> Iterator[Read]:
    tournament = stage.tournament
    yield partial(standings.standings_page, tournament, stage=stage), f"{at}.standings"
    yield partial(_read_crowds, stage), f"{at}.standings"
    yield partial(exports.standings_sheet, stage), f"{at}.standings"
    if stage.system in BRACKETS:
        yield partial(bracket_page, stage), f"{at}.settings.bracket"
    if stage.system in (Stage.System.GROUPS, Stage.System.ROUND_ROBIN):
        yield partial(groups_page, stage), f"{at}.rounds"
    rounds = stage.rounds.select_related("stage__tournament").order_by("number")
    last = rounds.last()
    yield partial(desk_draw.prepare_page, stage, last.number + 1 if last else 1), f"{at}.settings"
    if stage.system == Stage.System.MANUAL:
        yield partial(desk.manual_round_page, stage), f"{at}.rounds"
    for place, one in enumerate(rounds):
        yield from _of_round(one, f"{at}.rounds[{place}]", user)


def _of_round(one: PairingRound, at: str, user: User) -> Iterator[Read]:
    yield partial(events.pairings_page, one, drafts=True), f"{at}.matches"
    yield partial(results.results_page, one), f"{at}.matches"
    yield partial(exports.results_sheet, [one]), f"{at}.matches"
    yield partial(standings.standings_after, one.stage, str(one.number)), f"{at}.standings"
    yield partial(exports.standings_sheet, one.stage, one), f"{at}.standings"
    yield partial(stored_draw, one), f"{at}.draw"
    yield partial(proof_page, one), f"{at}.draw"
    yield partial(desk_draw.prepare_page, one.stage, one.number), f"{at}.draw"
    if one.state == PairingRound.State.DRAFT or one.number == 1:
        yield partial(_read_adjustable, one), f"{at}.draw"
    recorded = record_queries.matches().filter(pairing_round=one, records__isnull=False)
    tables = list(one.matches.order_by("table").values_list("pk", flat=True))
    for match in _with_records(recorded):
        path = f"{at}.matches[{tables.index(match.pk)}].record"
        yield partial(_read_record, match, user), path
    for match in record_queries.matches().filter(pairing_round=one)[:1]:
        yield partial(_read_record, match, user), f"{at}.matches"


def _with_records(matches: Iterable[Match]) -> list[Match]:
    return list({match.pk: match for match in matches}.values())


def _read_record(match: Match, user: User) -> None:
    for visitor in (AnonymousUser(), user):
        sheets.match_sheet(match, visitor, sheets.ALL)
        record_queries.state(match, visitor)
        record_queries.document(match, visitor)
        record_queries.lines(match, visitor)
    record_queries.record_page(match, user)


def _read_adjustable(one: PairingRound) -> None:
    if adjusting.has_answer(one):
        adjusting.answer_of(one, adjusting.seating_of(one))
    desk_draw.adjust_page(one)


def _read_crowds(stage: Stage) -> None:
    tournament = stage.tournament
    page = standings.standings_page(tournament, stage=stage)
    for by in crowds.views_of(page):
        crowds.columns_of(stage, by)
        if by is By.PLAYER:
            crowds.player_lines(stage)
        elif by is By.CATEGORY:
            crowds.category_lines(stage)
        elif by is By.EVENT:
            crowds.event_lines(page.stages)
        elif by is not By.ENTRY:
            crowds.crowd_lines(stage, by, crowds.usual_count(by))


def _read_log(tournament: Tournament) -> None:
    lines = LogEntry.objects.filter(tournament=tournament).select_related("by", "undoes")
    log_lines(lines)

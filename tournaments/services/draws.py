"""Draws the pairing rounds of a stage, by its system, once for each round."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Q

from engine.profiles import Rules
from tournaments import permissions
from tournaments.competition.brackets import Bracket
from tournaments.errors import appeals as appeal_errors
from tournaments.errors import base as errors
from tournaments.errors import draws as draw_errors
from tournaments.errors import meetings as meeting_errors
from tournaments.errors import tables as table_errors
from tournaments.models import Bye, Entry, Match, PairingRound, Stage, StageEntry, Tournament
from tournaments.names import tidy
from tournaments.rules import rules_of
from tournaments.services import appeals, draw_requests, log, seat_requests, watches
from tournaments.services.brackets import BRACKETS, bracket_of, games_of, undecided_tables
from tournaments.services.draw_requests import Asked
from tournaments.services.lifecycle import locked, require_not_finished
from tournaments.services.seating import Table, seat
from tournaments.services.stages import require_stage_open
from tournaments.services.traces import traced

# What `draw["version"]` says of the code that drew: raised when an answer would change.
DRAW_VERSION = 1
BY_ROUND = (Stage.System.SWISS, Stage.System.ROTATING, Stage.System.TEAMS_OF_FOUR)
AT_ONCE = draw_requests.AT_ONCE


@transaction.atomic
@traced(watches.drawn_rounds)
def draw_round(
    stage: Stage, *, number: int, reason: str = "", provisional: bool = False, by: User
) -> PairingRound:
    """Draw pairing round `number` as a draft; drawn before, that draw is returned.

    Tables without result in the round before and appeals not decided yet are named; going on all
    the same needs a `reason`. Confirmed results count; `provisional` lets those that wait for
    their second check count as well, for this draw alone: the standings never know them.
    Systems that are drawn as a whole get all their rounds at the first call.
    """
    permissions.require_director(by, stage.tournament)
    tournament = locked(stage.tournament)
    require_not_finished(tournament)
    stage = Stage.objects.select_related("tournament", "source").get(pk=stage.pk)
    existing = stage.rounds.filter(number=number).first()
    if existing is not None and is_drawn(existing):
        return existing
    if tournament.state != Tournament.State.RUNNING:
        raise errors.TournamentNotStarted(tournament=tournament.name)
    require_stage_open(stage)
    _require_turn(stage, number, reason)
    if provisional and stage.system not in BY_ROUND:
        raise draw_errors.NothingIsProvisional(
            stage=stage.title, system=Stage.System(stage.system).label
        )
    if stage.system in BY_ROUND:
        drawn = _draw_by_round(stage, number, provisional=provisional)
    elif stage.system in BRACKETS:
        drawn = _draw_bracket_round(stage, number, reason)
    elif stage.system in AT_ONCE:
        drawn = _draw_whole(stage, number)
    elif stage.system == Stage.System.ELIMINATION:
        drawn = _draw_elimination(stage, number)
    else:
        raise table_errors.StageIsNotByHand(stage=stage.title)
    log.write(
        tournament,
        "round_drawn",
        by=by,
        stage=stage,
        stage_number=stage.number,
        round=number,
        tables=drawn.matches.count(),
        **({"reason": said} if (said := tidy(reason)) else {}),
        **({"provisional": counted} if (counted := _counted(drawn)) else {}),
    )
    return drawn


@transaction.atomic
@traced(watches.draft)
def discard_draft(pairing_round: PairingRound, *, by: User) -> None:
    """Throw away a drawn round that has not been published, so that it can be drawn anew.

    Locked tables, absences and byes that were asked for stay. Asked twice, it is gone once.
    """
    stage = pairing_round.stage
    permissions.require_director(by, stage.tournament)
    tournament = locked(stage.tournament)
    require_not_finished(tournament)
    draft = PairingRound.objects.filter(pk=pairing_round.pk).first()
    if draft is None or not draft.draw:
        return
    if draft.state != PairingRound.State.DRAFT:
        raise draw_errors.DraftNeeded(round=draft.number, stage=stage.title)
    if stage.system in AT_ONCE:
        raise draw_errors.WholeStageDrawn(stage=stage.title)
    draft.matches.filter(is_locked=False).delete()
    draft.byes.filter(kind=Bye.Kind.DRAWN).delete()
    draft.draw = {}
    draft.save(update_fields=["draw"])
    log.write(
        tournament,
        "draft_discarded",
        by=by,
        stage=stage,
        stage_number=stage.number,
        round=draft.number,
    )


def round_to_prepare(stage: Stage, number: int) -> PairingRound:
    """Return the draft of a round that has not been drawn, to note absences and byes in it."""
    found, _ = PairingRound.objects.get_or_create(stage=stage, number=number)
    return found


def is_drawn(pairing_round: PairingRound) -> bool:
    """Say whether a round has its tables; a draft thrown away may have kept locked ones."""
    # Asked of the database: the draw itself is long.
    drawn = Q(pk=pairing_round.pk) & (~Q(draw={}) | Q(matches__is_locked=False))
    return PairingRound.objects.filter(drawn).exists()


def _require_turn(stage: Stage, number: int, reason: str) -> None:
    """Refuse a round that is not the next, or whose predecessor is unfinished for no reason."""
    drawn = stage.rounds.filter(~Q(draw={}) | Q(matches__is_locked=False))
    last = drawn.defer("draw", "standings").order_by("-number").first()
    expected = last.number + 1 if last else 1
    if number != expected:
        raise table_errors.WrongRoundNumber(found=number, stage=stage.title, expected=expected)
    ends = stage.system in (*BY_ROUND, Stage.System.ELIMINATION)
    if ends and stage.rounds_planned and number > stage.rounds_planned:
        raise draw_errors.RoundsAreDrawn(stage=stage.title, rounds=stage.rounds_planned)
    protested = [one.number for one in appeals.undecided(stage)]
    if last is None:
        if protested and not tidy(reason):
            raise appeal_errors.AppealsUndecided(appeals=protested)
        return
    if stage.system in AT_ONCE:
        raise draw_errors.RoundsAreDrawn(stage=stage.title, rounds=last.number)
    if last.state == PairingRound.State.DRAFT:
        raise table_errors.EarlierRoundNotOut(earlier=last.number, round=number, stage=stage.title)
    missing = last.matches.exclude(state=Match.State.CLOSED).order_by("table")
    tables = list(missing.values_list("table", flat=True))
    if not (tables or protested) or tidy(reason):
        return
    if not protested:
        raise draw_errors.ResultsMissing(round=last.number, tables=tables)
    if not tables:
        raise appeal_errors.AppealsUndecided(appeals=protested)
    raise appeal_errors.ResultsAndAppealsOpen(round=last.number, tables=tables, appeals=protested)


def _counted(drawn: PairingRound) -> list[str]:
    """Return the results that a draw counted though they were not confirmed, in short."""
    return [f"{one['round']}/{one['table']}" for one in drawn.draw.get("provisional", ())]


def _draw_by_round(stage: Stage, number: int, *, provisional: bool) -> PairingRound:
    asked = draw_requests.next_round(stage, number, provisional=provisional)
    asked = seat_requests.with_seats(stage, number, asked)
    answer = draw_requests.drawn(asked)
    return _stored(stage, number, asked, answer)


def _stored(stage: Stage, number: int, asked: Asked, answer: Mapping[str, object]) -> PairingRound:
    pairing_round = round_to_prepare(stage, number)
    pairing_round.draw = {
        "request": asked.request,
        "answer": answer,
        "seed": stage.seed,
        "version": DRAW_VERSION,
    }
    if asked.provisional:
        pairing_round.draw["provisional"] = [one.json() for one in asked.provisional]
    pairing_round.save(update_fields=["draw"])
    written = seat_requests.tables_of(asked.request, answer)
    tables = [table_of(stage, one, asked.entries) for one in written]
    byes = [asked.entries[str(one)] for one in _list(answer["byes"])]
    seat(stage.tournament, [(pairing_round, at_fixed_tables(tables), byes)])
    return pairing_round


def _draw_elimination(stage: Stage, number: int) -> PairingRound:
    asked = draw_requests.whole_stage(stage)
    return _stored(stage, number, asked, draw_requests.drawn(asked))


def table_of(
    stage: Stage,
    answered: Mapping[str, object],
    entries: Mapping[str, Entry],
    *,
    group: str = "",
    shift: int = 0,
) -> Table:
    """Return a table of an answer; partners sit opposite each other."""
    if "seats" in answered:
        seated = [entries[str(one)] for one in _list(answered["seats"])]
    else:
        sides = [[entries[str(one)] for one in _list(answered[side])] for side in ("AC", "BD")]
        seated = [one for place in zip(*sides, strict=True) for one in place]
    number = stage.first_table - 1 + shift + int(str(answered["table"]))
    return Table(number, seated, group=group, rules=table_rules(stage))


def table_rules(stage: Stage) -> dict[str, object] | None:
    """Return the rules of a stage's tables where they differ from the event's."""
    usual = rules_of(stage.tournament)
    options: dict[str, str | int] = dict(usual.options)
    if stage.system == Stage.System.ELIMINATION:
        options["survivors"] = stage.settings["draw"]["survivors"]
        options["limit_together"] = stage.settings.get("limit_together", usual.limit_together)
    rules = Rules.of(usual.profile, stage.target or usual.target, options, usual.own)
    return None if rules == usual else rules.frozen_json()


def at_fixed_tables(tables: Sequence[Table]) -> list[Table]:
    """Return the tables with entries that need one of their own at it; who had it changes place.

    Where two such entries meet, the table of the first counts.
    """
    numbers = {one.number: place for place, one in enumerate(tables)}
    placed = list(tables)
    for place, one in enumerate(tables):
        wanted = next((entry.fixed_table for entry in one.entries if entry.fixed_table), None)
        if wanted is None or placed[place].number == wanted:
            continue
        other = numbers.get(wanted)
        mine = placed[place].number
        del numbers[mine]
        if other is not None:
            placed[other] = _renumbered(placed[other], mine)
            numbers[mine] = other
        placed[place] = _renumbered(placed[place], wanted)
        numbers[wanted] = place
    return placed


def _renumbered(table: Table, number: int) -> Table:
    return Table(number, table.entries, table.group, table.meeting, table.game, table.rules)


def _draw_whole(stage: Stage, number: int) -> PairingRound:
    asked = draw_requests.whole_stage(stage)
    answer = draw_requests.drawn(asked)
    by_round: dict[int, list[Table]] = {}
    byes: dict[int, list[Entry]] = {}
    shift = 0
    whole: dict[str, Any] = {"group": "", "rounds": answer.get("rounds")}
    groups = _list(answer["groups"]) if "groups" in answer else [whole]
    for group in groups:
        for one in group["rounds"]:
            tables = by_round.setdefault(one["round"], [])
            tables += [
                table_of(stage, each, asked.entries, group=group["group"], shift=shift)
                for each in one["tables"]
            ]
            byes.setdefault(one["round"], []).extend(asked.entries[id_] for id_ in one["byes"])
        shift += max(len(one["tables"]) for one in group["rounds"])
    if "groups" in answer:
        _enter_groups(stage, asked, groups)
    # The whole answer is long, and the same for all rounds: the first one keeps it.
    draws: dict[int, dict[str, object]] = {n: {"whole": True} for n in sorted(by_round)}
    draws[1] = {
        "request": asked.request,
        "answer": answer,
        "seed": stage.seed,
        "version": DRAW_VERSION,
    }
    rounds = _rounds_with(stage, draws)
    seat(
        stage.tournament,
        [(one, at_fixed_tables(by_round[one.number]), byes[one.number]) for one in rounds],
    )
    return stage.rounds.get(number=number)


def _enter_groups(stage: Stage, asked: Asked, groups: Iterable[Mapping[str, Any]]) -> None:
    """Write down the group of each entry."""
    group_of = {
        asked.entries[id_].pk: group["group"] for group in groups for id_ in group["entries"]
    }
    members = list(stage.stage_entries.filter(entry__in=group_of))
    for member in members:
        member.group = group_of[member.entry_id]
    StageEntry.objects.bulk_update(members, ["group"])


def _rounds_with(stage: Stage, draws: Mapping[int, dict[str, object]]) -> list[PairingRound]:
    """Return rounds with their draws, by number; those prepared before keep what was noted."""
    prepared = list(stage.rounds.filter(number__in=draws))
    for one in prepared:
        one.draw = draws[one.number]
    PairingRound.objects.bulk_update(prepared, ["draw"])
    missing = sorted(draws.keys() - {one.number for one in prepared})
    made = PairingRound.objects.bulk_create(
        PairingRound(stage=stage, number=number, draw=draws[number]) for number in missing
    )
    return sorted([*prepared, *made], key=lambda one: one.number)


def _draw_bracket_round(stage: Stage, number: int, reason: str) -> PairingRound:
    undecided = undecided_tables(stage)
    if undecided and not tidy(reason):
        names = [f"{one.table} ({one.meeting})" for one in undecided]
        raise meeting_errors.NobodyGoesOn(tables=names, round=number)
    draw: dict[str, object] = {"version": DRAW_VERSION, "seed": stage.seed}
    if "bracket" not in stage.settings:
        asked = draw_requests.whole_stage(stage)
        answer = draw_requests.drawn(asked)
        stage.settings = {**stage.settings, "bracket": answer["matches"]}
        stage.save(update_fields=["settings"])
        draw |= {"request": asked.request, "answer": answer}
    bracket = bracket_of(stage)
    assert bracket is not None
    if bracket.is_over:
        champion = stage.tournament.entries.filter(number=int(bracket.champion or 0)).first()
        raise draw_errors.BracketIsOver(stage=stage.title, champion=champion or "–")
    tables = _ready_tables(stage, bracket)
    if not tables:
        raise draw_errors.BracketWaits(stage=stage.title)
    pairing_round = round_to_prepare(stage, number)
    pairing_round.draw = draw | {"meetings": [one.meeting for one in tables]}
    pairing_round.save(update_fields=["draw"])
    seat(stage.tournament, [(pairing_round, at_fixed_tables(tables), [])])
    return pairing_round


def _ready_tables(stage: Stage, bracket: Bracket) -> list[Table]:
    """Return a table for the next game of every meeting that can be played now."""
    entries = {str(one.number): one for one in stage.tournament.entries.select_related("club")}
    games = games_of(stage)
    open_meetings = set(
        Match.objects.filter(pairing_round__stage=stage)
        .exclude(state=Match.State.CLOSED)
        .values_list("meeting", flat=True)
    )
    # Nor is another game made where the desk has still to say who goes on.
    open_meetings |= {one.meeting for one in undecided_tables(stage)}
    ready = [name for name in bracket.ready if name not in open_meetings]
    return [
        Table(
            stage.first_table - 1 + table,
            [entries[entry] for entry in bracket.matches[name].entries],
            meeting=name,
            game=len(games.get(name, ())) + 1,
            rules=table_rules(stage),
        )
        for table, name in enumerate(ready, start=1)
    ]


def _list(value: object) -> list[Any]:
    """Return a list of an answer; answers are ours and have the shape of spec/pairing.md."""
    assert isinstance(value, list)
    return value

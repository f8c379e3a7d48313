"""What is asked before rows are put back: things that stand on a decision but not on its rows."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from django.contrib.auth.models import User

from tournaments.errors import base as errors
from tournaments.errors import draws as draw_errors
from tournaments.errors import scores as score_errors
from tournaments.errors import tables as table_errors
from tournaments.errors import undoing as undo_errors
from tournaments.models import (
    Entry,
    LogEntry,
    Match,
    MatchSeat,
    Official,
    PairingRound,
    Stage,
)
from tournaments.services import adjusting, draws, ratings, results, waiting_list
from tournaments.services.appeals import require_open as require_appeal_open
from tournaments.services.standings import rebuild_standings
from tournaments.words.log import LineOfLog

# The acts whose rows the log keeps, and whose way back is to put them back.
BY_ROWS: Final = (
    "rules_changed",
    "details_changed",
    "registration_opened",
    "started",
    "finished",
    "official_added",
    "official_removed",
    "registration_changed",
    "policies_changed",
    "result_rules_changed",
    "link_rules_changed",
    "second_check_on",
    "second_check_off",
    "results_hidden",
    "results_shown",
    "rooms_named",
    "rooms_removed",
    "screen_made",
    "screen_changed",
    "screen_switched",
    "screen_removed",
    "tie_breaks_changed",
    "entry_registered",
    "entry_registered_itself",
    "entries_imported",
    "entry_changed",
    "entry_removed",
    "entry_reinstated",
    "entry_moved_up",
    "entry_joined_late",
    "player_corrected",
    "players_merged",
    "appeal_panel",
    "appeal_time_set",
    "substitute_added",
    "substitute_removed",
    "substituted",
    "fee_paid",
    "fee_not_paid",
    "checked_in",
    "check_in_undone",
    "bye_asked",
    "bye_worth",
    "entry_plays",
    "meeting_forbidden",
    "meeting_allowed",
    "stage_made",
    "round_robin_made",
    "stage_closed",
    "stage_reopened",
    "stage_discarded",
    "round_drawn",
    "round_seated",
    "draft_discarded",
    "round_remade",
    "table_locked",
    "table_unlocked",
    "table_rules",
    "clock_set",
    "clock_stopped",
    "extra_time",
    "result_reported",
    "report_rejected",
    "match_reopened",
    "match_replayed",
    "card_given",
    "card_confirmed",
    "cards_confirmed",
    "card_dropped",
    "card_rules_changed",
    "card_kinds_changed",
)

_DRAWS: Final = ("round_drawn", "round_seated", "round_robin_made")


def require_undrawn(stage: Stage, number: int, entry: Entry) -> None:
    """Refuse where a round was drawn with an entry, or without it, since."""
    found = stage.rounds.filter(number=number).first()
    if found is not None and draws.is_drawn(found):
        raise undo_errors.PlaysSince(entry=entry.name, round=number, stage=stage.title)


def _no_stage(line: LogEntry) -> None:
    first = line.tournament.stages.order_by("number").first()
    if first is not None:
        raise undo_errors.StageStands(stage=first.title)


def _nothing_published(line: LogEntry) -> None:
    published = (
        PairingRound.objects.filter(stage__tournament=line.tournament_id)
        .exclude(state=PairingRound.State.DRAFT)
        .select_related("stage")
        .first()
    )
    if published is not None:
        raise errors.RulesAreFrozen(
            tournament=line.tournament.name, stage=published.stage.title, round=published.number
        )


def _a_director_stays(line: LogEntry) -> None:
    if line.details["duty"] != Official.Duty.DIRECTOR:
        return
    if line.tournament.officials.filter(duty=Official.Duty.DIRECTOR).count() == 1:
        raise errors.LastDirector(
            username=line.details["username"], tournament=line.tournament.name
        )


def _not_drawn_since(line: LogEntry) -> None:
    """Refuse where an entry got a seat by a draw made after the line."""
    entry = line.tournament.entries.filter(number=line.details["entry"]).first()
    later = LogEntry.objects.filter(
        tournament=line.tournament_id, pk__gt=line.pk, act__in=_DRAWS, undone_by__isnull=True
    )
    for draw in later.order_by("pk"):
        seat = MatchSeat.objects.filter(
            entry=entry,
            pairing_round__stage__tournament=line.tournament_id,
            pairing_round__stage__number=draw.details.get("stage_number"),
            pairing_round__number__gte=draw.details.get("round", 1),
        )
        if entry is not None and (found := seat.select_related("pairing_round__stage").first()):
            raise undo_errors.PlaysSince(
                entry=entry.name,
                round=found.pairing_round.number,
                stage=found.pairing_round.stage.title,
            )


def _round_not_drawn(line: LogEntry) -> None:
    stage, number = _stage(line), line.details["round"]
    entry = line.tournament.entries.filter(number=line.details["entry"]).first()
    if stage is not None and entry is not None:
        require_undrawn(stage, number, entry)


def _nobody_goes_on(line: LogEntry) -> None:
    stage = _stage(line)
    later = stage.stages_after.order_by("number").first() if stage else None
    if stage is not None and later is not None:
        raise draw_errors.StageHasSuccessor(stage=stage.title, later=later.title)


def _is_draft(line: LogEntry) -> None:
    """Refuse where a drawn round is out, or was changed by hand."""
    stage = _stage(line)
    if stage is None:
        return
    whole = stage.system in draws.AT_ONCE
    rounds = stage.rounds.filter(number__gte=line.details["round"])
    for one in rounds if whole else rounds.filter(number=line.details["round"]):
        if one.state != PairingRound.State.DRAFT:
            raise undo_errors.RoundIsOut(round=one.number, stage=stage.title)
        change = adjusting.last_change(one)
        if change is not None:
            raise undo_errors.DraftIsChanged(
                round=one.number, stage=stage.title, line=LineOfLog(change)
            )


def _is_undrawn(line: LogEntry) -> None:
    stage = _stage(line)
    found = stage.rounds.filter(number=line.details["round"]).first() if stage else None
    if stage is not None and found is not None and draws.is_drawn(found):
        later = LogEntry.objects.filter(
            tournament=line.tournament_id,
            pk__gt=line.pk,
            act__in=_DRAWS,
            details__stage_number=stage.number,
            undone_by__isnull=True,
        )
        newest = later.order_by("-pk").first()
        if newest is not None:
            raise undo_errors.LaterLineStands(line=LineOfLog(newest))


def _waits(line: LogEntry) -> None:
    match = Match.objects.filter(pk=line.details["match"]).first()
    if match is not None and match.state != Match.State.WAITING:
        raise table_errors.TableHasBegun(table=match.table)


def _no_result(line: LogEntry) -> None:
    match = Match.objects.filter(pk=line.details["match"]).first()
    if match is None or match.state == Match.State.CLOSED:
        raise score_errors.ChangedSince(table=line.details["table"])


def _no_report(line: LogEntry) -> None:
    _no_result(line)
    match = Match.objects.get(pk=line.details["match"])
    if match.reported.filter(accepted__isnull=True).exists():
        raise score_errors.ChangedSince(table=match.table)


def _is_undecided(line: LogEntry) -> None:
    appeal = line.tournament.appeals.filter(number=line.details["appeal"]).first()
    if appeal is not None:
        require_appeal_open(appeal)


def _stage(line: LogEntry) -> Stage | None:
    number = line.details.get("stage_number")
    found: Stage | None = line.tournament.stages.filter(number=number).first()
    return found


GUARDS: Final[Mapping[str, Callable[[LogEntry], None]]] = {
    "started": _no_stage,
    "rules_changed": _nothing_published,
    "card_kinds_changed": _nothing_published,
    "official_added": _a_director_stays,
    "entry_reinstated": _not_drawn_since,
    "entry_moved_up": _not_drawn_since,
    "entry_joined_late": _not_drawn_since,
    "bye_asked": _round_not_drawn,
    "entry_plays": _round_not_drawn,
    "stage_closed": _nobody_goes_on,
    "round_drawn": _is_draft,
    "round_seated": _is_draft,
    "draft_discarded": _is_undrawn,
    "table_rules": _waits,
    "result_reported": _no_result,
    "report_rejected": _no_report,
    "appeal_panel": _is_undecided,
}


def _give_free_place(line: LogEntry, by: User) -> None:
    waiting_list.move_up(line.tournament, by=by)


def _settle_table(line: LogEntry, by: User) -> None:
    match = Match.objects.select_related("pairing_round__stage").get(pk=line.details["match"])
    results.settle_round(match.pairing_round)
    results.schedule_standings(match.pairing_round.stage)


def _count_anew(line: LogEntry, by: User) -> None:
    for stage in line.tournament.stages.filter(state=Stage.State.OPEN):
        rebuild_standings(stage)
        results.schedule_standings(stage)


def _rate_anew(entry: LogEntry, by: User) -> None:
    """Hidden tables rate nobody: what was hidden or shown moves the ratings."""
    ratings.schedule_ratings(entry.tournament_id)


# What follows from rows that were put back.
AFTER: Final[Mapping[str, Callable[[LogEntry, User], None]]] = {
    "entry_registered": _give_free_place,
    "entry_registered_itself": _give_free_place,
    "entries_imported": _give_free_place,
    "match_reopened": _settle_table,
    "match_replayed": _settle_table,
    "finished": _count_anew,
    "results_hidden": _rate_anew,
    "results_shown": _rate_anew,
}

"""Results that count only once a second person has typed the same."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction

from tournaments import permissions
from tournaments.errors import scores as score_errors
from tournaments.models import Match, ReportedResult, Tournament
from tournaments.services import followers, log, results, scores, watches
from tournaments.services.lifecycle import locked, require_not_finished
from tournaments.services.results import SeatResult
from tournaments.services.scores import Score
from tournaments.services.traces import keep_made, traced

SECOND_CHECK = "second_check"


def needs_second_check(tournament: Tournament) -> bool:
    """Say whether a score typed at the desk waits for a second person."""
    return bool(tournament.policies.get(SECOND_CHECK))


@transaction.atomic
@traced(watches.itself("policies"))
def set_second_check(tournament: Tournament, *, needed: bool, by: User) -> Tournament:
    """Say whether typed scores wait for a second person. Results stored before stay."""
    permissions.require_director(by, tournament)
    tournament = locked(tournament)
    require_not_finished(tournament)
    if needs_second_check(tournament) == needed:
        return tournament
    tournament.policies = {**tournament.policies, SECOND_CHECK: needed}
    tournament.save(update_fields=["policies"])
    log.write(tournament, "second_check_on" if needed else "second_check_off", by=by)
    return tournament


@transaction.atomic
def submit_score(
    match: Match,
    *,
    points: Score,
    deducted: Mapping[str, int] | None = None,
    sure: bool = False,
    over: bool = False,
    by: User,
) -> Match:
    """Store the score of a table, or report it where a second person has to type the same.

    Where the second person typed something else, ReportsDiffer shows both; `over` says that the
    second is right. Whoever reported first may correct their own report.
    """
    permissions.require_may_record(by, match)
    match = results.locked_match(match)
    if not needs_second_check(match.pairing_round.stage.tournament):
        return scores.record_score(match, points=points, deducted=deducted, sure=sure, by=by)
    given = scores.seat_results(match, points, deducted)
    scores.require_sure(match, points, sure)
    if match.state == Match.State.CLOSED:
        # The same again does nothing; anything else is a correction.
        return results.close_with(match, given, act="result", by=by)
    written = {letter: asdict(result) for letter, result in given.items()}
    waiting = open_report(match)
    if waiting is not None and waiting.by_id != by.pk:
        return _checked(match, waiting, written, over=over, by=by)
    before: list[object] = []
    if waiting is not None:
        if waiting.seats == written:
            return match
        _settle(waiting, accepted=False)
        before = [_settled(waiting, accepted=False)]
    report = ReportedResult.objects.create(match=match, seats=written, by=by)
    line = results.write_log(match, "result_reported", by=by, points=_points(written))
    keep_made(line, [report], before)
    return match


@transaction.atomic
def accept_report(match: Match, *, by: User) -> Match:
    """Confirm the report of somebody else, without typing it again."""
    permissions.require_may_record(by, match)
    match = results.locked_match(match)
    waiting = _waiting(match)
    if waiting.by_id == by.pk:
        raise score_errors.NothingReported(table=match.table)
    return _checked(match, waiting, waiting.seats, over=False, by=by)


@transaction.atomic
def reject_report(match: Match, *, by: User) -> Match:
    """Throw a report away; the standings never knew it."""
    permissions.require_referee(by, match.pairing_round.stage.tournament)
    match = results.locked_match(match)
    waiting = _waiting(match)
    _settle(waiting, accepted=False)
    line = results.write_log(match, "report_rejected", by=by, points=_points(waiting.seats))
    keep_made(line, [], [_settled(waiting, accepted=False)])
    return match


def open_report(match: Match) -> ReportedResult | None:
    """Return the result of a table that waits for its second check."""
    return match.reported.select_related("by").filter(accepted__isnull=True).first()


def _checked(
    match: Match, waiting: ReportedResult, written: Mapping[str, Any], *, over: bool, by: User
) -> Match:
    agreed = waiting.seats == written
    if not agreed and not over:
        raise score_errors.ReportsDiffer(
            who=waiting.by or "–",
            first=said(waiting.seats),
            second=said(written),
            table=match.table,
        )
    _settle(waiting, accepted=agreed)
    settled = [waiting.pk]
    given = {letter: SeatResult(**values) for letter, values in written.items()}
    first = waiting.by.username if waiting.by else ""
    match = results.close_with(
        match, given, act="result", by=by, source="score", checked=first, reports=settled
    )
    followers.table_changed_after(match, by=by)
    return match


def _waiting(match: Match) -> ReportedResult:
    waiting = open_report(match)
    if waiting is None:
        raise score_errors.NothingReported(table=match.table)
    return waiting


def _settle(report: ReportedResult, *, accepted: bool) -> None:
    report.accepted = accepted
    report.save(update_fields=["accepted"])


def _settled(report: ReportedResult, *, accepted: bool) -> list[object]:
    """Return what settling a report changed, as the log keeps changed rows."""
    label = ReportedResult._meta.label_lower
    return [label, report.pk, {"accepted": None}, {"accepted": accepted}]


def _points(written: Mapping[str, Any]) -> dict[str, list[int]]:
    return {seat: [one["points_for"], one["points_against"]] for seat, one in written.items()}


def said(written: Mapping[str, Any]) -> str:
    """Return a report as it is typed: 200–137, or the totals of those who play alone."""
    first = written[min(written)]
    if any(one["points_for"] for one in written.values()):
        return f"{first['points_for']}–{first['points_against']}"
    return "–".join(str(written[seat]["points_against"]) for seat in sorted(written))

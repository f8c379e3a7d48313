"""What is still open in an event that somebody is about to end."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext, ngettext

from tournaments.digits import local_digits
from tournaments.errors.base import listed
from tournaments.models import Appeal, Match, PairingRound, ReportedResult, Stage, Tournament
from tournaments.queries.desk import director_page
from tournaments.queries.desk_draw import next_draw
from tournaments.services.brackets import BRACKETS, bracket_of, undecided_tables


@dataclass(frozen=True, slots=True)
class Ending:
    """Sentences: `blocks` has to be settled first, `open` stays as it is when the event ends."""

    blocks: tuple[str, ...]
    open: tuple[str, ...]


def ending_of(tournament: Tournament) -> Ending:
    """Say what is open: missing results, and all that is not decided yet."""
    stages = list(tournament.stages.filter(state=Stage.State.OPEN).order_by("number"))
    said = [
        *_reports(tournament),
        *(one for stage in stages for one in _undecided(stage)),
        *_drafts(tournament),
        *_rounds_left(tournament),
    ]
    return Ending((*_missing(tournament), *_appeals(tournament)), tuple(said))


def _missing(tournament: Tournament) -> list[str]:
    """Name the tables without result, round by round."""
    tables: dict[tuple[str, int], list[int]] = {}
    found = (
        Match.objects.filter(pairing_round__stage__tournament=tournament)
        .exclude(pairing_round__state=PairingRound.State.DRAFT)
        .exclude(state=Match.State.CLOSED)
        .order_by("pairing_round__stage__number", "pairing_round__number", "table")
        .select_related("pairing_round__stage")
        .defer("pairing_round__draw", "pairing_round__standings")
    )
    for match in found:
        key = (match.pairing_round.stage.title, match.pairing_round.number)
        tables.setdefault(key, []).append(match.table)
    return [
        ngettext(
            "Round %(round)s of %(stage)s: table %(tables)s has no result.",
            "Round %(round)s of %(stage)s: tables %(tables)s have no result.",
            len(numbers),
        )
        % {"round": local_digits(number), "stage": stage, "tables": listed(numbers)}
        for (stage, number), numbers in tables.items()
    ]


def _appeals(tournament: Tournament) -> list[str]:
    numbers = list(
        tournament.appeals.filter(state=Appeal.State.FILED)
        .order_by("number")
        .values_list("number", flat=True)
    )
    if not numbers:
        return []
    text = ngettext(
        "Appeal %(numbers)s is not decided.", "Appeals %(numbers)s are not decided.", len(numbers)
    )
    return [text % {"numbers": listed(numbers)}]


def _reports(tournament: Tournament) -> list[str]:
    waiting = ReportedResult.objects.filter(
        match__pairing_round__stage__tournament=tournament, accepted__isnull=True
    )
    tables = list(waiting.order_by("match__table").values_list("match__table", flat=True))
    if not tables:
        return []
    text = ngettext(
        "The result of table %(tables)s waits for its second check.",
        "The results of tables %(tables)s wait for their second check.",
        len(tables),
    )
    return [text % {"tables": listed(tables)}]


def _undecided(stage: Stage) -> list[str]:
    if stage.system not in BRACKETS:
        return []
    said = [
        gettext("Both sides of table %(table)s have lost, and nobody has said who goes on.")
        % {"table": local_digits(one.table)}
        for one in undecided_tables(stage)
    ]
    bracket = bracket_of(stage)
    if bracket is not None and not bracket.is_over:
        said.append(gettext("%(stage)s has no winner yet.") % {"stage": stage.title})
    return said


def _drafts(tournament: Tournament) -> list[str]:
    drafts = (
        PairingRound.objects.filter(
            stage__tournament=tournament,
            state=PairingRound.State.DRAFT,
            matches__isnull=False,
            stage__state=Stage.State.OPEN,
        )
        .distinct()
        .order_by("stage__number", "number")
        .select_related("stage")
        .defer("draw", "standings")
    )
    rounds: dict[str, list[int]] = {}
    for one in drafts:
        rounds.setdefault(one.stage.title, []).append(one.number)
    return [
        ngettext(
            "Round %(rounds)s of %(stage)s is drawn but not published.",
            "Rounds %(rounds)s of %(stage)s are drawn but not published.",
            len(numbers),
        )
        % {"rounds": listed(numbers), "stage": stage}
        for stage, numbers in rounds.items()
    ]


def _rounds_left(tournament: Tournament) -> list[str]:
    said = []
    for line in director_page(tournament).stages:
        number = next_draw(line)
        if number and line.stage.system not in BRACKETS:
            text = gettext("Round %(round)s of %(stage)s has not been drawn.")
            said.append(text % {"round": local_digits(number), "stage": line.stage.title})
    return said

"""Results that are reported and not confirmed yet, which a draw counts only where it is told to."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from tournaments.competition.types import EntryResult
from tournaments.models import Match, MatchSeat, ReportedResult, Stage
from tournaments.rules import rules_of
from tournaments.services import reports, standings


@dataclass(frozen=True, slots=True)
class Reported:
    """A table whose result waits for its second check: what was typed, and what each takes."""

    round: int
    table: int
    score: str
    results: tuple[EntryResult, ...]

    def json(self) -> dict[str, object]:
        """Return it as the proof of a draw keeps it."""
        return {"round": self.round, "table": self.table, "score": self.score}


def reported_results(stage: Stage) -> list[Reported]:
    """Return what is reported in a stage and not confirmed, by round and table."""
    waiting = (
        ReportedResult.objects.filter(match__pairing_round__stage=stage, accepted__isnull=True)
        .exclude(match__state=Match.State.CLOSED)
        .select_related("match__pairing_round")
        .defer("match__pairing_round__draw", "match__pairing_round__standings")
        .order_by("match__pairing_round__number", "match__table", "pk")
    )
    by_match = {one.match_id: one for one in waiting}
    entries: dict[int, dict[str, int]] = {}
    for match, letter, number in MatchSeat.objects.filter(match__in=by_match).values_list(
        "match", "seat", "entry__number"
    ):
        entries.setdefault(match, {})[letter] = number
    usual = rules_of(stage.tournament)
    return [
        Reported(
            one.match.pairing_round.number,
            one.match.table,
            reports.said(one.seats),
            tuple(
                standings.at_table(
                    one.match.pairing_round.number,
                    entries[one.match_id],
                    one.seats,
                    usual if one.match.rules is None else rules_of(one.match),
                )
            ),
        )
        for one in by_match.values()
        # A seat may have changed hands since the report was typed.
        if one.seats.keys() == entries[one.match_id].keys()
    ]


def results_in(reported: Iterable[Reported]) -> list[EntryResult]:
    """Return what all entries would take from these tables."""
    return [result for one in reported for result in one.results]

"""Sets how an event counts results where its rule book says nothing, or events differ."""

from __future__ import annotations

from dataclasses import asdict, dataclass

from django.contrib.auth.models import User
from django.db import transaction

from tournaments import permissions
from tournaments.errors import scores as score_errors
from tournaments.models import Tournament
from tournaments.services import log, scores, watches
from tournaments.services.disqualification import LEFT_GET_TARGET, LEFT_GET_WALKOVER
from tournaments.services.lifecycle import locked, require_not_finished
from tournaments.services.traces import traced

LEFT = (LEFT_GET_TARGET, LEFT_GET_WALKOVER)
AFTER_FINE = (scores.NOBODY_WINS, scores.RIVALS_WIN)


@dataclass(frozen=True, slots=True)
class ResultRules:
    """How results count; None is as the rule book has it.

    `level_results`: may a match that the bell ended be nobody's win. `left_at_table`: what those
    get who were left at a table in the middle of play. `after_fine`: who wins a match of pairs
    whose winner lost it by penalty points.
    """

    level_results: bool | None = None
    left_at_table: str | None = None
    after_fine: str | None = None


def result_rules(tournament: Tournament) -> ResultRules:
    """Return what an event has set."""
    said = tournament.policies
    return ResultRules(
        said.get("level_results"), said.get("left_at_table"), said.get(scores.AFTER_FINE)
    )


@transaction.atomic
@traced(watches.itself("policies"))
def set_result_rules(tournament: Tournament, given: ResultRules, *, by: User) -> Tournament:
    """Set how results count from now on; those stored before stay. The same again does nothing."""
    permissions.require_director(by, tournament)
    tournament = locked(tournament)
    require_not_finished(tournament)
    for name, value, known in (
        ("left_at_table", given.left_at_table, LEFT),
        (scores.AFTER_FINE, given.after_fine, AFTER_FINE),
    ):
        if value is not None and value not in known:
            raise score_errors.UnknownResultRule(setting=name, found=value, known=list(known))
    if result_rules(tournament) == given:
        return tournament
    policies = dict(tournament.policies)
    for name, value in asdict(given).items():
        policies.pop(name, None)
        if value is not None:
            policies[name] = value
    tournament.policies = policies
    tournament.save(update_fields=["policies"])
    log.write(tournament, "result_rules_changed", by=by, **asdict(given))
    return tournament

"""Hides the results of the last rounds until the prize-giving, and shows them."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.db import transaction

from tournaments import permissions
from tournaments.errors import hidden as errors
from tournaments.models import Stage, Tournament
from tournaments.policies import LATEST_ROUND
from tournaments.publication import HIDDEN_FROM, hidden
from tournaments.services import log, ratings, watches
from tournaments.services.lifecycle import locked
from tournaments.services.traces import traced


@transaction.atomic
@traced(watches.itself("policies"))
def hide_results(tournament: Tournament, *, stage: int, round: int, by: User) -> Tournament:  # noqa: A002
    """Hide the results of round `round` of a stage and of all that follow from the public.

    Who sits where is still seen. The same again does nothing. An event that is over can do it
    too: its prizes may be given later.
    """
    permissions.require_director(by, tournament)
    tournament = locked(tournament)
    found = _stage(tournament, stage)
    if found is None:
        numbers = list(tournament.stages.order_by("number").values_list("number", flat=True))
        raise errors.NoStageToHide(found=stage, numbers=numbers)
    if not 1 <= round <= LATEST_ROUND:
        raise errors.NoRoundToHide(found=round, last=LATEST_ROUND)
    if hidden(tournament).since == (stage, round):
        return tournament
    tournament.policies = {**tournament.policies, HIDDEN_FROM: [stage, round]}
    _store(tournament)
    log.write(tournament, "results_hidden", by=by, stage=found, round=round)
    return tournament


@transaction.atomic
@traced(watches.itself("policies"))
def show_results(tournament: Tournament, *, by: User) -> Tournament:
    """Show all results to everybody, as at the prize-giving. Done twice, it is done once."""
    permissions.require_director(by, tournament)
    tournament = locked(tournament)
    since = hidden(tournament).since
    if since is None:
        return tournament
    tournament.policies = {
        name: value for name, value in tournament.policies.items() if name != HIDDEN_FROM
    }
    _store(tournament)
    stage = _stage(tournament, since[0])
    log.write(tournament, "results_shown", by=by, stage=stage or str(since[0]), round=since[1])
    return tournament


def _store(tournament: Tournament) -> None:
    tournament.save(update_fields=["policies"])
    # A rating would tell how a hidden table ended.
    ratings.schedule_ratings(tournament.pk)


def _stage(tournament: Tournament, number: int) -> Stage | None:
    return tournament.stages.filter(number=number).first()

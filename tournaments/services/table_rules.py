"""Lets one table play by other rules than its event."""

from __future__ import annotations

from collections.abc import Mapping

from django.contrib.auth.models import User
from django.db import transaction

from engine.profiles import Rules
from tournaments import permissions
from tournaments.errors import base as errors
from tournaments.errors import tables as table_errors
from tournaments.models import LONG_IN_ROUND, Match
from tournaments.rules import has_partners, players_allowed, rules_of
from tournaments.services import log, watches
from tournaments.services.lifecycle import require_not_finished
from tournaments.services.traces import traced


@transaction.atomic
@traced(watches.itself("rules"))
def set_table_rules(
    match: Match,
    *,
    profile: str = "",
    target: int | None = None,
    options: Mapping[str, str | int] | None = None,
    by: User,
) -> Match:
    """Freeze other rules for a table that waits; without a profile it plays by the event's."""
    tournament = match.pairing_round.stage.tournament
    permissions.require_director(by, tournament)
    Match.objects.select_for_update().get(pk=match.pk)
    with_event = Match.objects.select_related("pairing_round__stage__tournament")
    match = with_event.defer(*LONG_IN_ROUND).get(pk=match.pk)
    tournament = match.pairing_round.stage.tournament
    require_not_finished(tournament)
    if match.state != Match.State.WAITING:
        raise table_errors.TableHasBegun(table=match.table)
    usual = rules_of(tournament)
    rules = Rules.of(profile, target, options, usual.own) if profile else usual
    players = match.seats.count()
    allowed = players_allowed(rules)
    if players not in allowed:
        raise errors.WrongTableSize(found=players, allowed=list(allowed))
    if has_partners(usual, players) != has_partners(rules, players):
        raise errors.PartnersNeeded(found=players)
    frozen = None if rules == usual else rules.frozen_json()
    if match.rules == frozen:
        return match
    match.rules = frozen
    match.save(update_fields=["rules", "changed_at"])
    log.write(
        tournament,
        "table_rules",
        by=by,
        match=match.pk,
        table=match.table,
        round=match.pairing_round.number,
        stage=match.pairing_round.stage,
        rules=rules.frozen_json(),
    )
    return match

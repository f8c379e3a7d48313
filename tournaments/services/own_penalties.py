"""Sets an event's own kinds of infractions and its own numbers, kept with its frozen rules."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.db import transaction

from engine.own_penalties import own_json, read_own
from tournaments import permissions
from tournaments.models import Match, Tournament
from tournaments.rules import rules_of
from tournaments.services import log
from tournaments.services.lifecycle import locked, require_not_finished, require_rules_open
from tournaments.services.traces import Watched, Watching, traced


def _rules(tournament: Tournament, **_: object) -> Watching:
    tables = Match.objects.filter(pairing_round__stage__tournament=tournament, rules__isnull=False)
    return [
        Watched(Tournament.objects.filter(pk=tournament.pk), ("rules",)),
        Watched(tables, ("rules",)),
    ]


@transaction.atomic
@traced(_rules)
def set_own_penalties(tournament: Tournament, *, penalties: object, by: User) -> Tournament:
    """Set what the event gives for infractions where it differs from its rule book.

    `penalties` is what `engine.own_penalties.read_own` reads; those before give way. Possible
    until a round is published, as the rules are. The same again does nothing. Raises BadRecord
    with the path of what is wrong.
    """
    permissions.require_director(by, tournament)
    tournament = locked(tournament)
    require_not_finished(tournament)
    require_rules_open(tournament)
    own = read_own(penalties, "penalties")
    rules = rules_of(tournament)
    if rules.own == own:
        return tournament
    tournament.rules = rules.with_own(own).frozen_json()
    tournament.save(update_fields=["rules"])
    # Drafted tables may have rules of their own, in which the event's penalties are too.
    tables = Match.objects.filter(
        pairing_round__stage__tournament=tournament, rules__isnull=False
    ).only("rules")
    for match in tables:
        written = {name: one for name, one in (match.rules or {}).items() if name != "penalties"}
        match.rules = {**written, **({"penalties": own_json(own)} if own else {})}
        match.save(update_fields=["rules"])
    kinds = {"kinds": [one.kind for one in own]} if own else {}
    log.write(tournament, "card_kinds_changed", by=by, **kinds)
    return tournament

"""Sets what makes the next card in an event, and who may see the cards."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, fields

from django.contrib.auth.models import User
from django.db import transaction

from engine.ladder import MOST_OF_ONE, Numbers
from referee.errors import sanctions as errors
from referee.models import Sanction
from referee.services.sanctions import climb_again
from tournaments import permissions
from tournaments.models import Tournament
from tournaments.policies_cards import (
    CARDS,
    SHOWN,
    TO_EVERYBODY,
    TO_OFFICIALS,
    card_numbers,
    cards_are_public,
    own_numbers,
)
from tournaments.services import log
from tournaments.services.lifecycle import locked, require_not_finished
from tournaments.services.traces import Watched, Watching, traced


def _watched(tournament: Tournament, **_: object) -> Watching:
    return [
        Watched(Tournament.objects.filter(pk=tournament.pk), ("policies",)),
        Sanction.objects.filter(tournament=tournament),
    ]


def numbers_from(said: Mapping[str, object]) -> Numbers:
    """Read the numbers of a ladder; raises UnknownCardSetting for one that makes no sense."""
    known = asdict(Numbers())
    for name, value in said.items():
        usual = known.get(name)
        fine = type(value) is type(usual)
        if fine and type(value) is int:
            fine = value == 0 or 2 <= value <= MOST_OF_ONE
        if not fine:
            raise errors.UnknownCardSetting(
                setting=name, found=str(value)[:40], lowest=2, most=MOST_OF_ONE
            )
    return Numbers(**{**known, **said})


@transaction.atomic
@traced(_watched)
def set_card_rules(
    tournament: Tournament, *, numbers: Mapping[str, object], shown: str, by: User
) -> Tournament:
    """Set what the ladder counts and who sees the cards; the same again does nothing.

    Cards that are proposed or given stay; what is due by the new numbers is proposed at once.
    """
    permissions.require_director(by, tournament)
    tournament = locked(tournament)
    require_not_finished(tournament)
    given = numbers_from({**asdict(card_numbers(tournament)), **numbers})
    if shown not in (TO_OFFICIALS, TO_EVERYBODY):
        known = [TO_OFFICIALS, TO_EVERYBODY]
        raise errors.UnknownSanction(found=shown, what="cards_shown", known=known)
    public = shown == TO_EVERYBODY
    if given == card_numbers(tournament) and public == cards_are_public(tournament):
        return tournament
    policies = {n: one for n, one in tournament.policies.items() if n not in (CARDS, SHOWN)}
    own = own_numbers(tournament, given)
    if own:
        policies[CARDS] = own
    if public:
        policies[SHOWN] = shown
    tournament.policies = policies
    tournament.save(update_fields=["policies"])
    log.write(tournament, "card_rules_changed", by=by, **_told(given), shown=shown)
    climb_again(tournament)
    return tournament


def _told(numbers: Numbers) -> dict[str, object]:
    return {one.name: getattr(numbers, one.name) for one in fields(numbers)}

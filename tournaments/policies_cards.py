"""What an event counts on its ladder of cards, and who may see the cards."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, fields
from typing import Any, Final

from engine.ladder import Numbers, ladder_of, numbers_of
from engine.profiles import Rules
from tournaments.models import Tournament
from tournaments.rules import rules_of

CARDS: Final = "cards"
SHOWN: Final = "cards_shown"
TO_OFFICIALS: Final = "officials"
TO_EVERYBODY: Final = "everybody"


def card_numbers(tournament: Tournament) -> Numbers:
    """Return what the event counts: its own numbers, otherwise those of its rule book."""
    usual = numbers_of(rules_of(tournament).profile)
    said: Mapping[str, Any] = tournament.policies.get(CARDS, {})
    return Numbers(**{**asdict(usual), **said})


def own_numbers(tournament: Tournament, numbers: Numbers) -> dict[str, object]:
    """Return the numbers that differ from the rule book's, as they are stored."""
    usual = numbers_of(rules_of(tournament).profile)
    return {
        one.name: getattr(numbers, one.name)
        for one in fields(Numbers)
        if getattr(numbers, one.name) != getattr(usual, one.name)
    }


def cards_are_public(tournament: Tournament) -> bool:
    """Say whether everybody may see who has a card; usually only officials may."""
    return str(tournament.policies.get(SHOWN, TO_OFFICIALS)) == TO_EVERYBODY


def ladder_in(rules: Rules, kind: str) -> str:
    """Return on which ladder a kind counts in an event: as the event says, or as usual."""
    said = next((one.ladder for one in rules.own if one.kind == kind), "")
    return said or ladder_of(kind)

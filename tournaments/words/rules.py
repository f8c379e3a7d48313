"""The options and the penalties of an event in words, with what its organizer changed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.utils.translation import get_language, gettext

from engine.options import OPTIONS, Option
from engine.own_penalties import OwnPenalty
from engine.penalties import CARD_LABELS, KINDS, MEASURE_LABELS, Measure
from engine.profiles import Rules
from tournaments.errors.base import explain, listed


@dataclass(frozen=True, slots=True)
class OptionLine:
    """One option: what it decides, what was settled, and whether the profile says otherwise."""

    name: str
    label: str
    value: str
    article: str
    is_changed: bool


@dataclass(frozen=True, slots=True)
class PenaltyLine:
    """What one kind of infraction costs: the first time, the next, and on purpose."""

    kind: str
    label: str
    offences: tuple[str, ...]
    deliberate: tuple[str, ...]
    is_own: bool = False
    """The event says so, not its rule book."""


def option_lines(rules: Rules, players: int) -> tuple[OptionLine, ...]:
    """Return the options that matter at a table of `players`."""
    articles = {one.subject: explain(one.source) for one in rules.of_profile.articles}
    usual = rules.of_profile.options
    return tuple(
        OptionLine(
            name=option.name,
            label=gettext(option.label),
            value=_value(option, rules.options[option.name]),
            article=articles.get(option.name, ""),
            is_changed=rules.options[option.name] != usual[option.name],
        )
        for option in OPTIONS
        if _matters(option.name, rules, players)
    )


def penalty_lines(rules: Rules) -> tuple[PenaltyLine, ...]:
    """Return what the event's schedule gives for every kind of infraction."""
    return tuple(
        PenaltyLine(
            kind=kind,
            label=kind_name(kind, rules.own),
            offences=tuple(measures_in_words(step) for step in penalty.offences),
            deliberate=tuple(measures_in_words(step) for step in penalty.deliberate),
            is_own=any(one.kind == kind for one in rules.own),
        )
        for kind, penalty in rules.schedule.penalties.items()
    )


def kind_name(kind: str, own: Iterable[OwnPenalty] = ()) -> str:
    """Return a kind of infraction in the reader's language; an event's own as it names it."""
    said = next((one for one in own if one.kind == kind and one.names), None)
    if said is not None:
        return said.name((get_language() or "")[:2])
    return gettext(KINDS[kind]) if kind in KINDS else kind.replace("_", " ")


def measures_in_words(measures: Iterable[Measure]) -> str:
    """Return the measures of one ruling as a list in the reader's language."""
    return listed([_measure(one) for one in measures])


def _measure(measure: Measure) -> str:
    if measure.name == "card":
        return gettext(CARD_LABELS[str(measure.value)])
    label = gettext(MEASURE_LABELS[measure.name])
    return label if measure.value is None else label % {"value": measure.value}


def _value(option: Option, value: str | int) -> str:
    for choice, label in option.choices:
        if choice == value:
            return gettext(label)
    return str(value)


def _matters(name: str, rules: Rules, players: int) -> bool:
    if name == "survivors":
        return rules.elimination and players > 2
    if name == "limit_together":
        return rules.elimination
    if name == "stock_reserve":
        return 7 * players < 28
    if name == "block_winner":
        return players > 2 and not rules.elimination
    if name in ("points_out", "points_block", "bonus_both_ends", "points_to", "deduct_from"):
        return not rules.elimination
    return True

"""Draws and their blemishes in the reader's language."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from django.utils.translation import gettext, gettext_noop, ngettext

from tournaments.competition.changes import Blemish, Cost, Facts, Gravity, Kind
from tournaments.competition.types import Pairing
from tournaments.digits import local_digits
from tournaments.errors.base import explain, listed

_GRAVITY: Final[Mapping[Gravity, str]] = {
    Gravity.NONE: gettext_noop("costs nothing"),
    Gravity.SLIGHT: gettext_noop("slight"),
    Gravity.GRAVE: gettext_noop("grave"),
    Gravity.FORBIDDEN: gettext_noop("forbidden"),
}
_CHIP: Final[Mapping[Gravity, str]] = {
    Gravity.NONE: "done",
    Gravity.SLIGHT: "plain",
    Gravity.GRAVE: "warn",
    Gravity.FORBIDDEN: "bad",
}
_KIND: Final[Mapping[Kind, str]] = {
    Kind.FORBIDDEN: gettext_noop("%(entries)s must not meet."),
    Kind.REPEATED_PARTNER: gettext_noop("%(entries)s have been partners before."),
    Kind.REMATCH: gettext_noop("%(entries)s have met before."),
    Kind.BYE_AGAIN: gettext_noop("%(entries)s has had a bye before."),
    Kind.REPEATED_OPPONENT: gettext_noop("%(entries)s have been opponents before."),
    Kind.SAME_CLUB: gettext_noop("%(entries)s are of the same club."),
    Kind.WIN_GAP: gettext_noop("At the table of %(entries)s the wins are %(amount)s apart."),
}


@dataclass(frozen=True, slots=True)
class Said:
    """A blemish in words, with how grave it is."""

    text: str
    gravity: str
    chip: str


@dataclass(frozen=True, slots=True)
class _Sentence:
    text: str
    params: Mapping[str, object]


def blemish_words(blemish: Blemish, names: Mapping[str, str]) -> Said:
    """Return a blemish as one sentence; `names` are those of the entries."""
    entries = [names.get(one, one) for one in blemish.entries]
    sentence = _Sentence(_KIND[blemish.kind], {"entries": entries, "amount": blemish.amount})
    return Said(explain(sentence), gravity_word(blemish.gravity), _CHIP[blemish.gravity])


def gravity_word(gravity: Gravity) -> str:
    return gettext(_GRAVITY[gravity])


def cost_words(cost: Cost, names: Mapping[str, str]) -> dict[str, object]:
    """Return what a change costs: each blemish it brings and takes away, and the gravest."""
    return {
        "worse": [blemish_words(one, names) for one in cost.worse],
        "better": [blemish_words(one, names) for one in cost.better],
        "gravity": gravity_word(cost.gravity),
        "chip": _CHIP[cost.gravity],
        "is_free": not cost.worse,
    }


def table_words(
    table: Pairing, facts: Facts, names: Mapping[str, str], *, is_ranked: bool = True
) -> tuple[str, ...]:
    """Return why these sit at one table: their wins and ranks, and whether they have met."""
    known = [facts.known[one] for one in table.entries if one in facts.known]
    if not known:
        return (gettext("Kept as it was: this table was locked before the draw."),)
    said = []
    ranks = listed([one.rank for one in known])
    if is_ranked:
        wins = listed([one.wins for one in known])
        said.append(gettext("Wins %(wins)s; ranks %(ranks)s.") % {"wins": wins, "ranks": ranks})
    else:
        said.append(gettext("Ranks %(ranks)s.") % {"ranks": ranks})
    blemishes = [one for one in facts.of_table(table) if one.kind is not Kind.WIN_GAP]
    if is_ranked and not any(one.kind in _AGAIN for one in blemishes):
        said.append(
            gettext("None of them have been partners or opponents before.")
            if facts.partners_change
            else gettext("They have not met before.")
        )
    return (*said, *(blemish_words(one, names).text for one in blemishes))


_AGAIN = (Kind.REMATCH, Kind.REPEATED_PARTNER, Kind.REPEATED_OPPONENT)


def figures(report: Mapping[str, object]) -> tuple[str, ...]:
    """Return the figures of a report as sentences, those we have words for."""
    said = [
        words(value)
        for name, words in _FIGURES.items()
        if isinstance(value := report.get(name), int) and not isinstance(value, bool)
    ]
    if "optimal" in report:
        said.append(
            gettext("It is proved that no draw is better.")
            if report["optimal"]
            else gettext("It is not proved that no draw is better.")
        )
    return tuple(said)


def _rematches(count: int) -> str:
    if not count:
        return gettext("Nobody meets somebody they have met before.")
    text = ngettext(
        "%(count)s table is a meeting played before.",
        "%(count)s tables are meetings played before.",
        count,
    )
    return text % {"count": local_digits(count)}


def _partners(count: int) -> str:
    if not count:
        return gettext("Nobody has a partner they have had before.")
    text = ngettext(
        "%(count)s pair of partners has been partners before.",
        "%(count)s pairs of partners have been partners before.",
        count,
    )
    return text % {"count": local_digits(count)}


def _opponents(count: int) -> str:
    if not count:
        return gettext("Nobody has an opponent they have had before.")
    text = ngettext(
        "%(count)s meeting of opponents repeats an earlier one.",
        "%(count)s meetings of opponents repeat earlier ones.",
        count,
    )
    return text % {"count": local_digits(count)}


def _gap(count: int) -> str:
    if not count:
        return gettext("Everybody meets somebody with as many wins.")
    text = gettext("The differences of wins at the tables, each squared, add up to %(count)s.")
    return text % {"count": local_digits(count)}


def _separated(count: int) -> str:
    if not count:
        return gettext("No table seats two against each other that were to be kept apart.")
    text = ngettext(
        "%(count)s table could not keep apart who was to be kept apart.",
        "%(count)s tables could not keep apart who was to be kept apart.",
        count,
    )
    return text % {"count": local_digits(count)}


_FIGURES: Final[Mapping[str, Callable[[int], str]]] = {
    "rematches": _rematches,
    "repeat_partners": _partners,
    "repeat_opponents": _opponents,
    "win_gap": _gap,
    "same_separated": _separated,
}

"""Why an entry stands where it stands, and what the columns of the standings mean."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext, gettext_noop

from tournaments.digits import local_digits, signed
from tournaments.errors.base import listed
from tournaments.rules import tie_break_label

_MEANINGS: Mapping[str, str] = {
    "wins": gettext_noop("Matches won; a bye counts as one."),
    "difference": gettext_noop("Points for minus points against, over all matches."),
    "difference_capped": gettext_noop(
        "Points for minus points against; no match counts more than the target."
    ),
    "points_for": gettext_noop("Points scored in all matches."),
    "direct": gettext_noop("Matches won among those who are level."),
    "buchholz": gettext_noop("Matches won by all the opponents met."),
    "buchholz_cut1": gettext_noop("Matches won by the opponents met, without the weakest of them."),
    "rounds_won": gettext_noop("Rounds won within the matches."),
    "fewest_penalty_points": gettext_noop("Penalty points received; fewer is better."),
    "lot": gettext_noop("Drawn by lot when everything else is level."),
}
# The short names stand above the columns.
_SHORT: Mapping[str, str] = {
    "wins": gettext_noop("Wins"),
    "difference": gettext_noop("Difference"),
    "difference_capped": gettext_noop("Difference, capped"),
    "points_for": gettext_noop("Points"),
    "direct": gettext_noop("Direct"),
    "buchholz": gettext_noop("Opponents’ wins"),
    "buchholz_cut1": gettext_noop("Opponents’ wins, cut"),
    "rounds_won": gettext_noop("Rounds won"),
    "fewest_penalty_points": gettext_noop("Penalty points"),
    "lot": gettext_noop("Lot"),
}
# Each says what parts an entry from the one above; `own` and `above` are the two values.
_REASONS: Mapping[str, str] = {
    "wins": gettext_noop("Wins decide: %(own)s against %(above)s."),
    "difference": gettext_noop("The difference of points decides: %(own)s against %(above)s."),
    "difference_capped": gettext_noop(
        "The difference of points, capped at the target, decides: %(own)s against %(above)s."
    ),
    "points_for": gettext_noop("The points scored decide: %(own)s against %(above)s."),
    "direct": gettext_noop("The matches among those level decide: %(own)s won against %(above)s."),
    "buchholz": gettext_noop("The wins of the opponents decide: %(own)s against %(above)s."),
    "buchholz_cut1": gettext_noop(
        "The wins of the opponents, without the weakest, decide: %(own)s against %(above)s."
    ),
    "rounds_won": gettext_noop("The rounds won decide: %(own)s against %(above)s."),
    "fewest_penalty_points": gettext_noop(
        "Fewer penalty points decide: %(own)s against %(above)s."
    ),
    "lot": gettext_noop("Level in everything; the lot decided."),
    "bracket": gettext_noop("The one above went further in the bracket."),
    "bracket_level": gettext_noop("Equally far in the bracket; they share the place."),
}
_SHARED = gettext_noop("Level in everything with the entry above; they share the place.")
_SIGNED = ("difference", "difference_capped")


@dataclass(frozen=True, slots=True)
class StandingColumn:
    """A tie-break of a stage: its name, its labels and what it counts."""

    name: str
    label: str
    short_label: str
    meaning: str


def column(name: str) -> StandingColumn:
    """Return what stands above a column, and what explains it."""
    return StandingColumn(
        name, tie_break_label(name), gettext(_SHORT.get(name, name)), gettext(_MEANINGS[name])
    )


def reason(decided_by: str, own: int, above: int) -> str:
    """Return why an entry is below the one above it; what decided is empty when they share."""
    if not decided_by:
        return gettext(_SHARED)
    if decided_by not in _REASONS:
        return ""
    if decided_by in _SIGNED:
        return gettext(_REASONS[decided_by]) % {"own": _sign(own), "above": _sign(above)}
    numbers = {"own": local_digits(own), "above": local_digits(above)}
    return gettext(_REASONS[decided_by]) % numbers


def level(names: Sequence[str]) -> str:
    """Return what neighbours have in common: the tie-breaks asked before the one that decided."""
    if not names:
        return ""
    # Translators: what two neighbours of the standings have in common, for example "Wins".
    return gettext("Level on: %(names)s.") % {
        "names": listed([gettext(_SHORT[one]) for one in names])
    }


def _sign(number: int) -> str:
    """Return a number whose sign stays on its left in a sentence of either direction."""
    return f"\N{LEFT-TO-RIGHT ISOLATE}{signed(number)}\N{POP DIRECTIONAL ISOLATE}"

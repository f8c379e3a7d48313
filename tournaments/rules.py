"""The rules an event or one of its tables is played under, and their words for its readers."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext, gettext_noop

from engine.profiles import PROFILES, Rules
from engine.seats import Seat, Side, seats_at, sides
from engine.wording import in_words
from tournaments.errors.base import explain
from tournaments.models import Match, Tournament

# How standings are ordered when the organizer chooses nothing else. Every chain begins with
# the matches won; femundo's regulation ends with the points for, so level entries share a place.
_USUAL_TIE_BREAKS = ("wins", "difference", "points_for", "lot")
_TIE_BREAKS = {
    "femundo": ("wins", "difference", "points_for"),
    # Points are bad there and nobody has any for, so the difference is what is against.
    "elimination": ("wins", "difference", "lot"),
}

TIE_BREAK_LABELS = {
    "wins": gettext_noop("Wins"),
    "difference": gettext_noop("Points for minus points against"),
    "difference_capped": gettext_noop("Points for minus against, up to the target"),
    "points_for": gettext_noop("Points for"),
    "direct": gettext_noop("Direct meetings"),
    "buchholz": gettext_noop("Wins of the opponents"),
    "buchholz_cut1": gettext_noop("Wins of the opponents without the lowest"),
    "rounds_won": gettext_noop("Rounds won"),
    "fewest_penalty_points": gettext_noop("Fewest penalty points"),
    "lot": gettext_noop("Lot"),
}


@dataclass(frozen=True, slots=True)
class RuleLine:
    """One rule in the reader's language, and the article of the book it comes from."""

    text: str
    article: str


def rules_of(thing: Tournament | Match) -> Rules:
    """Return the frozen rules of an event, or of a table that may differ from its event's."""
    if isinstance(thing, Match):
        return Rules.read(thing.rules or thing.pairing_round.stage.tournament.rules)
    return Rules.read(thing.rules)


def profile_name(thing: Tournament | Match | Rules) -> str:
    """Return the name of the rule profile in the reader's language."""
    rules = thing if isinstance(thing, Rules) else rules_of(thing)
    return gettext(PROFILES[rules.profile].name)


def rule_lines(rules: Rules, players: int) -> tuple[RuleLine, ...]:
    """Return the rules of a table of `players` in the reader's language."""
    return tuple(
        RuleLine(explain(sentence), "" if sentence.article is None else explain(sentence.article))
        for sentence in in_words(rules, players)
    )


def has_partners(rules: Rules, players: int) -> bool:
    """Say whether `players` at a table play in two partnerships."""
    return players == 4 and rules.of_profile.partnership


def sides_of(rules: Rules, players: int) -> tuple[Side, ...]:
    """Return the sides at a table of `players`."""
    return sides(players, has_partners(rules, players))


def entry_seats(rules: Rules, entry_kind: str, players: int) -> tuple[tuple[Seat, ...], ...]:
    """Return the seats each entry of a table takes, in the order the entries are listed.

    Partners sit opposite each other: the first pair at A and C, the second at B and D.
    """
    if entry_kind == "single":
        return tuple((seat,) for seat in seats_at(players))
    return tuple(tuple(Seat(letter) for letter in side) for side in sides_of(rules, players))


def players_allowed(rules: Rules) -> tuple[int, ...]:
    """Return how many may share a table: more than are left when an elimination ends."""
    left = rules.survivors if rules.elimination else 0
    return tuple(n for n in rules.of_profile.players if n > left)


def table_sizes(tournament: Tournament, rules: Rules) -> tuple[int, ...]:
    """Return how many entries a table of this event may have."""
    size = tournament.players_per_table
    if tournament.entry_kind != "single":
        return (2,)
    if rules.elimination:
        return tuple(n for n in players_allowed(rules) if n <= size)
    return (size,)


def usual_tie_breaks(rules: Rules) -> tuple[str, ...]:
    """Return the chain of tie-breaks an event under `rules` uses unless told otherwise."""
    return _TIE_BREAKS.get(rules.profile, _USUAL_TIE_BREAKS)


def tie_break_label(name: str) -> str:
    """Return the name of a tie-break in the reader's language."""
    return gettext(TIE_BREAK_LABELS[name])

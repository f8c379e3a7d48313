"""Refusals of running an event, and every refusal in the reader's language.

What concerns pairing rounds and tables stands in `table_errors`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol, runtime_checkable

from django.utils.translation import get_language_bidi, gettext, gettext_noop, ngettext

from engine.errors import DominoError, RoundOver, counted
from engine.tiles import Tile
from tournaments.digits import local_digits
from tournaments.direction import LEFT_TO_RIGHT_ISOLATE, POP_ISOLATE, isolated


@runtime_checkable
class Sentence(Protocol):
    """A whole sentence marked for translation, with what fills it."""

    @property
    def text(self) -> str: ...

    @property
    def params(self) -> Mapping[str, object]: ...


@runtime_checkable
class Counted(Sentence, Protocol):
    """A sentence for exactly one of something and, where `plural` is not "", one for others."""

    @property
    def plural(self) -> str: ...

    @property
    def number(self) -> int: ...


def explain(sentence: Sentence) -> str:
    """Return the error, or any marked sentence, in the reader's language.

    What fills it may be a marked sentence or phrase itself; a name, a tile or a path stays as it
    is. Only how a round ended is a plain word of the engine's.
    """
    words = isinstance(sentence, RoundOver)
    if isinstance(sentence, Counted) and sentence.plural:
        said = ngettext(sentence.text, sentence.plural, sentence.number)
    else:
        said = gettext(sentence.text)
    return said % {name: _filling(value, words=words) for name, value in sentence.params.items()}


def listed(names: Sequence[object]) -> str:
    """Return several names or numbers as one list in the reader's language."""
    # Translators: what stands between two names of a list.
    return gettext(", ").join(_filling(name, words=False) for name in names)


def _filling(value: object, *, words: bool) -> str:
    if isinstance(value, Sentence):
        return explain(value)
    if isinstance(value, int):
        return local_digits(value)
    if isinstance(value, tuple | list):
        return listed(value)
    if isinstance(value, Tile):
        return tile_text(value)
    text = str(value)
    return apart(gettext(text) if words and text else text)


def tile_text(tile: Tile) -> str:
    """Return a tile in the reader's digits, the larger half on the left in every language."""
    if not get_language_bidi():
        return str(tile)
    halves = "\u200e-\u200e".join(map(local_digits, (tile.high, tile.low)))
    return f"{LEFT_TO_RIGHT_ISOLATE}{halves}{POP_ISOLATE}"


def apart(text: str) -> str:
    """Keep a name or a tile in its own direction inside a sentence from right to left.

    Otherwise 6-4 would be read as 4-6 there.
    """
    return isolated(text) if get_language_bidi() else text


# --- a tournament and its officials ---------------------------------------------------------


class NameMissing(DominoError):
    code = "name_missing"
    text = gettext_noop("The tournament has no name. Enter one.")


class AddressTaken(DominoError):
    code = "address_taken"
    text = gettext_noop(
        "The address “%(slug)s” already belongs to the tournament %(name)s. Choose another one."
    )


class BadAddress(DominoError):
    code = "bad_address"
    text = gettext_noop(
        "“%(given)s” cannot be an address. Use Latin letters, digits and hyphens, 80 at most, "
        "and a word of your own."
    )


class UnknownTimeZone(DominoError):
    code = "unknown_time_zone"
    text = gettext_noop(
        "“%(given)s” is not a time zone. Choose one from the list, for example Africa/Cairo."
    )


class BadCountry(DominoError):
    code = "bad_country"
    text = gettext_noop(
        "“%(given)s” is not the code of a country. Enter its two letters, for example EG."
    )


class TextTooLong(DominoError):
    code = "text_too_long"
    text = gettext_noop("“%(given)s…” is too long: %(found)s characters. Use %(limit)s at most.")


class WrongTableSize(DominoError):
    code = "wrong_table_size"
    text = gettext_noop(
        "These rules are not played by %(found)s at a table. Choose one of these numbers: "
        "%(allowed)s."
    )


class PartnersNeeded(DominoError):
    code = "partners_needed"
    text = gettext_noop(
        "Pairs and teams need tables of four with partners; under these rules everybody at a "
        "table of %(found)s plays alone. Let single players enter."
    )


class RulesAreFrozen(DominoError):
    code = "rules_are_frozen"
    text = gettext_noop(
        "The rules of %(tournament)s cannot change any more: pairing round %(round)s of "
        "%(stage)s has been published under them. Set up another tournament for other rules."
    )


class EntriesWouldNotFit(DominoError):
    code = "entries_would_not_fit"
    text, plural = counted(
        "Who enters cannot change any more: %(found)s entry is registered. Remove it first, or "
        "set up another tournament.",
        "Who enters cannot change any more: %(found)s entries are registered. Remove them "
        "first, or set up another tournament.",
    )
    counts = "found"


class TournamentHasStarted(DominoError):
    code = "tournament_has_started"
    text = gettext_noop(
        "%(tournament)s has already started, so its registration cannot be opened again."
    )


class TournamentNotStarted(DominoError):
    code = "tournament_not_started"
    text = gettext_noop(
        "%(tournament)s has not started: its registration is still open. "
        "Start the tournament first; then the entries are complete."
    )


class TournamentIsFinished(DominoError):
    code = "tournament_is_finished"
    text = gettext_noop("%(tournament)s is finished. Nothing in it can be changed any more.")


class TooFewEntries(DominoError):
    code = "too_few_entries"
    text = gettext_noop(
        "%(tournament)s has too few entries: %(found)s. Register at least %(needed)s."
    )


class TablesStillOpen(DominoError):
    code = "tables_still_open"
    text = gettext_noop(
        "Not every table is closed (%(count)s open): the first is table %(table)s in pairing "
        "round %(round)s of %(stage)s. Close the tables, then finish the tournament."
    )


class UnknownUser(DominoError):
    code = "unknown_user"
    text = gettext_noop(
        "Nobody signs in as “%(username)s”. Check the spelling, or ask the administrator for an "
        "account."
    )


class BadUsername(DominoError):
    code = "bad_username"
    text = gettext_noop(
        "“%(given)s” cannot be a user name. Use letters, digits and . - _ @ + without spaces."
    )


class UsernameTaken(DominoError):
    code = "username_taken"
    text = gettext_noop(
        "Somebody already signs in as “%(username)s”. Give that person the duty by user name, or "
        "choose another name for the new account."
    )


class TableForScorersOnly(DominoError):
    code = "table_for_scorers_only"
    text = gettext_noop(
        "Only a scorer is bound to a table; table %(table)s was given for another duty. "
        "Leave the table empty."
    )


class LastDirector(DominoError):
    code = "last_director"
    text = gettext_noop(
        "%(username)s is the only director of %(tournament)s. Name another director first."
    )


# --- entries --------------------------------------------------------------------------------


class RegistrationIsClosed(DominoError):
    code = "registration_is_closed"
    text = gettext_noop(
        "Registration for %(tournament)s is closed, because play has started. "
        "Ask the director whether a late entry is possible."
    )


class WrongNumberOfPlayers(DominoError):
    code = "wrong_number_of_players"


class PairNeedsTwo(WrongNumberOfPlayers):
    text = gettext_noop(
        "Pairs enter this tournament, so two players are needed; found: %(found)s "
        "(%(names)s). Name both partners and nobody else."
    )


class SingleNeedsOne(WrongNumberOfPlayers):
    text = gettext_noop(
        "Single players enter this tournament, so one player is needed; found: %(found)s "
        "(%(names)s). Enter each player alone."
    )


class TeamNeedsTwoToEight(WrongNumberOfPlayers):
    text = gettext_noop(
        "Teams enter this tournament, so two to eight players are needed; found: "
        "%(found)s (%(names)s). Name the members of one team."
    )


class PlayerNameMissing(DominoError):
    code = "player_name_missing"
    text = gettext_noop("Player %(position)s of the entry has no name. Enter the name.")


class NameWithoutLetters(DominoError):
    code = "name_without_letters"
    text = gettext_noop(
        "“%(given)s” cannot be found again by its name: it has neither a letter nor a digit. "
        "Write at least one."
    )


class TeamNameMissing(DominoError):
    code = "team_name_missing"
    text = gettext_noop("The team has no name. Enter one.")


class BadSeed(DominoError):
    code = "bad_seed"
    text = gettext_noop(
        "An entry cannot have the seed %(found)s. Use a whole number from 1 to %(limit)s."
    )


class SamePlayerTwice(DominoError):
    code = "same_player_twice"
    text = gettext_noop("%(player)s is named twice in one entry. Name different players.")


class AlreadyEntered(DominoError):
    code = "already_entered"
    text = gettext_noop(
        "%(player)s is already registered, in entry %(number)s, “%(entry)s”. "
        "Nobody plays in two entries; name another player or withdraw that entry."
    )


class EnteredAndWithdrawn(DominoError):
    code = "entered_and_withdrawn"
    text = gettext_noop(
        "%(player)s belongs to entry %(number)s, “%(entry)s”, which has withdrawn. "
        "Let that entry return instead of registering it again."
    )


class NumberBelongsToAnother(DominoError):
    code = "number_belongs_to_another"
    text = gettext_noop(
        "Federation number %(number)s belongs to %(found)s, but %(given)s was given with it. "
        "Correct the number or the name."
    )


class NameIsAmbiguous(DominoError):
    code = "name_is_ambiguous"
    text = gettext_noop(
        "Several players of the same club are called %(name)s (%(found)s found). "
        "Give the federation number of the one who enters."
    )


class NamesakesEntered(DominoError):
    code = "namesakes_entered"
    text = gettext_noop(
        "Several players called %(name)s are entered already (%(found)s found). "
        "Give the club or the federation number of the one who is meant."
    )


class LineRepeated(DominoError):
    code = "line_repeated"
    text = gettext_noop("Lines %(first)s and %(line)s name the same players. Remove one of them.")


class ImportRefused(DominoError):
    """Nothing was imported; `lines` says why, line by line."""

    code = "import_refused"
    text = gettext_noop(
        "Nothing was imported, because lines are wrong (%(count)s in all). The first is line "
        "%(line)s: %(reason)s"
    )

    def __init__(self, *, lines: Sequence[tuple[int, DominoError]]) -> None:
        line, reason = lines[0]
        super().__init__(count=len(lines), line=line, reason=reason)
        self.lines = tuple(lines)


class EntryIsPlaying(DominoError):
    code = "entry_is_playing"
    text = gettext_noop(
        "“%(entry)s” is at table %(table)s in pairing round %(round)s of %(stage)s, which is "
        "being played. Close that table first, then withdraw the entry."
    )

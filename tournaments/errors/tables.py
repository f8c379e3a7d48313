"""Refusals of pairing rounds, their tables and results."""

from __future__ import annotations

from django.utils.translation import gettext_noop

from engine.errors import DominoError

LARGEST_TABLE = 9_999

# --- pairings -------------------------------------------------------------------------------


class RoundRobinNeedsTwoSides(DominoError):
    code = "round_robin_needs_two_sides"
    text = gettext_noop(
        "In a round robin two entries meet at a table; here %(found)s single players share one. "
        "Make the tables by hand."
    )


class TooManyForRoundRobin(DominoError):
    code = "too_many_for_round_robin"
    text = gettext_noop(
        "A round robin of %(found)s entries is too long: %(limit)s entries are the most. "
        "Make the tables by hand."
    )


class StageIsClosed(DominoError):
    code = "stage_is_closed"
    text = gettext_noop(
        "The stage %(stage)s is closed, so its pairings cannot change. Open the stage again first."
    )


class StageIsNotByHand(DominoError):
    code = "stage_is_not_by_hand"
    text = gettext_noop(
        "The pairings of %(stage)s were made as a whole, so a round cannot be made by hand in "
        "it. Add a stage with pairings by hand."
    )


class WrongRoundNumber(DominoError):
    code = "wrong_round_number"
    text = gettext_noop(
        "Pairing round %(found)s cannot be made in %(stage)s now: the next one is %(expected)s."
        " Make that one."
    )


class RoundIsPublished(DominoError):
    code = "round_is_published"
    text = gettext_noop(
        "Pairing round %(round)s of %(stage)s has been published, so it cannot be made anew. "
        "Correct single tables instead."
    )


class UnknownEntry(DominoError):
    code = "unknown_entry"
    text = gettext_noop(
        "%(tournament)s has no entry %(number)s. Check the number in the list of entries."
    )


class EntryHasWithdrawn(DominoError):
    code = "entry_has_withdrawn"
    text = gettext_noop(
        "Entry %(number)s, “%(entry)s”, has withdrawn. Take it off the tables, or let it return."
    )


class BadTableNumber(DominoError):
    code = "bad_table_number"
    text = gettext_noop(
        "A table cannot have the number %(table)s. Number the tables from 1 to %(largest)s."
    )

    def __init__(self, *, table: int) -> None:
        super().__init__(table=table, largest=LARGEST_TABLE)


class TableTwice(DominoError):
    code = "table_twice"
    text = gettext_noop(
        "Table %(table)s is used twice in this round. Give each table its own number."
    )


class WrongNumberAtTable(DominoError):
    code = "wrong_number_at_table"
    text = gettext_noop(
        "Table %(table)s needs this number of entries: %(allowed)s; found %(found)s. Seat the "
        "right number, or give an entry that is left over the bye."
    )


class SeatedTwice(DominoError):
    code = "seated_twice"
    text = gettext_noop(
        "Entry %(number)s, “%(entry)s”, is seated twice, at table %(one)s and at table "
        "%(other)s. Seat it once."
    )


class SeatedTwiceAtTable(SeatedTwice):
    text = gettext_noop(
        "Entry %(number)s, “%(entry)s”, is seated twice at table %(table)s. Seat it once."
    )


class SeatedAndBye(DominoError):
    code = "seated_and_bye"
    text = gettext_noop(
        "Entry %(number)s, “%(entry)s”, is seated at table %(table)s and has the bye as well. "
        "Choose one of the two."
    )


class ByeTwice(DominoError):
    code = "bye_twice"
    text = gettext_noop(
        "Entry %(number)s, “%(entry)s”, is listed twice among the byes. List it once."
    )


class EntriesLeftOut(DominoError):
    code = "entries_left_out"
    text = gettext_noop(
        "These entries have neither a table nor a bye: %(entries)s. Seat them or give them a "
        "bye, or publish without them on purpose."
    )


class RoundIsEmpty(DominoError):
    code = "round_is_empty"
    text = gettext_noop(
        "Pairing round %(round)s of %(stage)s has no tables yet. Seat the entries first, then "
        "publish it."
    )


class EarlierRoundIsDraft(DominoError):
    code = "earlier_round_is_draft"
    text = gettext_noop(
        "Pairing round %(earlier)s is still a draft, so round %(round)s cannot be published. "
        "Publish the rounds in order."
    )


class EarlierRoundNotOut(DominoError):
    code = "earlier_round_not_out"
    text = gettext_noop(
        "Round %(round)s of %(stage)s cannot be drawn, because round %(earlier)s is still a draft. "
        "Publish round %(earlier)s first, or throw its draft away."
    )


# --- results --------------------------------------------------------------------------------


class RoundNotPublished(DominoError):
    code = "round_not_published"
    text = gettext_noop(
        "Pairing round %(round)s of %(stage)s has not been published, so nothing can be "
        "recorded at table %(table)s. Publish the round first."
    )


class MatchAlreadyClosed(DominoError):
    code = "match_already_closed"
    text = gettext_noop(
        "Table %(table)s is closed. The director can open it again to correct the result."
    )


class MatchNotClosed(DominoError):
    code = "match_not_closed"
    text = gettext_noop(
        "Table %(table)s is not closed, so there is nothing to open again. Choose a table that "
        "is closed."
    )


class WrongSeats(DominoError):
    code = "wrong_seats"
    text = gettext_noop(
        "A result is needed for each seat of table %(table)s: %(expected)s. Found: %(found)s."
    )


class PlayHasBegun(DominoError):
    code = "play_has_begun"
    text = gettext_noop(
        "Play has begun at table %(table)s, so nobody there was absent from the start. "
        "Record the result of the match."
    )


class TableHasBegun(DominoError):
    code = "table_has_begun"
    text = gettext_noop(
        "Play has begun at table %(table)s, so its rules cannot change any more. A change can be "
        "made at the tables that wait."
    )


class NoPartnerAtTable(DominoError):
    code = "no_partner_at_table"
    text = gettext_noop(
        "“%(entry)s” sits with no partner at a published table, so only “%(entry)s” can be put "
        "out. Leave the partner unchosen."
    )


class GoneGoesOn(DominoError):
    code = "gone_goes_on"
    text = gettext_noop(
        "“%(entry)s” has left the event, but by its record still goes on from table %(table)s. "
        "Rule in the record that “%(entry)s” has lost the match, then close it."
    )


class OthersPlayOn(DominoError):
    code = "others_play_on"
    text = gettext_noop(
        "%(found)s are still at table %(table)s and %(survivors)s go on from it, so they play on. "
        "Rule in its record that whoever left has lost the match, or put them out of the event; "
        "then store the score of the others."
    )


class NobodyAbsent(DominoError):
    code = "nobody_absent"
    text = gettext_noop(
        "Nobody was named as absent from table %(table)s. Name who did not appear, or record the "
        "result of the match."
    )


class NotAtTable(DominoError):
    code = "not_at_table"
    text = gettext_noop(
        "“%(entry)s” does not sit at table %(table)s. Choose one of these: %(entries)s."
    )

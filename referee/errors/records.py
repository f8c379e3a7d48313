"""Refusals of keeping the record of a match."""

from __future__ import annotations

from engine.errors import DominoError, counted, marked


class TableIncomplete(DominoError):
    code = "table_incomplete"
    text, plural = counted(
        "Table %(table)s cannot be opened: %(seated)s player is seated where %(expected)s are "
        "needed. Ask the director to complete the table.",
        "Table %(table)s cannot be opened: %(seated)s players are seated where %(expected)s are"
        " needed. Ask the director to complete the table.",
    )
    counts = "seated"


class MatchNotOpen(DominoError):
    code = "match_not_open"
    text = marked("The match at table %(table)s has not been opened. Open it first.")


class SeatsAreFixed(DominoError):
    code = "seats_are_fixed"
    text = marked(
        "The seats at table %(table)s are fixed: its first round has begun. "
        "Record the rest of the match with the seats as they are."
    )


class SeatsDoNotFit(DominoError):
    code = "seats_do_not_fit"
    text = marked(
        "The seats do not fit table %(table)s: each of its players sits on one of the seats "
        "%(seats)s, once. Give every player a seat."
    )


class PartnersApart(DominoError):
    code = "partners_apart"
    text = marked(
        "%(one)s and %(other)s are partners and sit opposite each other: A and C, or B and D. "
        "Swap the seats of a whole side."
    )


class RecordMovedOn(DominoError):
    """Somebody recorded meanwhile. `expected` is the number the next event has."""

    code = "record_moved_on"
    text = marked(
        "Meanwhile the record has gone on to event %(expected)s; this was event %(number)s. "
        "Look at what was recorded, then send yours again if it is still right."
    )


class NumberAhead(RecordMovedOn):
    code = "number_ahead"
    text = marked(
        "Event %(number)s cannot be stored yet: the next event is %(expected)s. "
        "Send the events in order."
    )


class RoundMovedOn(DominoError):
    code = "round_moved_on"
    text = marked(
        "Round %(number)s cannot be started: the next round is %(expected)s. "
        "Reload the page to see the match as it is now."
    )


class RoundFellAway(DominoError):
    code = "round_fell_away"
    text = marked(
        "Round %(number)s was taken back meanwhile, so this was not recorded in it. Look at the "
        "table as it stands now, and record it there if it is still right."
    )


class NothingToGoBackTo(DominoError):
    code = "nothing_to_go_back_to"
    text = marked(
        "There is no entry in effect at this place: round %(number)s, entry %(event)s. Choose one "
        "that counts."
    )


class ChangedBeforeGoingBack(DominoError):
    code = "changed_before_going_back"
    text = marked(
        "The record has gone on since you looked: it is in round %(found)s, entry %(entry)s. Look "
        "again at what would be lost, then go back."
    )


class OpenerNeeded(DominoError):
    code = "opener_needed"
    text = marked(
        "The rules do not decide who opens this round. Say which seat plays the first tile."
    )


class ClientKeyUsed(DominoError):
    code = "client_key_used"
    text = marked(
        "This key was already used for another event (“%(line)s”). Send each event with a key "
        "of its own."
    )


class ReasonNeeded(DominoError):
    code = "reason_needed"
    text = marked("Say why, in a few words: the reason is kept with the match.")


class ReopensWithdrawn(DominoError):
    """Say yes with `withdrawn_too`."""

    code = "reopens_withdrawn"
    text = marked(
        "Table %(table)s was played by an entry that has withdrawn since: %(entries)s. Opened "
        "again, it has no result until it is closed again. Confirm that you know this, or leave "
        "the table closed."
    )


class MatchNotOver(DominoError):
    code = "match_not_over"
    text = marked(
        "The match at table %(table)s is not over: no side has won yet. Play on, record that "
        "time is over, or have it closed by a director, with a reason."
    )


class RoundUnfinished(DominoError):
    code = "round_unfinished"
    text = marked(
        "Round %(number)s is not finished: the points are not known yet. Finish it, undo it, or "
        "have it ruled void before closing the match."
    )


class NobodyOnTurn(DominoError):
    code = "nobody_on_turn"
    text = marked(
        "Nobody is on turn, so “%(line)s” belongs to no seat. Write the seat first, such as "
        "“B 6-3”."
    )


class UnreadableMeasures(DominoError):
    code = "unreadable_measures"
    text = marked(
        "“%(found)s” names no measures. Write them as in “warning, points 20”, or choose them "
        "from the list."
    )


class RecordTooLong(DominoError):
    code = "record_too_long"
    text = marked(
        "This round already has %(most)s events, more than any round can need. "
        "Start the next round."
    )

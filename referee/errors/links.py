"""Refusals of table links, holders of tables, confirmed rounds and referee calls."""

from __future__ import annotations

from engine.errors import DominoError, marked


class LinkUnknown(DominoError):
    code = "link_unknown"
    text = marked(
        "This address opens no table. Scan the code on your table’s sheet again, or ask a "
        "referee for a new one."
    )


class LinkOver(DominoError):
    code = "link_over"
    text = marked(
        "This table link does not work any more: it has expired or was taken back. Ask a referee "
        "for a new code and scan it; what this device recorded is kept."
    )


class TooManyLinks(DominoError):
    code = "too_many_links"
    text = marked(
        "From this connection too many addresses were tried that open no table. Wait a quarter "
        "of an hour, then scan the code on your table’s sheet again."
    )


class LinkOfDraft(DominoError):
    code = "link_of_draft"
    text = marked(
        "Round %(round)s is still a draft, and nobody may know of its tables. Publish it first, "
        "then make its links."
    )


class LinkOfClosed(DominoError):
    code = "link_of_closed"
    text = marked(
        "The match at table %(table)s is closed: there is nothing left to record or confirm. "
        "Open it again first, or make a link that reads along."
    )


class NoLinkSide(DominoError):
    code = "no_link_side"
    text = marked(
        "“%(found)s” is no side of table %(table)s. Its sides are %(sides)s: name one of them."
    )


class PlayersMayNotRecord(DominoError):
    code = "players_may_not_record"
    text = marked(
        "In this event players do not record their own table. Make the link for a referee, or ask "
        "a director to allow it under “Table links”."
    )


class RoundsNotConfirmed(DominoError):
    code = "rounds_not_confirmed"
    text = marked(
        "In this event rounds are not confirmed by the other side. Ask a director to set it under "
        "“Table links”."
    )


class PlayersDoNotRule(DominoError):
    code = "players_do_not_rule"
    text = marked(
        "Only a referee records infractions and rulings. Call one from this page: the table waits."
    )


class LinkHours(DominoError):
    code = "link_hours"
    text = marked(
        "How long a link works is given in hours, from 1 to %(most)s, and in minutes after its "
        "match, from 0 to %(after)s. Found: %(hours)s and %(minutes)s. Choose numbers in between."
    )


class TableHeld(DominoError):
    """Another device keeps the record. Read along, or take it over."""

    code = "table_held"
    text = marked(
        "Table %(table)s is recorded on another device. Read along, or take the record over on "
        "its page; nothing of yours was recorded."
    )


class NoDevice(DominoError):
    code = "no_device"
    text = marked(
        "“%(found)s” names no device. Send the key that the device made for itself: a name, a dot "
        "and a secret, at most %(most)s letters, digits and hyphens."
    )


class NothingToConfirm(DominoError):
    code = "nothing_to_confirm"
    text = marked(
        "Round %(number)s has no result that could be confirmed. Wait until it is recorded to "
        "its end."
    )


class RoundChangedSince(DominoError):
    code = "round_changed_since"
    text = marked(
        "Round %(number)s was recorded differently meanwhile. Look at it as it is now, then say "
        "whether it is right."
    )


class WordNeeded(DominoError):
    code = "word_needed"
    text = marked("Say in a few words what is wrong, so that the referee knows what to look at.")


class RoundDisputed(DominoError):
    code = "round_disputed"
    text = marked(
        "Round %(number)s is disputed by %(side)s: “%(word)s”. A referee settles that before the "
        "match at table %(table)s is closed."
    )


class CallIsOver(DominoError):
    code = "call_is_over"
    text = marked("The call of table %(table)s is closed already. The table calls again if needed.")


class CallIsClaimed(DominoError):
    code = "call_is_claimed"
    text = marked(
        "%(who)s goes to table %(table)s already. Leave the call to them, or pass it on to the "
        "director."
    )


class UnknownCall(DominoError):
    code = "unknown_call"
    text = marked("“%(found)s” is nothing a table calls for. Choose one of: %(known)s.")

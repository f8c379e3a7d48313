"""Refusals of the ledger of warnings and cards, and of an event's own penalties."""

from __future__ import annotations

from engine.errors import DominoError, marked


class SanctionReasonMissing(DominoError):
    code = "sanction_reason_missing"
    text = marked("The reason is missing. Write in a sentence why this card is not given.")


class SanctionNoteMissing(DominoError):
    code = "sanction_note_missing"
    text = marked("The note is missing. Write in a sentence what the sanction is for.")


class SanctionTextTooLong(DominoError):
    code = "sanction_text_too_long"
    text = marked(
        "The text is too long: characters found %(found)s, kept at most %(most)s. Make it shorter."
    )


class SanctionedTwice(DominoError):
    code = "sanctioned_twice"
    text = marked(
        "This key was sent before with another sanction. Send the sanction again with a new key."
    )


class NobodySanctioned(DominoError):
    code = "nobody_sanctioned"
    text = marked(
        "Nobody is named. Choose a player of the event, or write a name and choose the function."
    )


class NotOfThisEvent(DominoError):
    code = "not_of_this_event"
    text = marked(
        "%(player)s plays for no entry of %(tournament)s. Choose a player of this event, or write "
        "the name with another function."
    )


class UnknownSanction(DominoError):
    code = "unknown_sanction"
    text = marked("“%(found)s” cannot be chosen here (%(what)s). Choose one of %(known)s.")


class SanctionDroppedAlready(DominoError):
    code = "sanction_dropped_already"
    text = marked(
        "The sanction of %(name)s was dropped, so it cannot be confirmed. Take the decision back "
        "in the log, or give it anew by hand."
    )


class SanctionNotConfirmed(DominoError):
    code = "sanction_not_confirmed"
    text = marked(
        "The sanction of %(name)s is not confirmed yet, so it has no effect. Confirm it first."
    )


class SanctionHasNoEffect(DominoError):
    code = "sanction_has_no_effect"
    text = marked(
        "The sanction of %(name)s changes no result: %(severity)s. It stays on the ledger and "
        "nothing needs to be carried out."
    )


class EffectStands(DominoError):
    code = "effect_stands"
    text = marked(
        "The effect of this card on the event has been carried out for %(name)s. Take that back "
        "in the log first; then drop the card."
    )


class TableStillPlays(DominoError):
    code = "table_still_plays"
    text = marked(
        "Table %(table)s has no result yet that could change. Rule at the table that the match is "
        "lost, or wait until it is closed."
    )


class NotAtThatTable(DominoError):
    code = "not_at_that_table"
    text = marked(
        "%(name)s did not sit at table %(table)s, so no result of theirs can change there. Drop "
        "the card and give it again with the right table."
    )


class EliminationByHand(DominoError):
    code = "elimination_by_hand"
    text = marked(
        "Who goes on from table %(table)s depends on every seat there. Correct its result by hand "
        "on the results page; the card stays on the ledger."
    )


class UnknownCardSetting(DominoError):
    code = "unknown_card_setting"
    text = marked(
        "%(setting)s cannot be %(found)s. Enter 0 to switch it off, or a number from %(lowest)s to "
        "%(most)s."
    )

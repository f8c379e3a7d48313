"""The sentences of the recording page about devices, confirmed rounds and calls."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_noop as marked

LINK_WORDS: Final = {
    # The score as it is on paper
    "set_score": marked("Set the score"),
    "set_score_help": marked(
        "After a lost device: give the points as they are on paper. What is missing in the record "
        "is added as rounds from a score sheet, and the log says why."
    ),
    "score_is_set": marked("The score is set. The log says why."),
    "held_elsewhere": marked("Recorded on another device since %(time)s, by %(who)s."),
    "held_help": marked("You read along here. What you tap is not recorded."),
    "take_over": marked("Take over"),
    "take_over_ask": marked("Record this table on this device?"),
    "take_over_help": marked(
        "The other device reads along from then on. What it has not sent yet is kept there."
    ),
    "taken_over": marked("This device records the table now."),
    "table_went": marked("Another device records this table now."),
    "call_referee": marked("Call a referee"),
    "call_what": marked("What is it about?"),
    "call_note": marked("A few words, if needed"),
    "call_send": marked("Call"),
    "call_waits": marked("A referee has been called."),
    "call_claimed": marked("%(who)s is coming."),
    "call_escalated": marked("The call was passed on to the director."),
    "call_unsent": marked("The call is sent as soon as the network is back."),
    "call_ruling": marked("A ruling is needed"),
    "call_count": marked("The points are disputed"),
    "call_conduct": marked("Conduct at the table"),
    "call_record": marked("Help with the record"),
    "call_other": marked("Something else"),
    "disputed": marked("Round %(round)s is disputed by %(name)s: %(word)s"),
    "unconfirmed": marked("Round %(round)s is not confirmed yet by %(name)s."),
    "all_confirmed": marked("Both sides have confirmed every round."),
    "see_rounds": marked("Rounds and what the sides say"),
}

"""What the log says of warnings, cards and an event's own penalties."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from django.utils.translation import gettext_noop

SENTENCES: Final[Mapping[str, tuple[str, ...]]] = {
    "cards_in_step": (
        gettext_noop(
            "Cards were brought in step with the records: proposed %(proposed)s, dropped "
            "%(dropped)s, to be decided %(asking)s"
        ),
    ),
    "card_given": (
        gettext_noop(
            "%(who)s sanctioned %(name)s at table %(table)s in round %(round)s: %(severity)s, "
            "%(note)s"
        ),
        gettext_noop("%(who)s sanctioned %(name)s: %(severity)s, %(note)s"),
    ),
    "card_confirmed": (gettext_noop("%(who)s confirmed for %(name)s: %(severity)s"),),
    "cards_confirmed": (gettext_noop("%(who)s confirmed the cards of the records: %(count)s"),),
    "card_dropped": (gettext_noop("%(who)s dropped for %(name)s: %(severity)s, %(reason)s"),),
    "card_carried_out": (gettext_noop("%(who)s noted that the card of %(name)s had its effect"),),
    "card_rules_changed": (
        gettext_noop("%(who)s changed what makes the next card and who may see the cards"),
    ),
    "card_kinds_changed": (
        gettext_noop("%(who)s changed the event’s own infractions and what they cost: %(kinds)s"),
        gettext_noop("%(who)s changed the event’s own infractions and what they cost"),
    ),
}

OWN: Final[Mapping[str, str]] = {
    "card_given": gettext_noop(
        "%(name)s is sanctioned now (%(severity)s); afterwards not, and what the ladder made of it "
        "goes, too."
    ),
    "card_confirmed": gettext_noop(
        "The sanction of %(name)s is confirmed now (%(severity)s); afterwards it is as it was "
        "before, with what the ladder made of it."
    ),
    "cards_confirmed": gettext_noop(
        "Of the cards of the records so many are confirmed now: %(count)s; afterwards they are "
        "proposed again."
    ),
    "card_dropped": gettext_noop(
        "The sanction of %(name)s is dropped now (%(severity)s); afterwards it is as it was before."
    ),
    "card_rules_changed": gettext_noop(
        "The ladder of cards has its present numbers now; afterwards those it had before."
    ),
    "card_kinds_changed": gettext_noop(
        "The event has its present infractions and numbers now; afterwards those it had before."
    ),
}

NO_WAY_BACK: Final[Mapping[str, str]] = {
    "cards_in_step": gettext_noop(
        "The ledger of cards follows the records. Change the record of the table; the ledger "
        "follows again."
    ),
    "card_carried_out": gettext_noop(
        "This line only notes that nothing was left to change. Drop the card if it was wrong."
    ),
}

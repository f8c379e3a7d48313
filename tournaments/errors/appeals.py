"""Refusals of appeals: who may file them, until when, and how they are decided."""

from __future__ import annotations

from django.utils.translation import gettext_noop

from engine.errors import DominoError


class NothingToAppeal(DominoError):
    code = "nothing_to_appeal"
    text = gettext_noop(
        "Nothing has happened at table %(table)s yet that an appeal could be about. File it once "
        "play has begun there."
    )


class GroundsMissing(DominoError):
    code = "grounds_missing"
    text = gettext_noop("The grounds of the appeal are missing. Write down what it is about.")


class ReasonsMissing(DominoError):
    code = "reasons_missing"
    text = gettext_noop("The reasons of the decision are missing. Write down why it is so decided.")


class AppealTooLate(DominoError):
    code = "appeal_too_late"
    text = gettext_noop(
        "It is too late for this appeal: the minutes allowed after a result are %(minutes)s, and "
        "since that of table %(table)s %(passed)s have passed. A director can take the appeal all "
        "the same and gives the reason."
    )


class AppealedAlready(DominoError):
    code = "appealed_already"
    text = gettext_noop(
        "“%(entry)s” has filed appeal %(number)s about table %(table)s, and it is not decided yet. "
        "Decide or withdraw that one first."
    )


class AppealKeyUsed(DominoError):
    code = "appeal_key_used"
    text = gettext_noop(
        "This key was sent before with another appeal, number %(number)s. Send the appeal again "
        "with a new key."
    )


class AppealDecidedAlready(DominoError):
    code = "appeal_decided_already"
    text = gettext_noop(
        "Appeal %(number)s is decided already: %(state)s. Look at the decision; a director can "
        "take it back in the log."
    )


class UnknownDecisionOnAppeal(DominoError):
    code = "unknown_decision_on_appeal"
    text = gettext_noop(
        "An appeal is decided as one of %(known)s; %(found)s was given. Choose one of them."
    )


class EffectNeedsUpheld(DominoError):
    code = "effect_needs_upheld"
    text = gettext_noop(
        "An appeal that is rejected leaves the result as it is, but an effect was given: "
        "%(effect)s. Uphold the appeal, or let the result stand."
    )


class NotOnePanel(DominoError):
    code = "not_one_panel"
    text = gettext_noop(
        "“%(username)s” has no duty at this event, so the account cannot sit on a panel. Give a "
        "duty to it first, or name the person without an account."
    )


class PanelTooLarge(DominoError):
    code = "panel_too_large"
    text = gettext_noop("A panel has at most %(most)s members; %(found)s were named. Name fewer.")


class DecisionWouldChangeDraw(DominoError):
    code = "decision_would_change_draw"
    text = gettext_noop(
        "Table %(at)s in pairing round %(round)s is published and stands on the result of table "
        "%(table)s; a decision changes no published round. Take back the publication of round "
        "%(round)s first, or let the result stand."
    )


class DecidedOnAppeal(DominoError):
    code = "decided_on_appeal"
    text = gettext_noop(
        "This was decided on appeal %(number)s, so it is not taken back alone. Take back the "
        "decision of that appeal."
    )


class AppealsUndecided(DominoError):
    code = "appeals_undecided"
    text = gettext_noop(
        "Not decided yet are the appeals with these numbers: %(appeals)s. Decide them, or give a "
        "reason to draw all the same."
    )


class ResultsAndAppealsOpen(DominoError):
    code = "results_and_appeals_open"
    text = gettext_noop(
        "Pairing round %(round)s is not finished: no result from %(tables)s. Not decided yet are "
        "the appeals with these numbers: %(appeals)s. Settle both, or give a reason to draw all "
        "the same."
    )


class AppealsBeforeTheEnd(DominoError):
    code = "appeals_before_the_end"
    text = gettext_noop(
        "The event cannot be finished: not decided yet are the appeals with these numbers: "
        "%(appeals)s. Decide them or have them withdrawn first."
    )


class BadAppealMinutes(DominoError):
    code = "bad_appeal_minutes"
    text = gettext_noop(
        "Appeals can be filed for 1 to %(most)s minutes after a result; found: %(found)s."
    )

"""Refusals and doubts about final scores, corrections, the clock and taking things back."""

from __future__ import annotations

from django.utils.translation import gettext_noop

from engine.errors import DominoError

# --- scores that cannot be ------------------------------------------------------------------


class ScoreIncomplete(DominoError):
    code = "score_incomplete"
    text = gettext_noop(
        "A score is needed for each side of table %(table)s: %(expected)s. Found: %(found)s."
    )


class PointsNegative(DominoError):
    code = "points_negative"
    text = gettext_noop(
        "%(found)s is not a score: nobody has fewer than 0 points. Type what the sheet says; "
        "penalty points are typed apart."
    )


class MustNotBeLevel(DominoError):
    code = "must_not_be_level"
    text = gettext_noop(
        "Table %(table)s cannot end level, %(found)s all. Have one more round played, or look at "
        "the sheet again."
    )


class UnknownResultRule(DominoError):
    code = "unknown_result_rule"
    text = gettext_noop(
        "How results count has no %(setting)s “%(found)s”. Choose one of these: %(known)s."
    )


class RoundsNeeded(DominoError):
    code = "rounds_needed"
    text = gettext_noop(
        "The totals of table %(table)s do not say who was out before several reached %(limit)s at "
        "once and played one more round. Open the record of the table and enter the result of each "
        "round."
    )


# --- scores that are stored only on purpose -------------------------------------------------


class DoubtfulScore(DominoError):
    """A score that is hardly right; it is stored when somebody says that it is."""

    code = "doubtful_score"


class EndedBeforeTarget(DoubtfulScore):
    code = "ended_before_target"
    text = gettext_noop(
        "Nobody reached %(target)s at table %(table)s. Store it if the match was ended by the bell."
    )


class MoreAreLeft(DoubtfulScore):
    code = "more_are_left"
    text = gettext_noop(
        "%(found)s are below %(limit)s at table %(table)s, but %(survivors)s go on from it. Store "
        "it if the bell ended the match: the lowest totals go on then."
    )


class OneMoreRound(DoubtfulScore):
    code = "one_more_round"
    text = gettext_noop(
        "%(survivors)s go on from table %(table)s, but only %(found)s stayed below %(limit)s. "
        "Those who reached it at once play one more round; store the score after it, the lowest "
        "totals go on."
    )


class BothReachedTarget(DoubtfulScore):
    code = "both_reached_target"
    text = gettext_noop(
        "More than one side reached %(target)s at table %(table)s, but a match ends with the "
        "first. Look at the sheet again."
    )


class AboveTarget(DoubtfulScore):
    code = "above_target"
    text = gettext_noop(
        "%(found)s points are more than a match to %(target)s can bring: %(limit)s at the most. "
        "Look at the sheet again."
    )


class LevelScore(DoubtfulScore):
    code = "level_score"
    text = gettext_noop("Table %(table)s is level, %(found)s all. Store it if nobody won.")


class SameSheetTwice(DoubtfulScore):
    code = "same_sheet_twice"
    text = gettext_noop(
        "The same score is stored for these tables: %(tables)s. Look whether the sheet was typed "
        "for the wrong table."
    )


# --- a second person's check ----------------------------------------------------------------


class ReportsDiffer(DominoError):
    code = "reports_differ"
    text = gettext_noop(
        "%(who)s typed %(first)s for table %(table)s; you typed %(second)s. Look at the sheet "
        "and say which of the two is right."
    )


class NothingReported(DominoError):
    code = "nothing_reported"
    text = gettext_noop(
        "No result waits for its second check at table %(table)s. Look at the list of tables."
    )


# --- corrections ----------------------------------------------------------------------------


class ReasonMissing(DominoError):
    code = "reason_missing"
    text = gettext_noop("A reason is needed and none was given. Say in a few words why.")


class PlayHasNotBegun(DominoError):
    code = "play_has_not_begun"
    text = gettext_noop(
        "Play has not begun at table %(table)s, so nobody can have left it. Say who did not appear."
    )


class NotTheSameRound(DominoError):
    code = "not_the_same_round"
    text = gettext_noop(
        "Only seats of one pairing round can be exchanged; table %(one)s and table %(other)s "
        "belong to different rounds."
    )


class BracketIsFixed(DominoError):
    code = "bracket_is_fixed"
    text = gettext_noop(
        "The bracket says who meets at table %(one)s and at table %(other)s, so nobody changes "
        "between the two. Correct the results instead."
    )


class OneTableIsOpen(DominoError):
    code = "one_table_is_open"
    text = gettext_noop(
        "Table %(table)s has no result yet, so seats cannot be exchanged between a finished table "
        "and an open one. Store its result first."
    )


class SamePlace(DominoError):
    code = "same_place"
    text = gettext_noop(
        "“%(entry)s” cannot change places with itself at table %(table)s. Choose two entries."
    )


# --- clock ----------------------------------------------------------------------------------


class BadMinutes(DominoError):
    code = "bad_minutes"
    text = gettext_noop(
        "A round lasts from 1 to %(limit)s minutes; found: %(found)s. Enter a number in that range."
    )


class BadExtraTime(DominoError):
    code = "bad_extra_time"
    text = gettext_noop(
        "A table gets from 0 to %(limit)s seconds of extra time in all; found: %(found)s. Enter"
        " a number in that range."
    )


# --- taking back ----------------------------------------------------------------------------


class CannotBeUndone(DominoError):
    code = "cannot_be_undone"
    text = gettext_noop(
        "This cannot be taken back by a press: %(act)s. Change it on the page where it was done."
    )


class UndoneAlready(DominoError):
    code = "undone_already"
    text = gettext_noop("%(who)s has taken this back already. Nothing is left to do.")


class ChangedSince(DominoError):
    code = "changed_since"
    text = gettext_noop(
        "Table %(table)s was changed after this, so it cannot be taken back. Take back the later "
        "change first."
    )


class RoundHasBegun(DominoError):
    code = "round_has_begun"
    text = gettext_noop(
        "Play has begun in pairing round %(round)s at table %(table)s, so the round cannot be "
        "hidden again. Correct its tables one by one."
    )


class LaterRoundExists(DominoError):
    code = "later_round_exists"
    text = gettext_noop(
        "Pairing round %(later)s follows round %(round)s. Take back or throw away round "
        "%(later)s first."
    )


class ReturnedAlready(DominoError):
    code = "returned_already"
    text = gettext_noop("“%(entry)s” has returned since. Nothing is left to do.")

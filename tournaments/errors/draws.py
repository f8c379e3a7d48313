"""Refusals of stages, their draws and who goes on from one to the next."""

from __future__ import annotations

from django.utils.translation import gettext_noop

from engine.errors import DominoError, counted


class SystemNeedsSingles(DominoError):
    code = "system_needs_singles"
    text = gettext_noop(
        "“%(system)s” seats single players at tables of four, but this event has %(kind)s. "
        "Choose another system."
    )


class SystemNeedsTwoSides(DominoError):
    code = "system_needs_two_sides"
    text = gettext_noop(
        "In “%(system)s” two entries meet at a table, but here %(found)s single players share "
        "one. Choose another system."
    )


class BadStageSetting(DominoError):
    code = "bad_stage_setting"
    text = gettext_noop(
        "The setting %(setting)s of a stage is to be %(expected)s; %(found)s was given. Correct it."
    )


class NothingIsProvisional(DominoError):
    code = "nothing_is_provisional"
    text = gettext_noop(
        "In %(stage)s (%(system)s) the draw does not follow the standings, so results that are "
        "not confirmed cannot count for it. Draw the round without them."
    )


class StageNotFinished(DominoError):
    code = "stage_not_finished"
    text = gettext_noop(
        "%(stage)s cannot be closed: tables are open in pairing round %(round)s. Enter their "
        "results first."
    )


class StageNotClosed(DominoError):
    code = "stage_not_closed"
    text = gettext_noop(
        "Nobody goes on from %(stage)s yet, because it is still open. Close it first."
    )


class StageHasSuccessor(DominoError):
    code = "stage_has_successor"
    text = gettext_noop(
        "%(stage)s cannot be opened again, because %(later)s has taken its qualifiers. Discard "
        "%(later)s first."
    )


class NobodyQualifies(DominoError):
    code = "nobody_qualifies"
    text, plural = counted(
        "%(found)s entry of %(stage)s would go on, but at least 2 are needed. Let more go on.",
        "%(found)s entries of %(stage)s would go on, but at least 2 are needed. Let more go on.",
    )
    counts = "found"


class RoundsAreDrawn(DominoError):
    code = "rounds_are_drawn"
    text, plural = counted(
        "The only round of %(stage)s is drawn. Close the stage, or plan more rounds.",
        "All %(rounds)s rounds of %(stage)s are drawn. Close the stage, or plan more rounds.",
    )
    counts = "rounds"


class ResultsMissing(DominoError):
    code = "results_missing"
    text = gettext_noop(
        "Pairing round %(round)s is not finished: there is no result yet from these tables: "
        "%(tables)s. Enter the results, or give a reason to draw without them."
    )


class BracketIsOver(DominoError):
    code = "bracket_is_over"
    text = gettext_noop(
        "The bracket of %(stage)s is over: %(champion)s has won it. Close the stage."
    )


class BracketWaits(DominoError):
    code = "bracket_waits"
    text = gettext_noop(
        "No meeting of %(stage)s can be played yet. Enter the results of the tables that are "
        "being played."
    )


class WholeStageDrawn(DominoError):
    code = "whole_stage_drawn"
    text = gettext_noop(
        "%(stage)s was drawn as a whole; its rounds are published one after the other."
    )


class DraftNeeded(DominoError):
    code = "draft_needed"
    text = gettext_noop(
        "Pairing round %(round)s of %(stage)s has been published and is not drawn again. "
        "Correct single tables by hand."
    )


class BracketWentOn(DominoError):
    code = "bracket_went_on"
    text = gettext_noop(
        "Table %(table)s, meeting %(meeting)s, cannot be opened again: %(later)s stands on its "
        "result and has begun, at table %(at)s in pairing round %(round)s. Take that result back "
        "first."
    )


class SystemNeedsPartners(DominoError):
    code = "system_needs_partners"
    text = gettext_noop(
        "In “%(system)s” partners sit opposite each other, but under these rules everybody plays "
        "alone. Choose another system."
    )


class SystemNeedsLimit(DominoError):
    code = "system_needs_limit"
    text = gettext_noop(
        "“%(system)s” is for single players at tables where everybody plays alone and is out at a "
        "limit, but this event is played as %(profile)s. Choose another system."
    )


class TeamMissing(DominoError):
    code = "team_missing"
    text = gettext_noop(
        "In “%(system)s” the club of a player is the team, but %(entry)s has none. Give the club, "
        "or choose another system."
    )


class TooManySurvivors(DominoError):
    code = "too_many_survivors"
    text, plural = counted(
        "%(found)s of every table is to go on, but a table has %(players)s. Let fewer go on.",
        "%(found)s of every table are to go on, but a table has %(players)s. Let fewer go on.",
    )
    counts = "found"


class StageTooSmall(DominoError):
    code = "stage_too_small"
    text, plural = counted(
        "%(needed)s is to go on from %(stage)s, but only %(found)s can. Let fewer go on.",
        "%(needed)s are to go on from %(stage)s, but only %(found)s can. Let fewer go on.",
    )
    counts = "needed"


class GoneOnAlready(DominoError):
    code = "gone_on_already"
    text = gettext_noop(
        "“%(entry)s” has gone on from %(source)s to %(stage)s, which is being played. Take others "
        "for this stage (a second event takes the places after all who went on), or discard "
        "%(stage)s first."
    )

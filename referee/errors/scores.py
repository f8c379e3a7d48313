"""Refusals of setting the score of a table to what its paper says."""

from __future__ import annotations

from engine.errors import DominoError, marked


class ScoreBelow(DominoError):
    """Points are taken back by undoing what earned them, never by a smaller number."""

    code = "score_below"
    text = marked(
        "By the record the score of %(name)s is %(found)s, more than %(given)s. What is recorded "
        "is taken back by undo: go back in the record first."
    )


class ScoreInPlay(DominoError):
    code = "score_in_play"
    text = marked(
        "Round %(number)s is being played. Finish it or undo its entries, then set the score."
    )


class ScoreSides(DominoError):
    code = "score_sides"
    text = marked(
        "The score names %(found)s, but at table %(table)s play %(sides)s. Give each of them its "
        "points, in whole numbers from 0 to %(most)s."
    )

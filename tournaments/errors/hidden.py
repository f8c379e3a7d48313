"""Refusals of hiding results, and of asking for what is hidden."""

from __future__ import annotations

from django.utils.translation import gettext_noop

from engine.errors import DominoError


class NoStageToHide(DominoError):
    code = "no_stage_to_hide"
    text = gettext_noop(
        "The event has no stage %(found)s; its stages are %(numbers)s. Choose from which of them "
        "on the results are hidden."
    )


class NoRoundToHide(DominoError):
    code = "no_round_to_hide"
    text = gettext_noop(
        "Results are hidden from a round between 1 and %(last)s on; found %(found)s. Give the "
        "number of the first round whose results are hidden."
    )


class ResultsHidden(DominoError):
    """Somebody asks what was played at a table, and nobody is to know before the prize-giving."""

    code = "results_hidden"
    text = gettext_noop(
        "The results of round %(round)s will be shown at the prize-giving. Ask again after it."
    )

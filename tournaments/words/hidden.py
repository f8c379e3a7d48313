"""What is said where results are hidden until the prize-giving, and what the log says of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from django.utils.translation import gettext, gettext_noop

from tournaments.digits import local_digits
from tournaments.direction import isolated
from tournaments.models import PairingRound, Tournament
from tournaments.publication import hidden, withheld

SENTENCES: Final[Mapping[str, tuple[str, ...]]] = {
    "results_hidden": (
        gettext_noop(
            "%(who)s hid the results from round %(round)s of %(stage)s on until the prize-giving"
        ),
    ),
    "results_shown": (
        gettext_noop("%(who)s showed all results, hidden from round %(round)s of %(stage)s on"),
    ),
}

OWN: Final[Mapping[str, str]] = {
    "results_hidden": gettext_noop(
        "The results from round %(round)s of %(stage)s on are hidden from the public now; "
        "afterwards it is as it was before."
    ),
    "results_shown": gettext_noop(
        "Everybody sees all results now; afterwards those from round %(round)s of %(stage)s on "
        "are hidden again."
    ),
}


def of_round(pairing_round: PairingRound) -> str:
    """Say that the results of a round are hidden, to whoever reads; empty where they are not."""
    tournament = pairing_round.stage.tournament
    if not hidden(tournament).has(pairing_round):
        return ""
    if withheld(tournament).has(pairing_round):
        said = gettext("The results of round %(number)s will be shown at the prize-giving.")
    else:
        said = gettext("The public does not see the results of round %(number)s yet.")
    return local_digits(said % {"number": pairing_round.number})


def of_event(tournament: Tournament) -> str:
    """Say from which round on the results of an event are hidden; empty where none are."""
    since = hidden(tournament).since
    if since is None:
        return ""
    is_reader = bool(withheld(tournament))
    titles = {one.number: one.title for one in tournament.stages.all()}
    if len(titles) < 2 or since[0] not in titles:
        said = (
            gettext("The results from round %(number)s on will be shown at the prize-giving.")
            if is_reader
            else gettext("The public does not see the results from round %(number)s on yet.")
        )
        return local_digits(said % {"number": since[1]})
    said = (
        gettext(
            "The results from round %(number)s of %(stage)s on will be shown at the prize-giving."
        )
        if is_reader
        else gettext(
            "The public does not see the results from round %(number)s of %(stage)s on yet."
        )
    )
    return said % {"number": local_digits(since[1]), "stage": isolated(titles[since[0]])}

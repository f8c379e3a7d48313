"""What a page is, in a sentence or two: for whoever is shown a link to it elsewhere."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.formats import date_format
from django.utils.translation import gettext, ngettext

from tournaments.digits import local_digits
from tournaments.direction import isolated
from tournaments.errors.base import listed
from tournaments.models import Tournament
from tournaments.queries.brackets import BracketPage
from tournaments.queries.events import PairingsPage, TournamentPage
from tournaments.queries.standings import StandingsPage


def event(page: TournamentPage, told: str) -> str:
    """Say where and when an event is, who has won it or what is played, and how many play."""
    tournament = page.tournament
    said = [_where(tournament)]
    first = _first(page.standings)
    is_told = not page.standings.hidden_rounds
    if tournament.state == Tournament.State.FINISHED and first and is_told:
        said.append(gettext("The winner is %(name)s.") % {"name": isolated(first)})
    elif told:
        said.append(told)
    elif tournament.state == Tournament.State.OPEN:
        said.append(gettext("Registration is open."))
    said.append(
        ngettext("%(count)s entry plays.", "%(count)s entries play.", page.entries)
        % {"count": page.entries}
    )
    return local_digits(" ".join(said))


def _where(tournament: Tournament) -> str:
    day = date_format(tournament.starts_on, "DATE_FORMAT")
    place = [isolated(one) for one in (tournament.venue, tournament.city) if one]
    if not place:
        return gettext("A domino event on %(day)s.") % {"day": day}
    # Translators: what stands between two names of a list.
    where = gettext(", ").join(place)
    return gettext("A domino event on %(day)s: %(place)s.") % {"day": day, "place": where}


def pairing_round(page: PairingsPage) -> str:
    """Say that tables are found here."""
    tables = len(page.tables)
    said = ngettext(
        "Who plays where in pairing round %(number)s of %(event)s: %(count)s table.",
        "Who plays where in pairing round %(number)s of %(event)s: %(count)s tables.",
        tables,
    )
    number, name = page.pairing_round.number, isolated(page.tournament.name)
    return local_digits(said % {"number": number, "event": name, "count": tables})


def standings(page: StandingsPage) -> str:
    """Say who is first."""
    said = gettext("The standings of %(event)s.") % {"event": isolated(page.tournament.name)}
    if first := _first(page):
        said += " " + gettext("First is %(name)s.") % {"name": isolated(first)}
    return local_digits(said)


def bracket(page: BracketPage, tournament: Tournament) -> str:
    """Say who has won the bracket, if anybody."""
    said = gettext("Who meets whom in the bracket of %(event)s.") % {
        "event": isolated(tournament.name)
    }
    if page.champion:
        name = isolated(page.champion.name)
        said += " " + gettext("The winner is %(name)s.") % {"name": name}
    return local_digits(said)


def table(event: str, number: int, sides: Sequence[tuple[str, int | None]]) -> str:
    """Say who plays at a table and how it stands."""
    scores = [
        isolated(name) if points is None else f"{isolated(name)} {points}" for name, points in sides
    ]
    return local_digits(
        gettext("%(event)s, pairing round %(number)s: %(sides)s.")
        % {"event": isolated(event), "number": number, "sides": listed(scores)}
    )


def _first(page: StandingsPage) -> str:
    """Return who is first and alone there; nobody before any result counts."""
    if not page.rounds_finished:
        return ""
    first = [row.entry.name for row in page.rows if row.place == 1 and not row.is_shared]
    return first[0] if len(first) == 1 else ""

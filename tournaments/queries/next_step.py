"""What a director does next, said in one sentence with one button."""

from __future__ import annotations

from dataclasses import dataclass

from django.urls import reverse
from django.utils.translation import gettext, ngettext

from tournaments.models import Stage, Tournament
from tournaments.queries.desk import DirectorPage
from tournaments.queries.desk_draw import next_draw
from tournaments.queries.events import RoundLine
from tournaments.services.brackets import undecided_tables
from tournaments.services.draws import BRACKETS

DONE, NOW, LATER = "done", "now", "later"
_OPEN = Stage.State.OPEN


@dataclass(frozen=True, slots=True)
class NextStep:
    """The next act: what is the state, what the button says, and where it leads.

    `is_change`: the button changes something at once, so it is sent by POST. `also` is another
    way on, its words and where it leads; None where there is one way only.
    """

    title: str
    text: str
    label: str
    url: str
    is_change: bool = False
    also: tuple[str, str] | None = None


@dataclass(frozen=True, slots=True)
class Stretch:
    """A part of the way from an empty event to its winner."""

    label: str
    state: str
    url: str


def way(page: DirectorPage) -> tuple[Stretch, ...]:
    """Return the parts of the way with the one the event is in."""
    slug = page.tournament.slug
    running = page.tournament.state in {Tournament.State.RUNNING, Tournament.State.FINISHED}
    finished = page.tournament.state == Tournament.State.FINISHED
    has_tables = any(one.tables for one in _rounds(page))
    reached = 0
    for condition in (True, running, page.has_published and has_tables, finished, finished):
        if not condition:
            break
        reached += 1
    parts = (
        (gettext("Event and rules"), reverse("tournaments:director_details", args=[slug])),
        (gettext("Entries"), reverse("tournaments:director_entries", args=[slug])),
        (gettext("Pairings"), reverse("tournaments:director_pairings", args=[slug])),
        (gettext("Play"), reverse("tournaments:director_tables", args=[slug])),
        (gettext("Finished"), reverse("tournaments:standings", args=[slug])),
    )
    states = [DONE if n < reached else NOW if n == reached else LATER for n in range(5)]
    return tuple(
        Stretch(label, state, url) for (label, url), state in zip(parts, states, strict=True)
    )


def next_step(page: DirectorPage) -> NextStep:
    """Return what the director does next."""
    tournament, slug = page.tournament, page.tournament.slug
    if tournament.state == Tournament.State.FINISHED:
        return NextStep(
            gettext("The event is finished."),
            gettext("The standings are final. Nothing more is to be done."),
            gettext("See the standings"),
            reverse("tournaments:standings", args=[slug]),
        )
    if tournament.state != Tournament.State.RUNNING:
        return _before_the_start(page)
    return _while_running(page)


def _before_the_start(page: DirectorPage) -> NextStep:
    slug, registered = page.tournament.slug, page.entries_registered
    if registered < 2:
        return NextStep(
            gettext("Nobody is entered yet.") if not registered else gettext("One entry so far."),
            gettext("At least two are needed. Import a list, or add them one by one."),
            gettext("Add entries"),
            reverse("tournaments:director_entries", args=[slug]),
        )
    return NextStep(
        ngettext("%(count)s entry is registered.", "%(count)s entries are registered.", registered)
        % {"count": registered},
        gettext(
            "When everybody is entered, close registration; then the pairings can be made. Whoever"
            " comes late can still be entered at the desk."
        ),
        gettext("Close registration and start"),
        reverse("tournaments:director_start", args=[slug]),
    )


def _while_running(page: DirectorPage) -> NextStep:
    slug = page.tournament.slug
    pairings = reverse("tournaments:director_pairings", args=[slug])
    if page.open_tables:
        count = len(page.open_tables)
        return NextStep(
            ngettext("%(count)s table is open.", "%(count)s tables are open.", count)
            % {"count": count},
            gettext(
                "The referees record the play, or the sheets are typed here. The next step comes "
                "when all are closed."
            ),
            gettext("Type the results"),
            reverse("tournaments:director_results", args=[slug]),
        )
    draft = page.next_draft
    if draft is not None:
        return NextStep(
            gettext("Pairing round %(number)s is ready.") % {"number": draft.number},
            gettext("Only directors see it so far. Published, everybody knows where to sit."),
            gettext("Publish round %(number)s") % {"number": draft.number},
            reverse("tournaments:director_publish", args=[slug, draft.stage.number, draft.number]),
            is_change=True,
        )
    for line in page.stages:
        if line.stage.state == _OPEN and (undecided := undecided_tables(line.stage)):
            table = undecided[0]
            return NextStep(
                gettext("Both sides of table %(table)s have lost.") % {"table": table.table},
                gettext("Nobody goes on from there by itself. Say who does, or have it replayed."),
                gettext("Say who goes on"),
                reverse("tournaments:director_meeting", args=[slug, table.pk]),
            )
    for line in page.stages:
        number = next_draw(line)
        if number:
            return NextStep(
                gettext("Pairing round %(number)s can be drawn.") % {"number": number},
                gettext("Say who is missing, then draw. Nobody but directors sees the draft."),
                gettext("Draw round %(number)s") % {"number": number},
                reverse("tournaments:director_draw", args=[slug, line.stage.number, number]),
                also=_end_here(page) if number > 1 else None,
            )
    by_hand = _stage_by_hand(page)
    if not page.stages or (by_hand is not None and not page.has_published):
        return NextStep(
            gettext("Registration is closed; nobody has a table yet."),
            gettext("Choose how it is played: Swiss, groups, knockout, round robin, by hand."),
            gettext("Make the pairings"),
            pairings,
        )
    return _at_the_end(page)


def _end_here(page: DirectorPage) -> tuple[str, str]:
    """Rain, or the café closes: the standings so far are final at any round."""
    finish = reverse("tournaments:director_finish", args=[page.tournament.slug])
    return gettext("End the event here"), finish


def _at_the_end(page: DirectorPage) -> NextStep:
    """Everything drawn has been played: the event ends, or the best of it go on."""
    slug = page.tournament.slug
    also: tuple[str, str] | None = None
    text = gettext("The last table has decided who wins. Finish the event.")
    still_open = [one.stage for one in page.stages if one.stage.state == _OPEN]
    before = next((one for one in still_open if one.system not in BRACKETS), None)
    if before is not None:
        also = (
            gettext("Close the stage"),
            reverse("tournaments:director_stage_close", args=[slug, before.number]),
        )
        text = gettext("Finish the event; or close the stage, so that its best go on to another.")
    elif not still_open:
        also = gettext("Add a stage"), reverse("tournaments:director_stage", args=[slug])
        text = gettext("Finish the event, or let those who qualified go on to another stage.")
    return NextStep(
        gettext("All published tables are closed."),
        text,
        gettext("Finish the event"),
        reverse("tournaments:director_finish", args=[slug]),
        also=also,
    )


def _rounds(page: DirectorPage) -> list[RoundLine]:
    return [one for stage in page.stages for one in stage.rounds]


def _stage_by_hand(page: DirectorPage) -> Stage | None:
    for line in page.stages:
        if line.stage.system == Stage.System.MANUAL and line.stage.state == _OPEN:
            return line.stage
    return None

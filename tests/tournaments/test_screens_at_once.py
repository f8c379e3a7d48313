"""Two desks at the same screens at one moment: one bell, one screen of a name, one line."""

from __future__ import annotations

import pytest

from engine.errors import DominoError
from tests.factories import TournamentFactory
from tests.tournaments.test_concurrency import at_once
from tournaments.models import LogEntry, Screen
from tournaments.services import screens
from tournaments.services.screens import ScreenSettings

pytestmark = pytest.mark.django_db(transaction=True)


def test_of_two_screens_told_to_ring_at_one_moment_one_does():
    event = TournamentFactory.create()
    by = event.created_by
    made = [
        screens.make_screen(event, wanted=ScreenSettings(name=name), by=by)
        for name in ("Left", "Right")
    ]

    def ring(screen: Screen) -> bool:
        wanted = ScreenSettings(name=screen.name, rings=True)
        return screens.change_screen(screen, wanted=wanted, by=by).rings

    assert at_once(*[lambda one=one: ring(one) for one in made]) == [True, True]
    assert event.screens.filter(rings=True).count() == 1


def test_a_screen_set_up_twice_at_one_moment_is_there_once():
    event = TournamentFactory.create()
    by = event.created_by
    wanted = ScreenSettings(name="Left")
    at_once(*[lambda: screens.make_screen(event, wanted=wanted, by=by)] * 2)
    assert event.screens.count() == 1
    assert LogEntry.objects.filter(act="screen_made").count() == 1


def test_two_desks_that_switch_one_screen_leave_what_one_of_them_wanted():
    event = TournamentFactory.create()
    by = event.created_by
    screen = screens.make_screen(event, wanted=ScreenSettings(name="Left"), by=by)

    def switch(shows: str, message: str) -> str:
        try:
            return screens.switch_screen(screen, shows=shows, message=message, by=by).message
        except DominoError as error:
            return error.code

    at_once(lambda: switch("message", "Lunch"), lambda: switch("clock", "Dinner"))
    screen.refresh_from_db()
    assert (screen.shows, screen.message) in {("message", "Lunch"), ("clock", "Dinner")}
    assert LogEntry.objects.filter(act="screen_switched").count() == 2

"""What is done with the screens of a hall, to be taken back."""

from __future__ import annotations

from tests.tournaments.undoing import Do, World
from tournaments.models import Screen
from tournaments.services import screens
from tournaments.services.screens import ScreenSettings


def _screen(world: World, name: str = "Stage", **settings: object) -> Screen:
    wanted = ScreenSettings(name=name, **settings)  # type: ignore[arg-type]
    return screens.make_screen(world.event, wanted=wanted, by=world.by)


def screen_made() -> tuple[World, Do]:
    world = World(0)
    return world, lambda: _screen(world)


def screen_made_that_rings_instead() -> tuple[World, Do]:
    world = World(0)
    _screen(world, "Door", rings=True)
    return world, lambda: _screen(world, rings=True)


def screen_changed() -> tuple[World, Do]:
    world = World(0)
    screen = _screen(world)
    wanted = ScreenSettings(name="Left wall", language="ar", second_language="en", seconds=20)
    return world, lambda: screens.change_screen(screen, wanted=wanted, by=world.by)


def screen_changed_to_ring_instead() -> tuple[World, Do]:
    world = World(0)
    screen = _screen(world)
    _screen(world, "Door", rings=True)
    wanted = ScreenSettings(name="Stage", rings=True)
    return world, lambda: screens.change_screen(screen, wanted=wanted, by=world.by)


def screen_switched() -> tuple[World, Do]:
    world = World(0)
    screen = _screen(world)
    return world, lambda: screens.switch_screen(
        screen, shows="message", message="Lunch until two", by=world.by
    )


def screen_removed() -> tuple[World, Do]:
    world = World(0)
    screen = _screen(world, rings=True)
    return world, lambda: screens.remove_screen(screen, by=world.by)

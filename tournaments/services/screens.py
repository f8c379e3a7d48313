"""Sets up the screens of a hall and switches what each of them shows."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from typing import Final

from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction

from tournaments import permissions
from tournaments.errors import screens as errors
from tournaments.errors.base import TextTooLong
from tournaments.errors.tables import LARGEST_TABLE
from tournaments.models import Screen, Stage, Tournament
from tournaments.models.screens import LONGEST_MESSAGE, LONGEST_NAME, MOST_PARTS, SECONDS
from tournaments.names import tidy
from tournaments.services import log, watches
from tournaments.services.lifecycle import locked
from tournaments.services.traces import traced

MOST_SCREENS: Final = 40
# Without letters and digits that people take for one another: it is typed in the hall.
_LETTERS: Final = "abcdefghjkmnpqrstuvwxyz23456789"
# 99 bits: nobody guesses that.
_LENGTH: Final = 20
_SETTINGS: Final = (
    *("name", "language", "second_language", "seconds", "part", "parts", "is_light", "rings"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ScreenSettings:
    """How a screen shows whatever it shows.

    Of a list shared among `parts` screens this one shows the `part`. Where there is a second
    language, the two take turns.
    """

    name: str
    language: str = "en"
    second_language: str = ""
    seconds: int = 10
    part: int = 1
    parts: int = 1
    is_light: bool = False
    rings: bool = False


def new_key() -> str:
    """Return an address nobody can guess."""
    return "".join(secrets.choice(_LETTERS) for _ in range(_LENGTH))


# An event that is over keeps its screens: they show who has won.


@transaction.atomic
@traced(watches.screens)
def make_screen(tournament: Tournament, *, wanted: ScreenSettings, by: User) -> Screen:
    """Set up a screen. Asked twice with the same settings, it is there once."""
    permissions.require_director(by, tournament)
    tournament = locked(tournament)
    fields = _checked(wanted)
    before = tournament.screens.filter(name=fields["name"]).first()
    if before is not None:
        if all(getattr(before, name) == value for name, value in fields.items()):
            return before
        raise errors.ScreenNameTaken(name=before.name)
    if (found := tournament.screens.count()) >= MOST_SCREENS:
        raise errors.TooManyScreens(found=found)
    if fields["rings"]:
        tournament.screens.filter(rings=True).update(rings=False)
    screen = Screen.objects.create(tournament=tournament, key=new_key(), **fields)
    log.write(tournament, "screen_made", by=by, screen=screen.name)
    return screen


@transaction.atomic
@traced(watches.screen_and_who_rings)
def change_screen(screen: Screen, *, wanted: ScreenSettings, by: User) -> Screen:
    """Change how a screen shows things. At most one rings: the last one told to."""
    screen = _locked(screen, by)
    tournament = screen.tournament
    fields = _checked(wanted)
    if all(getattr(screen, name) == value for name, value in fields.items()):
        return screen
    others = tournament.screens.exclude(pk=screen.pk)
    if others.filter(name=fields["name"]).exists():
        raise errors.ScreenNameTaken(name=fields["name"])
    if fields["rings"]:
        others.filter(rings=True).update(rings=False)
    for name, value in fields.items():
        setattr(screen, name, value)
    screen.save(update_fields=list(_SETTINGS))
    log.write(tournament, "screen_changed", by=by, screen=screen.name)
    return screen


@transaction.atomic
@traced(watches.itself("shows", "stage_id", "table", "message"))
def switch_screen(
    screen: Screen,
    *,
    shows: str,
    table: int | None = None,
    message: str | None = None,
    stage: Stage | None = None,
    by: User,
) -> Screen:
    """Let a screen show something else. The same again changes nothing.

    The table and the message that are not given stay as they were; without `stage` it follows
    the one that is being played.
    """
    screen = _locked(screen, by)
    view = _view(shows)
    table = screen.table if table is None else table
    message = screen.message if message is None else tidy(message)
    if not 1 <= table <= LARGEST_TABLE:
        raise errors.BadScreenTable(found=table, most=LARGEST_TABLE)
    if len(message) > LONGEST_MESSAGE:
        raise TextTooLong(given=message[:20], found=len(message), limit=LONGEST_MESSAGE)
    if view is Screen.Shows.MESSAGE and not message:
        raise errors.MessageMissing
    if stage is not None and stage.tournament_id != screen.tournament_id:
        raise errors.StageOfAnotherEvent
    now = (screen.shows, screen.stage_id, screen.table, screen.message)
    if now == (view, stage.pk if stage else None, table, message):
        return screen
    screen.shows, screen.stage, screen.table, screen.message = view, stage, table, message
    screen.save(update_fields=["shows", "stage", "table", "message"])
    log.write(
        screen.tournament, "screen_switched", by=by, screen=screen.name, screen_view=str(view)
    )
    return screen


@transaction.atomic
def switch_all(
    tournament: Tournament,
    *,
    shows: str,
    table: int | None = None,
    message: str | None = None,
    stage: Stage | None = None,
    by: User,
) -> list[Screen]:
    """Let every screen of an event show the same, such as a message.

    Each keeps its own table and message for later, unless these are what is shown now.
    """
    permissions.require_director(by, tournament)
    locked(tournament)
    table = table if shows == Screen.Shows.FEATURED else None
    message = message if shows == Screen.Shows.MESSAGE else None
    return [
        switch_screen(one, shows=shows, table=table, message=message, stage=stage, by=by)
        for one in tournament.screens.select_related("tournament")
    ]


@transaction.atomic
def renew_key(screen: Screen, *, by: User) -> Screen:
    """Give a screen another address; the old one opens nothing from now on."""
    screen = _locked(screen, by)
    screen.key = new_key()
    screen.save(update_fields=["key"])
    log.write(screen.tournament, "screen_key_renewed", by=by, screen=screen.name)
    return screen


@transaction.atomic
@traced(watches.itself())
def remove_screen(screen: Screen, *, by: User) -> None:
    """Take a screen away; its address opens nothing then. Asked twice, it is gone once."""
    tournament = screen.tournament
    permissions.require_director(by, tournament)
    locked(tournament)
    deleted, _ = Screen.objects.filter(pk=screen.pk).delete()
    if deleted:
        log.write(tournament, "screen_removed", by=by, screen=screen.name)


def _locked(screen: Screen, by: User) -> Screen:
    """Return a screen as it is now, for a director who has its event to themselves."""
    permissions.require_director(by, screen.tournament)
    locked(screen.tournament)
    return Screen.objects.select_related("tournament").get(pk=screen.pk)


def _view(found: str) -> Screen.Shows:
    if found not in Screen.Shows.values:
        raise errors.UnknownView(found=found[:40], known=", ".join(Screen.Shows.values))
    return Screen.Shows(found)


def _checked(wanted: ScreenSettings) -> dict[str, object]:
    """Return the columns of a screen; refuses what makes no sense."""
    name = tidy(wanted.name)
    if not name:
        raise errors.ScreenNameMissing
    if len(name) > LONGEST_NAME:
        raise TextTooLong(given=name[:20], found=len(name), limit=LONGEST_NAME)
    known = [code for code, _ in settings.LANGUAGES]
    second = "" if wanted.second_language == wanted.language else wanted.second_language
    for language in (wanted.language, second or wanted.language):
        if language not in known:
            raise errors.UnknownScreenLanguage(found=language[:10], known=", ".join(known))
    if not SECONDS[0] <= wanted.seconds <= SECONDS[1]:
        raise errors.BadScreenSeconds(found=wanted.seconds, least=SECONDS[0], most=SECONDS[1])
    if not 1 <= wanted.part <= wanted.parts <= MOST_PARTS:
        raise errors.BadScreenPart(part=wanted.part, parts=wanted.parts, most=MOST_PARTS)
    return {
        "name": name,
        "language": wanted.language,
        "second_language": second,
        "seconds": wanted.seconds,
        "part": wanted.part,
        "parts": wanted.parts,
        "is_light": wanted.is_light,
        "rings": wanted.rings,
    }

"""Corrects what is known of a player."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.utils.translation import gettext

from tournaments import permissions
from tournaments.errors import base as errors
from tournaments.errors import entries as entry_errors
from tournaments.models import Entry, Player, PlayerSpelling, Tournament
from tournaments.names import folded
from tournaments.services import log, watches
from tournaments.services.people import People, PlayerData, lock_people, readable
from tournaments.services.traces import traced

MOST_SPELLINGS = 20


@transaction.atomic
@traced(watches.player)
def correct_player(
    tournament: Tournament,
    player: Player,
    *,
    written: PlayerData,
    spellings: Sequence[str] | None = None,
    by: User,
) -> Player:
    """Write a player anew: names, club, country and number; what is empty becomes unknown.

    `spellings` are the other ways the name is written, None for those there are. A name that is
    shortened for the public is written in full here.

    A director of an event the player is entered in may do it, also when that event is over: a
    misspelled name is a fault of every list it stands in. Entries that bear the names of their
    players are named again.
    """
    permissions.require_director(by, tournament)
    if not player.memberships.filter(tournament=tournament).exists():
        raise PermissionDenied(
            gettext("Only a director of an event the player enters may do this.")
        )
    lock_people()
    given = written.tidied(1)
    player = Player.objects.select_for_update().get(pk=player.pk)
    namesake = Player.objects.exclude(number="").filter(number=given.number).exclude(pk=player.pk)
    found = namesake.first()
    if found is not None:
        raise errors.NumberBelongsToAnother(number=given.number, found=found.name, given=given.name)
    entries = named_after_players(player)
    named_in_full = player.known_name
    before = player.name
    people = People((), [given.club])
    player.club = people.club(given.club, given.country)
    people.save()
    player.call(given.name, given.latin_name, is_minor=given.is_minor)
    player.country, player.number = given.country, given.number
    player.save()
    if spellings is not None:
        _write_spellings(player, spellings)
    rename(entries)
    if player.is_minor:
        _shorten_elsewhere(player, {named_in_full, player.full_name}, but=entries)
    log.write(tournament, "player_corrected", by=by, before=before, name=player.name)
    return player


def _shorten_elsewhere(player: Player, names: Iterable[str], *, but: Iterable[Entry]) -> None:
    """Shorten a minor's name where an entry that has a name of its own holds it."""
    others = Entry.objects.filter(members__player=player).exclude(pk__in=[one.pk for one in but])
    for entry in others:
        name = entry.name
        for full in names:
            name = name.replace(full, player.name)
        if name != entry.name:
            entry.full_name, entry.name = entry.full_name or entry.name, name
            entry.save(update_fields=["name", "full_name"])


def _write_spellings(player: Player, given: Sequence[str]) -> None:
    """Keep those that are still given, with their clubs, and add those that are new."""
    wanted = {folded(name): name for name in map(readable, given) if name}
    if len(wanted) > MOST_SPELLINGS:
        raise entry_errors.TooManySpellings(found=len(wanted), most=MOST_SPELLINGS)
    player.spellings.exclude(folded_name__in=wanted).delete()
    known = {
        player.folded_name,
        player.folded_full_name,
        *player.spellings.values_list("folded_name", flat=True),
    }
    for key, name in wanted.items():
        if key not in known:
            PlayerSpelling.objects.create(player=player, name=name)


def named_after_players(player: Player) -> list[Entry]:
    """Return the entries of a player that bear the names of their players."""
    entries = Entry.objects.filter(members__player=player)
    return [entry for entry in entries if entry.name == joined(_playing(entry))[0]]


def rename(entries: Iterable[Entry]) -> None:
    """Name entries after their players, as those are called now."""
    for entry in entries:
        entry.name, entry.full_name = joined(_playing(entry))
        entry.save(update_fields=["name", "full_name"])


def joined(players: Sequence[Player]) -> tuple[str, str]:
    """Return the name of an entry that bears those of its players, and with minors' in full.

    The second is empty where no name is shortened.
    """
    name = " / ".join(one.name for one in players)
    full = " / ".join(one.known_name for one in players)
    return name, full if full != name else ""


def own_name(given: str, players: Sequence[Player]) -> tuple[str, str]:
    """Return the name an entry was given, and as it was given if it held the name of a minor."""
    name = given
    for one in players:
        if one.is_minor:
            name = name.replace(one.full_name, one.name)
    return name, given if name != given else ""


def _playing(entry: Entry) -> list[Player]:
    members = entry.members.filter(on_bench=False).order_by("position")
    return [one.player for one in members.select_related("player")]

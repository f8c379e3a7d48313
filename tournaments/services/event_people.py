"""Stores the people and clubs of an event file: those who are known here are not stored twice."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping

from django.db.models import Q

from tournaments.models import Club, Player, PlayerSpelling
from tournaments.names import folded
from tournaments.services.event_rows import objects, row_of
from tournaments.services.players import named_after_players, rename


def stored_club(club: Club) -> Club:
    """Return the club that is known here by name and country; else store it."""
    known = Club.objects.filter(folded_name=folded(club.name), country=club.country).first()
    if known is None:
        club.save()
    return known or club


def stored_player(player: Player, taken: Collection[int]) -> Player:
    """Return the one who is known here by number, or by name and club; else a new player.

    `taken` are the keys of those whom the file has named before: nobody is two people of it.
    """
    player.settle_names()
    known = None
    if player.number:
        known = _free(Player.objects.filter(number=player.number), taken)
    if known is None:
        spelling = folded(player.known_name)
        same = Player.objects.filter(
            Q(folded_name=spelling, full_name="") | Q(folded_full_name=spelling),
            club=player.club,
            country=player.country,
        )
        # Two federation numbers are two people, whatever their name.
        known = _free(same.filter(number__in={"", player.number}).order_by("pk"), taken)
    if known is None:
        player.save()
    elif player.is_minor and not known.is_minor:
        _shorten(known)
    return known or player


def _shorten(player: Player) -> None:
    """Call a known player by the short name from now on: the file says that of a minor."""
    named = named_after_players(player)
    player.call(player.name, player.latin_name, is_minor=True)
    player.save()
    rename(named)


def _free(found: Iterable[Player], taken: Collection[int]) -> Player | None:
    # Asked here and not of the database: a large event names thousands.
    return next((one for one in found if one.pk not in taken), None)


def store_spellings(
    player: Player,
    given: Mapping[str, object],
    at: str,
    *,
    club_at: Callable[[object, str], Club | None],
) -> None:
    """Add the other spellings a file has of a player to those that are known here."""
    if "spellings" not in given:
        # Files written before they were kept do not have them.
        return
    for place, one in objects(given, "spellings", at):
        club = club_at(one.get("club"), f"{place}.club")
        spelling = row_of(PlayerSpelling, one, place, player=player, club=club)
        key = folded(spelling.name)
        same = player.spellings.filter(folded_name=key, club=club)
        if key and key not in (player.folded_name, player.folded_full_name) and not same.exists():
            spelling.save()

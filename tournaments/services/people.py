"""Finds the players and clubs behind what was written, and makes those that are new."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias
from unicodedata import category

from django.db import connection
from django.db.models import Q

from tournaments.countries import settled_country
from tournaments.digits import to_latin_digits
from tournaments.errors import base as errors
from tournaments.models import Club, Player, PlayerSpelling
from tournaments.names import folded, tidy
from tournaments.sounds import sounds_key

LONGEST_NAME = 120
LONGEST_NUMBER = 32
# Any number nothing else in the database locks.
_PEOPLE = 7_052_028

# A club is told apart by its name in any spelling, and its country.
ClubKey: TypeAlias = tuple[str, str]


@dataclass(frozen=True, slots=True)
class PlayerData:
    """A player as written on a form or in a file. Everything but the name may be unknown."""

    name: str
    latin_name: str = ""
    club: str = ""
    country: str = ""
    number: str = ""
    is_minor: bool = False
    """The name is shortened for the public."""

    def tidied(self, position: int) -> PlayerData:
        """Return the same player in orderly writing; refuses what cannot be stored."""
        name = readable(self.name)
        if not name:
            raise errors.PlayerNameMissing(position=position)
        return PlayerData(
            name=name,
            latin_name=_within(tidy(self.latin_name), LONGEST_NAME),
            club=readable(self.club),
            country=settled_country(tidy(self.country)),
            number=_within(to_latin_digits(tidy(self.number)), LONGEST_NUMBER),
            is_minor=self.is_minor,
        )


def lock_people() -> None:
    """Let nobody else make a player or club until this transaction ends.

    Two who are not known have no row to lock, so that two lists that name them would make each
    twice. SQLite lets one transaction write at a time anyway.
    """
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [_PEOPLE])


class People:
    """Players and clubs that may be meant by `written`, read in four queries.

    Whoever is not known is made in memory and found again under the same writing; `save`
    stores them.
    """

    def __init__(self, written: Sequence[PlayerData], clubs: Iterable[str] = ()) -> None:
        self._clubs: defaultdict[str, dict[str, Club]] = defaultdict(dict)
        self._numbers: dict[str, Player] = {}
        self._names: defaultdict[tuple[str, ClubKey | None], list[Player]] = defaultdict(list)
        self._namesakes: defaultdict[str, list[Player]] = defaultdict(list)
        self._new_clubs: list[Club] = []
        self._new_players: list[Player] = []
        self._numbered: list[Player] = []
        names = {folded(one.club) for one in written} | {folded(one) for one in clubs}
        for club in Club.objects.filter(folded_name__in=names - {""}):
            self._clubs[club.folded_name][club.country] = club
        numbers = {to_latin_digits(tidy(one.number)) for one in written} - {""}
        for player in Player.objects.filter(number__in=numbers).select_related("club"):
            self._numbers[player.number] = player
        persons = {folded(one.name) for one in written}
        # A minor is known by the full name: the short one may be that of many.
        spelled = Q(folded_name__in=persons, full_name="") | Q(folded_full_name__in=persons - {""})
        found = Player.objects.filter(spelled).select_related("club")
        for player in found.order_by("pk"):
            # One object a person, whichever way they are found.
            known = self._numbers.get(player.number, player) if player.number else player
            self._names[_folded(player), _key(player.club)].append(known)
            self._namesakes[_folded(player)].append(known)
        self._spellings: defaultdict[int, set[str]] = defaultdict(set)
        self._find_spelled(persons)

    def _find_spelled(self, persons: set[str]) -> None:
        """Find those who are known under another name and whose name nobody else bears."""
        own = {folded for folded, players in self._namesakes.items() if players}
        taken = {key for key, players in self._names.items() if players}
        spelled = PlayerSpelling.objects.filter(
            Q(folded_name__in=persons) | Q(player__in=[one.pk for one in self._numbers.values()])
        ).select_related("player__club", "club")
        same = {one.pk: one for some in self._namesakes.values() for one in some}
        same |= {one.pk: one for one in self._numbers.values()}
        for one in spelled.order_by("pk"):
            player = same.setdefault(one.player_id, one.player)
            self._spellings[player.pk].add(one.folded_name)
            for club in {_key(one.club), _key(player.club)} - ({None} if one.club else set()):
                key = (one.folded_name, club)
                if key not in taken and player not in self._names[key]:
                    self._names[key].append(player)
            if one.folded_name not in own and player not in self._namesakes[one.folded_name]:
                self._namesakes[one.folded_name].append(player)

    def player(self, written: PlayerData, *, is_entered: Callable[[Player], bool]) -> Player:
        """Return the player meant: by federation number, else by name and club, else new.

        A name alone means who is entered under it, else the only one known by it.
        """
        if not written.number and not folded(written.club):
            namesake = self._namesake(written, is_entered)
            if namesake is not None:
                return namesake
        club = self.club(written.club, written.country)
        known = self._numbers.get(written.number)
        if known is not None:
            _require_same_name(known, written, self._spellings[known.pk] if known.pk else set())
            return known
        alike = self._names[folded(written.name), _key(club)]
        if written.number:
            alike = [one for one in alike if not one.number]
        if len(alike) == 1:
            if written.number:
                self._give_number(alike[0], written.number)
            return alike[0]
        if alike and not written.number:
            raise errors.NameIsAmbiguous(name=written.name, found=len(alike))
        return self._made(written, club)

    def _namesake(self, written: PlayerData, is_entered: Callable[[Player], bool]) -> Player | None:
        """Return who is meant by a name alone, if that is certain."""
        countries = {"", written.country}
        alike = [
            one
            for one in self._namesakes[folded(written.name)]
            if not written.country or one.country in countries
        ]
        entered = [one for one in alike if is_entered(one)]
        if len(entered) > 1:
            without_club = [one for one in entered if one.club is None]
            entered = without_club if len(without_club) == 1 else entered
        if len(entered) == 1:
            return entered[0]
        if entered:
            raise errors.NamesakesEntered(name=written.name, found=len(entered))
        return alike[0] if len(alike) == 1 else None

    def club(self, name: str, country: str) -> Club | None:
        """Return the club of that name, in that country when there are several."""
        if not folded(name):
            return None
        alike = self._clubs[folded(name)]
        if country in alike:
            return alike[country]
        if "" in alike:
            return alike[""]
        if not country and len(alike) == 1:
            return next(iter(alike.values()))
        club = Club(name=name, country=country, folded_name=folded(name), sounds=sounds_key(name))
        alike[country] = club
        self._new_clubs.append(club)
        return club

    def save(self) -> None:
        """Store who and what is new."""
        Club.objects.bulk_create(self._new_clubs)
        Player.objects.bulk_create(self._new_players)
        Player.objects.bulk_update(self._numbered, ["number"])

    @property
    def made(self) -> tuple[Club | Player, ...]:
        """Who and what is new."""
        return (*self._new_clubs, *self._new_players)

    @property
    def numbered(self) -> list[list[object]]:
        """Known players who were given their number, as the log keeps changed rows."""
        label = Player._meta.label_lower
        return [[label, one.pk, {"number": ""}, {"number": one.number}] for one in self._numbered]

    def _made(self, written: PlayerData, club: Club | None) -> Player:
        player = Player(number=written.number, club=club, country=written.country)
        player.call(written.name, written.latin_name, is_minor=written.is_minor)
        self._new_players.append(player)
        self._names[_folded(player), _key(club)].append(player)
        self._namesakes[_folded(player)].append(player)
        if player.number:
            self._numbers[player.number] = player
        return player

    def _give_number(self, player: Player, number: str) -> None:
        player.number = number
        self._numbers[number] = player
        if player.pk is not None:
            self._numbered.append(player)


def readable(name: str) -> str:
    """Return a name in orderly writing, or nothing; refuses one that nobody could search for.

    A dash or another mark of punctuation alone is how people write that there is no name.
    """
    written = _within(tidy(name), LONGEST_NAME)
    if folded(written):
        return written
    if any(category(one)[0] not in "PZ" for one in written):
        raise errors.NameWithoutLetters(given=written[:40])
    return ""


def _folded(player: Player) -> str:
    """Return the spelling a player is known by here."""
    return player.folded_full_name or player.folded_name


def _key(club: Club | None) -> ClubKey | None:
    return None if club is None else (club.folded_name, club.country)


def _within(text: str, limit: int) -> str:
    longest = max(len(text), len(folded(text)))
    if longest > limit:
        raise errors.TextTooLong(given=text[:20], found=longest, limit=limit)
    return text


def _require_same_name(known: Player, written: PlayerData, spellings: set[str]) -> None:
    names = {folded(known.known_name), folded(known.known_latin_name)} | spellings
    names -= {""}
    if names.isdisjoint({folded(written.name), folded(written.latin_name)}):
        raise errors.NumberBelongsToAnother(
            number=written.number, found=known.name, given=written.name
        )

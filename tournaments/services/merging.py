"""Makes one player of two spellings of one person."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.utils.translation import gettext

from tournaments import permissions
from tournaments.errors import entries as entry_errors
from tournaments.models import EntryPlayer, MatchSeat, Player, PlayerSpelling, Rating, Tournament
from tournaments.names import folded
from tournaments.services import followers, log, watches
from tournaments.services.people import lock_people
from tournaments.services.players import named_after_players, rename
from tournaments.services.traces import traced

# Below this many letters one letter more or less is another name: Ali, Aly, Adli.
_SHORTEST_ALIKE = 6


@dataclass(frozen=True, slots=True)
class Likely:
    """Two players who may be one person, the one who is better known first."""

    keep: Player
    gone: Player
    same_spelling: bool
    """Letter for letter, but for accents, forms of letters and gaps."""
    same_club: bool


@dataclass(frozen=True, slots=True)
class Merger:
    """What making one of two moves."""

    keep: Player
    gone: Player
    events: tuple[Tournament, ...]
    """In which the one who goes is entered."""
    tables: int
    has_rating: bool
    learned: tuple[str, ...]
    """What is known of the one who goes only: fields of Player."""


def likely_duplicates(tournament: Tournament) -> tuple[Likely, ...]:
    """Return pairs that may be one person: somebody entered here, and anybody known.

    Names are the same when only accents, forms of letters or gaps differ; close when one letter
    does and the clubs do not speak against it.
    """
    everybody_known = Player.objects.select_related("club").prefetch_related("spellings")
    entered = list(everybody_known.filter(memberships__tournament=tournament))
    here = {one.pk for one in entered}
    by_spelling: defaultdict[str, list[Player]] = defaultdict(list)
    for player in entered:
        for spelling in _spellings(player):
            by_spelling[spelling].append(player)
    found: dict[frozenset[int], Likely] = {}
    # Those of other events come in pieces: the index of a federation is long.
    others = everybody_known.exclude(pk__in=here).iterator(chunk_size=2000)
    for everybody in (entered, others):
        for other in everybody:
            for spelling in _spellings(other):
                for player in by_spelling.get(spelling, ()):
                    pair = frozenset({player.pk, other.pk})
                    if len(pair) == 2 and pair not in found and _may_be_one(player, other):
                        found[pair] = _likely(player, other)
    return tuple(
        sorted(
            found.values(),
            key=lambda one: (not one.same_spelling, not one.same_club, one.keep.name, one.keep.pk),
        )
    )


def preview(tournament: Tournament, *, keep: Player, gone: Player, by: User) -> Merger:
    """Return what `merge_players` would move; refuses what it refuses."""
    _require_may(tournament, keep, gone, by)
    require_one_person(keep, gone)
    _require_own_or_alike(keep, gone, by)
    events = Tournament.objects.filter(entries__members__player=gone).distinct()
    return Merger(
        keep=keep,
        gone=gone,
        events=tuple(events),
        tables=MatchSeat.objects.filter(player=gone).count(),
        has_rating=Rating.objects.filter(player=gone).exists(),
        learned=tuple(_learned(keep, gone)),
    )


@transaction.atomic
@traced(watches.two_players)
def merge_players(tournament: Tournament, *, keep: Player, gone: Player, by: User) -> Player:
    """Let everything of `gone` belong to `keep`, and forget `gone` as a player of its own.

    Its spellings stay with `keep`, so that lists and searches find the person by each of them, and
    in the log of every event it was entered in. Asked twice, done once.
    """
    _require_may(tournament, keep, gone, by)
    lock_people()
    players = Player.objects.select_for_update().in_bulk([keep.pk, gone.pk])
    if gone.pk not in players and keep.pk in players:
        return players[keep.pk]
    keep, gone = players[keep.pk], players[gone.pk]
    require_one_person(keep, gone)
    _require_own_or_alike(keep, gone, by)
    events = list(Tournament.objects.filter(entries__members__player=gone).distinct())
    named = [*named_after_players(gone), *named_after_players(keep)]
    seats = MatchSeat.objects.filter(player=gone).count()
    _keep_rating(keep, gone)
    _keep_spellings(keep, gone)
    _move(keep, gone)
    learned = _learned(keep, gone)
    spelling = gone.name
    gone.delete()
    for field, value in learned.items():
        setattr(keep, field, value)
    if gone.is_minor and not keep.is_minor:
        # Whoever is a minor under one of two names is one under both.
        keep.call(keep.name, keep.latin_name, is_minor=True)
    keep.save()
    rename(named)
    for event in {event.pk: event for event in [tournament, *events]}.values():
        log.write(
            event, "players_merged", by=by, name=keep.name, alias=spelling, player=keep.pk,
            tables=seats, **({} if event.pk == tournament.pk else {"elsewhere": tournament.name}),
        )  # fmt: skip
    # What two had is now what one has, in every event it was entered in.
    for event in events:
        followers.tables_changed(event, None, by=by)
    return keep


def require_one_person(keep: Player, gone: Player) -> None:
    """Refuse to make one of two who cannot be the same person."""
    if keep.pk == gone.pk:
        raise entry_errors.MergedWithItself(player=keep.name)
    theirs = EntryPlayer.objects.filter(player=gone).values("tournament")
    both = EntryPlayer.objects.filter(player=keep, tournament__in=theirs)
    first = both.select_related("tournament").first()
    if first is not None:
        raise entry_errors.BothEntered(
            keep=keep.name, gone=gone.name, tournament=first.tournament.name
        )
    if keep.number and gone.number and keep.number != gone.number:
        raise entry_errors.TwoNumbers(
            keep=keep.name, gone=gone.name, number=keep.number, other=gone.number
        )
    if keep.user_id and gone.user_id:
        raise entry_errors.TwoAccounts(keep=keep.name, gone=gone.name)


def _require_may(tournament: Tournament, keep: Player, gone: Player, by: User) -> None:
    permissions.require_director(by, tournament)
    here = EntryPlayer.objects.filter(tournament=tournament, player__in=[keep, gone])
    if not here.exists():
        raise PermissionDenied(
            gettext("Only a director of an event the player enters may do this.")
        )


def _require_own_or_alike(keep: Player, gone: Player, by: User) -> None:
    """The rows of other events change with a merger: nobody takes any two there for one person.

    Where events are somebody else's, the two have to be spelled alike as the page offers it.
    """
    both = [keep.pk, gone.pk]
    events = Tournament.objects.filter(entries__members__player__in=both).distinct()
    if all(permissions.is_director(by, one) for one in events) or _alike(keep, gone):
        return
    raise PermissionDenied(
        gettext(
            "These two names are not spelled alike, and one of the players enters an event of "
            "another director. Ask that director, or correct the name first."
        )
    )


def _alike(one: Player, other: Player) -> bool:
    """Say whether two are found for each other among those who may be one person."""
    return bool(set(_spellings(one)) & set(_spellings(other))) and _may_be_one(one, other)


def _learned(keep: Player, gone: Player) -> dict[str, object]:
    """Return what is known of `gone` and not of `keep`."""
    found = {name: getattr(gone, name) for name in ("number", "club", "country", "user")}
    if not keep.is_minor:
        found = {"latin_name": gone.known_latin_name, **found}
    return {name: value for name, value in found.items() if value and not getattr(keep, name)}


def _keep_rating(keep: Player, gone: Player) -> None:
    """Keep the rating that more matches stand behind."""
    ratings = {one.player_id: one for one in Rating.objects.filter(player__in=[keep, gone])}
    mine, other = ratings.get(keep.pk), ratings.get(gone.pk)
    if other is None:
        return
    if mine is not None and mine.matches >= other.matches:
        other.delete()
        return
    if mine is not None:
        mine.delete()
    Rating.objects.filter(pk=other.pk).update(player=keep)


def _keep_spellings(keep: Player, gone: Player) -> None:
    """Remember how `gone` was written, with its club, and every way it was known in before."""
    known = {(one.folded_name, one.club_id) for one in keep.spellings.all()}
    known |= {(keep.folded_name, keep.club_id)}
    for one in gone.spellings.all():
        if (one.folded_name, one.club_id) in known:
            # The person goes on without the double, which goes with the player.
            continue
        known.add((one.folded_name, one.club_id))
        PlayerSpelling.objects.filter(pk=one.pk).update(player=keep)
    for name in (gone.known_name, gone.known_latin_name):
        if folded(name) and (folded(name), gone.club_id) not in known:
            known.add((folded(name), gone.club_id))
            PlayerSpelling.objects.create(player=keep, name=name, club=gone.club)


def _move(keep: Player, gone: Player) -> None:
    """Move everything that points at `gone`, also what other apps keep about players."""
    for relation in Player._meta.related_objects:
        if relation.one_to_many and relation.related_model is not PlayerSpelling:
            column = relation.field.name
            rows = relation.related_model._default_manager.filter(**{column: gone})
            rows.update(**{column: keep})


def _spellings(player: Player) -> Iterable[str]:
    """Yield keys that two close spellings share: the letters, and the letters without one."""
    names = _written(player)
    keys: set[str] = set()
    for name in names:
        letters = name.replace(" ", "")
        keys |= {letters, " ".join(sorted(name.split()))}
        if len(letters) >= _SHORTEST_ALIKE:
            keys |= {letters[:n] + letters[n + 1 :] for n in range(len(letters))}
    return keys


def _written(player: Player) -> set[str]:
    """Return all the ways a player's name is written, folded."""
    names = {one.folded_name for one in player.spellings.all()}
    names |= {folded(player.known_name), folded(player.known_latin_name)}
    return names - {""}


def _same_spelling(one: Player, other: Player) -> bool:
    def letters(player: Player) -> set[str]:
        return {name.replace(" ", "") for name in _written(player)}

    return not letters(one).isdisjoint(letters(other))


def _same_club(one: Player, other: Player) -> bool:
    return one.club_id is not None and one.club_id == other.club_id


def _may_be_one(one: Player, other: Player) -> bool:
    """Say whether nothing but the spelling of the name keeps two apart."""
    if one.number and other.number and one.number != other.number:
        return False
    if one.country and other.country and one.country != other.country:
        return False
    if _digits(one) != _digits(other):
        return False
    return (
        _same_spelling(one, other) or None in (one.club_id, other.club_id) or _same_club(one, other)
    )


def _digits(player: Player) -> str:
    """Return what tells Player 1 from Player 2."""
    return "".join(one for one in folded(player.name) if one.isdigit())


def _likely(one: Player, other: Player) -> Likely:
    keep, gone = sorted((one, other), key=lambda player: (not player.number, player.pk))
    return Likely(keep, gone, _same_spelling(one, other), _same_club(one, other))

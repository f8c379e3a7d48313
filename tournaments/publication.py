"""What is public of an event: the one policy that page, API, feed, screen and print ask.

A director hides the results from a round on, until the prize-giving. Who sits where is still seen
by all; what was played there is for the directors and referees, and for those at the table.
Of a minor everybody reads a short name, which is the one that is stored as the name; the full one
is put in its place where an official reads.

Whoever reads is the one whose request is answered; where there is no request, a stranger reads.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Final

from django.contrib.auth.models import AnonymousUser
from django.db.models import Q
from django.http import HttpRequest

from tournaments import permissions
from tournaments.models import (
    Entry,
    Match,
    MatchSeat,
    PairingRound,
    Player,
    Stage,
    Tournament,
)
from tournaments.permissions import Visitor

HIDDEN_FROM: Final = "hidden_from"
"""Among the policies of an event: the number of a stage and that of its first hidden round."""

_asking: ContextVar[HttpRequest | None] = ContextVar("whose_request_is_answered", default=None)
_STRANGER: Final = AnonymousUser()


@contextmanager
def asked_by(request: HttpRequest | None) -> Iterator[None]:
    """Let whoever sent `request` be the reader for as long as it is answered."""
    token = _asking.set(request)
    try:
        yield
    finally:
        _asking.reset(token)


@contextmanager
def for_everybody() -> Iterator[None]:
    """Show what hangs in the hall, or leaves the site: what a stranger may know."""
    with asked_by(None):
        yield


def reader() -> Visitor:
    """Return who reads what is being made."""
    request = _asking.get()
    return _STRANGER if request is None else getattr(request, "user", _STRANGER)


@dataclass(frozen=True, slots=True)
class Hidden:
    """The rounds of an event with results that are hidden; `since` is None where none are."""

    since: tuple[int, int] | None

    def __bool__(self) -> bool:
        return self.since is not None

    def has(self, pairing_round: PairingRound) -> bool:
        """Say whether the results of a round are hidden."""
        return self.has_number(pairing_round.stage.number, pairing_round.number)

    def has_number(self, stage: int, number: int) -> bool:
        return self.since is not None and (stage, number) >= self.since

    def stands_on(self, pairing_round: PairingRound) -> bool:
        """Say whether a round may have been drawn from results that are hidden."""
        at = (pairing_round.stage.number, pairing_round.number)
        return self.since is not None and at > self.since

    def last_known(self, stage: Stage) -> int | None:
        """Return the last round of a stage with known results, None where all may be known."""
        if self.since is None or stage.number < self.since[0]:
            return None
        return self.since[1] - 1 if stage.number == self.since[0] else 0

    def among(self, rounds: Iterable[PairingRound]) -> tuple[PairingRound, ...]:
        return tuple(one for one in rounds if self.has(one))

    def rounds(self, to: str = "") -> Q:
        """Return the condition that a round is hidden; `to` leads to it, such as a match's."""
        if self.since is None:
            return Q(pk__in=())
        stage, number = self.since
        later = Q(**{f"{to}stage__number__gt": stage})
        return later | Q(**{f"{to}stage__number": stage, f"{to}number__gte": number})


NOTHING: Final = Hidden(None)


def hidden(tournament: Tournament) -> Hidden:
    """Return what is hidden from the public, whoever asks."""
    said = tournament.policies.get(HIDDEN_FROM)
    return Hidden((said[0], said[1])) if said else NOTHING


def withheld(tournament: Tournament, user: Visitor | None = None) -> Hidden:
    """Return what is hidden from the reader, or from `user`; nothing of it from referees."""
    found = hidden(tournament)
    if not found:
        return NOTHING
    asks = reader() if user is None else user
    return NOTHING if permissions.is_referee(asks, tournament) else found


def may_see_play(user: Visitor, match: Match) -> bool:
    """Say whether `user` may know what happens at a table; ask `may_see_match` as well."""
    pairing_round = match.pairing_round
    if not withheld(pairing_round.stage.tournament, user).has(pairing_round):
        return True
    if permissions.is_guest_of(user, match) or permissions.may_record(user, match):
        return True
    return user.is_authenticated and match.seats.filter(player__user=user.pk).exists()


def is_own(user: Visitor, player_account: int | None) -> bool:
    """Say whether the reader is the player of that account: of one's own tables all is known."""
    return user.is_authenticated and player_account is not None and user.pk == player_account


def without_result(seat: MatchSeat) -> None:
    """Take what a seat left with out of a row that is only shown, never stored."""
    seat.outcome = ""
    seat.points_for = seat.points_against = None
    seat.deducted = seat.rounds_won = 0


def name_in_full(tournament: Tournament, rows: Iterable[Player | Entry]) -> None:
    """Let officials of an event read the full names of minors in rows that are only shown."""
    minors = [one for one in rows if one.full_name]
    if minors and permissions.is_official(reader(), tournament):
        for one in minors:
            one.show_in_full()


def known_matches(to: str = "pairing_round__") -> Q:
    """Return the condition that the results of a match are hidden in no way, of any event."""
    hiding = Tournament.objects.filter(policies__has_key=HIDDEN_FROM)
    unknown = Q()
    for tournament in hiding.only("pk", "policies"):
        if found := hidden(tournament):
            unknown |= Q(**{f"{to}stage__tournament": tournament.pk}) & found.rounds(to)
    return ~unknown if unknown else Q()

"""Who is asking and what they may do.

A tournament is set up by whoever holds the site's permission to add tournaments (the
administrator gives it); from then on only the duties in that tournament count. An
administrator may do everything.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeAlias

from django.contrib.auth.models import AnonymousUser, User
from django.core.exceptions import PermissionDenied
from django.db.models import Q, QuerySet
from django.utils.translation import gettext

from tournaments.models import Appeal, Match, Official, PairingRound, Tournament


class TableGuest(AnonymousUser):
    """Somebody without an account who has the link of one table; nothing else is theirs.

    `link` is the number of the link, `table` that of the table. `records` says that they keep
    its record, `rules` that they also rule there, `side` which side they speak for, if any.
    """

    def __init__(
        self, *, link: int, match: int, table: int, records: bool, rules: bool, side: str = ""
    ) -> None:
        super().__init__()
        self.link, self.match, self.table = link, match, table
        self.records, self.rules, self.side = records, rules, side


Visitor: TypeAlias = User | AnonymousUser
Keeper: TypeAlias = User | TableGuest
"""Whoever may keep the record of a table."""

_DutyAt: TypeAlias = tuple[str, int | None]
_known: ContextVar[dict[tuple[int, int], tuple[_DutyAt, ...]] | None] = ContextVar(
    "duties_of_one_request", default=None
)
_DIRECTS = (Official.Duty.DIRECTOR,)
_RULES = (Official.Duty.DIRECTOR, Official.Duty.REFEREE)


@contextmanager
def one_request() -> Iterator[None]:
    """Look up what somebody does at a tournament once, for as long as one request is answered."""
    token = _known.set({})
    try:
        yield
    finally:
        _known.reset(token)


def forget_duties() -> None:
    """Forget what was looked up: duties have changed."""
    if (known := _known.get()) is not None:
        known.clear()


def _duties_at(user: User, tournament: Tournament) -> tuple[_DutyAt, ...]:
    known, key = _known.get(), (user.pk, tournament.pk)
    if known is not None and key in known:
        return known[key]
    own = Official.objects.filter(user=user, tournament=tournament)
    found = tuple(own.values_list("duty", "table"))
    if known is not None:
        known[key] = found
    return found


def _has_duty(user: Visitor, tournament: Tournament, among: Container[str]) -> bool:
    if not user.is_authenticated or not user.is_active:
        return False
    if user.is_superuser:
        return True
    return any(duty in among for duty, _ in _duties_at(user, tournament))


def duties(user: Visitor, tournament: Tournament) -> frozenset[str]:
    """Return what `user` does at the tournament; an administrator does everything."""
    if not user.is_authenticated or not user.is_active:
        return frozenset()
    if user.is_superuser:
        return frozenset(Official.Duty.values)
    return frozenset(duty for duty, _ in _duties_at(user, tournament))


def duties_among(officials: Iterable[Official], user: Visitor) -> frozenset[str]:
    """Return what `user` does among the officials of a tournament."""
    if not user.is_authenticated or not user.is_active:
        return frozenset()
    if user.is_superuser:
        return frozenset(Official.Duty.values)
    return frozenset(one.duty for one in officials if one.user_id == user.pk)


def may_create_tournament(user: Visitor) -> bool:
    return user.is_active and user.has_perm("tournaments.add_tournament")


def has_desk(user: Visitor) -> bool:
    """Whether `user` sets up or directs anything."""
    if not user.is_authenticated or not user.is_active:
        return False
    directs = Official.objects.filter(user=user, duty__in=_DIRECTS)
    return user.is_superuser or directs.exists() or may_create_tournament(user)


def is_director(user: Visitor, tournament: Tournament) -> bool:
    return _has_duty(user, tournament, _DIRECTS)


def is_referee(user: Visitor, tournament: Tournament) -> bool:
    """Whether `user` rules at the tables; a director does too."""
    return _has_duty(user, tournament, _RULES)


def is_official(user: Visitor, tournament: Tournament) -> bool:
    return _has_duty(user, tournament, Official.Duty.values)


def may_record(user: Visitor, match: Match) -> bool:
    """Director, referee, the scorer of that table or of all tables, or who has its link."""
    if isinstance(user, TableGuest):
        return user.records and user.match == match.pk
    if not user.is_authenticated or not user.is_active:
        return False
    if user.is_superuser:
        return True
    own = _duties_at(user, match.pairing_round.stage.tournament)
    return has_duty_at(user, table=match.table, duties=own)


def is_guest_of(user: Visitor, match: Match) -> bool:
    """Whether `user` came by a link of this match."""
    return isinstance(user, TableGuest) and user.match == match.pk


def has_duty_at(user: Visitor, *, table: int, duties: Iterable[tuple[str, int | None]]) -> bool:
    """Say whether `duties` (each with its table, if any) let `user` keep the record of a table."""
    if not user.is_authenticated or not user.is_active:
        return False
    return user.is_superuser or any(
        duty in _RULES or (duty == Official.Duty.SCORER and at in (None, table))
        for duty, at in duties
    )


def may_see_tournament(user: Visitor, tournament: Tournament) -> bool:
    """Whether `user` may know of the tournament: a draft or a private one is its officials'."""
    hidden = tournament.state == Tournament.State.DRAFT or tournament.is_private
    return not hidden or is_official(user, tournament)


def may_see_round(user: Visitor, pairing_round: PairingRound) -> bool:
    tournament = pairing_round.stage.tournament
    if pairing_round.state == PairingRound.State.DRAFT:
        return is_director(user, tournament)
    return may_see_tournament(user, tournament)


def may_see_match(user: Visitor, match: Match) -> bool:
    if is_guest_of(user, match):
        return match.pairing_round.state != PairingRound.State.DRAFT
    return may_see_round(user, match.pairing_round)


def may_read_appeals(user: Visitor, tournament: Tournament) -> bool:
    """Whether `user` may read what appeals say; the public sees only what is under protest."""
    return is_referee(user, tournament)


def may_read_appeal(user: Visitor, appeal: Appeal) -> bool:
    """Whether `user` may read one appeal: a referee, a director, or a member of its panel."""
    return may_read_appeals(user, appeal.tournament) or _is_on_panel(user, appeal)


def may_decide_appeal(user: Visitor, appeal: Appeal) -> bool:
    """Whether `user` may write down the decision: a director, or a member of the panel."""
    return is_director(user, appeal.tournament) or _is_on_panel(user, appeal)


def _is_on_panel(user: Visitor, appeal: Appeal) -> bool:
    # An account that lost its duties is not on a panel any more.
    if not is_official(user, appeal.tournament):
        return False
    return appeal.panel.filter(user=user.pk).exists()


def visible_tournaments(user: Visitor) -> QuerySet[Tournament]:
    """Return the tournaments `user` may know of."""
    tournaments = Tournament.objects.all()
    if user.is_authenticated and user.is_superuser:
        return tournaments
    public = ~Q(state=Tournament.State.DRAFT) & Q(is_private=False)
    if user.is_authenticated and user.is_active:
        own = Official.objects.filter(user=user).values("tournament")
        return tournaments.filter(public | Q(pk__in=own))
    return tournaments.filter(public)


def _require(allowed: bool, sentence: str) -> None:
    if not allowed:
        raise PermissionDenied(sentence)


def require_may_create_tournament(user: Visitor) -> None:
    _require(
        may_create_tournament(user),
        gettext("Only organizers may set up a tournament. Ask the administrator."),
    )


def require_director(user: Visitor, tournament: Tournament) -> None:
    _require(
        is_director(user, tournament),
        gettext("Only a director of this tournament may do this."),
    )


def require_referee(user: Visitor, tournament: Tournament) -> None:
    _require(
        is_referee(user, tournament),
        gettext("Only a referee or director of this tournament may do this."),
    )


def require_may_decide(user: Visitor, appeal: Appeal) -> None:
    _require(
        may_decide_appeal(user, appeal),
        gettext("Only a director of this tournament or a member of the panel may decide this."),
    )


def require_official(user: Visitor, tournament: Tournament) -> None:
    _require(
        is_official(user, tournament),
        gettext("Only an official of this tournament may do this."),
    )


def require_may_record(user: Visitor, match: Match) -> None:
    _require_record(may_record(user, match))


def require_duty_at(
    user: Visitor, *, match: int, table: int, duties: Iterable[tuple[str, int | None]]
) -> None:
    if isinstance(user, TableGuest):
        allowed = user.records and user.match == match
    else:
        allowed = has_duty_at(user, table=table, duties=duties)
    _require_record(allowed)


def _require_record(allowed: bool) -> None:
    _require(allowed, gettext("Only the officials of this table may keep its record."))

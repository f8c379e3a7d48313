"""Table links: made, exchanged for a guest of one table, taken back."""

from __future__ import annotations

from base64 import urlsafe_b64encode
from collections.abc import Collection, Iterable
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Final
from uuid import UUID

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.crypto import salted_hmac

from engine.events import Event, Infraction, Ruling, Undo
from referee.errors.links import (
    LinkHours,
    LinkOfClosed,
    LinkOfDraft,
    LinkOver,
    LinkUnknown,
    NoLinkSide,
    PlayersDoNotRule,
    PlayersMayNotRecord,
    RoundsNotConfirmed,
)
from referee.models import TableLink
from referee.recorded import Recorded, Rows
from tournaments.models import LONG_IN_ROUND, Match, PairingRound, Tournament
from tournaments.permissions import Keeper, TableGuest, require_director, require_referee
from tournaments.policies_links import (
    MOST_HOURS,
    MOST_MINUTES_AFTER,
    TABLE_LINKS,
    LinkRules,
    link_rules,
)
from tournaments.rules import has_partners, rules_of
from tournaments.services import log, results, watches
from tournaments.services.lifecycle import locked
from tournaments.services.traces import traced

# 192 bits, which nobody guesses; as short as a code that old phones still read.
_TOKEN_BYTES: Final = 24
LONGEST_TOKEN: Final = 64
# When a link was used last is known to the minute, so that not every move writes it.
_USED_AGAIN: Final = timedelta(minutes=1)
Scope = TableLink.Scope


@dataclass(frozen=True, slots=True)
class Made:
    """A link with its token, which is told only now."""

    link: TableLink
    token: str


def digest_of(token: str) -> str:
    """Return what is kept of a token."""
    return sha256(token.encode(errors="replace")).hexdigest()


def sides_of(match: Match) -> list[str]:
    """Return the sides of a table as the record names them: pairs, or each seat."""
    seats = {one.seat: one.entry_id for one in match.seats.all()}
    if has_partners(rules_of(match), len(seats)):
        return ["AC", "BD"]
    return sorted(seats)


@transaction.atomic
def make_link(
    match: Match,
    *,
    scope: str,
    side: str = "",
    for_players: bool = False,
    client_key: UUID,
    by: User,
) -> Made:
    """Make a link to one table. The same `client_key` again gives the same link."""
    tournament = match.pairing_round.stage.tournament
    require_referee(by, tournament)
    match = results.locked_match(match)
    made, is_new = _make(match, scope, side, client_key, for_players=for_players, by=by)
    if is_new:
        label = str(Scope(scope).value)
        results.write_log(match, "link_made", by=by, scope=label, link=made.link.pk)
    return made


@transaction.atomic
def make_round_links(
    pairing_round: PairingRound,
    *,
    scope: str,
    for_players: bool = False,
    client_key: UUID,
    by: User,
) -> list[Made]:
    """Make a link for every table of a published round that is not closed, in their order.

    Links that confirm come for each side of each table.
    """
    tournament = pairing_round.stage.tournament
    require_referee(by, tournament)
    _require_published(pairing_round)
    tables = (
        pairing_round.matches.select_for_update(of=("self",))
        .select_related("pairing_round__stage__tournament")
        .defer(*LONG_IN_ROUND)
        .exclude(state=Match.State.CLOSED)
        .order_by("table")
    )
    made: list[Made] = []
    anything_new = False
    for match in tables:
        for side in sides_of(match) if scope == Scope.CONFIRM else ("",):
            one, is_new = _make(match, scope, side, client_key, for_players=for_players, by=by)
            made.append(one)
            anything_new |= is_new
    if anything_new:
        log.write(
            tournament,
            "links_made",
            by=by,
            stage=pairing_round.stage,
            round=pairing_round.number,
            scope=str(Scope(scope).value),
        )
    return made


def _make(
    match: Match, scope: str, side: str, client_key: UUID, *, for_players: bool, by: User
) -> tuple[Made, bool]:
    scope = Scope(scope)
    pairing_round = match.pairing_round
    tournament = pairing_round.stage.tournament
    _require_published(pairing_round)
    if match.state == Match.State.CLOSED and scope != Scope.READ:
        raise LinkOfClosed(table=match.table)
    rules = link_rules(tournament)
    for_players = for_players and scope == Scope.RECORD
    if for_players and not rules.players_record:
        raise PlayersMayNotRecord
    if scope == Scope.CONFIRM and not rules.confirm_rounds:
        raise RoundsNotConfirmed
    sides = sides_of(match)
    if scope == Scope.CONFIRM and side not in sides:
        raise NoLinkSide(table=match.table, found=side, sides=", ".join(sides))
    side = side if scope == Scope.CONFIRM else ""
    # Sent twice it is the same link, so its token follows from the key; nobody can work it out
    # who does not know the secret of the site.
    told = f"{client_key}/{match.pk}/{scope}/{side}/{int(for_players)}"
    secret = salted_hmac("referee.links", told, algorithm="sha256").digest()
    token = urlsafe_b64encode(secret[:_TOKEN_BYTES]).decode()
    now = timezone.now()
    link, is_new = TableLink.objects.get_or_create(
        digest=digest_of(token),
        defaults={
            "match": match,
            "scope": scope,
            "side": side,
            "for_players": for_players,
            "made_at": now,
            "made_by": by,
            "expires_at": now + timedelta(hours=rules.hours),
        },
    )
    link.match = match
    return Made(link, token), is_new


def _require_published(pairing_round: PairingRound) -> None:
    if pairing_round.state == PairingRound.State.DRAFT:
        raise LinkOfDraft(round=pairing_round.number)


@transaction.atomic
def revoke_link(link: TableLink, *, by: User) -> TableLink:
    """Take a link back: from now on it opens nothing. Asked twice, it was taken back before."""
    match = link.match
    require_referee(by, match.pairing_round.stage.tournament)
    link = TableLink.objects.select_for_update().get(pk=link.pk)
    if link.revoked_at is None:
        link.revoked_at = timezone.now()
        link.save(update_fields=["revoked_at"])
        results.write_log(match, "link_revoked", by=by, link=link.pk)
    return link


@transaction.atomic
def revoke_round(pairing_round: PairingRound, *, by: User) -> int:
    """Take back every link of a round; return how many still worked."""
    tournament = pairing_round.stage.tournament
    require_referee(by, tournament)
    standing = TableLink.objects.filter(match__pairing_round=pairing_round, revoked_at=None)
    count = standing.update(revoked_at=timezone.now())
    if count:
        log.write(
            tournament,
            "links_revoked",
            by=by,
            stage=pairing_round.stage,
            round=pairing_round.number,
            count=count,
        )
    return count


def works(link: TableLink, *, now: datetime | None = None) -> bool:
    """Say whether a link opens its table now.

    It comes with its match, and that with its round, stage and tournament.
    """
    now = now or timezone.now()
    match = link.match
    rules = link_rules(match.pairing_round.stage.tournament)
    if link.revoked_at is not None or now >= link.expires_at:
        return False
    if match.pairing_round.state == PairingRound.State.DRAFT:
        return False
    if link.for_players and not rules.players_record:
        return False
    if match.closed_at is None or match.state != Match.State.CLOSED:
        return True
    return now < match.closed_at + timedelta(minutes=rules.minutes_after)


def guest(link: TableLink) -> TableGuest:
    """Return the guest that a link lets in."""
    records = link.scope == Scope.RECORD
    return TableGuest(
        link=link.pk,
        match=link.match_id,
        table=link.match.table,
        records=records,
        rules=records and not link.for_players,
        side=link.side,
    )


def _with_event() -> QuerySet[TableLink]:
    long = [f"match__{name}" for name in LONG_IN_ROUND]
    with_event = TableLink.objects.select_related("match__pairing_round__stage__tournament")
    return with_event.defer(*long)


def links_of(tournament: Tournament) -> QuerySet[TableLink]:
    """Return the links of an event with their tables."""
    return _with_event().filter(match__pairing_round__stage__tournament=tournament)


def exchange(token: str) -> TableLink:
    """Return the link of a token that opens its table now; otherwise say what to do."""
    found = None
    if len(token) <= LONGEST_TOKEN:
        found = _with_event().filter(digest=digest_of(token)).first()
    if found is None:
        raise LinkUnknown
    if found.match.pairing_round.state == PairingRound.State.DRAFT:
        # Of a draft nobody may know, whatever link there is.
        raise LinkUnknown
    if not works(found):
        raise LinkOver
    now = timezone.now()
    if found.used_at is None or now - found.used_at > _USED_AGAIN:
        found.used_at = now
        found.save(update_fields=["used_at"])
    return found


def guest_of_match(links: Collection[int], match: int) -> TableGuest | None:
    """Return the guest of a match among these links, by their numbers, if one still works."""
    return _best(_with_event().filter(pk__in=links, match=match)) if links else None


def guest_of_round(links: Collection[int], record: int) -> TableGuest | None:
    """As `guest_of_match`, where a round of the match is known."""
    return _best(_with_event().filter(pk__in=links, match__records=record)) if links else None


def _best(links: QuerySet[TableLink]) -> TableGuest | None:
    """Return the guest of the link that opens most: recording before confirming and reading."""
    order = [Scope.RECORD, Scope.CONFIRM, Scope.READ]
    found = [one for one in links if works(one)]
    found.sort(key=lambda one: (order.index(Scope(one.scope)), one.for_players, -one.pk))
    return guest(found[0]) if found else None


def require_rulings_left(by: Keeper, events: Iterable[Event], rows: Rows, after: Recorded) -> None:
    """Refuse that players who record their own table rule there, or take a ruling back.

    `rows` is the record before these events and `after` the match with them.
    """
    if isinstance(by, User) or by.rules:
        return
    events = tuple(events)
    if any(isinstance(one, Infraction | Ruling) for one in events):
        raise PlayersDoNotRule
    takes_back = any(isinstance(one, Undo) for one in events)
    if takes_back and rows.replayed().state.infractions != after.state.infractions:
        raise PlayersDoNotRule


@transaction.atomic
@traced(watches.itself("policies"))
def set_link_rules(tournament: Tournament, given: LinkRules, *, by: User) -> Tournament:
    """Set who may record a table and how rounds are confirmed. The same again does nothing."""
    require_director(by, tournament)
    tournament = locked(tournament)
    if not (1 <= given.hours <= MOST_HOURS and 0 <= given.minutes_after <= MOST_MINUTES_AFTER):
        raise LinkHours(
            most=MOST_HOURS,
            after=MOST_MINUTES_AFTER,
            hours=given.hours,
            minutes=given.minutes_after,
        )
    if link_rules(tournament) == given:
        return tournament
    tournament.policies = {**tournament.policies, TABLE_LINKS: asdict(given)}
    tournament.save(update_fields=["policies"])
    log.write(tournament, "link_rules_changed", by=by, **asdict(given))
    return tournament

"""Sets up, opens, starts and finishes a tournament, and names its officials."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date
from zoneinfo import available_timezones

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.utils.text import slugify

from engine.profiles import Rules
from tournaments import permissions
from tournaments.countries import settled_country
from tournaments.errors import appeals as appeal_errors
from tournaments.errors import base as errors
from tournaments.errors import tables as table_errors
from tournaments.models import (
    LONG_IN_ROUND,
    Appeal,
    Entry,
    Match,
    Official,
    PairingRound,
    Stage,
    Tournament,
)
from tournaments.names import tidy
from tournaments.rules import has_partners, players_allowed, rules_of
from tournaments.services import log, watches
from tournaments.services.traces import traced

_ADDRESS = re.compile(r"[A-Za-z0-9_-]{1,80}")
_LIMITS = {"name": 120, "venue": 120, "city": 80}
# Words that stand where an address would stand on the desk.
_RESERVED = frozenset({"new", "entries"})


@transaction.atomic
def create_tournament(
    *,
    name: str,
    starts_on: date,
    profile: str,
    slug: str = "",
    venue: str = "",
    city: str = "",
    country: str = "",
    time_zone: str = "UTC",
    target: int | None = None,
    options: Mapping[str, str | int] | None = None,
    entry_kind: str = "pair",
    players_per_table: int = 4,
    by: User,
) -> Tournament:
    """Set up a tournament under frozen rules, with `by` as its first director."""
    permissions.require_may_create_tournament(by)
    rules = Rules.of(profile, target, options)
    facts = _facts(name=name, venue=venue, city=city, country=country, time_zone=time_zone)
    _require_playable(rules, entry_kind, players_per_table)
    address = _address(slug or slugify(name), wanted=bool(slug), starts_on=starts_on)
    try:
        with transaction.atomic():
            tournament = Tournament.objects.create(
                **facts,
                slug=address,
                starts_on=starts_on,
                entry_kind=Entry.Kind(entry_kind),
                players_per_table=players_per_table,
                rules=rules.frozen_json(),
                created_by=by,
            )
    except IntegrityError:
        # Two desks took the same address at one moment.
        taken = Tournament.objects.get(slug=address)
        raise errors.AddressTaken(slug=address, name=taken.name) from None
    Official.objects.create(tournament=tournament, user=by, duty=Official.Duty.DIRECTOR)
    permissions.forget_duties()
    log.write(tournament, "created", by=by, rules=tournament.rules)
    return tournament


@transaction.atomic
@traced(watches.rules)
def change_rules(
    tournament: Tournament,
    *,
    profile: str,
    target: int | None = None,
    options: Mapping[str, str | int] | None = None,
    entry_kind: str | None = None,
    players_per_table: int | None = None,
    by: User,
) -> Tournament:
    """Freeze other rules, as long as no pairing round has been published under the old ones."""
    permissions.require_director(by, tournament)
    tournament = locked(tournament)
    require_not_finished(tournament)
    require_rules_open(tournament)
    # What the event gives for infractions stays, whatever book it is played by.
    rules = Rules.of(profile, target, options, rules_of(tournament).own)
    kind = entry_kind or tournament.entry_kind
    size = players_per_table or tournament.players_per_table
    _require_playable(rules, kind, size)
    entries = tournament.entries.count()
    if kind != tournament.entry_kind and entries:
        raise errors.EntriesWouldNotFit(found=entries)
    tournament.rules = rules.frozen_json()
    tournament.entry_kind = Entry.Kind(kind)
    tournament.players_per_table = size
    tournament.save(update_fields=["rules", "entry_kind", "players_per_table"])
    # Drafts were seated under the old rules.
    Stage.objects.filter(tournament=tournament).delete()
    log.write(tournament, "rules_changed", by=by, rules=tournament.rules)
    return tournament


@transaction.atomic
@traced(watches.itself())
def change_details(
    tournament: Tournament,
    *,
    name: str,
    starts_on: date,
    venue: str = "",
    city: str = "",
    country: str = "",
    time_zone: str = "UTC",
    by: User,
) -> Tournament:
    """Correct where and when it is played; the address stays, because people have it."""
    permissions.require_director(by, tournament)
    tournament = locked(tournament)
    require_not_finished(tournament)
    facts = _facts(name=name, venue=venue, city=city, country=country, time_zone=time_zone)
    for field, value in facts.items():
        setattr(tournament, field, value)
    tournament.starts_on = starts_on
    tournament.save(update_fields=[*facts, "starts_on"])
    log.write(tournament, "details_changed", by=by, starts_on=str(starts_on), **facts)
    return tournament


@transaction.atomic
@traced(watches.itself("state"))
def open_registration(tournament: Tournament, *, by: User) -> Tournament:
    """Show the tournament to the public and take entries. Asked twice, it stays open."""
    permissions.require_director(by, tournament)
    tournament = locked(tournament)
    require_not_finished(tournament)
    if tournament.state == Tournament.State.RUNNING:
        raise errors.TournamentHasStarted(tournament=tournament.name)
    if tournament.state == Tournament.State.OPEN:
        return tournament
    return _enter(tournament, Tournament.State.OPEN, "registration_opened", by=by)


@transaction.atomic
@traced(watches.itself("state"))
def start(tournament: Tournament, *, by: User) -> Tournament:
    """Close registration; from now on rounds can be paired. Asked twice, it starts once."""
    permissions.require_director(by, tournament)
    tournament = locked(tournament)
    require_not_finished(tournament)
    if tournament.state == Tournament.State.RUNNING:
        return tournament
    found = tournament.entries.filter(state=Entry.State.REGISTERED).count()
    if found < 2:
        raise errors.TooFewEntries(tournament=tournament.name, found=found, needed=2)
    return _enter(tournament, Tournament.State.RUNNING, "started", by=by)


@transaction.atomic
@traced(watches.end)
def finish(tournament: Tournament, *, by: User) -> Tournament:
    """End the tournament once every table is closed and every appeal decided; twice is once."""
    permissions.require_director(by, tournament)
    tournament = locked(tournament)
    if tournament.state == Tournament.State.FINISHED:
        return tournament
    if tournament.state != Tournament.State.RUNNING:
        raise errors.TournamentNotStarted(tournament=tournament.name)
    open_tables = (
        Match.objects.filter(pairing_round__stage__tournament=tournament)
        .exclude(pairing_round__state=PairingRound.State.DRAFT)
        .exclude(state=Match.State.CLOSED)
        .order_by("pairing_round__stage__number", "pairing_round__number", "table")
        .select_related("pairing_round__stage")
        .defer(*LONG_IN_ROUND)
    )
    first = open_tables.first()
    if first:
        raise errors.TablesStillOpen(
            count=open_tables.count(),
            table=first.table,
            round=first.pairing_round.number,
            stage=first.pairing_round.stage.title,
        )
    protested = tournament.appeals.filter(state=Appeal.State.FILED)
    if numbers := list(protested.order_by("number").values_list("number", flat=True)):
        raise appeal_errors.AppealsBeforeTheEnd(appeals=numbers)
    tournament.stages.update(state=Stage.State.CLOSED)
    return _enter(tournament, Tournament.State.FINISHED, "finished", by=by)


@transaction.atomic
@traced(watches.officials)
def add_official(
    tournament: Tournament,
    *,
    username: str,
    duty: str,
    table: int | None = None,
    by: User,
) -> Official:
    """Give somebody a duty; a scorer may be bound to one table. Given twice, held once."""
    permissions.require_director(by, tournament)
    tournament = locked(tournament)
    require_not_finished(tournament)
    user = User.objects.filter(username=username.strip(), is_active=True).first()
    if user is None:
        raise errors.UnknownUser(username=username)
    if table is not None and duty != Official.Duty.SCORER:
        raise errors.TableForScorersOnly(table=table)
    if table is not None and not 1 <= table <= table_errors.LARGEST_TABLE:
        raise table_errors.BadTableNumber(table=table)
    official, is_new = Official.objects.get_or_create(
        tournament=tournament, user=user, duty=Official.Duty(duty), table=table
    )
    permissions.forget_duties()
    if is_new:
        log.write(
            tournament, "official_added", by=by, username=user.username, duty=duty, table=table
        )
    return official


@transaction.atomic
@traced(watches.itself())
def remove_official(official: Official, *, by: User) -> None:
    """Take a duty away; a tournament keeps at least one director."""
    tournament = official.tournament
    permissions.require_director(by, tournament)
    tournament = locked(tournament)
    still = Official.objects.filter(pk=official.pk).select_related("user").first()
    if still is None:
        return
    directors = tournament.officials.filter(duty=Official.Duty.DIRECTOR)
    if still.duty == Official.Duty.DIRECTOR and directors.count() == 1:
        raise errors.LastDirector(username=still.user.username, tournament=tournament.name)
    still.delete()
    permissions.forget_duties()
    log.write(
        tournament,
        "official_removed",
        by=by,
        username=still.user.username,
        duty=still.duty,
        table=still.table,
    )


def locked(tournament: Tournament) -> Tournament:
    """Return the tournament as it is now, locked until the change is done."""
    return Tournament.objects.select_for_update().get(pk=tournament.pk)


def require_rules_open(tournament: Tournament) -> None:
    """Refuse a change of the rules once a round is published under them."""
    published = (
        PairingRound.objects.filter(stage__tournament=tournament)
        .exclude(state=PairingRound.State.DRAFT)
        .select_related("stage")
        .order_by("stage__number", "number")
        .first()
    )
    if published:
        raise errors.RulesAreFrozen(
            tournament=tournament.name, stage=published.stage.title, round=published.number
        )


def require_not_finished(tournament: Tournament) -> None:
    """Refuse a change to a tournament that is over."""
    if tournament.state == Tournament.State.FINISHED:
        raise errors.TournamentIsFinished(tournament=tournament.name)


def _enter(tournament: Tournament, state: str, act: str, *, by: User) -> Tournament:
    tournament.state = state
    tournament.save(update_fields=["state"])
    log.write(tournament, act, by=by)
    return tournament


def _require_playable(rules: Rules, entry_kind: str, players: int) -> None:
    allowed = players_allowed(rules)
    if players not in allowed:
        raise errors.WrongTableSize(found=players, allowed=list(allowed))
    if entry_kind != Entry.Kind.SINGLE and not has_partners(rules, players):
        raise errors.PartnersNeeded(found=players)


def _facts(*, country: str, time_zone: str, **texts: str) -> dict[str, str]:
    facts = {field: tidy(text) for field, text in texts.items()}
    if not facts["name"]:
        raise errors.NameMissing
    for field, text in facts.items():
        if len(text) > _LIMITS[field]:
            raise errors.TextTooLong(given=text[:20], found=len(text), limit=_LIMITS[field])
    code = settled_country(country)
    if time_zone not in available_timezones():
        raise errors.UnknownTimeZone(given=time_zone)
    return facts | {"country": code, "time_zone": time_zone}


def _address(slug: str, *, wanted: bool, starts_on: date) -> str:
    """Return a free address: the wanted one or a refusal, otherwise one made from the name."""
    if wanted:
        if not _ADDRESS.fullmatch(slug) or slug in _RESERVED:
            raise errors.BadAddress(given=slug[:80])
        taken = Tournament.objects.filter(slug=slug).first()
        if taken:
            raise errors.AddressTaken(slug=slug, name=taken.name)
        return slug
    # A name in Arabic or Persian letters leaves nothing of an address: use the day.
    stem = slug[:70] or f"event-{starts_on.isoformat()}"
    taken_slugs = set(
        Tournament.objects.filter(slug__startswith=stem).values_list("slug", flat=True)
    )
    number, address = 1, stem
    while address in taken_slugs | _RESERVED:
        number += 1
        address = f"{stem}-{number}"
    return address

"""Who may enter by themselves and when, places and categories of an event, fees."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import Enum
from zoneinfo import ZoneInfo

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Q
from django.http import Http404
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext

from engine.profiles import Rules
from tournaments import permissions
from tournaments.digits import local_digits
from tournaments.errors import base as errors
from tournaments.errors import entries as entry_errors
from tournaments.models import Entry, PairingRound, Stage, Tournament
from tournaments.names import tidy
from tournaments.permissions import Visitor
from tournaments.policies import LATEST_ROUND, MOST_EXCUSED, MOST_SUBSTITUTES, Policies
from tournaments.rules import rules_of
from tournaments.services import attendance, log, waiting_list, watches
from tournaments.services.entries import EntryRow, enter
from tournaments.services.lifecycle import locked, require_not_finished
from tournaments.services.people import PlayerData
from tournaments.services.results import schedule_standings
from tournaments.services.traces import traced

LONGEST_CATEGORY = 40
MOST_CATEGORIES = 30


class Window(Enum):
    """Whether players can enter by themselves now."""

    NOT_YET = "not_yet"
    OPEN = "open"
    OVER = "over"


def window_of(tournament: Tournament, now: datetime | None = None) -> Window:
    """Say whether players can enter by themselves at `now`, by default at this moment."""
    now = now or timezone.now()
    opens, closes = tournament.entries_open_at, tournament.entries_close_at
    if tournament.state in (Tournament.State.RUNNING, Tournament.State.FINISHED):
        return Window.OVER
    if closes is not None and now >= closes:
        return Window.OVER
    if tournament.state == Tournament.State.DRAFT or (opens is not None and now < opens):
        return Window.NOT_YET
    return Window.OPEN


def local_time(tournament: Tournament, moment: datetime) -> str:
    """Write a moment as the event's clock shows it, with the name of its time zone."""
    there = timezone.localtime(moment, ZoneInfo(tournament.time_zone))
    # Not the format for both at once: Arabic has none of its own.
    said = gettext("%(day)s, %(time)s (%(zone)s)") % {
        "day": date_format(there, "DATE_FORMAT"),
        "time": date_format(there, "TIME_FORMAT"),
        "zone": tournament.time_zone,
    }
    return local_digits(said)


def enter_oneself(
    tournament: Tournament,
    *,
    players: Sequence[PlayerData],
    name: str = "",
    club: str = "",
    category: str = "",
    by: Visitor,
) -> Entry:
    """Register an entry for its players themselves, within the hours of registration.

    Nobody needs an account. What only the desk can settle is refused and sent there.
    """
    if not permissions.may_see_tournament(by, tournament):
        raise Http404
    require_window_open(tournament)
    row = EntryRow(1, tuple(players), name, club, category=category)
    try:
        return enter(tournament, row, by=by if by.is_authenticated else None)
    except (errors.NameIsAmbiguous, errors.NamesakesEntered) as error:
        raise entry_errors.AskTheDesk(player=error.params["name"]) from None
    except errors.EnteredAndWithdrawn as error:
        raise entry_errors.AskTheDesk(player=error.params["player"]) from None


def require_window_open(tournament: Tournament) -> None:
    """Refuse an entry outside the hours of registration."""
    match window_of(tournament):
        case Window.NOT_YET:
            opens = tournament.entries_open_at
            if opens is None or opens <= timezone.now():
                raise entry_errors.RegistrationNotAnnounced(tournament=tournament.name)
            raise entry_errors.RegistrationNotOpenYet(
                tournament=tournament.name, opens=local_time(tournament, opens)
            )
        case Window.OVER if tournament.state in (Tournament.State.DRAFT, Tournament.State.OPEN):
            closes = tournament.entries_close_at
            assert closes is not None
            raise entry_errors.RegistrationIsOver(
                tournament=tournament.name, closes=local_time(tournament, closes)
            )
        case Window.OVER:
            raise errors.RegistrationIsClosed(tournament=tournament.name)


@transaction.atomic
def register_late(
    stage: Stage,
    *,
    players: Sequence[PlayerData],
    name: str = "",
    club: str = "",
    seed: int | None = None,
    category: str = "",
    by: User,
) -> Entry:
    """Register an entry while the stage is played; it plays from the next round on."""
    permissions.require_director(by, stage.tournament)
    row = EntryRow(1, tuple(players), name, club, seed, category)
    entry = enter(stage.tournament, row, is_late=True, by=by)
    attendance.join_stage(stage, entry=entry, by=by)
    return entry


@dataclass(frozen=True, slots=True)
class RegistrationRules:
    """Hours, places, categories and who sees the event."""

    opens_at: datetime | None = None
    closes_at: datetime | None = None
    most_entries: int | None = None
    categories: tuple[str, ...] = ()
    is_private: bool = False


@transaction.atomic
@traced(watches.registration)
def set_registration(tournament: Tournament, given: RegistrationRules, *, by: User) -> Tournament:
    """Set how players enter. More places than before go to those who wait, in order."""
    permissions.require_director(by, tournament)
    tournament = locked(tournament)
    require_not_finished(tournament)
    opens, closes = given.opens_at, given.closes_at
    if opens is not None and closes is not None and closes <= opens:
        raise entry_errors.WindowReversed(
            opens=local_time(tournament, opens), closes=local_time(tournament, closes)
        )
    if given.most_entries is not None and given.most_entries < 2:
        raise entry_errors.TooFewPlaces(found=given.most_entries)
    categories = list(dict.fromkeys(tidy(one) for one in given.categories if tidy(one)))
    for one in categories:
        if len(one) > LONGEST_CATEGORY:
            raise errors.TextTooLong(given=one[:20], found=len(one), limit=LONGEST_CATEGORY)
    if len(categories) > MOST_CATEGORIES:
        raise entry_errors.TooManyCategories(found=len(categories), most=MOST_CATEGORIES)
    tournament.entries_open_at = opens
    tournament.entries_close_at = closes
    tournament.most_entries = given.most_entries
    tournament.is_private = given.is_private
    tournament.policies = {**tournament.policies, "categories": categories}
    tournament.save(
        update_fields=[
            "entries_open_at", "entries_close_at", "most_entries", "is_private", "policies",
        ]
    )  # fmt: skip
    log.write(
        tournament,
        "registration_changed",
        by=by,
        opens=opens.isoformat() if opens else "",
        closes=closes.isoformat() if closes else "",
        most_entries=given.most_entries or 0,
        categories=categories,
        is_private=given.is_private,
    )
    waiting_list.move_up(tournament, by=by)
    return tournament


@transaction.atomic
@traced(watches.itself("policies"))
def set_policies(
    tournament: Tournament, given: Policies, *, reason: str = "", by: User
) -> Tournament:
    """Set what byes, absences and late entries are worth; standings follow at once.

    Where published rounds of an open stage already count a bye or an absence so, other points
    move places that everybody has seen: that needs a `reason`, which is logged. The same again
    does nothing.
    """
    permissions.require_director(by, tournament)
    tournament = locked(tournament)
    require_not_finished(tournament)
    _require_sound(rules_of(tournament), given)
    policies = dict(tournament.policies)
    said: dict[str, object] = {
        "bye": list(given.bye) if given.bye is not None else None,
        "absences": {kind: list(points) for kind, points in given.absences} or None,
        "most_excused": given.most_excused,
        "late_entry": given.late_entry,
        "most_substitutes": given.most_substitutes,
    }
    for name, value in said.items():
        policies.pop(name, None)
        if value is not None:
            policies[name] = value
    if policies == tournament.policies:
        return tournament
    counting = _already_counting(tournament, policies)
    if counting is not None and not tidy(reason):
        raise entry_errors.PointsCountAlready(
            round=counting.number, stage=counting.stage.title, tournament=tournament.name
        )
    if tidy(reason):
        said["reason"] = tidy(reason)
    tournament.policies = policies
    tournament.save(update_fields=["policies"])
    log.write(tournament, "policies_changed", by=by, **said)
    for stage in tournament.stages.filter(state=Stage.State.OPEN):
        schedule_standings(stage)
    return tournament


def _require_sound(rules: Rules, given: Policies) -> None:
    """Refuse numbers nobody could mean."""
    for for_, against in dict(given.absences).values():
        # In `elimination` points are bad: there only points against mean anything.
        if not 0 <= for_ <= against <= rules.target:
            raise entry_errors.BadMissedPoints(for_=for_, against=against, target=rules.target)
    if given.bye is not None and not all(0 <= one <= rules.target for one in given.bye):
        raise entry_errors.BadByePoints(found=list(given.bye), target=rules.target)
    late = given.late_entry
    if isinstance(late, int) and not 0 <= late <= LATEST_ROUND:
        raise entry_errors.BadLateLimit(found=late, most=LATEST_ROUND)
    if given.most_excused is not None and not 0 <= given.most_excused <= MOST_EXCUSED:
        raise entry_errors.BadExcuseLimit(found=given.most_excused, most=MOST_EXCUSED)
    bench = given.most_substitutes
    if bench is not None and not 0 <= bench <= MOST_SUBSTITUTES:
        raise entry_errors.BadBenchLimit(found=bench, most=MOST_SUBSTITUTES)


def _already_counting(
    tournament: Tournament, policies: Mapping[str, object]
) -> PairingRound | None:
    """Return a published round of an open stage whose byes or absences would count anew."""
    changed = Q(pk__in=[])
    if tournament.policies.get("bye") != policies.get("bye"):
        changed |= Q(byes__isnull=False)
    if tournament.policies.get("absences") != policies.get("absences"):
        changed |= Q(absences__isnull=False)
    rounds = PairingRound.objects.filter(
        changed, stage__tournament=tournament, stage__state=Stage.State.OPEN
    )
    published = rounds.exclude(state=PairingRound.State.DRAFT).select_related("stage")
    return published.order_by("stage__number", "number").first()


@transaction.atomic
@traced(watches.itself("paid"))
def set_paid(entry: Entry, *, paid: bool, by: User) -> Entry:
    """Note whether the fee of an entry was paid; said twice, it is noted once."""
    permissions.require_director(by, entry.tournament)
    tournament = locked(entry.tournament)
    entry = Entry.objects.get(pk=entry.pk)
    if entry.paid != paid:
        entry.paid = paid
        entry.save(update_fields=["paid"])
        act = "fee_paid" if paid else "fee_not_paid"
        log.write(tournament, act, by=by, entry=entry.number, name=entry.name)
    return entry

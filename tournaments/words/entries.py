"""Hours of registration, late entries and absences in whole sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Max
from django.utils import timezone
from django.utils.translation import gettext_noop

from tournaments.errors.base import explain
from tournaments.errors.entries import LateEntryIsOver
from tournaments.models import Absence, Bye, Entry, Match, MatchSeat, Player, Stage, Tournament
from tournaments.policies import LATEST_ROUND, late_limit
from tournaments.rules import rules_of
from tournaments.services.attendance import (
    first_for_newcomer,
    next_round,
    why_nobody_enters,
)
from tournaments.services.registration import Window, local_time, window_of
from tournaments.services.standings import absence_points, bye_points
from tournaments.services.waiting_list import free_places


@dataclass(frozen=True, slots=True)
class _Said:
    text: str
    params: Mapping[str, object]


def _say(text: str, **params: object) -> str:
    return explain(_Said(text, params))


def window_words(tournament: Tournament) -> str:
    """Say from when to when players can enter by themselves."""
    opens, closes = tournament.entries_open_at, tournament.entries_close_at
    window = window_of(tournament)
    if window is Window.NOT_YET:
        if opens is None or opens <= timezone.now():
            return _say(gettext_noop("Registration is not open yet."))
        return _say(
            gettext_noop("Registration opens on %(opens)s."), opens=local_time(tournament, opens)
        )
    if window is Window.OVER:
        return _say(gettext_noop("Registration is closed."))
    if closes is None:
        return _say(gettext_noop("Registration is open until play starts."))
    return _say(
        gettext_noop("Registration is open until %(closes)s."),
        closes=local_time(tournament, closes),
    )


def places_words(tournament: Tournament) -> str:
    """Say how many places are left; nothing where there is no limit."""
    free = free_places(tournament)
    if free is None:
        return ""
    if free == 0:
        return _say(
            gettext_noop(
                "All %(most)s places are taken. Whoever enters now is on the waiting list and "
                "moves up when somebody withdraws."
            ),
            most=tournament.most_entries,
        )
    return _say(
        gettext_noop("Places left: %(free)s of %(most)s."),
        free=free,
        most=tournament.most_entries,
    )


def late_words(stage: Stage) -> str:
    """Say until which round, by number, somebody can enter a stage late."""
    if stage.state != Stage.State.OPEN:
        return _say(gettext_noop("%(stage)s takes no more entries."), stage=stage.title)
    refusal = why_nobody_enters(stage)
    if isinstance(refusal, LateEntryIsOver):
        return _say(gettext_noop("%(stage)s takes no more entries."), stage=stage.title)
    if refusal is not None:
        return explain(refusal)
    limit = late_limit(stage)
    if limit is None or limit >= LATEST_ROUND:
        return _say(
            gettext_noop("Late entries to %(stage)s: as long as rounds are drawn."),
            stage=stage.title,
        )
    return _say(
        gettext_noop("Late entries to %(stage)s: until round %(last)s is drawn."),
        stage=stage.title,
        last=limit,
    )


def joining_words(stage: Stage) -> str:
    """Say from which round a late entry plays, and what the rounds before score."""
    first = first_for_newcomer(stage)
    if first == 1:
        return _say(gettext_noop("Who enters now plays from round 1 on and misses nothing."))
    for_, against = absence_points(
        stage.tournament, rules_of(stage.tournament), Absence.Kind.LATE.value
    )
    return _say(
        gettext_noop(
            "Who enters now plays from round %(first)s on. Each round before counts %(points)s "
            "points for and %(against)s against, and is no win."
        ),
        first=first,
        points=for_,
        against=against,
    )


def bye_words(tournament: Tournament, worth: str = Bye.Worth.FULL) -> str:
    """Say what a bye scores."""
    for_, against = bye_points(tournament, rules_of(tournament), worth)
    if worth != Bye.Worth.FULL:
        return _say(
            gettext_noop("%(points)s points for, %(against)s against, no win"),
            points=for_,
            against=against,
        )
    return _say(
        gettext_noop("%(points)s points for, %(against)s against, counts as won"),
        points=for_,
        against=against,
    )


def absence_words(tournament: Tournament, kind: str) -> str:
    """Say what an absence of this kind scores."""
    for_, against = absence_points(tournament, rules_of(tournament), kind)
    return _say(
        gettext_noop("%(points)s points for, %(against)s against, no win"),
        points=for_,
        against=against,
    )


def joined_words(stage: Stage, entry: Entry) -> str:
    """Say from which round an entry plays now."""
    member = stage.stage_entries.filter(entry=entry).first()
    return _say(
        gettext_noop("“%(entry)s” plays in %(stage)s from round %(first)s on."),
        entry=entry.name,
        stage=stage.title,
        first=member.from_round if member else next_round(stage),
    )


def substituted_words(entry: Entry, into: Player, changed: Sequence[Match], number: int) -> str:
    """Say from which round a substitute plays, and at which table that is seen already."""
    if changed:
        first = min(changed, key=lambda match: match.pairing_round.number)
        return _say(
            gettext_noop(
                "%(player)s plays for “%(entry)s” from round %(first)s on, table %(table)s."
            ),
            player=into.name,
            entry=entry.name,
            first=first.pairing_round.number,
            table=first.table,
        )
    begun = MatchSeat.objects.filter(
        entry=entry,
        pairing_round__number__gte=number,
        pairing_round__stage__state=Stage.State.OPEN,
    )
    last = begun.aggregate(last=Max("pairing_round__number"))["last"]
    if last is not None:
        return _say(
            gettext_noop(
                "Round %(round)s has begun for “%(entry)s” and goes on as it is; %(player)s plays "
                "from round %(first)s on."
            ),
            round=last,
            entry=entry.name,
            player=into.name,
            first=last + 1,
        )
    return _say(
        gettext_noop("%(player)s plays for “%(entry)s” from the next draw on."),
        player=into.name,
        entry=entry.name,
    )

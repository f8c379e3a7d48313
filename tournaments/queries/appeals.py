"""Which results are under protest, and what the pages of appeals show.

The one place that says who sees what: everybody sees that a result is under protest, and what a
decision did to it. What an appeal says is read by those permissions.may_read_appeal names.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Exists, OuterRef, QuerySet

from tournaments import permissions
from tournaments.models import (
    LONG_IN_ROUND,
    Appeal,
    Match,
    MatchSeat,
    PairingRound,
    PanelMember,
    Stage,
    Tournament,
)
from tournaments.permissions import Visitor
from tournaments.services.appeals import is_intact

# What no list of appeals shows.
_LONG = ("evidence", "changed", "match__pairing_round__draw", "match__pairing_round__standings")


@dataclass(frozen=True, slots=True)
class Protest:
    """A table whose result is under protest: all that is public of an appeal not decided yet."""

    match: int
    stage: int
    round: int
    table: int


@dataclass(frozen=True, slots=True)
class DecidedAppeal:
    """What is public of a decision: what became of the result, and when."""

    effect: str
    effect_label: str
    at: datetime | None


@dataclass(frozen=True, slots=True)
class AppealsSaid:
    """What is said of appeals about one match; `readable` are those the reader may open."""

    is_protested: bool
    decided: tuple[DecidedAppeal, ...]
    readable: tuple[Appeal, ...]


@dataclass(frozen=True, slots=True)
class AppealsPage:
    """The appeals of an event for those who may read them."""

    tournament: Tournament
    undecided: tuple[Appeal, ...]
    decided: tuple[Appeal, ...]


@dataclass(frozen=True, slots=True)
class SeatThen:
    """A seat as it was when the appeal was filed; `score` is points for and against."""

    letter: str
    player: str
    entry: str
    outcome: str
    score: str


@dataclass(frozen=True, slots=True)
class SeatChange:
    """What a seat left with before a decision and after it, in words."""

    letter: str
    player: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Changes:
    """What a decision changed, or would change."""

    rows: tuple[SeatChange, ...]
    moves: tuple[Mapping[str, Any], ...]
    later_rounds: tuple[int, ...]
    gone: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class AppealPage:
    """One appeal with its evidence, and whether the table is still as it was."""

    appeal: Appeal
    tournament: Tournament
    match: Match
    panel: tuple[PanelMember, ...]
    seats: tuple[SeatThen, ...]
    changes: Changes
    is_intact: bool
    has_moved_on: bool
    """Something was recorded or stored at the table since the appeal was filed."""
    published_later: tuple[int, ...]
    """Rounds published after this one: they stay, whatever is decided."""


def under_protest() -> Exists:
    """Return the condition that a match has an appeal nobody has decided."""
    return Exists(Appeal.objects.filter(match=OuterRef("pk"), state=Appeal.State.FILED))


def with_protest(matches: QuerySet[Match]) -> QuerySet[Match]:
    """Return matches that know, as `is_protested`, whether their result is under protest."""
    return matches.annotate(is_protested=under_protest())


def is_protested(match: Match) -> bool:
    """Say whether the result of a match is under protest."""
    known: bool | None = getattr(match, "is_protested", None)
    if known is None:
        known = match.appeals.filter(state=Appeal.State.FILED).exists()
    return bool(known)


def protested_among(matches: Iterable[int]) -> frozenset[int]:
    """Return which of some matches, by their keys, are under protest."""
    found = Appeal.objects.filter(match__in=list(matches), state=Appeal.State.FILED)
    return frozenset(found.values_list("match", flat=True))


def protests_of(stages: Iterable[Stage], *, until: int | None = None) -> tuple[Protest, ...]:
    """Return the tables of some stages under protest; of rounds up to `until` where it is given."""
    found = Appeal.objects.filter(
        match__pairing_round__stage__in=list(stages), state=Appeal.State.FILED
    )
    if until is not None:
        found = found.filter(match__pairing_round__number__lte=until)
    names = (
        "match",
        "match__pairing_round__stage__number",
        "match__pairing_round__number",
        "match__table",
    )
    rows = found.order_by(*names[1:]).values_list(*names).distinct()
    return tuple(Protest(*row) for row in rows)


def may_appeal(user: Visitor, match: Match) -> bool:
    """Say whether `user` can file an appeal about a match now."""
    tournament = match.pairing_round.stage.tournament
    return (
        match.state != Match.State.WAITING
        and tournament.state != Tournament.State.FINISHED
        and permissions.is_referee(user, tournament)
    )


def appeals_said(match: Match, user: Visitor) -> AppealsSaid:
    """Return what `user` may know of the appeals about a match."""
    found = list(match.appeals.defer("evidence", "changed").order_by("number"))
    decided = (Appeal.State.UPHELD, Appeal.State.REJECTED)
    return AppealsSaid(
        is_protested=any(one.state == Appeal.State.FILED for one in found),
        decided=tuple(
            DecidedAppeal(one.effect, str(one.get_effect_display()), one.decided_at)
            for one in found
            if one.state in decided
        ),
        readable=tuple(one for one in found if permissions.may_read_appeal(user, one)),
    )


def appeals_page(tournament: Tournament) -> AppealsPage:
    """Return the appeals of an event, those that wait first; ask may_read_appeals before."""
    found = (
        tournament.appeals.select_related("entry", "filed_by", "match__pairing_round__stage")
        .prefetch_related("panel")
        .defer(*_LONG)
        .order_by("number")
    )
    waiting = [one for one in found if one.state == Appeal.State.FILED]
    return AppealsPage(
        tournament, tuple(waiting), tuple(one for one in reversed(found) if one not in waiting)
    )


def readable_appeals() -> QuerySet[Appeal]:
    """Return appeals with all that permissions and their pages need; ask may_read_appeal."""
    found = Appeal.objects.select_related(
        *("entry", "filed_by", "decided_by", "tournament"),
        "match__pairing_round__stage__tournament",
    )
    return found.defer(*(f"match__{name}" for name in LONG_IN_ROUND))


def appeal_page(appeal: Appeal) -> AppealPage:
    """Return one appeal; ask may_read_appeal before."""
    match = appeal.match
    later = match.pairing_round.stage.rounds.filter(number__gt=match.pairing_round.number)
    published = later.exclude(state=PairingRound.State.DRAFT).order_by("number")
    last = appeal.evidence.get("closed_at"), appeal.evidence.get("state")
    now = match.closed_at.isoformat() if match.closed_at else None, match.state
    return AppealPage(
        appeal=appeal,
        tournament=appeal.tournament,
        match=match,
        panel=tuple(appeal.panel.select_related("user")),
        seats=tuple(_seat_then(one) for one in appeal.evidence.get("seats", ())),
        changes=changes_of(appeal),
        is_intact=is_intact(appeal),
        has_moved_on=last != now or appeal.evidence.get("score") != match.score,
        published_later=tuple(published.values_list("number", flat=True)),
    )


def changes_of(appeal: Appeal) -> Changes:
    """Return what the decision on an appeal changed, ready to be shown."""
    kept = appeal.changed
    after = {one["seat"]: one for one in kept.get("after", ())}
    return Changes(
        rows=tuple(
            SeatChange(one["seat"], one["player"], _left_with(one), _left_with(after[one["seat"]]))
            for one in kept.get("before", ())
            if one["seat"] in after
        ),
        moves=tuple(kept.get("moves", ())),
        later_rounds=tuple(kept.get("later_rounds", ())),
        gone=tuple((number, table) for number, table in kept.get("gone", ())),
    )


def _seat_then(seat: Mapping[str, Any]) -> SeatThen:
    return SeatThen(
        letter=str(seat.get("seat", "")),
        player=str(seat.get("player", "")),
        entry=str(seat.get("entry_name", "")),
        outcome=_outcome(seat),
        score=_left_with(seat),
    )


def _outcome(seat: Mapping[str, Any]) -> str:
    known = seat.get("outcome")
    return str(MatchSeat.Outcome(known).label) if known in MatchSeat.Outcome.values else ""


def _left_with(seat: Mapping[str, Any]) -> str:
    """Return the points of a seat for and against; empty while there is no result."""
    if seat.get("points_for") is None:
        return ""
    return f"{seat['points_for']}–{seat['points_against']}"

"""What the page, the file and the API of the indicators show."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final, TypeAlias

from django.urls import reverse
from django.utils.formats import number_format
from django.utils.translation import gettext, gettext_noop

from engine.ladder import SEVERITIES, SEVERITY_LABELS
from engine.own_penalties import Own
from referee.indicators import (
    Indicator,
    Indicators,
    MatchCount,
    Pauses,
    Place,
    Who,
    added_up,
    count_match,
)
from referee.kept_counts import KeptCounts
from referee.models import Sanction
from referee.rows import records_of, times_of
from referee.sentences import kind_label
from referee.timed_acts import NoPause, Why
from tournaments.digits import local_digits
from tournaments.models import (
    LONG_IN_ROUND,
    LogEntry,
    Match,
    MatchSeat,
    PairingRound,
    Player,
    Tournament,
)
from tournaments.policies_moves import MoveTime, move_time
from tournaments.queries.lookup import Wanted
from tournaments.rules import rules_of
from tournaments.services.clock import clock_of

PLAYERS: Final = "players"
PAIRS: Final = "pairs"
# A round begun so long after the clock ran out was not recorded while it was played.
_LATE_BY: Final = timedelta(minutes=10)
# When a match was changed last, when it was over (what began later was entered afterwards), and
# how long a move may take there.
Version: TypeAlias = tuple[datetime, float | None, MoveTime]

WHY_LEFT_OUT: Final[Mapping[Why, str]] = {
    Why.SHEET: gettext_noop("recorded from a score sheet, without moves"),
    Why.TOGETHER: gettext_noop("several moves stored at one moment, such as by a device offline"),
    Why.TYPED: gettext_noop("entered faster than anybody plays"),
    Why.LATER: gettext_noop("entered after the round’s time, or after the match was reopened"),
}
WHY_NO_PAUSE: Final[Mapping[NoPause, str]] = {
    NoPause.FIRST: gettext_noop("the first move of a round, or the same seat went on"),
    NoPause.INTERRUPTED: gettext_noop(
        "something else was recorded in between, such as a ruling or a slip of the pen"
    ),
    NoPause.LONG: gettext_noop("longer than five minutes"),
}


@dataclass(frozen=True, slots=True)
class Mark:
    """One place in the records, as a link."""

    label: str
    address: str


@dataclass(frozen=True, slots=True)
class Counted:
    """Something counted by its name, with the places where it stands."""

    name: str
    marks: tuple[Mark, ...]


@dataclass(frozen=True, slots=True)
class Line:
    """What is counted for a player or a pair."""

    players: tuple[Player, ...]
    own: Indicator
    pauses_apart: float | None
    forced_apart: float | None
    free_apart: float | None
    kinds: tuple[Counted, ...]
    false_passes: tuple[Counted, ...]
    cards: Mapping[str, int]
    """By severity; only those that are confirmed."""

    @property
    def name(self) -> str:
        return " / ".join(one.name for one in self.players)

    @property
    def clubs(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(one.club.name for one in self.players if one.club))

    @property
    def named_cards(self) -> list[tuple[str, int]]:
        """The cards by their names, the lightest first."""
        return [
            (gettext(SEVERITY_LABELS[severity]), self.cards[severity])
            for severity in SEVERITIES
            if self.cards.get(severity)
        ]

    @property
    def card_count(self) -> int:
        return sum(self.cards.values())


@dataclass(frozen=True, slots=True)
class Asked:
    """What the reader wants to see."""

    what: str = PLAYERS
    typed: str = ""
    club: str = ""
    order: str = "name"

    @classmethod
    def read(cls, said: Mapping[str, str]) -> Asked:
        """Read the query of an address; what makes no sense is as if it was not said."""
        order = said.get("order", "")
        return cls(
            what=PAIRS if said.get("what") == PAIRS else PLAYERS,
            typed=said.get("q", "").strip()[:80],
            club=said.get("club", "").strip()[:120],
            order=order if order in ORDERS else "name",
        )


@dataclass(frozen=True, slots=True)
class IndicatorsPage:
    """The lines that were asked for, and what the field comes to."""

    asked: Asked
    field: Indicators
    lines: tuple[Line, ...]
    clubs: tuple[str, ...]
    left_out: tuple[tuple[str, int], ...]
    no_pause: tuple[tuple[str, int], ...]

    @property
    def rounds_left_out(self) -> int:
        return sum(count for _, count in self.left_out)


def _falling(value: Callable[[Line], float | None]) -> Callable[[Line], tuple[bool, float]]:
    """Order by a number, the largest first; whoever has none comes last."""

    def key(line: Line) -> tuple[bool, float]:
        found = value(line)
        return (found is None, -(found or 0))

    return key


ORDERS: Final[Mapping[str, tuple[str, Callable[[Line], tuple[object, ...]]]]] = {
    "name": (gettext_noop("Name"), lambda line: (line.players[0].folded_name,)),
    "moves": (gettext_noop("Moves"), _falling(lambda line: line.own.moves)),
    "pause": (gettext_noop("Pause, from the field"), _falling(lambda line: line.pauses_apart)),
    "forced": (gettext_noop("Forced moves, from the field"), _falling(lambda o: o.forced_apart)),
    "free": (gettext_noop("Free moves, from the field"), _falling(lambda line: line.free_apart)),
    "over": (
        gettext_noop("Over the time for a move"),
        _falling(lambda line: line.own.pauses.over_share if line.own.pauses.is_enough else None),
    ),
    "passes": (gettext_noop("Passes"), _falling(lambda line: line.own.passes)),
    "false": (gettext_noop("False passes"), _falling(lambda line: line.own.false_passes)),
    "infractions": (gettext_noop("Infractions"), _falling(lambda one: one.own.infraction_count)),
    "cards": (gettext_noop("Cards"), _falling(lambda line: line.card_count)),
}  # fmt: skip


def played(tournament: Tournament) -> list[Match]:
    """Return the matches of published rounds that are being played or have been."""
    found = (
        Match.objects.filter(
            pairing_round__stage__tournament=tournament,
            state__in=[Match.State.PLAYING, Match.State.CLOSED],
        )
        .exclude(pairing_round__state=PairingRound.State.DRAFT)
        .select_related("pairing_round__stage__tournament")
        .defer(*LONG_IN_ROUND)
    )
    return list(
        found.order_by("pairing_round__stage__number", "pairing_round__number", "table", "pk")
    )


# Who looks compares the version with the stored one first.
_KEPT: Final[KeptCounts[Version, MatchCount]] = KeptCounts()


def counted(tournament: Tournament, matches: list[Match]) -> Indicators:
    """Count the records of these matches; those that changed are read some hundred at a time."""
    reopened = _reopened(tournament)
    versions: dict[int, Version] = {}
    for match in matches:
        until = min(filter(None, (reopened.get(match.pk), _ends(match))), default=None)
        allowed = move_time(rules_of(match), tournament.policies)
        versions[match.pk] = (match.changed_at, until, allowed)
    by_pk = {match.pk: match for match in matches}

    def count(pks: list[int]) -> dict[int, MatchCount]:
        some = [by_pk[pk] for pk in pks]
        times = times_of(some)
        found = {}
        for pk, recorded in records_of(some).items():
            _, until, allowed = versions[pk]
            found[pk] = count_match(recorded, times, allowed=allowed, until=until)
        return found

    counts = _KEPT.counted(versions, count)
    return added_up((counts[match.pk] for match in matches), _seated(tournament))


def _seated(tournament: Tournament) -> dict[int, dict[str, int]]:
    seats = MatchSeat.objects.filter(pairing_round__stage__tournament=tournament)
    found: dict[int, dict[str, int]] = {}
    for match, seat, player in seats.values_list("match", "seat", "player").order_by():
        found.setdefault(match, {})[seat] = player
    return found


def _ends(match: Match) -> float | None:
    clock = clock_of(match.pairing_round, extra_seconds=match.extra_seconds)
    return None if clock is None else (clock.ends_at + _LATE_BY).timestamp()


def _reopened(tournament: Tournament) -> dict[int, float]:
    """Return when each match was first opened again: what came later is a correction."""
    log = LogEntry.objects.filter(tournament=tournament, act="match_reopened").order_by("-at")
    found = ((details.get("match"), at) for details, at in log.values_list("details", "at"))
    return {pk: at.timestamp() for pk, at in found if pk is not None}


def all_lines(
    tournament: Tournament, what: str, matches: list[Match], found: Indicators
) -> list[Line]:
    """Return every player's or every pair's line, in no order."""
    places = {match.pk: match for match in matches}
    players = _players(tournament)
    cards = _cards(tournament)
    own = rules_of(tournament).own
    indicators = found.pairs if what == PAIRS else found.players
    together = _together(found, indicators.keys(), cards)
    return [
        _line(indicator, players, found, own, places, together.get(who, Counter()))
        for who, indicator in indicators.items()
    ]


def _line(
    own: Indicator,
    players: Mapping[int, Player],
    field: Indicators,
    kinds: Own,
    places: Mapping[int, Match],
    cards: Counter[str],
) -> Line:
    false_passes = (
        (gettext("Proved by the record, not ruled on"), own.proved),
        (gettext("Ruled on"), own.ruled),
    )
    return Line(
        players=tuple(players[one] for one in own.who),
        own=own,
        pauses_apart=own.pauses.apart(field.pauses),
        forced_apart=own.forced.apart(field.forced),
        free_apart=own.free.apart(field.free),
        kinds=tuple(
            Counted(kind_label(kind, kinds), _marks(where, places))
            for kind, where in own.infractions.items()
        ),
        false_passes=tuple(
            Counted(name, _marks(where, places)) for name, where in false_passes if where
        ),
        cards=dict(cards),
    )


def _marks(where: Iterable[Place], places: Mapping[int, Match]) -> tuple[Mark, ...]:
    marks = []
    for place in where:
        match = places[place.match]
        said = gettext("Pairing round %(pairing_round)s, table %(table)s, round %(round)s") % {
            "pairing_round": local_digits(match.pairing_round.number),
            "table": local_digits(match.table),
            "round": local_digits(place.round + 1),
        }
        marks.append(Mark(said, address_of(place)))
    return tuple(marks)


def address_of(place: Place) -> str:
    """Return where a move can be looked at in its match."""
    page = reverse("referee:moves", args=[place.match])
    event = "" if place.event is None else f"&event={place.event}"
    return f"{page}?round={place.round + 1}{event}"


def _players(tournament: Tournament) -> dict[int, Player]:
    seated = Player.objects.filter(seats__pairing_round__stage__tournament=tournament)
    return {one.pk: one for one in seated.select_related("club").distinct()}


_Card = tuple[int, str, int | None]


def _cards(tournament: Tournament) -> list[_Card]:
    """Return who got which warning or card at which match; only what is confirmed."""
    rows = Sanction.objects.filter(
        tournament=tournament, state=Sanction.State.CONFIRMED, player__isnull=False
    ).exclude(severity=Sanction.Severity.MATCH)
    return list(rows.values_list("player", "severity", "match"))


def _together(
    found: Indicators, whose: Iterable[Who], cards: Iterable[_Card]
) -> dict[Who, Counter[str]]:
    """Return the cards of each; of a pair those its players got at a table they shared."""
    by_player: dict[int, list[_Card]] = {}
    for card in cards:
        by_player.setdefault(card[0], []).append(card)
    return {
        who: Counter(
            severity
            for player in who
            for _, severity, match in by_player.get(player, ())
            if len(who) == 1 or match in found.pair_matches.get(who, ())
        )
        for who in whose
    }


def indicators_page(tournament: Tournament, asked: Asked) -> IndicatorsPage:
    """Return the indicators of an event as they were asked for."""
    matches = played(tournament)
    found = counted(tournament, matches)
    lines = all_lines(tournament, asked.what, matches, found)
    clubs = tuple(sorted({club for line in lines for club in line.clubs}))
    wanted = Wanted(asked.typed)
    shown = [
        line
        for line in lines
        if (not wanted or any(wanted.names(one) for one in line.players))
        and (not asked.club or asked.club in line.clubs)
    ]
    shown.sort(key=lambda line: (line.players[0].folded_name, line.own.who))
    shown.sort(key=ORDERS[asked.order][1])
    return IndicatorsPage(
        asked=asked,
        field=found,
        lines=tuple(shown),
        clubs=clubs,
        left_out=tuple(
            (gettext(WHY_LEFT_OUT[why]), found.left_out.rounds[why])
            for why in Why
            if found.left_out.rounds.get(why)
        ),
        no_pause=tuple(
            (gettext(WHY_NO_PAUSE[why]), found.left_out.pauses[why])
            for why in NoPause
            if found.left_out.pauses.get(why)
        ),
    )


def seconds(number: float | None, *, sign: bool = False) -> str:
    """Write seconds for a reader, as their language writes numbers; a dash for not known."""
    if number is None:
        return "–"
    rounded = round(number, 1) + 0.0
    written = local_digits(number_format(abs(rounded), 1))
    if not sign:
        return written
    return ("+" if rounded > 0 else "\N{MINUS SIGN}" if rounded < 0 else "±") + written


def few(pauses: Pauses) -> str:
    """Say that there are too few pauses for anything to be said."""
    return gettext("too few to say (%(count)s)") % {"count": local_digits(pauses.count)}

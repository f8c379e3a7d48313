"""What the records of an event say about warnings and cards, and about who did not appear."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.db.models import Q, QuerySet

from engine.ladder import BETWEEN_PARTNERS, gravest
from engine.match import InfractionRow
from engine.penalties import ENDS_MATCH, Measure
from engine.seats import Seat
from referee.models import Sanction
from referee.recorded import Recorded
from referee.rows import records_of
from tournaments.models import LONG_IN_ROUND, Absence, LogEntry, Match, MatchSeat, Tournament
from tournaments.policies_cards import card_numbers, ladder_in
from tournaments.words.cards import REPEATED

_ABSENCES: Final = ("walkover", "seats_emptied")
# Femundo 28 counts infractions that were punished, not what was only said or put right.
_MILD: Final = frozenset(
    {"warning", "formal_warning", "retract", "stand", "rewind", "must_play", "expose"}
)
_LEAVES: Final = {"warning": "warning", "formal_warning": "warning", "disqualify": "black"}
_AT_ONCE: Final = 200

Key = tuple[str, int | None, int, int | None, int | None, int | None, str, str]


@dataclass(frozen=True, slots=True)
class Found:
    """A sanction that a record, or an absence, stands for; `player` is a key."""

    source: str
    match: int
    attempt: int
    player: int
    kind: str
    severity: str
    ladder: str
    round: int | None = None
    event: int | None = None
    in_record: bool = False

    @property
    def key(self) -> Key:
        """What tells it from every other, so that it is on the ledger once."""
        return (
            self.source, self.match, self.attempt, self.round, self.event, self.player,
            self.kind, self.severity,
        )  # fmt: skip


def key_of(row: Sanction) -> Key:
    """Return the key of a stored sanction that came from a record or an absence."""
    return (
        str(row.source), row.match_id, row.attempt, row.round, row.event, row.player_id,
        row.kind, str(row.severity),
    )  # fmt: skip


def found_in(tournament: Tournament, matches: Collection[int] | None = None) -> list[Found]:
    """Return what the tables of an event stand for, of these matches or of all.

    A table counts once it has been closed; opened again, with what its record says now.
    """
    attempts = _attempts(tournament)
    asked = _tables(tournament, matches)
    found = []
    recorded_at = list(asked.filter(records__events__notation__contains="!").distinct())
    for start in range(0, len(recorded_at), _AT_ONCE):
        for pk, recorded in records_of(recorded_at[start : start + _AT_ONCE]).items():
            found += in_record(tournament, recorded, attempts[pk])
    return [*found, *_for_absence(tournament, matches, attempts)]


def in_record(tournament: Tournament, recorded: Recorded, attempt: int) -> list[Found]:
    """Return what one record stands for: each infraction that was warned or got a card."""
    found = []
    for one in recorded.state.infractions:
        severity = severity_of(one.measures or ())
        if not severity:
            continue
        lost = any(each.name in ENDS_MATCH for each in one.measures or ())
        found += [
            _of(recorded, one, player, severity, attempt, in_record=lost)
            for player in targets(recorded, one)
        ]
    return found + _repeated(tournament, recorded, attempt)


def severity_of(measures: Iterable[Measure]) -> str:
    """Return the gravest of what a ruling leaves on the ledger; "" for nothing.

    To be put out of the event is what a black card does, also under a book without cards.
    """
    return gravest(
        str(one.value) if one.name == "card" else _LEAVES[one.name]
        for one in measures
        if one.name == "card" or one.name in _LEAVES
    )


def targets(recorded: Recorded, one: InfractionRow) -> tuple[int, ...]:
    """Return the players an infraction falls on, the offender first.

    Signals, and remarks that show a play, are one act of both partners of a pair. Who plays alone
    answers alone, but for signals under the federation's book (femundo 24).
    """
    seats = {each.seat: each for each in recorded.sittings}
    offender = seats[one.seat.value]
    side = next(side for side in recorded.sides if offender.seat in side)
    others = [seats[each] for each in side if each != offender.seat and each in seats]
    if one.kind not in BETWEEN_PARTNERS:
        others = []
    elif recorded.rules.profile != "femundo" or one.kind != "signaling":
        others = [each for each in others if each.entry == offender.entry]
    return (offender.player, *(each.player for each in others))


def _of(
    recorded: Recorded,
    one: InfractionRow,
    player: int,
    severity: str,
    attempt: int,
    *,
    in_record: bool,
) -> Found:
    return Found(
        source=Sanction.Source.RECORD,
        match=recorded.match.pk,
        attempt=attempt,
        player=player,
        kind=one.kind,
        severity=severity,
        ladder=ladder_in(recorded.rules, one.kind),
        round=one.round,
        event=one.event,
        in_record=in_record,
    )


def _repeated(tournament: Tournament, recorded: Recorded, attempt: int) -> list[Found]:
    """Return who has so many punished infractions in this match that they lose it."""
    most = card_numbers(tournament).infractions
    if not most:
        return []
    punished: defaultdict[Seat, list[InfractionRow]] = defaultdict(list)
    lost = set()
    for one in recorded.state.infractions:
        names = {each.name for each in one.measures or ()}
        if names - _MILD:
            punished[one.seat].append(one)
        if names & set(ENDS_MATCH):
            lost.add(one.seat)
    players = {each.seat: each.player for each in recorded.sittings}
    return [
        Found(
            source=Sanction.Source.RECORD,
            match=recorded.match.pk,
            attempt=attempt,
            player=players[seat.value],
            kind=REPEATED,
            severity=Sanction.Severity.MATCH,
            ladder=ladder_in(recorded.rules, rows[most - 1].kind),
            round=rows[most - 1].round,
            event=rows[most - 1].event,
        )
        for seat, rows in punished.items()
        if len(rows) >= most and seat not in lost
    ]


def _tables(tournament: Tournament, matches: Collection[int] | None) -> Any:
    of_event = Match.objects.filter(pairing_round__stage__tournament=tournament)
    if matches is not None:
        of_event = of_event.filter(pk__in=matches)
    known = Sanction.objects.filter(tournament=tournament, source=Sanction.Source.RECORD)
    counted = Q(state=Match.State.CLOSED) | Q(pk__in=known.values("match"))
    with_event = of_event.filter(counted).select_related("pairing_round__stage__tournament")
    return with_event.defer(*LONG_IN_ROUND).order_by("pk")


def _attempts(tournament: Tournament) -> Counter[int]:
    """Return how often each match was let be played again."""
    lines = LogEntry.objects.filter(
        tournament=tournament, act="match_replayed", undone_by__isnull=True
    )
    return Counter(lines.values_list("details__match", flat=True))


def absences(tournament: Tournament) -> QuerySet[LogEntry]:
    """Return the lines of the log that stand for the card of somebody who did not appear."""
    return LogEntry.objects.filter(
        tournament=tournament, act__in=_ABSENCES, details__has_key="card", undone_by__isnull=True
    )


def _for_absence(
    tournament: Tournament, matches: Collection[int] | None, attempts: Mapping[int, int]
) -> Iterator[Found]:
    """Yield the card of everybody who did not appear, once a table (femundo 7)."""
    of_match: dict[int, LogEntry] = {}
    for line in absences(tournament).order_by("pk"):
        if matches is None or line.details["match"] in matches:
            of_match[line.details["match"]] = line
    lost, away = _lost_by(of_match), _away_from(of_match)
    for pk, line in sorted(of_match.items()):
        numbers = set(line.details["absent"])
        players = {player for player, number in {*lost[pk], *away[pk]} if number in numbers}
        for player in sorted(players):
            yield Found(
                source=Sanction.Source.ABSENCE,
                match=pk,
                attempt=attempts.get(pk, 0),
                player=player,
                kind="late",
                severity=str(line.details["card"]),
                ladder="play",
                in_record=True,
            )


def _lost_by(matches: Collection[int]) -> Mapping[int, set[tuple[int, int]]]:
    """Return by match who lost it without playing: player and number of the entry."""
    found: defaultdict[int, set[tuple[int, int]]] = defaultdict(set)
    seats = MatchSeat.objects.filter(match__in=matches, outcome=MatchSeat.Outcome.WALKOVER_LOSS)
    for match, player, number in seats.values_list("match", "player", "entry__number"):
        found[match].add((player, number))
    return found


def _away_from(matches: Collection[int]) -> Mapping[int, set[tuple[int, int]]]:
    """Return by match who is noted as absent from its round, and so sits nowhere."""
    found: defaultdict[int, set[tuple[int, int]]] = defaultdict(set)
    away = Absence.objects.filter(
        pairing_round__matches__in=matches, entry__members__on_bench=False
    ).values_list("pairing_round__matches", "entry__members__player", "entry__number")
    for match, player, number in away:
        found[match].add((player, number))
    return found

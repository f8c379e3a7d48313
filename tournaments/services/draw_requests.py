"""Turns the state of a stage into the request that draws its next round.

The request is stored with the round, so that anybody can replay the draw.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import combinations, groupby
from typing import Final

from django.db.models import Q

from engine.errors import DominoError
from tournaments.competition import requests
from tournaments.models import (
    Absence,
    Bye,
    Entry,
    ForbiddenMeeting,
    MatchSeat,
    PairingRound,
    Stage,
    StageEntry,
)
from tournaments.rules import has_partners, rules_of, sides_of
from tournaments.services.provisional import Reported, reported_results, results_in
from tournaments.services.standings import ordered_entries, results_of

# Systems of which all rounds are drawn at once.
AT_ONCE: Final = (Stage.System.ROUND_ROBIN, Stage.System.GROUPS, Stage.System.SCHEDULE)
_UNPLAYED = (MatchSeat.Outcome.WALKOVER_WIN, MatchSeat.Outcome.WALKOVER_LOSS)


@dataclass(frozen=True, slots=True)
class Asked:
    """A request with the entries its ids stand for.

    `provisional` are the results it counts that nobody has confirmed yet.
    """

    request: dict[str, object]
    entries: dict[str, Entry]
    provisional: tuple[Reported, ...] = ()


# What a refusal of the competition code may fill with the ids of entries.
_IDS: Final = ("entries", "entry", "one", "other", "winner")


def drawn(asked: Asked) -> dict[str, object]:
    """Return the draw of a request; a refusal names entries and teams as people know them."""
    try:
        return requests.pair(asked.request)
    except DominoError as refusal:
        refusal.params = {
            name: _known_as(name, value, asked.entries) for name, value in refusal.params.items()
        }
        raise


def _known_as(name: str, value: object, entries: Mapping[str, Entry]) -> object:
    if name == "team":
        clubs = (one.club for one in entries.values() if one.club is not None)
        return next((club.name for club in clubs if str(club.pk) == value), value)
    if name not in _IDS or not isinstance(value, str):
        return value
    ids = value.split(", ")
    if not all(one in entries for one in ids):
        return value
    named = [entries[one].name for one in ids]
    return named if name == "entries" else named[0]


def in_stage(stage: Stage, number: int) -> list[StageEntry]:
    """Return the entries that are drawn for round `number`: not the absent, nor who is to rest.

    Where all rounds are drawn at once, the absent are drawn for those they come to.
    """
    away = Absence.objects.filter(pairing_round__stage=stage, pairing_round__number=number)
    resting = Bye.objects.filter(
        pairing_round__stage=stage, pairing_round__number=number, kind=Bye.Kind.ASKED
    )
    playing = stage.stage_entries.filter(
        Q(until_round__isnull=True) | Q(until_round__gte=number),
        from_round__lte=number,
        entry__state=Entry.State.REGISTERED,
    )
    if stage.system not in AT_ONCE:
        playing = playing.exclude(entry__in=away.values("entry"))
    return list(
        playing.exclude(entry__in=resting.values("entry"))
        .select_related("entry__club")
        .order_by("seed", "pk")
    )


def whole_stage(stage: Stage) -> Asked:
    """Return the request of a system that is drawn as a whole."""
    members = in_stage(stage, 1)
    entries = [_entry(one, rank) for rank, one in enumerate(members, start=1)]
    for written, one in zip(entries, members, strict=True):
        written.update(_origin(stage, one))
    if stage.system == Stage.System.ELIMINATION:
        # Every stage is one round there: who has rested is known from those before.
        rested = Bye.objects.filter(pairing_round__stage__tournament=stage.tournament_id)
        byes = Counter(rested.values_list("entry__number", flat=True))
        for written, one in zip(entries, members, strict=True):
            written["byes"] = byes[one.entry.number]
    request: dict[str, object] = {"system": stage.system, "seed": stage.seed, "entries": entries}
    if stage.rounds_planned and stage.system in (Stage.System.SCHEDULE, Stage.System.GROUPS):
        request["rounds"] = stage.rounds_planned
    if stage.system != Stage.System.SCHEDULE:
        numbers = {one.entry.number for one in members}
        request["forbidden"] = _written(_forbidden(stage), numbers)
    return Asked(request | stage.settings.get("draw", {}), _by_id(members))


def next_round(stage: Stage, number: int, *, provisional: bool = False) -> Asked:
    """Return the request for round `number` of a system that follows the standings.

    Only confirmed results count, unless `provisional` lets those reported count as well.
    """
    members = in_stage(stage, number)
    rules = rules_of(stage.tournament)
    reported = tuple(reported_results(stage)) if provisional else ()
    results = results_of(stage, rules) + results_in(reported)
    place = {one: order for order, one in enumerate(ordered_entries(stage, results))}
    members.sort(key=lambda one: (place.get(one.entry.number, len(place)), one.seed, one.pk))
    wins = Counter(int(one.entry) for one in results if one.outcome.is_won)
    byes = Counter(
        Bye.objects.filter(
            pairing_round__stage=stage, pairing_round__number__lt=number, kind__in=Bye.HAD
        )
        .exclude(pairing_round__state=PairingRound.State.DRAFT)
        .values_list("entry__number", flat=True)
    )
    met, partnered = _meetings(stage, number)
    rotates = stage.system in (Stage.System.ROTATING, Stage.System.TEAMS_OF_FOUR)
    ids = {one.entry.number for one in members}
    entries = []
    for rank, one in enumerate(members, start=1):
        entries.append(
            _entry(one, rank) | {"wins": wins[one.entry.number], "byes": byes[one.entry.number]}
        )
    request: dict[str, object] = {
        "system": stage.system,
        "round": number,
        "seed": stage.seed,
        "entries": entries,
        "met": _written(met if rotates else [pair[:2] for pair in met], ids),
        "forbidden": _written(_forbidden(stage), ids),
    }
    if rotates:
        request["partnered"] = _written(partnered, ids)
    return Asked(request | stage.settings.get("draw", {}), _by_id(members), reported)


def _by_id(members: Iterable[StageEntry]) -> dict[str, Entry]:
    return {str(one.entry.number): one.entry for one in members}


def _entry(member: StageEntry, rank: int) -> dict[str, object]:
    entry = member.entry
    written: dict[str, object] = {"id": str(entry.number), "rank": rank}
    if entry.club is not None:
        written["club"] = entry.club.name
        if entry.club.country:
            written["country"] = entry.club.country
    if member.stage.system == Stage.System.TEAMS_OF_FOUR:
        written["team"] = member.group
    return written


def _origin(stage: Stage, member: StageEntry) -> dict[str, object]:
    """Return where a qualifier comes from, for brackets that keep group-mates apart."""
    origin: dict[str, object] = stage.settings.get("origins", {}).get(str(member.entry.number), {})
    return origin


def _meetings(
    stage: Stage, number: int
) -> tuple[list[tuple[int, int, int]], list[tuple[int, int, int]]]:
    """Return who met and who were partners, as two entry numbers and the round.

    A table that nobody played because somebody was missing is no meeting.
    """
    seats = (
        MatchSeat.objects.filter(pairing_round__stage=stage, pairing_round__number__lt=number)
        .exclude(pairing_round__state=PairingRound.State.DRAFT)
        .exclude(outcome__in=_UNPLAYED)
        .order_by("match", "seat")
        .values_list("match", "pairing_round__number", "seat", "entry__number")
    )
    rules = rules_of(stage.tournament)
    met: list[tuple[int, int, int]] = []
    partnered: list[tuple[int, int, int]] = []
    for _, rows in groupby(seats, key=lambda row: row[0]):
        table = list(rows)
        # Who did not play is not among them; the last letter still tells how many sat there.
        sat = "ABCD".index(max(letter for _, _, letter, _ in table)) + 1
        sat = 4 if sat == 3 and has_partners(rules, 4) else sat
        side_of = {letter: side for side in sides_of(rules, sat) for letter in side}
        seen: dict[int, str] = {}
        for _, _, letter, entry in table:
            seen.setdefault(entry, side_of[letter])
        round_number = table[0][1]
        for one, other in combinations(sorted(seen), 2):
            target = partnered if seen[one] == seen[other] else met
            target.append((one, other, round_number))
    return met, partnered


def _written(pairs: Iterable[tuple[int, ...]], ids: set[int]) -> list[list[object]]:
    """Return pairs as a request has them, without those who are not there."""
    return [
        [str(one), str(other), *rest]
        for one, other, *rest in sorted(pairs)
        if one in ids and other in ids
    ]


def _forbidden(stage: Stage) -> list[tuple[int, ...]]:
    rows = ForbiddenMeeting.objects.filter(tournament=stage.tournament_id)
    return [(min(pair), max(pair)) for pair in rows.values_list("one__number", "other__number")]

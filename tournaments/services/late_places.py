"""Places for a late entry in a stage whose rounds are all drawn: who has left, or who rests."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from django.db.models import Exists, Max, OuterRef

from tournaments.errors import entries as entry_errors
from tournaments.models import Bye, Entry, Match, MatchSeat, PairingRound, Stage, StageEntry
from tournaments.services import seating
from tournaments.services.brackets import BRACKETS
from tournaments.services.draws import AT_ONCE, table_rules

# How many rest together and make up a table with one more player.
_RESTING = {Stage.System.ROUND_ROBIN: 1, Stage.System.GROUPS: 1, Stage.System.SCHEDULE: 3}


@dataclass(frozen=True, slots=True)
class Place:
    """A way into the rounds nobody has seen yet, the first of which is `first`.

    The newcomer sits where `gone` would have sat, or meets whoever rests in `group`.
    """

    rounds: tuple[PairingRound, ...]
    group: str = ""
    gone: Entry | None = None

    @property
    def first(self) -> int:
        return self.rounds[0].number


def is_drawn_whole(stage: Stage) -> bool:
    """Say whether the rounds of a stage are drawn, so that no draw takes in a newcomer."""
    if stage.system in BRACKETS:
        return "bracket" in stage.settings
    if stage.system in (*AT_ONCE, Stage.System.ELIMINATION):
        return Match.objects.filter(pairing_round__stage=stage).exists()
    return False


def rounds_left(stage: Stage) -> list[PairingRound]:
    """Return the rounds of a stage drawn as a whole that have not been published."""
    drafts = stage.rounds.filter(
        Exists(Match.objects.filter(pairing_round=OuterRef("pk"))),
        state=PairingRound.State.DRAFT,
    )
    return list(drafts.defer("draw", "standings").order_by("number"))


def find_place(stage: Stage) -> Place:
    """Return the place a newcomer would take; refuses when there is none, saying why.

    The place of somebody who has left comes first, because then nobody rests more or less than
    was drawn; then that of the bye, in the smallest group.
    """
    if stage.system not in _RESTING:
        raise entry_errors.LateEntryImpossible(
            stage=stage.title, system=Stage.System(stage.system).label
        )
    rounds = tuple(rounds_left(stage))
    if not rounds:
        raise entry_errors.NoRoundLeft(stage=stage.title)
    gone = _one_gone(stage, rounds)
    if gone is not None:
        return Place(rounds, _group_of(stage, gone), gone)
    group = _group_that_rests(stage, rounds)
    if group is not None:
        return Place(rounds, group)
    if stage.system == Stage.System.SCHEDULE:
        found = min(Bye.objects.filter(pairing_round=one).count() for one in rounds)
        raise entry_errors.TooFewRest(stage=stage.title, round=rounds[0].number, found=found)
    raise entry_errors.NobodyRests(stage=stage.title, round=rounds[0].number)


def take_place(stage: Stage, entry: Entry, place: Place) -> None:
    """Seat a newcomer in the rounds of a place."""
    if place.gone is not None:
        _sit_instead(entry, place.gone, place.rounds)
    else:
        _meet_who_rests(stage, entry, place)


def _one_gone(stage: Stage, rounds: Sequence[PairingRound]) -> Entry | None:
    """Return somebody who has left and still has seats in the rounds left, the first to leave."""
    seats = MatchSeat.objects.filter(pairing_round__in=rounds, entry=OuterRef("pk"))
    gone = Entry.objects.filter(Exists(seats), tournament=stage.tournament_id, state__in=Entry.LEFT)
    until = dict(stage.stage_entries.values_list("entry", "until_round"))
    return min(gone, key=lambda one: (until.get(one.pk) or 0, one.number), default=None)


def _group_of(stage: Stage, entry: Entry) -> str:
    member = stage.stage_entries.filter(entry=entry).first()
    return member.group if member else ""


def _group_that_rests(stage: Stage, rounds: Sequence[PairingRound]) -> str | None:
    """Return the group where enough entries rest in each round left, the smallest first."""
    size = _RESTING[Stage.System(stage.system)]
    resting = _resting(stage, rounds)
    sizes: defaultdict[str, int] = defaultdict(int)
    for group in stage.stage_entries.values_list("group", flat=True):
        sizes[group] += 1
    groups = [
        group
        for group in sorted({group for some in resting.values() for group in some}, key=_in_order)
        if all(len(resting[one.pk][group]) == size for one in rounds)
    ]
    return min(groups, key=lambda group: sizes[group], default=None)


def _in_order(group: str) -> tuple[int, str]:
    return len(group), group


def _resting(
    stage: Stage, rounds: Sequence[PairingRound]
) -> dict[int, defaultdict[str, list[Entry]]]:
    """Return who rests in each round, by group; whoever has left rests no more."""
    groups = dict(stage.stage_entries.values_list("entry", "group"))
    found: dict[int, defaultdict[str, list[Entry]]] = {one.pk: defaultdict(list) for one in rounds}
    byes = Bye.objects.filter(pairing_round__in=rounds, entry__state=Entry.State.REGISTERED)
    for bye in byes.select_related("entry").order_by("entry__seed", "entry__number"):
        found[bye.pairing_round_id][groups.get(bye.entry_id, "")].append(bye.entry)
    return found


def _sit_instead(entry: Entry, gone: Entry, rounds: Sequence[PairingRound]) -> None:
    players = [one.player for one in entry.members.filter(on_bench=False).select_related("player")]
    seats = list(
        MatchSeat.objects.filter(pairing_round__in=rounds, entry=gone).order_by("match_id", "seat")
    )
    for _, at_table in groupby(seats, key=lambda one: one.match_id):
        for seat, player in zip(at_table, players, strict=False):
            seat.entry, seat.player = entry, player
    MatchSeat.objects.bulk_update(seats, ["entry", "player"])
    Bye.objects.filter(pairing_round__in=rounds, entry=gone).update(entry=entry)


def _meet_who_rests(stage: Stage, entry: Entry, place: Place) -> None:
    resting = _resting(stage, place.rounds)
    tables = Match.objects.filter(pairing_round__in=place.rounds)
    new_table = (tables.aggregate(last=Max("table"))["last"] or 0) + 1
    partners: set[int] = set()
    seated: list[seating.Seated] = []
    for turn, one in enumerate(place.rounds):
        there = resting[one.pk][place.group]
        if stage.system == Stage.System.SCHEDULE:
            at_table = _four(entry, there, partners)
        else:
            # Each side in every other round.
            at_table = [entry, there[0]] if turn % 2 else [there[0], entry]
        wanted = next((each.fixed_table for each in at_table if each.fixed_table), None)
        number = wanted or new_table
        if one.matches.filter(table=number).exists():
            number = new_table
        table = seating.Table(number, at_table, group=place.group, rules=table_rules(stage))
        seated.append((one, [table], []))
        Bye.objects.filter(pairing_round=one, entry__in=there).delete()
    seating.seat(stage.tournament, seated)


def _four(entry: Entry, there: Sequence[Entry], partners: set[int]) -> list[Entry]:
    """Seat a table of four: the newcomer with a partner not yet among its `partners`, if any."""
    partner = min(there, key=lambda one: (one.pk in partners, one.seed, one.number))
    partners.add(partner.pk)
    one, other = (each for each in there if each.pk != partner.pk)
    return [entry, one, partner, other]


def is_seated(stage: Stage, entry: Entry, rounds: Sequence[PairingRound]) -> bool:
    """Say whether an entry has a table or a bye in any of these rounds."""
    return (
        MatchSeat.objects.filter(pairing_round__in=rounds, entry=entry).exists()
        or Bye.objects.filter(pairing_round__in=rounds, entry=entry).exists()
    )


def seed_after(stage: Stage) -> int:
    """Return the seed of a newcomer: the last."""
    last = StageEntry.objects.filter(stage=stage).aggregate(last=Max("seed"))["last"]
    return int(last or 0) + 1

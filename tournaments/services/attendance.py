"""Who is there for which round: absences, late entries, and what those who return have missed."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Max, Q, QuerySet

from engine.errors import DominoError
from tournaments import permissions
from tournaments.errors import base as errors
from tournaments.errors import entries as entry_errors
from tournaments.models import (
    Absence,
    Bye,
    Entry,
    MatchSeat,
    PairingRound,
    Stage,
    StageEntry,
    Tournament,
)
from tournaments.policies import LATEST_ROUND, late_limit, most_excused
from tournaments.services import late_places, log, results, watches
from tournaments.services.brackets import BRACKETS
from tournaments.services.draws import AT_ONCE, BY_ROUND, is_drawn, round_to_prepare
from tournaments.services.lifecycle import locked, require_not_finished
from tournaments.services.stages import TEAM_OF_FOUR, require_stage_open, team_of
from tournaments.services.traces import traced


@transaction.atomic
@traced(watches.decision)
def set_absence(
    stage: Stage, *, number: int, entry: Entry, kind: str | None, by: User
) -> Absence | None:
    """Note that an entry is not there for a pairing round; None takes the note back.

    Noted before the draw, the entry is left out of it. Where all rounds are drawn at once, it
    keeps its table, which becomes a walkover when the round is published; until then the note
    can be made and taken back. Of a round that was drawn without the entry only the kind can
    change. Said twice, it is noted once.
    """
    permissions.require_director(by, stage.tournament)
    tournament = locked(stage.tournament)
    require_not_finished(tournament)
    stage = Stage.objects.select_related("tournament").get(pk=stage.pk)
    require_stage_open(stage)
    require_in_stage(stage, entry)
    require_round(stage, number)
    if kind == Absence.Kind.EXCUSED:
        _require_excuse_left(stage, number, entry)
    existing = stage.rounds.filter(number=number).first()
    waits = existing is not None and waits_in_draft(existing, entry)
    if existing is not None and not waits:
        require_unseated(existing, entry)
    before = Absence.objects.filter(pairing_round=existing, entry=entry).first()
    if kind == (before.kind if before else None):
        return before
    if kind is None:
        if existing is not None and not waits and is_drawn(existing):
            raise entry_errors.AbsenceStays(round=number, stage=stage.title, entry=entry.name)
        Absence.objects.filter(pairing_round=existing, entry=entry).delete()
        noted = None
    else:
        noted, _ = Absence.objects.update_or_create(
            pairing_round=existing or round_to_prepare(stage, number),
            entry=entry,
            defaults={"kind": Absence.Kind(kind)},
        )
    log.write(
        tournament,
        "absence_noted" if noted else "absence_taken_back",
        by=by,
        stage=stage,
        stage_number=stage.number,
        round=number,
        entry=entry.number,
        name=entry.name,
        kind=kind or "",
        before=before.kind if before else "",
    )
    results.schedule_standings(stage)
    return noted


def waits_in_draft(pairing_round: PairingRound, entry: Entry) -> bool:
    """Say whether an entry has a place in a draft of a stage whose rounds are drawn at once."""
    stage = pairing_round.stage
    if stage.system not in AT_ONCE or pairing_round.state != PairingRound.State.DRAFT:
        return False
    return late_places.is_seated(stage, entry, [pairing_round])


def next_round(stage: Stage, *, drafts: bool = True) -> int:
    """Return the number of the first round that has not been drawn, or for all to see."""
    drawn = drawn_rounds(stage)
    if not drafts:
        drawn = drawn.exclude(state=PairingRound.State.DRAFT)
    return int(drawn.aggregate(last=Max("number"))["last"] or 0) + 1


def drawn_rounds(stage: Stage) -> QuerySet[PairingRound]:
    """Return the rounds of a stage that have tables, drafts too."""
    return stage.rounds.filter(matches__isnull=False).distinct()


def takes_late_entries(stage: Stage) -> bool:
    """Say whether somebody could still enter the stage, play having started."""
    return stage.state == Stage.State.OPEN and why_nobody_enters(stage) is None


def why_nobody_enters(stage: Stage) -> DominoError | None:
    """Return the refusal whoever enters a stage now would meet, None for who is welcome."""
    try:
        _late_place(stage)
    except DominoError as refusal:
        return refusal
    return None


def first_for_newcomer(stage: Stage, *, drafts: bool = True) -> int:
    """Return the round from which somebody who enters a stage now plays.

    Without `drafts` it is what everybody may know: a round that is only drafted is to come.
    """
    if late_places.is_drawn_whole(stage):
        left = late_places.rounds_left(stage)
        return left[0].number if left else next_round(stage)
    return next_round(stage, drafts=drafts)


def running_stages(tournament: Tournament) -> list[Stage]:
    """Return the stages that are open while play goes on, in order."""
    if tournament.state != Tournament.State.RUNNING:
        return []
    open_ones = tournament.stages.filter(state=Stage.State.OPEN)
    return list(open_ones.select_related("tournament").order_by("number"))


def stages_to_enter(tournament: Tournament, *, drafts: bool) -> list[Stage]:
    """Return the running stages, without `drafts` those that everybody knows of.

    Before anything is published that is the first of them, the one that people enter.
    """
    running = running_stages(tournament)
    if drafts:
        return running
    rounds = PairingRound.objects.filter(stage__tournament=tournament)
    published = set(rounds.exclude(state=PairingRound.State.DRAFT).values_list("stage", flat=True))
    return [one for one in running if one.pk in published] if published else running[:1]


@transaction.atomic
@traced(watches.late_entry)
def join_stage(stage: Stage, *, entry: Entry, by: User) -> StageEntry:
    """Let an entry play in a running stage from its next round on. Asked twice, it joins once.

    The rounds before are noted as missed by a late entry and score what the event says. Where
    all rounds are drawn, it takes the place of one who has left, or meets whoever rests.
    """
    permissions.require_director(by, stage.tournament)
    tournament = locked(stage.tournament)
    require_not_finished(tournament)
    if tournament.state != Tournament.State.RUNNING:
        raise errors.TournamentNotStarted(tournament=tournament.name)
    stage = Stage.objects.select_related("tournament").get(pk=stage.pk)
    joined = stage.stage_entries.filter(entry=entry).first()
    if joined is not None:
        return joined
    require_stage_open(stage)
    place = _late_place(stage)
    first = place.first if place else next_round(stage)
    entry = Entry.objects.get(pk=entry.pk)
    team = team_of(stage, entry)
    _require_room_in_team(stage, entry, team)
    if entry.state == Entry.State.WAITING:
        entry.state = Entry.State.REGISTERED
        entry.save(update_fields=["state"])
    joined = StageEntry(
        stage=stage,
        entry=entry,
        seed=late_places.seed_after(stage),
        group=place.group if place else team,
        from_round=first,
    )
    # A stage whose rounds are made by hand keeps no list: who is seated, plays.
    if stage.system != Stage.System.MANUAL and (place is None or stage.stage_entries.exists()):
        joined.save()
    if place is not None:
        late_places.take_place(stage, entry, place)
    missed = _note_missed(stage, entry, Absence.Kind.LATE)
    log.write(
        tournament,
        "entry_joined_late",
        by=by,
        stage=stage,
        round=first,
        entry=entry.number,
        name=entry.name,
        missed=missed,
        instead=place.gone.number if place and place.gone else 0,
    )
    results.schedule_standings(stage)
    return joined


def leave_stages(entry: Entry) -> None:
    """End the rounds of an entry in every open stage with those published so far."""
    for member in _open_memberships(entry):
        published = member.stage.rounds.exclude(state=PairingRound.State.DRAFT)
        last = published.aggregate(last=Max("number"))["last"] or 0
        member.until_round = max(last, member.from_round - 1)
        member.save(update_fields=["until_round"])


def rejoin_stages(entry: Entry) -> dict[str, list[int]]:
    """Let an entry play on in every open stage; what it missed there is noted as absence.

    Returns the rounds by the name of the stage. They score by the event's policy, never a win.
    """
    missed = {}
    for member in _open_memberships(entry):
        if not _is_still_seated(member):
            continue
        member.until_round = None
        member.save(update_fields=["until_round"])
        if member.stage.system in BY_ROUND:
            rounds = _note_missed(member.stage, entry, Absence.Kind.ABSENT, member.from_round)
            missed[member.stage.title] = rounds
            results.schedule_standings(member.stage)
    return missed


def _is_still_seated(member: StageEntry) -> bool:
    """Say whether an entry has a place to return to; another may have taken it meanwhile.

    Where it has none, a place is found as for somebody who enters late, if there is one.
    """
    stage, entry = member.stage, member.entry
    left = late_places.rounds_left(stage) if late_places.is_drawn_whole(stage) else []
    if not left or stage.system in BRACKETS or late_places.is_seated(stage, entry, left):
        return True
    try:
        place = late_places.find_place(stage)
    except DominoError:
        return False
    late_places.take_place(stage, entry, place)
    member.group = place.group
    member.save(update_fields=["group"])
    return True


def _open_memberships(entry: Entry) -> QuerySet[StageEntry]:
    return entry.stage_entries.filter(stage__state=Stage.State.OPEN).select_related(
        "stage__tournament", "entry"
    )


def _note_missed(stage: Stage, entry: Entry, kind: str, first: int = 1) -> list[int]:
    """Note the drawn rounds an entry was in no way part of, and return their numbers."""
    missed = list(
        drawn_rounds(stage)
        .filter(number__gte=first)
        .exclude(pk__in=MatchSeat.objects.filter(entry=entry).values("pairing_round"))
        .exclude(pk__in=Bye.objects.filter(entry=entry).values("pairing_round"))
        .exclude(pk__in=Absence.objects.filter(entry=entry).values("pairing_round"))
        .order_by("number")
    )
    Absence.objects.bulk_create(
        Absence(pairing_round=one, entry=entry, kind=kind) for one in missed
    )
    return [one.number for one in missed]


def require_in_stage(stage: Stage, entry: Entry) -> None:
    """Refuse an entry that does not play in a stage."""
    members = stage.stage_entries.all()
    there = members.filter(entry=entry).exists() if members.exists() else True
    if not there or entry.tournament_id != stage.tournament_id:
        raise entry_errors.NotInStage(entry=entry.name, stage=stage.title)


def require_round(stage: Stage, number: int) -> None:
    """Refuse a round that cannot come; one seated by hand is noted when its turn comes."""
    last = next_round(stage)
    if stage.system in BY_ROUND:
        last = max(last, stage.rounds_planned or LATEST_ROUND)
    if not 1 <= number <= last:
        raise entry_errors.NoSuchRound(stage=stage.title, round=number, first=1, last=last)


def _require_excuse_left(stage: Stage, number: int, entry: Entry) -> None:
    most = most_excused(stage.tournament)
    found = Absence.objects.filter(
        Q(pairing_round__stage=stage, entry=entry, kind=Absence.Kind.EXCUSED)
        & ~Q(pairing_round__number=number)
    ).count()
    if most is not None and found >= most:
        raise entry_errors.TooManyExcused(
            entry=entry.name, stage=stage.title, found=found, most=most
        )


def require_unseated(pairing_round: PairingRound, entry: Entry) -> None:
    """Refuse an entry that has a table or a bye in a round."""
    stage = pairing_round.stage
    seat = pairing_round.matches.filter(seats__entry=entry).first()
    if seat is not None:
        raise entry_errors.SitsInRound(
            entry=entry.name, table=seat.table, round=pairing_round.number, stage=stage.title
        )
    if pairing_round.byes.filter(entry=entry).exists():
        raise entry_errors.RestsInRound(
            entry=entry.name, round=pairing_round.number, stage=stage.title
        )


def _late_place(stage: Stage) -> late_places.Place | None:
    """Return the place a newcomer takes, None where the next draw finds one; or refuse."""
    first = first_for_newcomer(stage)
    limit = late_limit(stage)
    if limit is not None and first > limit:
        raise entry_errors.LateEntryIsOver(stage=stage.title, last=limit, next=first)
    return late_places.find_place(stage) if late_places.is_drawn_whole(stage) else None


def _require_room_in_team(stage: Stage, entry: Entry, team: str) -> None:
    """Refuse a fifth member of a team of four, before the draw would."""
    if not team:
        return
    members = stage.stage_entries.filter(
        group=team, until_round__isnull=True, entry__state=Entry.State.REGISTERED
    )
    names = list(members.order_by("seed").values_list("entry__name", flat=True))
    if len(names) >= TEAM_OF_FOUR:
        raise entry_errors.TeamIsFull(
            entry=entry.name, team=str(entry.club), stage=stage.title, found=len(names),
            most=TEAM_OF_FOUR, names=names,
        )  # fmt: skip

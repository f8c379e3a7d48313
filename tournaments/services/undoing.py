"""Takes decisions of the desk back, and says beforehand what that will change."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Final

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext_noop

from tournaments import permissions
from tournaments.errors import scores as score_errors
from tournaments.errors import tables as table_errors
from tournaments.errors import undoing as undo_errors
from tournaments.models import Entry, LogEntry, Match, MatchSeat, PairingRound, Stage, Tournament
from tournaments.services import (
    adjusting,
    appeals_undone,
    attendance,
    emptied_seats,
    followers,
    log,
    results,
    undoing_rows,
    undoing_tables,
)
from tournaments.services import undoing_guards as guards
from tournaments.services.lifecycle import locked
from tournaments.services.places import moves, places
from tournaments.services.stages import require_stage_open
from tournaments.services.undone import Effect, Undone
from tournaments.words.log import LineOfLog
from tournaments.words.log_effects import NO_WAY_BACK, Phrase

__all__ = ["Effect", "Undone", "preview", "undo", "undoable_acts"]

_WALKOVERS = (MatchSeat.Outcome.WALKOVER_WIN, MatchSeat.Outcome.WALKOVER_LOSS)


def preview(entry: LogEntry, *, by: User) -> Undone:
    """Return what `undo` would change, changing nothing; refuses what `undo` refuses."""
    # The change is made and thrown away, so that what is shown is exactly what will be.
    with transaction.atomic():
        try:
            return _undone(entry, by=by)[0]
        finally:
            transaction.set_rollback(True)


@transaction.atomic
def undo(entry: LogEntry, *, by: User) -> Undone:
    """Take a decision back. Asked twice, it is taken back once."""
    permissions.require_director(by, entry.tournament)
    locked(entry.tournament)
    entry = LogEntry.objects.select_related("tournament").get(pk=entry.pk)
    if entry.undone_by_id is not None:
        return Undone()
    undone, stages = _undone(entry, by=by)
    if LogEntry.objects.filter(pk=entry.pk, undone_by__isnull=False).exists():
        # A change of a draft by hand: its way back has written a line of its own.
        return undone
    line = log.write(
        entry.tournament,
        "undone",
        by=by,
        undone=entry.pk,
        was=entry.act,
        details={name: entry.details[name] for name in _KEPT if name in entry.details},
    )
    entry.undone_by = line
    entry.save(update_fields=["undone_by"])
    for stage in stages:
        results.schedule_standings(stage)
    if entry.act in _AT_TABLES:
        at = {entry.details.get(name) for name in ("match", "other_match")} - {None}
        followers.tables_changed(entry.tournament, sorted(at) or None, by=by)
    return undone


# What is taken back here opens, closes or seats tables; those that name none may be several.
_AT_TABLES = frozenset(
    {
        "result", "walkover", "table_left", "result_corrected", "all_lose", "seats_swapped",
        "seats_emptied", "match_replayed", "match_reopened", "meeting_decided", "entry_withdrawn",
        "entry_withdrawn_itself", "entries_withdrawn", "entry_disqualified", "appeal_decided",
        "round_published", "round_remade", "players_merged",
    }
)  # fmt: skip
_KEPT = (
    "match", "table", "round", "stage", "stage_number", "stage_system", "entry", "entries", "name"
)  # fmt: skip


def _undone(entry: LogEntry, *, by: User) -> tuple[Undone, list[Stage]]:
    permissions.require_director(by, entry.tournament)
    tournament = locked(entry.tournament)
    if entry.act in NO_WAY_BACK:
        raise undo_errors.NoWayBack(reason=Phrase(NO_WAY_BACK[entry.act]))
    way_back = _WAYS_BACK.get(entry.act)
    if way_back is None:
        raise score_errors.CannotBeUndone(act=entry.act.replace("_", " "))
    if tournament.state == Tournament.State.FINISHED and entry.act != "finished":
        raise undo_errors.EventIsOver(tournament=tournament.name)
    appeals_undone.require_not_by_appeal(entry)
    if entry.undone_by_id is not None:
        line = LogEntry.objects.select_related("by").get(pk=entry.undone_by_id)
        raise score_errors.UndoneAlready(who=line.by or "–")
    stages = list(tournament.stages.filter(state=Stage.State.OPEN))
    before = {stage.pk: places(stage) for stage in stages}
    undone = Undone()
    way_back(entry, undone, by)
    # A stage may have come or gone by it.
    stages = [one for one in stages if tournament.stages.filter(pk=one.pk).exists()]
    changed = [(stage, moves(stage, before[stage.pk])) for stage in stages]
    undone.moves = tuple(move for _, some in changed for move in some)
    return undone, [stage for stage, _ in changed]


# --- appeals --------------------------------------------------------------------------------


def _undecided_appeal(entry: LogEntry, undone: Undone, by: User) -> None:
    """Let an appeal wait for its decision again; what the decision did to the result goes too."""
    line = appeals_undone.undecided_again(entry, undone.say)
    if line is None:
        return
    way_back = _WAYS_BACK.get(line.act)
    if way_back is None:
        raise score_errors.CannotBeUndone(act=line.act.replace("_", " "))
    way_back(line, undone, by)
    line.undone_by = log.write(
        entry.tournament, "undone", by=by, undone=line.pk, was=line.act, details={}
    )
    line.save(update_fields=["undone_by"])


# --- entries --------------------------------------------------------------------------------


def _return(entry: LogEntry, undone: Undone, by: User) -> None:
    """Let entries that were withdrawn return, with the tables they lost by it."""
    numbers = entry.details.get("entries") or [entry.details["entry"]]
    entries = entry.tournament.entries.filter(number__in=numbers, state=Entry.State.WITHDRAWN)
    returning = list(entries.order_by("number"))
    if not returning:
        raise score_errors.ReturnedAlready(entry=entry.details.get("name", "–"))
    before = Entry.State(entry.details.get("before", Entry.State.REGISTERED))
    _let_return(returning, before, undone)
    entry.tournament.entries.filter(
        number__in=entry.details.get("moved_up", []), state=Entry.State.REGISTERED
    ).update(state=Entry.State.WAITING)
    lost = Match.objects.filter(
        pk__in=MatchSeat.objects.filter(
            entry__in=returning, outcome=MatchSeat.Outcome.WALKOVER_LOSS
        ).values("match"),
        closed_at__gte=entry.at,
        pairing_round__stage__state=Stage.State.OPEN,
    )
    _open_walkovers(lost.order_by("pk"), undone)
    emptied_seats.all_back(entry, returning, undone.say)
    _play_on(returning)
    if undoing_rows.has_rows(entry):
        # It was a decision before a draw, and took the place of another one.
        undoing_rows.put_back(entry, undone, silent=True)


def _not_disqualified(entry: LogEntry, undone: Undone, by: User) -> None:
    found = entry.tournament.entries.filter(
        number=entry.details["entry"], state=Entry.State.DISQUALIFIED
    )
    returning = list(found)
    if not returning:
        raise score_errors.ReturnedAlready(entry=entry.details.get("name", "–"))
    _let_return(returning, Entry.State(entry.details["before"]), undone)
    lost = Match.objects.filter(
        pk__in=entry.details.get("matches", []),
        state=Match.State.CLOSED,
        pairing_round__stage__tournament=entry.tournament_id,
    ).order_by("pk")
    _open_walkovers(lost, undone)
    emptied_seats.all_back(entry, returning, undone.say)
    _play_on(returning)


def _let_return(returning: Iterable[Entry], state: str, undone: Undone) -> None:
    for one in returning:
        one.state = state
        one.save(update_fields=["state"])
        attendance.rejoin_stages(one)
        undone.say(
            gettext_noop("Entry %(number)s, “%(entry)s”, is in the event again."),
            number=one.number,
            entry=one.name,
        )


def _play_on(returning: Iterable[Entry]) -> None:
    for one in returning:
        attendance.rejoin_stages(one)


def _absence_before(entry: LogEntry, undone: Undone, by: User) -> None:
    """Note for a round what was noted before, or nothing."""
    details = entry.details
    stages = entry.tournament.stages.select_related("tournament")
    stage = stages.filter(number=details["stage_number"]).first()
    if stage is None:
        raise score_errors.CannotBeUndone(act=entry.act.replace("_", " "))
    who = entry.tournament.entries.get(number=details["entry"])
    kind = details.get("before") or None
    if undoing_rows.has_rows(entry):
        require_stage_open(stage)
        existing = stage.rounds.filter(number=details["round"]).first()
        if existing is None or not attendance.waits_in_draft(existing, who):
            guards.require_undrawn(stage, details["round"], who)
        undoing_rows.put_back(entry, undone, silent=True)
    else:
        attendance.set_absence(stage, number=details["round"], entry=who, kind=kind, by=by)
    text = gettext_noop("“%(entry)s” is absent from round %(round)s of %(stage)s, as before.")
    if kind is None:
        text = gettext_noop("“%(entry)s” plays in round %(round)s of %(stage)s.")
    undone.say(text, entry=who.name, round=details["round"], stage=stage.title)


def _open_walkovers(lost: Iterable[Match], undone: Undone) -> None:
    for one in lost:
        match = results.locked_match(one)
        if results.withdrawn_at(match):
            # Somebody else at the table has left as well.
            continue
        undoing_tables.say_open(match, undone)
        results.take_back(match)


# --- rounds ---------------------------------------------------------------------------------


def _hide_again(entry: LogEntry, undone: Undone, by: User) -> None:
    """Make a published round a draft again, as long as nothing has been played in it."""
    pairing_round = _published(entry)
    stage = pairing_round.stage
    require_stage_open(stage)
    later = stage.rounds.filter(number__gt=pairing_round.number).order_by("number")
    # Rounds that were drawn as a whole wait as drafts; one drawn from this round's results not.
    whole = bool(pairing_round.draw.get("whole") or stage.system == Stage.System.ROUND_ROBIN)
    for one in later:
        if one.state != PairingRound.State.DRAFT or (one.draw and not _is_whole(one, whole)):
            raise score_errors.LaterRoundExists(later=one.number, round=pairing_round.number)
    played = pairing_round.matches.exclude(state=Match.State.WAITING)
    for match in played.order_by("table"):
        walkover = not match.seats.exclude(outcome__in=_WALKOVERS).exists()
        if match.state == Match.State.PLAYING or match.opened_at or not walkover:
            raise score_errors.RoundHasBegun(round=pairing_round.number, table=match.table)
        results.take_back(results.locked_match(match))
    PairingRound.objects.filter(pk=pairing_round.pk).update(
        state=PairingRound.State.DRAFT, published_at=None, starts_at=None
    )
    if undoing_rows.has_rows(entry):
        # The byes of those who had left the event.
        undoing_rows.put_back(entry, undone, silent=True)
    undone.say(
        gettext_noop(
            "Pairing round %(round)s of %(stage)s is a draft again: nobody sees it but the "
            "directors."
        ),
        round=pairing_round.number,
        stage=stage.title,
    )


def _is_whole(later: PairingRound, whole: bool) -> bool:
    return whole or bool(later.draw.get("whole"))


def _published(entry: LogEntry) -> PairingRound:
    rounds = PairingRound.objects.select_related("stage__tournament").filter(
        stage__tournament=entry.tournament_id
    )
    found = rounds.filter(pk=entry.details.get("pairing_round")).first()
    if found is None or found.state == PairingRound.State.DRAFT:
        raise table_errors.RoundNotPublished(
            round=entry.details.get("round", "–"), stage=entry.details.get("stage", "–"), table="–"
        )
    return found


# --- everything else ------------------------------------------------------------------------


def _rows_back(entry: LogEntry, undone: Undone, by: User) -> None:
    """Put the rows of a line back as they were, if its guard has nothing against it."""
    guard = guards.GUARDS.get(entry.act)
    if guard is not None:
        guard(entry)
    undoing_rows.put_back(entry, undone)
    after = guards.AFTER.get(entry.act)
    if after is not None:
        after(entry, by)


def _change_back(entry: LogEntry, undone: Undone, by: User) -> None:
    """Take the last change by hand of a round back; only the last one can be."""
    rounds = PairingRound.objects.filter(stage__tournament=entry.tournament_id)
    pairing_round = rounds.filter(pk=entry.details.get("pairing_round")).first()
    if pairing_round is None:
        raise undo_errors.NothingKept
    later = adjusting.last_change(pairing_round)
    if later is not None and later.pk != entry.pk:
        raise undo_errors.LaterLineStands(line=LineOfLog(later))
    adjusting.undo_change(pairing_round, last=entry.pk, by=by)
    undone.say(
        gettext_noop("Round %(round)s of %(stage)s is seated as it was before this change."),
        round=pairing_round.number,
        stage=pairing_round.stage.title,
    )


WayBack = Callable[[LogEntry, Undone, User], None]
_WAYS_BACK: Final[Mapping[str, WayBack]] = {
    "result": undoing_tables.open_again,
    "walkover": undoing_tables.open_again,
    "table_left": undoing_tables.open_again,
    "result_corrected": undoing_tables.result_before,
    "all_lose": undoing_tables.result_before,
    "seats_swapped": undoing_tables.seats_back,
    "entry_withdrawn": _return,
    "entry_withdrawn_itself": _return,
    "entries_withdrawn": _return,
    "entry_disqualified": _not_disqualified,
    "appeal_filed": lambda entry, undone, by: appeals_undone.unfiled(entry, undone.say, by=by),
    "appeal_withdrawn": _undecided_appeal,
    "appeal_decided": _undecided_appeal,
    "meeting_decided": undoing_tables.undecided_again,
    "seats_emptied": undoing_tables.seated_again,
    "round_published": _hide_again,
    "absence_noted": _absence_before,
    "absence_taken_back": _absence_before,
    **dict.fromkeys(adjusting.ACTS.values(), _change_back),
    **dict.fromkeys(guards.BY_ROWS, _rows_back),
}


def undoable_acts() -> tuple[str, ...]:
    """Return the acts of the log that have a way back."""
    return tuple(_WAYS_BACK)

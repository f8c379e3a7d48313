"""A round as the day brings it: people come and go, sheets are misread, seats are exchanged."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping

from referee.rehearsal import laws
from referee.rehearsal.desk import Desk
from referee.rehearsal.event import (
    absences_of,
    players_of,
    require,
    seats_of,
    sides_at,
    tables_of,
)
from tournaments.competition.changes import Act, Change
from tournaments.models import Entry, Match
from tournaments.services import adjusting, attendance, corrections, deciding, disqualification
from tournaments.services import entries as entering
from tournaments.services.entries import EntryRow
from tournaments.services.leaving import reinstate, withdraw

# What goes wrong in a round, by the names below.
Troubles = Collection[str]


def play_round(desk: Desk, number: int, troubles: Troubles = ()) -> None:
    """Draw, publish and play a round, and check every law of it."""
    for name, act in BEFORE_THE_DRAW.items():
        if name in troubles:
            act(desk, number)
    desk.draw(number)
    if "exchange" in troubles:
        exchange(desk, number)
    play_seated(desk, number, troubles)


def play_seated(desk: Desk, number: int, troubles: Troubles = ()) -> None:
    """Publish and play a round that has been drawn, or seated by hand."""
    desk.publish(number)
    for name, act in AT_THE_TABLES.items():
        if name in troubles:
            act(desk, number)
    desk.enter_results(number)
    if "correct" in troubles and number > 1:
        correct(desk, desk.play.chance.randrange(1, number))
    desk.check(number)


def ask_bye(desk: Desk, number: int) -> None:
    """Somebody asks for a bye."""
    (one,) = desk.play.picked(desk.there(), 1)
    _decide(desk, number, one, "bye")
    desk.play.acts["bye_asked"] += 1
    desk.play.seen["byes asked for"] += 1


def miss(desk: Desk, number: int) -> None:
    """Two are away for one round, one of them excused."""
    one, other = desk.play.picked(desk.there(), 2)
    _decide(desk, number, one, "absent")
    _decide(desk, number, other, "excused")
    desk.play.acts["absence_noted"] += 2
    desk.play.seen["absences"] += 2


def _decide(desk: Desk, number: int, one: int, decision: str) -> None:
    entry = desk.play.entry(one)
    for _ in range(2):
        deciding.decide(
            desk.stage, number=number, entry=entry, decision=decision, by=desk.play.director
        )


def forbid(desk: Desk, number: int) -> None:
    """The director does not want two neighbours to meet."""
    rows = desk.stage.standing_rows.filter(entry__number__in=desk.there()).order_by("order")
    one, other = Entry.objects.filter(pk__in=rows.values("entry")[:2])
    for first, second in ((one, other), (other, one)):
        adjusting.forbid(first, second, by=desk.play.director)
    desk.play.acts["meeting_forbidden"] += 1
    desk.play.seen["meetings forbidden"] += 1


def enter_late(desk: Desk, number: int) -> None:
    """Somebody new enters, play having started; the rounds before are noted as missed."""
    play = desk.play
    newest = play.event.entries.count() + 1
    row = EntryRow(1, tuple(players_of(play.event, newest)), club=play.club_of(newest))
    entry = entering.enter(play.event, row, is_late=True, by=play.director)
    for _ in range(2):
        attendance.join_stage(desk.stage, entry=entry, by=play.director)
    missed = [one for one, away in absences_of(desk.stage).items() if entry.number in away]
    wanted = list(range(1, number))
    require(sorted(missed) == wanted, "a late entry has missed the rounds before", found=missed)
    desk.members.add(entry.number)
    play.acts["entry_joined_late"] += 1
    play.seen["late entries"] += 1


def come_back(desk: Desk, number: int) -> None:
    """The first who withdrew returns; what was missed is an absence."""
    if not desk.out:
        return
    one = desk.out.pop(0)
    for _ in range(2):
        reinstate(desk.play.entry(one), by=desk.play.director)
    desk.play.acts["entry_reinstated"] += 1
    desk.play.seen["returns"] += 1


def leave(desk: Desk, number: int) -> None:
    """Somebody withdraws, asked twice; a table that waits for it becomes a walkover."""
    one, waiting = _with_open_tables(desk)
    for _ in range(2):
        withdraw(desk.play.entry(one), by=desk.play.director)
    _gone(desk, one, waiting)
    desk.play.acts["entry_withdrawn"] += 1
    desk.play.seen["withdrawals"] += 1


def put_out(desk: Desk, number: int) -> None:
    """Somebody is disqualified after the round was published."""
    one, waiting = _with_open_tables(desk)
    for _ in range(2):
        disqualification.disqualify(
            desk.play.entry(one), reason="Hid a tile", by=desk.play.director
        )
    _gone(desk, one, waiting)
    # Who was put out does not come back.
    desk.out.append(desk.out.pop(0))
    desk.play.acts["entry_disqualified"] += 1
    desk.play.seen["disqualifications"] += 1


def _with_open_tables(desk: Desk) -> tuple[int, list[int]]:
    """Return somebody who is there, and the tables that wait for them."""
    (one,) = desk.play.picked(desk.there(), 1)
    tables = {row.match for row in seats_of(desk.stage) if row.entry == one}
    waiting = Match.objects.filter(pk__in=tables, state=Match.State.WAITING)
    published = waiting.exclude(pairing_round__state="draft")
    return one, list(published.values_list("pk", flat=True))


def _gone(desk: Desk, one: int, waiting: list[int]) -> None:
    rows = [row for row in seats_of(desk.stage) if row.match in waiting]
    for (number, table), seats in tables_of(rows).items():
        lost = {row.outcome for row in seats if row.entry == one}
        require(
            lost == {"walkover_loss"},
            "a table of who has left is a walkover",
            at=f"round {number}, table {table}",
            found=lost,
        )
    desk.out.append(one)
    desk.play.acts["walkover"] += len(waiting)


def exchange(desk: Desk, number: int) -> None:
    """Two exchange places in the draft and it is taken back, all of it twice: seats follow."""
    pairing_round = desk.round(number)
    drawn = seats_of(desk.stage, round_number=number)
    tables = list(tables_of(drawn).values())
    one, other = (str(table[0].entry) for table in desk.play.chance.sample(tables, 2))
    change = Change(Act.SWAP, (one, other))
    for _ in range(2):
        seen = adjusting.preview(pairing_round, change, by=desk.play.director).seen
        for _ in range(2):
            adjusting.change_seats(pairing_round, change, seen=seen, by=desk.play.director)
        _exchanged(desk, number, laws.seated(drawn), int(one), int(other))
        line = adjusting.last_change(pairing_round)
        require(line is not None, "a change by hand is in the log", at=number)
        assert line is not None
        for _ in range(2):
            adjusting.undo_change(pairing_round, last=line.pk, by=desk.play.director)
        back = laws.seated(seats_of(desk.stage, round_number=number))
        require(back == laws.seated(drawn), "what is taken back is as before", at=number)
    desk.play.acts[adjusting.ACTS[Act.SWAP]] += 2
    desk.play.seen["exchanges taken back"] += 2


def _exchanged(
    desk: Desk, number: int, before: Mapping[int, tuple[int, str]], one: int, other: int
) -> None:
    after = laws.seated(seats_of(desk.stage, round_number=number))
    wanted = {**before, one: before[other], other: before[one]}
    require(after == wanted, "two exchange places and nobody else moves", at=number)


def correct(desk: Desk, number: int) -> None:
    """Correct a result of an earlier round: later standings follow, drawn rounds stay."""
    closed = Match.objects.filter(
        pairing_round__stage=desk.stage,
        pairing_round__number=number,
        state=Match.State.CLOSED,
        seats__outcome__in=["win", "loss"],
    )
    known = [one for one in closed.distinct().order_by("table") if one.pk not in desk.by_moves]
    if not known:
        return
    match = desk.play.chance.choice(known)
    rows = [row for row in seats_of(desk.stage) if row.match == match.pk]
    won = {row.entry for row in rows if row.outcome == "win"}
    winner = 0 if won & set(sides_at(rows)[0]) else 1
    before = seats_of(desk.stage)
    points, deducted = desk.score_of(match, winner if desk.keeps_winners else 1 - winner)
    for _ in range(2):
        corrections.correct_score(
            match,
            points=points,
            deducted=deducted,
            reason="The sheet was read upside down",
            sure=True,
            by=desk.play.director,
        )
    after = seats_of(desk.stage)
    stays = laws.places(before) == laws.places(after)
    require(stays, "a correction redraws nothing", at=number, found="other seats")
    # By chance the score may be the one that stood there.
    desk.play.acts["result_corrected"] += before != after
    desk.play.seen["corrections"] += 1


BEFORE_THE_DRAW: Mapping[str, Callable[[Desk, int], None]] = {
    "forbid": forbid,
    "ask_bye": ask_bye,
    "miss": miss,
    "leave": leave,
    "come_back": come_back,
    "enter_late": enter_late,
}
AT_THE_TABLES: Mapping[str, Callable[[Desk, int], None]] = {
    "leave_at_table": leave,
    "put_out": put_out,
}

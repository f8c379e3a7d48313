"""Every change of the record of a match: tables, rounds, events, closing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from uuid import UUID, uuid4

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.utils import timezone

from engine.errors import BadRecord
from engine.events import Event, Infraction, Leaves, Ruling, Sheet, Undo
from engine.notation import format_line
from engine.reading import read_event, read_record
from engine.record import FORMAT, MOST_EVENTS, VERSION, Record
from engine.seats import seats_at
from engine.tiles import Tile
from engine.written import event_json
from referee.errors.records import (
    ClientKeyUsed,
    MatchNotOpen,
    MatchNotOver,
    NumberAhead,
    OpenerNeeded,
    PartnersApart,
    ReasonNeeded,
    RecordMovedOn,
    RecordTooLong,
    ReopensWithdrawn,
    RoundFellAway,
    RoundMovedOn,
    RoundUnfinished,
    SeatsAreFixed,
    SeatsDoNotFit,
    TableIncomplete,
)
from referee.models import RecordedEvent, RoundRecord, Signature
from referee.outcome import result_to_write
from referee.recorded import Facts, Recorded, Rows, StoredRound, written_hands
from referee.rows import (
    how_many_known,
    locked_rows,
    number_now,
    read,
    rows_of,
    store,
    store_round,
)
from referee.services.confirming import require_undisputed
from referee.services.holders import keep_hold
from referee.services.links import require_rulings_left
from referee.services.sanction_following import follow_record
from referee.services.signing import supersede
from tournaments.errors.base import TextTooLong
from tournaments.errors.tables import MatchAlreadyClosed
from tournaments.models import LONG_IN_ROUND, LONGEST_SUBSTITUTE, Match, MatchSeat
from tournaments.permissions import Keeper, require_director, require_may_record
from tournaments.services import followers, results, watches
from tournaments.services.log import write
from tournaments.services.traces import Watching, traced

Written = Mapping[str, Sequence[str | Tile]]


def locked(pk: int) -> Match:
    """Return the match, nobody else's until this change is stored."""
    return (
        Match.objects.select_for_update(of=("self",))
        .select_related("pairing_round__stage__tournament")
        .defer(*LONG_IN_ROUND)
        .get(pk=pk)
    )


def require_playing(match: Match | Facts) -> None:
    if match.state == Match.State.CLOSED:
        raise MatchAlreadyClosed(table=match.table)
    if match.state == Match.State.WAITING:
        raise MatchNotOpen(table=match.table)


def keep_score(recorded: Recorded) -> None:
    """Keep the running score beside the match: for lists of tables, and to find sheets alike."""
    score = {
        "totals": dict(recorded.state.totals),
        "round": len(recorded.rounds),
        "rounds": [
            list(one.points.values()) for one in recorded.state.rounds if one.ended != "unfinished"
        ],
    }
    match = Match.objects.filter(pk=recorded.match.pk)
    match.update(changed_at=timezone.now(), score=score)


def _scored(recorded: Recorded) -> bool:
    """Say whether the running score is another one than is kept."""
    return recorded.match.score.get("totals") != recorded.state.totals


@transaction.atomic
def open_match(match: Match, *, by: Keeper) -> Match:
    """Open the table: its record may be kept from now on. Asked twice, it is open."""
    require_may_record(by, match)
    match = locked(match.pk)
    if match.state == Match.State.PLAYING:
        return match
    if match.state == Match.State.CLOSED:
        raise MatchAlreadyClosed(table=match.table)
    expected = match.pairing_round.stage.tournament.players_per_table
    seated = match.seats.count()
    rules = rows_of(match).rules
    if seated not in rules.of_profile.players or (seated < expected and not rules.elimination):
        raise TableIncomplete(table=match.table, seated=seated, expected=expected)
    return results.start_match(match, by=by)


@transaction.atomic
def confirm_seats(match: Match, *, order: Mapping[str, int], by: Keeper) -> Match:
    """Seat the players of the table as they really sit. Partners stay opposite each other."""
    require_may_record(by, match)
    match = locked(match.pk)
    if match.state == Match.State.CLOSED:
        raise MatchAlreadyClosed(table=match.table)
    seats = {one.player_id: one for one in match.seats.select_related("player")}
    letters = [seat.value for seat in seats_at(len(seats))]
    if sorted(order) != letters or set(order.values()) != set(seats):
        raise SeatsDoNotFit(table=match.table, seats=", ".join(letters))
    if all(seats[player].seat == seat for seat, player in order.items()):
        return match
    rows = rows_of(match)
    if rows.rounds:
        raise SeatsAreFixed(table=match.table)
    if rows.partnership:
        partner = {"A": "C", "B": "D", "C": "A", "D": "B"}
        now = {one.seat: one.player_id for one in seats.values()}
        for seat, player in order.items():
            one, other = seats[player], seats[now[partner[seats[player].seat]]]
            if order[partner[seat]] != other.player_id:
                raise PartnersApart(one=one.player.name, other=other.player.name)
    match.seats.all().delete()
    for seat, player in order.items():
        seats[player].pk, seats[player].seat = None, seat
    MatchSeat.objects.bulk_create(seats.values())
    match.save(update_fields=["changed_at"])
    return match


@transaction.atomic
def open_round(
    match: Match,
    *,
    number: int,
    opener: str = "",
    hands: Written | None = None,
    stock: Sequence[str | Tile] | None = None,
    by: Keeper,
) -> RoundRecord:
    """Start round `number` (from 0). While it has no event it may be started anew.

    `opener` may be empty where the rules, or the known hands, decide it.
    """
    require_may_record(by, match)
    rows = rows_of(locked(match.pk))
    asked = _asked(rows, number, opener, hands, stock)
    existing = rows.rounds[number] if number < len(rows.rounds) else None
    if existing is not None and _same(existing, asked):
        return RoundRecord.objects.get(pk=existing.pk)
    _require_next(rows, asked)
    if existing is not None:
        asked = replace(asked, lines=existing.lines)
    if not opener and hands is None:
        decided = replace(rows, rounds=rows.rounds[:number]).replayed().state.next_opener()
        asked = replace(asked, opener=decided.seat.value if decided.seat else "")
    try:
        started = rows.with_round(asked).replayed()
    except BadRecord as refusal:
        if not asked.opener and refusal.path == f"rounds[{number}].opener":
            raise OpenerNeeded from None
        raise
    record = store_round(match, rows, asked)
    keep_score(started)
    return record


def _asked(
    rows: Rows,
    number: int,
    opener: str = "",
    hands: Written | None = None,
    stock: Sequence[str | Tile] | None = None,
) -> StoredRound:
    """Return the round that is asked for; hands that are no hands are refused."""
    written: dict[str, object] = {"events": []}
    if hands is not None:
        written["hands"] = {str(seat): [str(one) for one in held] for seat, held in hands.items()}
    if stock is not None:
        written["stock"] = [str(one) for one in stock]
    if opener:
        written["opener"] = opener
    document = {
        "format": FORMAT,
        "version": VERSION,
        "rules": rows.rules.json(),
        "players": len(rows.sittings),
        "rounds": [written],
    }
    one = read_record(document).rounds[0]
    return StoredRound(
        pk=0,
        number=number,
        opener=opener,
        hands=None if one.hands is None else written_hands(one.hands),
        stock=None if one.stock is None else [str(tile) for tile in one.stock],
    )


def _require_next(rows: Rows, asked: StoredRound) -> None:
    """Refuse a round that is not the next one, nor the last one still without an event."""
    require_playing(rows.match)
    last = len(rows.rounds) - 1
    again = asked.number == last and (not rows.rounds[last].lines or not rows.rounds[last].opener)
    if asked.number != last + 1 and not again:
        raise RoundMovedOn(number=asked.number + 1, expected=last + 2)


def _same(existing: StoredRound, asked: StoredRound) -> bool:
    return (
        asked.opener in ("", existing.opener)
        and existing.hands == asked.hands
        and existing.stock == asked.stock
    )


def append_event(
    record: RoundRecord,
    *,
    number: int,
    event: Event,
    client_key: UUID | None = None,
    device: str | None = None,
    by: Keeper,
) -> Recorded:
    """Store `event` as event `number` of the round and return what the match comes to.

    `number` is the place the page offered: where somebody else recorded meanwhile, nothing is
    stored. The same `client_key` again stores nothing and answers as it did the first time.
    """
    keys = [client_key or uuid4()]
    return append_events(
        record.pk, number=number, events=[event], client_keys=keys, device=device, by=by
    )


def append_events(
    round_pk: int,
    *,
    number: int,
    events: Sequence[Event],
    client_keys: Sequence[UUID] = (),
    device: str | None = None,
    age: timedelta = timedelta(0),
    by: Keeper,
) -> Recorded:
    """Store several events, the first as event `number`: all of them, or none.

    What was stored before under the same keys is passed over, so a device that was cut off may
    send again all it has; `age` says how long ago it was recorded at the table. `device` is what
    holds the table, see `referee.services.holders`.
    """
    keys = client_keys or [uuid4() for _ in events]
    sent = [(event, format_line(event), key) for event, key in zip(events, keys, strict=True)]
    try:
        with transaction.atomic():
            return _append(round_pk, number, sent, device, age, by)
    except IntegrityError:
        _, line, key = sent[0]
        stored = RecordedEvent.objects.filter(client_key=key).first()
        if stored is None:
            raise
        if stored.round_id == round_pk and stored.notation == line:
            with transaction.atomic():
                return _append(round_pk, number_now(stored), sent, device, age, by)
        raise ClientKeyUsed(line=stored.notation) from None


Sent = Sequence[tuple[Event, str, UUID]]


def _append(
    round_pk: int, number: int, sent: Sent, device: str | None, age: timedelta, by: Keeper
) -> Recorded:
    rows = locked_rows(round_pk, by=by)
    at = rows.number_of(round_pk)
    if at is None:
        gone = next(one for one in rows.fallen if one.pk == round_pk)
        raise RoundFellAway(number=gone.number + 1)
    stored = rows.rounds[at]
    expected = len(stored.lines)
    if number < expected:
        known = how_many_known(stored, number, sent)
        if known == len(sent):
            return rows.until(at, number + known).replayed(at)
        if number + known == expected:
            number, sent = expected, sent[known:]
    keep_hold(rows.match, device, by=by)
    require_playing(rows.match)
    if number < expected:
        raise RecordMovedOn(number=number, expected=expected)
    if number > expected:
        raise NumberAhead(number=number, expected=expected)
    if expected + len(sent) > MOST_EVENTS:
        raise RecordTooLong(most=MOST_EVENTS)
    table = Record(rows.rules, len(rows.sittings))
    for event, _, _ in sent:
        _require_sound(event, table)
    after = rows.with_round(stored.extended(*(line for _, line, _ in sent))).replayed(at)
    require_rulings_left(by, [event for event, _, _ in sent], rows, after)
    lines = [(place, line, key) for place, (_, line, key) in enumerate(sent, start=number)]
    store(stored, lines, by=by, age=age)
    if any(isinstance(event, Leaves | Undo) for event, _, _ in sent):
        keep_substitutes(after)
    if any(isinstance(event, Infraction | Ruling | Undo) for event, _, _ in sent):
        follow_record(after.match.pk, by=by)
    if _scored(after):
        keep_score(after)
    return after


def _require_sound(event: Event, record: Record) -> None:
    """Refuse an event that does not fit the table or the columns it is kept in."""
    read_event(event_json(event), record)
    if isinstance(event, Leaves) and len(event.substitute) > LONGEST_SUBSTITUTE:
        raise TextTooLong(
            given=event.substitute[:20], found=len(event.substitute), limit=LONGEST_SUBSTITUTE
        )


def keep_substitutes(recorded: Recorded) -> None:
    """Mark the seats that somebody has left."""
    held = recorded.substitutes
    for one in recorded.sittings:
        name = held.get(one.seat, "")
        if name != one.substitute:
            left = MatchSeat.objects.filter(match=recorded.match.pk, seat=one.seat)
            left.update(substitute=name)


def undo(
    record: RoundRecord, *, number: int, count: int = 1, client_key: UUID | None = None, by: Keeper
) -> Recorded:
    """Take back the last `count` events in effect: a slip of the pen."""
    return append_event(record, number=number, event=Undo(count), client_key=client_key, by=by)


@transaction.atomic
def record_sheet(
    match: Match, *, number: int, sheet: Sheet, client_key: UUID | None = None, by: Keeper
) -> Recorded:
    """Record a whole round from a score sheet; nobody needs to say who opened it."""
    require_may_record(by, match)
    rows = rows_of(locked(match.pk))
    if 0 <= number < len(rows.rounds):
        record = RoundRecord.objects.get(pk=rows.rounds[number].pk)
        begun = bool(rows.rounds[number].lines)
    else:
        asked = _asked(rows, number)
        _require_next(rows, asked)
        record = store_round(match, rows, asked)
        begun = False
    place = _place_of_sheet(record, client_key, begun=begun)
    return append_event(record, number=place, event=sheet, client_key=client_key, by=by)


def _place_of_sheet(record: RoundRecord, client_key: UUID | None, *, begun: bool) -> int:
    """Return the number of a score sheet: after events that were all undone, otherwise the first.

    One that was sent before keeps the number it has.
    """
    known = record.events.filter(client_key=client_key).first() if client_key else None
    if known is not None or not begun:
        return number_now(known) if known else 0
    one = read(record.match, round_pk=record.pk).round
    assert one is not None
    return 0 if any(one.in_effect) else len(one.in_effect)


@transaction.atomic
def close_match(match: Match, *, reason: str = "", by: Keeper) -> Match:
    """Close the match and write what every seat leaves with.

    Before anybody has won only a director closes it, with a reason; the leader wins then.
    """
    require_may_record(by, match)
    match = locked(match.pk)
    if match.state == Match.State.CLOSED:
        return match
    require_playing(match)
    recorded = read(match)
    require_undisputed(recorded)
    for number, one in enumerate(recorded.state.rounds):
        if one.ended == "unfinished" and not recorded.state.over and recorded.rounds[number].lines:
            raise RoundUnfinished(number=number + 1)
        if one.pending:
            raise RoundUnfinished(number=number + 1)
    if not recorded.state.over:
        _require_may_close_early(match, reason=reason, by=by)
    match = results.record_result(match, seats=result_to_write(match, recorded), by=by)
    followers.table_changed_after(match, by=by)
    if reason.strip():
        tournament = match.pairing_round.stage.tournament
        write(tournament, "match_closed_early", by=by, match=match.pk, reason=reason.strip())
    return match


def _require_may_close_early(match: Match, *, reason: str, by: Keeper) -> None:
    if not reason.strip():
        raise MatchNotOver(table=match.table)
    require_director(by, match.pairing_round.stage.tournament)


def _reopened(match: Match, **_: object) -> Watching:
    return [*watches.table(match), Signature.objects.filter(match=match)]


@transaction.atomic
@traced(_reopened)
def reopen_match(match: Match, *, reason: str, by: User, withdrawn_too: bool = False) -> Match:
    """Open a closed match for a correction; a director's act, with its reason.

    Where an entry of the table has withdrawn meanwhile, `withdrawn_too` says that this is known.
    """
    tournament = match.pairing_round.stage.tournament
    require_director(by, tournament)
    match = locked(match.pk)
    if not reason.strip():
        raise ReasonNeeded
    withdrawn = () if withdrawn_too else results.withdrawn_at(match)
    if withdrawn and match.state == Match.State.CLOSED:
        raise ReopensWithdrawn(table=match.table, entries=tuple(one.name for one in withdrawn))
    match = results.reopen_match(match, by=by)
    supersede(match)
    write(tournament, "match_reopened", by=by, match=match.pk, reason=reason.strip())
    return match

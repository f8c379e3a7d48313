"""Events of a round: stored once, refused whole, by whoever may."""

from __future__ import annotations

from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied

from engine.errors import BadRecord, Misplay, OutOfTurn
from engine.events import Pass, Play, Sheet
from engine.notation import parse_line
from engine.seats import Seat
from engine.tiles import Tile
from referee.errors import records as errors
from referee.models import RoundRecord
from referee.services import records as services
from tests import factories
from tests.referee.conftest import MakeMatch, director_of, referee_of, sheet, tournament_of, write
from tournaments.errors.tables import MatchAlreadyClosed
from tournaments.models import Match, Official

pytestmark = pytest.mark.django_db

SIX_SIX = parse_line("A 6-6")


# --- events ----------------------------------------------------------------------------------


def test_an_event_is_stored_as_a_line(record: RoundRecord, referee: User) -> None:
    recorded = services.append_event(record, number=0, event=SIX_SIX, by=referee)
    stored = record.events.get()
    assert (stored.number, stored.notation, stored.recorded_by) == (0, "A 6-6", referee)
    assert recorded.round is not None
    assert recorded.round.turn is Seat.B


def test_the_score_of_the_list_of_tables_follows(record: RoundRecord, referee: User) -> None:
    write(record, "result AC 37 out", referee)
    record.match.refresh_from_db()
    assert record.match.score == {
        "totals": {"AC": 37, "BD": 0}, "round": 1, "rounds": [[37, 0]],
    }  # fmt: skip


def test_an_event_sent_three_times_is_stored_once(record: RoundRecord, referee: User) -> None:
    keys = [uuid4(), uuid4()]
    events = [SIX_SIX, parse_line("B 6-3")]
    for number, (key, event) in enumerate(zip(keys, events, strict=True)):
        states = [
            services.append_event(record, number=number, event=event, client_key=key, by=referee)
            for _ in range(3)
        ]
        assert len({one.next_number for one in states}) == 1
    assert [one.notation for one in record.events.all()] == ["A 6-6", "B 6-3"]


def test_a_late_repeat_is_answered_as_the_first_time(record: RoundRecord, referee: User) -> None:
    key = uuid4()
    first = services.append_event(record, number=0, event=SIX_SIX, client_key=key, by=referee)
    write(record, ["B 6-3", "C 3-2"], referee)
    again = services.append_event(record, number=0, event=SIX_SIX, client_key=key, by=referee)
    assert again.state.answer() == first.state.answer()
    assert record.events.count() == 3


def test_a_repeat_under_another_number_is_still_a_repeat(
    record: RoundRecord, referee: User
) -> None:
    key = uuid4()
    services.append_event(record, number=0, event=SIX_SIX, client_key=key, by=referee)
    write(record, "B 6-3", referee)
    write(record, "C pass", referee)
    key2 = uuid4()
    event = parse_line("D 3-2")
    services.append_event(record, number=3, event=event, client_key=key2, by=referee)
    with pytest.raises(errors.ClientKeyUsed):
        services.append_event(
            record, number=4, event=parse_line("A pass"), client_key=key2, by=referee
        )
    assert record.events.count() == 4


def test_a_key_stands_for_one_event(record: RoundRecord, referee: User) -> None:
    key = uuid4()
    services.append_event(record, number=0, event=SIX_SIX, client_key=key, by=referee)
    with pytest.raises(errors.ClientKeyUsed, match="already used for another event"):
        services.append_event(
            record, number=1, event=parse_line("B 6-3"), client_key=key, by=referee
        )


def test_nothing_is_stored_where_somebody_recorded_meanwhile(
    record: RoundRecord, referee: User
) -> None:
    write(record, ["A 6-6", "B 6-3"], referee)
    with pytest.raises(errors.RecordMovedOn, match="gone on to event 2; this was event 1"):
        services.append_event(record, number=1, event=parse_line("B 6-4"), by=referee)
    assert record.events.count() == 2


def test_events_come_in_order(record: RoundRecord, referee: User) -> None:
    with pytest.raises(errors.NumberAhead, match="the next event is 0"):
        services.append_event(record, number=3, event=SIX_SIX, by=referee)


def test_a_refused_play_is_not_stored(record: RoundRecord, referee: User) -> None:
    write(record, "A 6-6", referee)
    with pytest.raises(Misplay, match="5-4 does not fit: the ends are 6 and 6") as refused:
        services.append_event(record, number=1, event=parse_line("B 5-4"), by=referee)
    assert refused.value.as_infraction == "misplay"
    with pytest.raises(OutOfTurn):
        services.append_event(record, number=1, event=parse_line("C 6-4"), by=referee)
    assert record.events.count() == 1


def test_an_event_must_fit_the_table(make_match: MakeMatch) -> None:
    match = make_match("domna", entry_kind="single", players=2)
    referee = referee_of(match)
    services.open_match(match, by=referee)
    record = services.open_round(match, number=0, opener="A", by=referee)
    with pytest.raises(BadRecord, match="a seat of A, B"):
        services.append_event(record, number=0, event=parse_line("C! delay"), by=referee)


def test_a_record_has_an_end(
    record: RoundRecord, referee: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(services, "MOST_EVENTS", 2)
    write(record, ["A 6-6", "undo 1"], referee)
    with pytest.raises(errors.RecordTooLong, match="already has 2 events"):
        services.append_event(record, number=2, event=SIX_SIX, by=referee)


def test_undo_is_an_event(record: RoundRecord, referee: User) -> None:
    write(record, ["A 6-6", "B 6-3"], referee)
    recorded = services.undo(record, number=2, by=referee)
    assert recorded.round is not None
    assert recorded.round.turn is Seat.B
    assert recorded.round.in_effect == (True, False, False)
    assert record.events.count() == 3


def test_a_seat_that_is_left_is_marked_until_it_is_undone(
    record: RoundRecord, referee: User
) -> None:
    write(record, ["A 6-6", "B leaves robot"], referee)
    assert record.match.seats.get(seat="B").substitute == "robot"
    services.undo(record, number=2, by=referee)
    assert record.match.seats.get(seat="B").substitute == ""


def test_nothing_is_recorded_at_a_closed_table(opened: Match, referee: User) -> None:
    sheet(opened, 0, "AC", 100, referee)
    services.close_match(opened, by=referee)
    with pytest.raises(MatchAlreadyClosed):
        write(opened.records.get(), "B! delay", referee)
    with pytest.raises(MatchAlreadyClosed):
        services.open_round(opened, number=1, opener="A", by=referee)


def test_a_known_event_of_a_closed_table_is_answered(opened: Match, referee: User) -> None:
    key = uuid4()
    event = Sheet("AC", 100, "out")
    services.record_sheet(opened, number=0, sheet=event, client_key=key, by=referee)
    services.close_match(opened, by=referee)
    again = services.append_event(
        opened.records.get(), number=0, event=event, client_key=key, by=referee
    )
    assert again.state.winner == "AC"


# --- who may ---------------------------------------------------------------------------------


def test_strangers_change_nothing(record: RoundRecord, stranger: User) -> None:
    match = record.match
    with pytest.raises(PermissionDenied):
        services.open_match(match, by=stranger)
    with pytest.raises(PermissionDenied):
        services.confirm_seats(match, order={}, by=stranger)
    with pytest.raises(PermissionDenied):
        services.open_round(match, number=1, opener="A", by=stranger)
    with pytest.raises(PermissionDenied):
        services.append_event(record, number=0, event=SIX_SIX, by=stranger)
    with pytest.raises(PermissionDenied):
        services.record_sheet(match, number=1, sheet=Sheet("AC", 1, "out"), by=stranger)
    with pytest.raises(PermissionDenied):
        services.close_match(match, by=stranger)
    with pytest.raises(PermissionDenied):
        services.reopen_match(match, reason="x", by=stranger)


def test_an_official_of_another_event_is_a_stranger(record: RoundRecord) -> None:
    other = factories.OfficialFactory.create(duty=Official.Duty.DIRECTOR)
    with pytest.raises(PermissionDenied):
        services.append_event(record, number=0, event=SIX_SIX, by=other.user)


@pytest.mark.parametrize(("table", "allowed"), [(None, True), (1, True), (2, False)])
def test_a_scorer_records_at_his_own_table(
    record: RoundRecord, table: int | None, allowed: bool
) -> None:
    scorer = factories.OfficialFactory.create(
        tournament=tournament_of(record.match), duty=Official.Duty.SCORER, table=table
    ).user
    if allowed:
        assert write(record, "A 6-6", scorer).next_number == 1
    else:
        with pytest.raises(PermissionDenied):
            write(record, "A 6-6", scorer)


def test_a_director_records_too(record: RoundRecord) -> None:
    assert write(record, "A 6-6", director_of(record.match)).next_number == 1


def test_values_may_be_given_instead_of_lines(record: RoundRecord, referee: User) -> None:
    services.append_event(record, number=0, event=Play(Seat.A, Tile.parse("6-6")), by=referee)
    services.append_event(record, number=1, event=Pass(Seat.B), by=referee)
    assert [one.notation for one in record.events.all()] == ["A 6-6", "B pass"]

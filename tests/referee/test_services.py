"""Every change of a match's record, and every refusal of one."""

from __future__ import annotations

from uuid import uuid4

import pytest
from django.contrib.auth.models import User

from engine.errors import BadRecord, MatchOver, RulingPending
from engine.events import Sheet
from engine.seats import Seat
from referee.errors import records as errors
from referee.models import RecordedEvent, RoundRecord
from referee.queries import records as queries
from referee.services import records as services
from tests.referee.conftest import MakeMatch, referee_of, sheet, write
from tournaments.errors.tables import MatchAlreadyClosed, RoundNotPublished
from tournaments.models import Match, PairingRound

pytestmark = pytest.mark.django_db


# --- opening a table -------------------------------------------------------------------------


def test_opening_a_table_starts_the_match(match: Match, referee: User) -> None:
    opened = services.open_match(match, by=referee)
    assert opened.state == Match.State.PLAYING
    assert opened.opened_at is not None


def test_opening_a_table_twice_is_opening_it_once(match: Match, referee: User) -> None:
    first = services.open_match(match, by=referee)
    second = services.open_match(match, by=referee)
    assert second.opened_at == first.opened_at


def test_a_table_of_a_draft_is_not_opened(make_match: MakeMatch) -> None:
    match = make_match(round_state=PairingRound.State.DRAFT)
    with pytest.raises(RoundNotPublished, match="has not been published"):
        services.open_match(match, by=referee_of(match))


def test_a_table_with_an_empty_seat_is_not_opened(match: Match, referee: User) -> None:
    match.seats.filter(seat="D").delete()
    with pytest.raises(errors.TableIncomplete, match="3 players are seated where 4"):
        services.open_match(match, by=referee)


def test_an_elimination_table_of_three_is_opened(make_match: MakeMatch) -> None:
    match = make_match("elimination", entry_kind="single", players=4)
    match.seats.filter(seat="D").delete()
    assert services.open_match(match, by=referee_of(match)).state == Match.State.PLAYING


def test_a_closed_table_is_not_opened_again(opened: Match, referee: User) -> None:
    sheet(opened, 0, "AC", 100, referee)
    services.close_match(opened, by=referee)
    with pytest.raises(MatchAlreadyClosed, match="is closed"):
        services.open_match(opened, by=referee)


# --- seats -----------------------------------------------------------------------------------


def seated(match: Match) -> dict[str, str]:
    return {one.seat: one.player.name for one in match.seats.select_related("player")}


def player(match: Match, name: str) -> int:
    return match.seats.get(player__name=name).player_id


def test_players_are_seated_as_they_really_sit(match: Match, referee: User) -> None:
    order = {
        seat: player(match, name)
        for seat, name in {"A": "Lin", "B": "Omar", "C": "Sara", "D": "Rosa"}.items()
    }
    services.confirm_seats(match, order=order, by=referee)
    assert seated(match) == {"A": "Lin", "B": "Omar", "C": "Sara", "D": "Rosa"}


def test_the_seats_as_they_are_may_be_confirmed_at_any_time(
    record: RoundRecord, referee: User
) -> None:
    match = record.match
    order = {one.seat: one.player_id for one in match.seats.all()}
    assert services.confirm_seats(match, order=order, by=referee).pk == match.pk


def test_partners_are_not_set_apart(match: Match, referee: User) -> None:
    order = {
        seat: player(match, name)
        for seat, name in {"A": "Rosa", "B": "Omar", "C": "Lin", "D": "Sara"}.items()
    }
    with pytest.raises(errors.PartnersApart, match="are partners and sit opposite"):
        services.confirm_seats(match, order=order, by=referee)


def test_everyone_has_one_seat(match: Match, referee: User) -> None:
    rosa = player(match, "Rosa")
    with pytest.raises(errors.SeatsDoNotFit, match="A, B, C, D"):
        services.confirm_seats(match, order=dict.fromkeys("ABCD", rosa), by=referee)
    with pytest.raises(errors.SeatsDoNotFit):
        services.confirm_seats(match, order={"A": rosa}, by=referee)


def test_seats_are_fixed_once_a_round_has_begun(record: RoundRecord, referee: User) -> None:
    match = record.match
    order = {one.seat: one.player_id for one in match.seats.all()}
    order["A"], order["C"] = order["C"], order["A"]
    with pytest.raises(errors.SeatsAreFixed, match="its first round has begun"):
        services.confirm_seats(match, order=order, by=referee)


# --- rounds ----------------------------------------------------------------------------------


def test_a_round_is_started_once(opened: Match, referee: User) -> None:
    first = services.open_round(opened, number=0, opener="A", by=referee)
    again = services.open_round(opened, number=0, opener="A", by=referee)
    assert first.pk == again.pk
    assert opened.records.count() == 1


def test_the_referee_is_asked_who_opens(opened: Match, referee: User) -> None:
    with pytest.raises(errors.OpenerNeeded, match="Say which seat plays the first tile"):
        services.open_round(opened, number=0, by=referee)


def test_the_rules_say_who_opens_where_they_can(make_match: MakeMatch) -> None:
    match = make_match("femundo")
    referee = referee_of(match)
    services.open_match(match, by=referee)
    record = services.open_round(match, number=0, opener="C", by=referee)
    write(record, "result AC 30 out", referee)
    services.open_round(match, number=1, opener="D", by=referee)
    record = services.open_round(match, number=1, opener="D", by=referee)
    write(record, ["D 1-0", "A 1-1", "B! overdraw -> void_round"], referee)
    after = services.open_round(match, number=2, by=referee)
    assert after.opener == "D"


def test_known_hands_say_who_opens(opened: Match, referee: User) -> None:
    hands = {
        "A": ["0-0", "1-0", "1-1", "2-0", "2-1", "2-2", "3-0"],
        "B": ["3-1", "3-2", "3-3", "4-0", "4-1", "4-2", "4-3"],
        "C": ["4-4", "5-0", "5-1", "5-2", "5-3", "5-4", "5-5"],
        "D": ["6-0", "6-1", "6-2", "6-3", "6-4", "6-5", "6-6"],
    }
    services.open_round(opened, number=0, hands=hands, by=referee)
    recorded = queries.read(opened)
    assert recorded.round is not None
    assert recorded.round.opener is Seat.D


def test_hands_that_are_no_hands_are_refused(opened: Match, referee: User) -> None:
    wrong: list[dict[str, list[str]]] = [
        {"A": ["9-9"]},
        {"A": ["6-6", "6-6"]},
        {"Z": []},
        {"A": ["6-6"], "B": ["6-6"]},
    ]
    for hands in wrong:
        with pytest.raises(BadRecord, match="cannot be read at"):
            services.open_round(opened, number=0, opener="A", hands=hands, by=referee)
    assert not opened.records.exists()


def test_a_round_without_an_event_may_be_started_anew(record: RoundRecord, referee: User) -> None:
    again = services.open_round(record.match, number=0, opener="B", by=referee)
    assert (again.pk, again.opener) == (record.pk, "B")


def test_a_round_with_events_is_not_started_anew(record: RoundRecord, referee: User) -> None:
    write(record, "A 6-6", referee)
    with pytest.raises(errors.RoundMovedOn, match="Round 1 cannot be started: the next"):
        services.open_round(record.match, number=0, opener="B", by=referee)


def test_rounds_follow_each_other(record: RoundRecord, referee: User) -> None:
    with pytest.raises(errors.RoundMovedOn, match="Round 6 cannot be started: the next round is 2"):
        services.open_round(record.match, number=5, opener="A", by=referee)
    with pytest.raises(BadRecord, match="The round before is not finished"):
        services.open_round(record.match, number=1, opener="A", by=referee)


def test_no_round_starts_while_a_ruling_is_open(opened: Match, referee: User) -> None:
    sheet(opened, 0, "AC", 10, referee)
    write(opened.records.get(), "B! signaling -> pending", referee)
    with pytest.raises(RulingPending, match="awaits its ruling"):
        services.open_round(opened, number=1, opener="A", by=referee)


def test_no_round_starts_after_the_end(opened: Match, referee: User) -> None:
    sheet(opened, 0, "AC", 100, referee)
    with pytest.raises(MatchOver, match="close the match"):
        services.open_round(opened, number=1, opener="A", by=referee)


def test_no_round_starts_before_the_table_is_open(match: Match, referee: User) -> None:
    with pytest.raises(errors.MatchNotOpen, match="has not been opened"):
        services.open_round(match, number=0, opener="A", by=referee)


def test_a_round_from_a_score_sheet_needs_no_opener(opened: Match, referee: User) -> None:
    key = uuid4()
    for _ in range(3):
        recorded = services.record_sheet(
            opened, number=0, sheet=Sheet("BD", 23, "out"), client_key=key, by=referee
        )
    assert recorded.state.totals == {"AC": 0, "BD": 23}
    assert RecordedEvent.objects.count() == 1


def test_a_slip_on_a_score_sheet_is_taken_back(opened: Match, referee: User) -> None:
    sheet(opened, 0, "AC", 73, referee)
    record = opened.records.get()
    services.undo(record, number=1, by=referee)
    recorded = write(record, "result AC 37 out", referee)
    assert recorded.state.totals == {"AC": 37, "BD": 0}

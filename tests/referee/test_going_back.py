"""Going back to an event of an earlier round: previewed, and nothing leaves the log."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.test import Client

from engine.errors import DominoError
from engine.events import Sheet
from engine.notation import parse_line
from referee.event_file import exported, imported
from referee.going_back import way_back
from referee.models import RecordedEvent, RoundRecord
from referee.queries import records as queries
from referee.queries.going_back import preview, seen
from referee.recorded import Recorded
from referee.services import records as services
from referee.services.going_back import go_back
from referee.verifying import altered_rows
from tests.factories import OrganizerFactory
from tests.referee.conftest import write
from tests.referee.test_chain import behind_the_back
from tests.referee.test_event_file import forget_event
from tournaments.models import LogEntry, Match
from tournaments.permissions import TableGuest

pytestmark = pytest.mark.django_db

FIRST = ["A 6-6", "B! delay -> points 20", "B 6-3", "C 3-3", "D! delay -> void_round"]


@pytest.fixture
def played(opened: Match, referee: User) -> Match:
    """A void round, a round from a sheet, and a third in which two tiles lie."""
    first = services.open_round(opened, number=0, opener="A", by=referee)
    write(first, FIRST, referee)
    services.record_sheet(opened, number=1, sheet=Sheet("AC", 30, "out"), by=referee)
    third = services.open_round(opened, number=2, opener="C", by=referee)
    write(third, ["C 6-6", "D 6-4"], referee)
    return opened


def read(match: Match) -> Recorded:
    return queries.read(queries.matches().get(pk=match.pk))


def back(match: Match, by: User, number: int, event: int | None = None, **more: Any) -> Recorded:
    told = seen(read(match))
    more.setdefault("seen", (told["rounds"], told["events"]))
    return go_back(match, number=number, event=event, by=by, **more)


def log(match: Match) -> list[tuple[int, str]]:
    rows = RecordedEvent.objects.filter(round__match=match).order_by("round__number", "number")
    return list(rows.values_list("round__number", "notation"))


def lines(recorded: Recorded) -> list[list[str]]:
    return [list(one.lines) for one in recorded.rounds]


def test_the_preview_says_what_would_be_lost_and_changes_nothing(played: Match) -> None:
    before = log(played)
    told = preview(read(played), number=0, event=1)
    assert [one["number"] for one in told["rounds"]] == [1, 2]
    assert told["rounds"][1]["events"] == 2
    assert [one["line"] for one in told["lost"]] == FIRST[1:]
    assert len(told["rulings"]) == 2
    assert told["totals"] == {"AC": 30, "BD": -20}
    assert told["totals_then"] == {"AC": 0, "BD": 0}
    assert told["seen"] == {"rounds": 3, "events": 2}
    assert log(played) == before


def test_later_rounds_fall_away_and_stay_in_the_log(played: Match, referee: User) -> None:
    before = log(played)
    after = back(played, referee, 0, 2)
    assert lines(after) == [[*FIRST, "undo 3"]]
    assert after.state.rounds[0].turn == "B"
    assert read(played).state.answer() == after.state.answer()
    assert [one for one in log(played) if one in before] == before
    assert [line for _, line in log(played) if line.startswith("undo")] == [
        "undo 3",
        "undo 1",
        "undo 2",
    ]
    assert list(altered_rows()) == []
    assert LogEntry.objects.filter(act="record_went_back").count() == 1
    played.refresh_from_db()
    assert played.score["totals"] == {"AC": 0, "BD": -20}
    assert played.score["round"] == 1


def test_a_round_that_fell_away_is_opened_and_played_again(played: Match, referee: User) -> None:
    back(played, referee, 0, 4)
    first, second, third = RoundRecord.objects.order_by("number")
    write_on(first, ["D 3-2", "A! delay -> void_round"], referee)
    again = services.open_round(played, number=1, opener="B", by=referee)
    assert again.pk == second.pk
    assert list(altered_rows()) == []
    write_on(again, ["B 6-6", "C 6-4"], referee)
    now = read(played)
    assert lines(now)[1] == ["B 6-6", "C 6-4"]
    assert now.state.rounds[1].turn == "D"
    assert len(now.rounds) == 2
    assert [one.number for one in now.rows.fallen] == [2]
    assert list(altered_rows()) == []
    assert third.pk in [one.pk for one in now.rows.fallen]
    # Another time, to before the round itself: it is opened by another seat.
    back(played, referee, 1)
    services.open_round(played, number=1, opener="D", by=referee)
    services.open_round(played, number=1, opener="C", by=referee)
    assert [one.opener for one in read(played).rounds] == ["A", "C"]
    assert list(altered_rows()) == []
    services.record_sheet(played, number=1, sheet=Sheet("BD", 25, "out"), by=referee)
    services.open_round(played, number=2, opener="D", by=referee)
    assert read(played).state.totals == {"AC": 0, "BD": 5}
    assert list(altered_rows()) == []


def write_on(record: RoundRecord, told: list[str], by: User) -> None:
    """Store lines after what the round has that did not fall away."""
    for line in told:
        recorded = queries.read(queries.matches().get(pk=record.match_id), round_pk=record.pk)
        services.append_event(record, number=recorded.next_number, event=parse_line(line), by=by)


def test_a_score_sheet_takes_the_place_of_a_round_that_fell_away(
    played: Match, referee: User
) -> None:
    back(played, referee, 1)
    assert len(read(played).rounds) == 1
    key = uuid4()
    for _ in range(2):
        services.record_sheet(
            played, number=1, sheet=Sheet("BD", 45, "blocked"), client_key=key, by=referee
        )
    assert read(played).state.totals == {"AC": 0, "BD": 25}
    assert list(altered_rows()) == []


def test_a_round_of_which_nothing_was_recorded_leaves_nothing(opened: Match, referee: User) -> None:
    services.open_round(opened, number=0, opener="A", by=referee)
    after = back(opened, referee, 0)
    assert after.rounds == ()
    assert not RoundRecord.objects.exists()


def test_an_undone_round_falls_away_without_a_word_more(record: RoundRecord, referee: User) -> None:
    write(record, ["A 6-6", "undo 1"], referee)
    back(record.match, referee, 0)
    assert [line for _, line in log(record.match)] == ["A 6-6", "undo 1"]
    services.open_round(record.match, number=0, opener="B", by=referee)
    back(record.match, referee, 0)
    services.open_round(record.match, number=0, opener="C", by=referee)
    write_on(record, ["C 6-6"], referee)
    assert lines(read(record.match)) == [["C 6-6"]]
    assert list(altered_rows()) == []


def test_an_undone_sheet_that_was_opened_anew_falls_away(opened: Match, referee: User) -> None:
    services.record_sheet(opened, number=0, sheet=Sheet("AC", 20, "out"), by=referee)
    record = RoundRecord.objects.get()
    write(record, ["undo 1"], referee)
    services.open_round(opened, number=0, opener="B", by=referee)
    back(opened, referee, 0)
    services.open_round(opened, number=0, opener="D", by=referee)
    write_on(record, ["D 6-6"], referee)
    assert lines(read(opened)) == [["D 6-6"]]
    assert list(altered_rows()) == []


@pytest.mark.parametrize(("number", "event"), [(3, 0), (0, 5), (0, 4), (-1, None)])
def test_there_must_be_something_to_go_back_to(
    played: Match, referee: User, number: int, event: int | None
) -> None:
    if event == 4:
        write_on(RoundRecord.objects.get(number=0), [], referee)
        back(played, referee, 0, 4)
    with pytest.raises(DominoError, match="There is no entry in effect at this place"):
        back(played, referee, number, event)


def test_what_was_recorded_meanwhile_is_not_lost_unseen(played: Match, referee: User) -> None:
    with pytest.raises(DominoError, match="it is in round 3, entry 2"):
        back(played, referee, 0, 0, seen=(3, 1))
    assert len(read(played).rounds) == 3


def test_asked_twice_it_goes_back_once(played: Match, referee: User) -> None:
    key = uuid4()
    back(played, referee, 1, client_key=key)
    stored = log(played)
    back(played, referee, 1, client_key=key)
    assert log(played) == stored


def test_what_comes_late_for_a_round_that_fell_away_is_refused(
    played: Match, referee: User
) -> None:
    third = RoundRecord.objects.get(number=2)
    key = RecordedEvent.objects.get(round=third, number=0).client_key
    back(played, referee, 1)
    with pytest.raises(DominoError, match="Round 3 was taken back meanwhile"):
        services.append_event(third, number=2, event=parse_line("A 4-4"), by=referee)
    services.record_sheet(played, number=1, sheet=Sheet("BD", 45, "blocked"), by=referee)
    services.open_round(played, number=2, opener="C", by=referee)
    event = parse_line("C 6-6")
    with pytest.raises(DominoError, match="Round 3 was taken back meanwhile"):
        services.append_event(third, number=0, event=event, client_key=key, by=referee)
    assert read(played).rounds[2].lines == ()


def test_a_closed_match_does_not_go_back(played: Match, director: User, referee: User) -> None:
    back(played, referee, 2)
    services.close_match(played, reason="The hall closes", by=director)
    with pytest.raises(DominoError) as refused:
        back(played, referee, 0)
    assert refused.value.code == "match_already_closed"


def test_players_do_not_take_a_ruling_back(played: Match) -> None:
    guest = TableGuest(link=1, match=played.pk, table=1, records=True, rules=False, side="AC")
    told = seen(read(played))
    with pytest.raises(DominoError) as refused:
        go_back(played, number=0, event=0, seen=(told["rounds"], told["events"]), by=guest)
    assert refused.value.code == "players_do_not_rule"


def test_undoing_a_rewind_is_counted_by_doing_it(record: RoundRecord, referee: User) -> None:
    write(
        record,
        ["A 6-6", "B 6-3", "C 6-1 left", "D! misplay -> rewind 1, warning", "B 6-2"],
        referee,
    )
    found = way_back(read(record.match), number=0, event=0)
    assert found.undos == 5
    assert found.rows.replayed().state.rounds[0].in_effect == (False,) * 6


def test_a_file_and_a_copy_of_the_event_have_what_fell_away(played: Match, referee: User) -> None:
    back(played, referee, 0, 4)
    write_on(RoundRecord.objects.get(number=0), ["D 3-2", "A! delay -> void_round"], referee)
    services.open_round(played, number=1, opener="B", by=referee)
    content = exported(played.pairing_round.stage.tournament)
    before, stored = lines(read(played)), log(played)
    copy = imported(content, copy="1", by=OrganizerFactory.create())
    other = Match.objects.get(pairing_round__stage__tournament=copy)
    assert (lines(read(other)), log(other)) == (before, stored)
    assert list(altered_rows()) == []
    forget_event()
    imported(content, by=OrganizerFactory.create())
    again = Match.objects.get(pk=Match.objects.exclude(pk=other.pk).get().pk)
    assert (lines(read(again)), log(again)) == (before, stored)
    assert list(altered_rows()) == []


def test_a_round_made_to_fall_away_behind_the_back_is_named(played: Match, referee: User) -> None:
    back(played, referee, 1)
    services.open_round(played, number=1, opener="D", by=referee)
    second = RoundRecord.objects.get(number=1)
    write_on(second, ["D 6-6"], referee)
    behind_the_back("UPDATE referee_roundrecord SET chain = '' WHERE id = %s", [second.pk])
    assert [one.round for one in altered_rows()] == [1]


def test_both_doors_preview_and_go_back(client: Client, played: Match, referee: User) -> None:
    client.force_login(referee)
    page = f"/matches/{played.pk}/back/"
    assert "Start this round anew" in client.get(page).content.decode()
    shown = client.get(page, {"round": 0, "event": 1}).content.decode()
    assert "These rounds fall away: 2" in shown
    assert "These rulings no longer stand: 2" in shown
    assert client.get(page, {"round": 7}).status_code == 422
    api = f"/api/matches/{played.pk}/back/"
    told = client.get(api).json()
    assert [one["number"] for one in told["rounds"]] == [2, 1, 0]
    assert len(client.get(api, {"round": 0, "event": 1}).json()["lost"]) == 4
    assert client.get(api, {"round": 9}).status_code == 409
    stale = {"round": 1, "rounds": 3, "events": 1}
    assert client.post(api, stale, "application/json").json()["code"] == "changed_before_going_back"
    assert client.post(page, stale).status_code == 422
    answer = client.post(api, {"round": 1, "rounds": 3, "events": 2}, "application/json")
    assert answer.status_code == 201
    assert len(answer.json()["live"]["rounds"]) == 1
    assert answer.json()["live"]["out_of_use"] == 7
    asked = {"round": 0, "event": 0, "rounds": 1, "events": 5}
    assert client.post(page, asked).status_code == 302
    assert read(played).state.rounds[0].turn == "A"


def test_the_sheet_shows_what_the_record_went_back_over(
    client: Client, played: Match, referee: User
) -> None:
    address = f"/matches/{played.pk}/"
    assert "taken back as the record" not in client.get(address).content.decode()
    back(played, referee, 0, 2)
    shown = client.get(address).content.decode()
    assert "Rounds taken back as the record went back: 2" in shown
    assert "plays six-four" in shown
    assert f"{address}back/" not in shown


def test_a_stranger_neither_sees_nor_goes_back(
    client: Client, played: Match, stranger: User
) -> None:
    client.force_login(stranger)
    asked = {"round": 1, "rounds": 3, "events": 2}
    for address in (f"/matches/{played.pk}/back/", f"/api/matches/{played.pk}/back/"):
        assert client.get(address).status_code == 403
        assert client.post(address, asked).status_code == 403
    assert len(read(played).rounds) == 3

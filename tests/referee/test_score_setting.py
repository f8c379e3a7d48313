"""The score of a table is set to what its paper says, with a reason: situation 37 at the table."""

from __future__ import annotations

from uuid import uuid4

import pytest
from django.core.exceptions import PermissionDenied
from django.test import Client

from referee.errors.links import PlayersDoNotRule
from referee.errors.records import ReasonNeeded
from referee.errors.scores import ScoreBelow, ScoreInPlay, ScoreSides
from referee.models import RoundRecord
from referee.queries import records as queries
from referee.services import links
from referee.services import records as services
from referee.services.score_setting import set_score
from referee.verifying import altered_rows
from tests.referee.conftest import MakeMatch, director_of, referee_of, sheet, write
from tournaments.errors.base import TextTooLong
from tournaments.errors.tables import MatchAlreadyClosed
from tournaments.models import LogEntry, Match
from tournaments.policies_links import LinkRules

pytestmark = pytest.mark.django_db
WHY = "The tablet fell down"


def totals(match):
    return dict(queries.read(queries.matches().get(pk=match.pk)).state.totals)


def test_situation_37_the_score_of_a_table_is_set_quickly_and_says_why(opened, referee):
    sheet(opened, 0, "AC", 20, referee)
    set_score(opened, totals={"AC": 75, "BD": 60}, reason=WHY, by=referee)
    assert totals(opened) == {"AC": 75, "BD": 60}
    said = LogEntry.objects.get(act="score_set")
    assert said.details["reason"] == WHY
    assert said.details["before"].endswith("0")
    assert list(altered_rows()) == []


def test_play_goes_on_from_there(opened, referee):
    set_score(opened, totals={"AC": 75, "BD": 60}, reason=WHY, by=referee)
    record = services.open_round(opened, number=2, opener="A", by=referee)
    write(record, ["A 6-6", "B 6-3"], referee)
    now = queries.read(opened).round
    assert now is not None
    assert now.turn == "C"


def test_asked_twice_the_score_is_set_once(opened, referee):
    for _ in range(2):
        set_score(opened, totals={"AC": 75, "BD": 0}, reason=WHY, by=referee)
    assert totals(opened) == {"AC": 75, "BD": 0}
    assert RoundRecord.objects.count() == 1
    assert LogEntry.objects.filter(act="score_set").count() == 1


def test_an_empty_round_in_play_takes_it_up(opened, referee):
    services.open_round(opened, number=0, opener="A", by=referee)
    set_score(opened, totals={"AC": 0, "BD": 33}, reason=WHY, by=referee)
    assert totals(opened) == {"AC": 0, "BD": 33}


def test_a_round_with_moves_is_finished_or_undone_first(record, referee):
    write(record, ["A 6-6"], referee)
    with pytest.raises(ScoreInPlay, match=r"Round 1 is being played\. Finish it or undo"):
        set_score(record.match, totals={"AC": 75, "BD": 60}, reason=WHY, by=referee)
    write(record, ["undo 1"], referee)
    set_score(record.match, totals={"AC": 75, "BD": 60}, reason=WHY, by=referee)
    assert totals(record.match) == {"AC": 75, "BD": 60}


def test_points_are_never_taken_away_by_it(opened, referee):
    sheet(opened, 0, "AC", 40, referee)
    with pytest.raises(ScoreBelow, match=r"is 40, more than 30"):
        set_score(opened, totals={"AC": 30, "BD": 60}, reason=WHY, by=referee)
    assert totals(opened) == {"AC": 40, "BD": 0}


@pytest.mark.parametrize("given", [{}, {"AC": 1}, {"A": 1, "B": 2}, {"AC": -1, "BD": 2}])
def test_a_score_of_other_sides_is_refused(opened, referee, given):
    with pytest.raises(ScoreSides, match="play AC, BD"):
        set_score(opened, totals=given, reason=WHY, by=referee)


def test_the_reason_is_needed_and_bounded(opened, referee):
    with pytest.raises(ReasonNeeded):
        set_score(opened, totals={"AC": 1, "BD": 2}, reason=" \n ", by=referee)
    with pytest.raises(TextTooLong):
        set_score(opened, totals={"AC": 1, "BD": 2}, reason="x" * 100_000, by=referee)
    assert totals(opened) == {"AC": 0, "BD": 0}


def test_a_score_that_ends_the_match_lets_it_be_closed(opened, referee):
    target = queries.read(opened).rules.target
    set_score(opened, totals={"AC": 40, "BD": target}, reason=WHY, by=referee)
    assert services.close_match(opened, by=referee).state == "closed"
    with pytest.raises(MatchAlreadyClosed):
        set_score(opened, totals={"AC": 50, "BD": target}, reason=WHY, by=referee)


def test_alone_every_seat_has_its_points(make_match: MakeMatch):
    match = make_match("elimination", entry_kind="single")
    by = referee_of(match)
    services.open_match(match, by=by)
    given = {"A": 10, "B": 0, "C": 25, "D": 7}
    set_score(match, totals=given, reason=WHY, by=by)
    assert totals(match) == given
    assert RoundRecord.objects.count() == 1


def test_strangers_and_players_set_no_score(opened, referee, stranger):
    with pytest.raises(PermissionDenied):
        set_score(opened, totals={"AC": 1, "BD": 2}, reason=WHY, by=stranger)
    tournament = opened.pairing_round.stage.tournament
    links.set_link_rules(tournament, LinkRules(players_record=True), by=director_of(opened))
    made = links.make_link(
        Match.objects.select_related("pairing_round__stage__tournament").get(pk=opened.pk),
        scope="record", for_players=True, client_key=uuid4(), by=referee,
    )  # fmt: skip
    with pytest.raises(PlayersDoNotRule):
        set_score(opened, totals={"AC": 1, "BD": 2}, reason=WHY, by=links.guest(made.link))


def test_the_page_sets_it_and_keeps_what_was_typed(opened, referee, client: Client):
    client.force_login(referee)
    address = f"/matches/{opened.pk}/score/"
    assert client.get(address).status_code == 200
    refused = client.post(address, {"points_AC": "٧٥", "points_BD": "60", "reason": ""})
    assert refused.status_code == 422
    assert "Say why" in refused.content.decode()
    assert 'value="60"' in refused.content.decode()
    assert client.post(address, {"points_AC": "x", "points_BD": "60"}).status_code == 422
    done = client.post(address, {"points_AC": "٧٥", "points_BD": "60", "reason": WHY})
    assert done.status_code == 302
    assert totals(opened) == {"AC": 75, "BD": 60}


def test_the_api_sets_it_and_refuses_with_a_sentence(opened, referee, stranger, client: Client):
    address = f"/api/matches/{opened.pk}/score/"
    given = {"totals": {"AC": 75, "BD": 60}, "reason": WHY}
    client.force_login(stranger)
    assert client.post(address, given, content_type="application/json").status_code == 403
    client.force_login(referee)
    refused = client.post(address, {**given, "reason": ""}, content_type="application/json")
    assert (refused.status_code, refused.json()["code"]) == (409, "reason_needed")
    unreadable: list[dict[str, object]] = [{"totals": {"AC": "x"}}, {"totals": {}}, {}]
    for wrong in (*unreadable, {"totals": 3}):
        assert client.post(address, wrong, content_type="application/json").status_code == 400
    done = client.post(address, given, content_type="application/json")
    assert done.status_code == 201
    assert done.json()["live"]["totals"] == {"AC": 75, "BD": 60}

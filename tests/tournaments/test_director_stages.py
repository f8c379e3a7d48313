"""Adding, closing and opening stages on the director's pages."""

from __future__ import annotations

import random

import pytest

from tests.factories import EntryFactory, TournamentFactory
from tests.tournaments.test_services_draws import play, settle
from tournaments.models import Entry, Match, Stage, Tournament
from tournaments.services import draws, pairings, scores, stages
from tournaments.services.stages import StagePlan

pytestmark = pytest.mark.django_db
ADD = "/desk/nile/pairings/add/"


def all_won_by_ac(stage: Stage, by) -> None:
    """Draw and play a stage to its end; side AC wins everywhere."""
    draws.draw_round(stage, number=1, by=by)
    for pairing_round in stage.rounds.order_by("number"):
        pairings.publish(pairing_round, by=by)
        for match in pairing_round.matches.order_by("table"):
            settle(match, "AC", by)


@pytest.fixture
def grouped(event, running) -> Stage:
    """Two groups of four, played and closed."""
    running(event, pairs=8)
    stage = stages.make_stage(event, StagePlan("groups", draw={"groups": 2}), by=event.created_by)
    all_won_by_ac(stage, event.created_by)
    return stages.close_stage(stage, by=event.created_by)


def test_the_page_offers_what_pairs_can_play_with_a_line_of_help_each(client, event, text, running):
    running(event, pairs=16)
    page = text(client.get(ADD))
    assert "Swiss system" in page
    assert "nobody meets the same opponent twice" in page
    assert "Teams of four" not in page
    assert "Tables that send the best on" not in page
    assert "Usual for 16 entries: 4." in page


def test_a_swiss_stage_is_made_from_the_page_once(client, event, running):
    running(event, pairs=9)
    given = {"system": "swiss", "rounds": "", "order": "fold", "separate_by": "club",
             "criterion_1": "wins", "criterion_2": "buchholz", "step": "make"}  # fmt: skip
    for _ in range(2):
        assert client.post(ADD, given).url == "/desk/nile/pairings/"
    stage = Stage.objects.get()
    assert stage.rounds_planned == 4
    assert stage.settings["draw"] == {"order": "fold", "separate_by": "club"}
    assert stage.tie_breaks == ["wins", "buchholz"]
    drawn = draws.draw_round(stage, number=1, by=event.created_by)
    assert (drawn.matches.count(), drawn.byes.count()) == (4, 1)


@pytest.mark.parametrize(
    ("given", "settings"),
    [
        ({"system": "groups", "groups": "2", "legs": "2"}, {"groups": 2, "legs": 2}),
        (
            {"system": "knockout", "best_of": "1", "best_of_semifinals": "3",
             "best_of_final": "5", "third_place": "on"},
            {"best_of": [1, 3, 5], "third_place": True},
        ),
        (
            {"system": "double_elimination", "best_of_final": "3"},
            {"best_of": [1, 1, 1, 3]},
        ),
        ({"system": "round_robin", "rounds": "7", "groups": "3"}, {}),
    ],
)  # fmt: skip
def test_a_stage_keeps_the_settings_of_its_system_only(client, event, running, given, settings):
    running(event, pairs=8)
    response = client.post(ADD, given | {"step": "make", "target": "150", "first_table": "11"})
    assert response.status_code == 302, response.context["form"].errors
    stage = Stage.objects.get()
    assert stage.settings["draw"] == settings
    assert (stage.target, stage.first_table) == (150, 11)
    drawn = draws.draw_round(stage, number=1, by=event.created_by)
    assert drawn.matches.filter(table=11).exists()


def test_groups_may_end_after_fewer_rounds_than_all_against_all(client, event, running):
    running(event, pairs=16)
    given = {"system": "groups", "groups": "2", "rounds": "4", "step": "make"}
    client.post(ADD, given | {"group_rounds": "3", "name": "Short"})
    client.post(ADD, given | {"name": "Whole"})
    assert Stage.objects.get(name="Short").rounds_planned == 3
    assert Stage.objects.get(name="Whole").rounds_planned is None


def test_single_players_choose_the_pattern_of_each_round(client, organizer):
    event = TournamentFactory.create(
        created_by=organizer, slug="nile", state=Tournament.State.RUNNING,
        entry_kind=Entry.Kind.SINGLE,
    )  # fmt: skip
    EntryFactory.create_batch(8, tournament=event)
    given = {"system": "rotating", "pattern_second": "leaders_apart", "pattern_later": "top_last"}
    client.post(ADD, given | {"step": "make"})
    pattern = {"1": "spread", "2": "leaders_apart", "*": "top_last"}
    assert Stage.objects.get().settings["draw"] == {"pattern": pattern}


def test_what_is_missing_or_impossible_is_said_and_what_was_typed_stays(
    client, event, text, running
):
    running(event, pairs=4)
    response = client.post(ADD, {"system": "groups", "groups": "", "name": "Morning"})
    assert response.status_code == 422
    assert "Say how many groups there are." in text(response)
    assert 'value="Morning"' in text(response)
    response = client.post(ADD, {"system": "groups", "groups": "3", "step": "make"})
    assert response.status_code == 422
    assert response.context["form"].errors["groups"]
    response = client.post(ADD, {"system": "swiss", "criterion_1": "wins", "criterion_2": "wins"})
    assert "Asked as criterion 1 already." in text(response)
    assert not Stage.objects.exists()


def test_who_goes_on_is_shown_before_anything_is_made(client, event, grouped, text):
    page = client.get(ADD)
    assert page.context["form"]["source"].value() == "1"
    given = {"system": "knockout", "source": "1", "each": "2", "name": "Finals"}
    page = client.post(ADD, given)
    assert "4 entries go on." in text(page)
    assert Stage.objects.count() == 1
    again = client.post(ADD, dict(page.context["typed"]) | {"step": "change"})
    assert 'value="Finals"' in text(again)
    client.post(ADD, dict(page.context["typed"]) | {"step": "make"})
    final = Stage.objects.get(name="Finals")
    assert (final.source, final.stage_entries.count()) == (grouped, 4)
    client.post(ADD, given | {"name": "", "event": "second", "step": "make"})
    second = Stage.objects.get(number=3)
    both = Entry.objects.filter(stage_entries__stage__in=[final, second])
    assert both.distinct().count() == 8


def test_more_than_a_group_has_cannot_go_on(client, event, grouped):
    response = client.post(ADD, {"system": "knockout", "source": "1", "each": "5"})
    assert response.status_code == 422
    assert "each" in response.context["form"].errors


def test_more_than_a_stage_without_groups_has_cannot_go_on(client, event, text, running):
    running(event, pairs=4)
    stage = stages.make_stage(event, StagePlan("knockout"), by=event.created_by)
    for number in (1, 2):
        drawn = draws.draw_round(stage, number=number, by=event.created_by)
        play(drawn, event.created_by, random.Random(1))
    stages.close_stage(stage, by=event.created_by)
    response = client.post(ADD, {"system": "swiss", "source": "1", "each": "5"})
    assert "5 are to go on from Knockout, but only 4 can." in text(response)
    page = client.post(ADD, {"system": "swiss", "source": "1", "each": "2"})
    finalists = {entry.pk for entry, _, _ in page.context["qualifiers"]}
    assert finalists == set(drawn.matches.get().seats.values_list("entry", flat=True))


def test_a_stage_closes_after_saying_what_that_means(client, event, text, running):
    running(event, pairs=4)
    stage = stages.make_stage(event, StagePlan("swiss", rounds=2), by=event.created_by)
    drawn = draws.draw_round(stage, number=1, by=event.created_by)
    play(drawn, event.created_by, random.Random(1))
    draws.draw_round(stage, number=2, by=event.created_by)
    address = "/desk/nile/pairings/1/close/"
    assert address in text(client.get("/desk/nile/pairings/"))
    page = text(client.get(address))
    assert "Its standings stay as they are now" in page
    assert "Round 2 has not been published and is thrown away." in page
    for _ in range(2):
        assert client.post(address).url == "/desk/nile/pairings/"
    stage.refresh_from_db()
    assert stage.state == Stage.State.CLOSED
    assert event.log.filter(act="stage_closed").count() == 1
    match = Match.objects.get(pairing_round=drawn, table=1)
    refused = client.post(f"/matches/{match.pk}/reopen/", {"reason": "Misread"})
    assert refused.status_code in (409, 422)
    match.refresh_from_db()
    assert match.state == Match.State.CLOSED


def test_a_stage_is_opened_again_with_a_reason(client, event, grouped, text):
    address = "/desk/nile/pairings/1/reopen/"
    assert client.post(address, {"reason": ""}).status_code == 422
    client.post(address, {"reason": "Table 2 was misread"})
    grouped.refresh_from_db()
    assert grouped.state == Stage.State.OPEN
    assert "because: Table 2 was misread" in text(client.get("/desk/nile/log/"))


def test_a_stage_that_others_went_on_from_stays_closed(client, event, grouped, text):
    client.post(ADD, {"system": "knockout", "source": "1", "each": "1", "step": "make"})
    response = client.post("/desk/nile/pairings/1/reopen/", {"reason": "Misread"})
    assert response.status_code == 422
    assert "has taken its qualifiers" in text(response)


def test_both_sides_are_expelled_from_the_bracket_with_a_reason(client, event, text, running):
    running(event, pairs=4)
    stage = stages.make_stage(event, StagePlan("knockout"), by=event.created_by)
    drawn = draws.draw_round(stage, number=1, by=event.created_by)
    match = drawn.matches.get(meeting="W1.1")
    address = f"/desk/nile/tables/{match.pk}/expel/"
    assert client.get(address).status_code == 404
    pairings.publish(drawn, by=event.created_by)
    assert address in text(client.get(f"/desk/nile/tables/{match.pk}/absent/"))
    page = text(client.get(address))
    assert "Nobody goes on from this meeting" in page
    assert client.post(address, {"reason": " "}).status_code == 422
    for _ in range(2):
        assert client.post(address, {"reason": "A brawl"}).url == "/desk/nile/tables/"
    assert event.entries.filter(state=Entry.State.DISQUALIFIED).count() == 2
    assert "both are out" in text(client.get("/t/nile/bracket/1/"))


def test_the_next_tables_that_send_the_best_on_play_to_a_higher_limit(client, organizer, text):
    event = TournamentFactory.create(
        created_by=organizer, slug="nile", profile="elimination", state=Tournament.State.RUNNING,
        entry_kind=Entry.Kind.SINGLE,
    )  # fmt: skip
    EntryFactory.create_batch(8, tournament=event)
    assert "Tables that send the best on" in text(client.get(ADD))
    client.post(ADD, {"system": "elimination", "target": "100", "survivors": "2", "step": "make"})
    stage = Stage.objects.get()
    drawn = pairings.publish(
        draws.draw_round(stage, number=1, by=event.created_by), by=event.created_by
    )
    for match in drawn.matches.all():
        points = {"A": 10, "B": 20, "C": 100, "D": 120}
        scores.record_score(match, points=points, sure=True, by=event.created_by)
    stages.close_stage(stage, by=event.created_by)
    page = client.get(ADD)
    assert "Who was left at the tables of Tables that send the best on" in text(page)
    form = page.context["form"]
    assert (form["system"].value(), form["target"].value()) == ("elimination", "125")
    page = client.post(ADD, {"system": "elimination", "source": "1", "target": "125"})
    assert "4 entries go on." in text(page)


def test_correcting_a_result_says_which_tables_of_the_bracket_stand_on_it(
    client, event, text, running
):
    running(event, pairs=4)
    stage = stages.make_stage(event, StagePlan("knockout"), by=event.created_by)
    first = draws.draw_round(stage, number=1, by=event.created_by)
    play(first, event.created_by, random.Random(1))
    address = f"/desk/nile/tables/{first.matches.get(meeting='W1.1').pk}/reopen/"
    assert "In the bracket" not in text(client.get(address))
    final = draws.draw_round(stage, number=2, by=event.created_by)
    page = text(client.get(address))
    assert "meeting F1, table 1 in pairing round 2" in page
    assert "then the round is drawn anew" in page
    play(final, event.created_by, random.Random(1))
    assert "Play has begun there" in text(client.get(address))


def test_after_the_last_round_the_desk_leads_to_closing_then_to_the_final(
    client, event, text, running
):
    running(event, pairs=8)
    stage = stages.make_stage(event, StagePlan("swiss", rounds=1), by=event.created_by)
    all_won_by_ac(stage, event.created_by)

    def leads_to():
        return client.get("/desk/nile/").context["next"].also

    assert leads_to() == ("Close the stage", "/desk/nile/pairings/1/close/")
    stages.close_stage(stage, by=event.created_by)
    assert leads_to() == ("Add a stage", ADD)
    page = text(client.get(ADD))
    assert "How many go on" in page
    assert "The best of the next place" not in page
    given = {"system": "knockout", "source": "1", "each": "2", "step": "make"}
    assert client.post(ADD, given).url == "/desk/nile/pairings/"
    all_won_by_ac(Stage.objects.get(number=2), event.created_by)
    assert leads_to() is None

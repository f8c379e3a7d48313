"""The other side confirms each round, or says what is wrong with it."""

from __future__ import annotations

from uuid import uuid4

import pytest
from django.core.exceptions import PermissionDenied
from django.test import Client

from engine.notation import parse_line
from referee.errors.links import NothingToConfirm, RoundChangedSince, RoundDisputed, WordNeeded
from referee.errors.records import ReasonNeeded
from referee.models import RoundConfirmation
from referee.queries import records as queries
from referee.services import confirming, links, replays
from referee.services import records as services
from tests.referee.conftest import sheet
from tournaments.errors.base import TextTooLong
from tournaments.models import LogEntry, Match
from tournaments.policies_links import LinkRules

pytestmark = pytest.mark.django_db


@pytest.fixture
def played(opened, referee, director):
    """A match that AC has won by score sheets; rounds are to be confirmed."""
    tournament = opened.pairing_round.stage.tournament
    links.set_link_rules(tournament, LinkRules(confirm_rounds=True), by=director)
    target = queries.read(opened).rules.target
    sheet(opened, 0, "AC", target, by=referee)
    return Match.objects.select_related("pairing_round__stage__tournament").get(pk=opened.pk)


@pytest.fixture
def made(played, referee):
    return links.make_link(played, scope="confirm", side="BD", client_key=uuid4(), by=referee)


@pytest.fixture
def bd(made):
    return links.guest(made.link)


def say(match, by, *, agrees=True, number=0, side="BD", **more):
    return confirming.say_of_round(match, number=number, side=side, agrees=agrees, by=by, **more)


def words(match):
    return {one.side: one for one in confirming.words_on(queries.read(match))}


def test_a_finished_round_is_unconfirmed_until_a_side_speaks(played, bd):
    assert words(played)["BD"].agrees is None
    say(played, bd)
    assert words(played)["BD"].agrees is True
    assert words(played)["AC"].agrees is None


def test_the_same_word_twice_is_kept_once(played, bd):
    for _ in range(2):
        say(played, bd)
    assert RoundConfirmation.objects.count() == 1
    assert LogEntry.objects.filter(act="round_confirmed").count() == 1


def test_a_side_speaks_only_for_itself(played, bd):
    with pytest.raises(PermissionDenied):
        say(played, bd, side="AC")


def test_a_dispute_says_what_is_wrong(played, bd):
    with pytest.raises(WordNeeded):
        say(played, bd, agrees=False, word="  ")


def test_a_word_of_100_kilobytes_is_refused(played, bd):
    with pytest.raises(TextTooLong):
        say(played, bd, agrees=False, word="x" * 100_000)


def test_emoji_and_marks_of_direction_are_kept_as_typed(played, bd):
    word = "\u202e🎲 خطأ"
    assert say(played, bd, agrees=False, word=word).word == word


@pytest.mark.parametrize("number", [-1, 1, 10**9])
def test_a_round_that_is_not_finished_is_not_confirmed(played, bd, number):
    with pytest.raises(NothingToConfirm):
        say(played, bd, number=number)


def test_a_round_changed_since_it_was_seen_is_not_confirmed(played, bd):
    with pytest.raises(RoundChangedSince):
        say(played, bd, head="0" * 64)


def test_a_changed_round_is_to_be_confirmed_again(played, bd, referee):
    say(played, bd)
    record = played.records.get()
    services.append_event(record, number=1, event=parse_line("undo 1"), by=referee)
    sheet(played, 0, "AC", queries.read(played).rules.target - 1, by=referee)
    assert words(played)["BD"].agrees is None


def test_a_disputed_round_stops_closing_until_a_referee_settles_it(played, bd, referee):
    said = say(played, bd, agrees=False, word="It was 20")
    with pytest.raises(RoundDisputed) as refused:
        services.close_match(played, by=referee)
    assert "It was 20" in str(refused.value.params)
    confirming.settle(said, settlement="Counted again: it stands", by=referee)
    assert services.close_match(played, by=referee).state == "closed"


def test_a_side_that_is_content_after_all_stops_nothing(played, bd, referee):
    say(played, bd, agrees=False, word="It was 20")
    say(played, bd)
    assert services.close_match(played, by=referee).state == "closed"


def test_a_silent_side_stops_nothing(played, referee):
    assert services.close_match(played, by=referee).state == "closed"


def test_a_dispute_is_settled_with_words_by_a_referee(played, bd, referee, stranger):
    said = say(played, bd, agrees=False, word="It was 20")
    with pytest.raises(ReasonNeeded):
        confirming.settle(said, settlement="", by=referee)
    with pytest.raises(PermissionDenied):
        confirming.settle(said, settlement="no", by=stranger)


def test_settling_twice_is_logged_once(played, bd, referee):
    said = say(played, bd, agrees=False, word="It was 20")
    for _ in range(2):
        confirming.settle(said, settlement="It stands", by=referee)
    assert LogEntry.objects.filter(act="dispute_settled").count() == 1


def test_a_match_played_again_is_not_disputed_any_more(played, bd, referee, director):
    say(played, bd, agrees=False, word="It was 20")
    services.open_match(
        replays.replay_match(played, reason="from the start", by=director), by=referee
    )
    sheet(played, 0, "AC", queries.read(played).rules.target, by=referee)
    assert services.close_match(played, by=referee).state == "closed"


def test_a_side_confirms_and_disputes_on_its_page(played, made):
    client = Client()
    page = client.get(f"/l/{made.token}/", follow=True)
    assert page.status_code == 200
    assert page.context["own_side"] == "BD"
    head = page.context["rounds"][0].head
    typed = {"number": "0", "side": "BD", "head": head, "word": ""}
    refused = client.post(f"/matches/{played.pk}/confirm/", typed)
    assert refused.status_code == 422
    assert "Say in a few words" in refused.content.decode()
    assert client.get(f"/matches/{played.pk}/confirm/?wrong=0&side=BD").status_code == 200
    typed["word"] = "It was 20"
    assert client.post(f"/matches/{played.pk}/confirm/", typed).status_code == 302
    assert words(played)["BD"].disputed


def test_a_referee_settles_on_the_same_page(played, bd, referee, client):
    said = say(played, bd, agrees=False, word="It was 20")
    client.force_login(referee)
    page = client.get(f"/matches/{played.pk}/confirm/?settle={said.pk}")
    assert page.context["settling"] == said
    assert client.post(f"/confirmations/{said.pk}/settle/", {"settlement": ""}).status_code == 422
    done = client.post(f"/confirmations/{said.pk}/settle/", {"settlement": "It stands"})
    assert done.status_code == 302
    assert not words(played)["BD"].disputed


def test_the_recording_page_shows_what_the_sides_say(played, bd, referee, client):
    say(played, bd, agrees=False, word="It was 20")
    client.force_login(referee)
    hall = client.get(f"/api/matches/{played.pk}/").json()["hall"]
    assert [(one["side"], one["disputed"]) for one in hall["said"]] == [("AC", False), ("BD", True)]


def test_the_api_confirms_and_settles(played, made, referee, client):
    guest = Client()
    guest.get(f"/l/{made.token}/")
    address = f"/api/matches/{played.pk}/confirm/"
    body = {"number": 0, "side": "BD", "agrees": False, "word": "It was 20"}
    said = guest.post(address, body, content_type="application/json").json()
    number = next(one["id"] for one in said if one["disputed"])
    client.force_login(referee)
    settled = client.post(
        f"/api/confirmations/{number}/settle/",
        {"settlement": "It stands"},
        content_type="application/json",
    )
    assert settled.status_code == 200
    assert not any(one["disputed"] for one in settled.json())


def test_a_confirming_link_records_nothing(played, made):
    guest = Client()
    guest.get(f"/l/{made.token}/")
    assert guest.get(f"/matches/{played.pk}/record/").status_code == 403
    assert guest.post(f"/matches/{played.pk}/close/").status_code == 403

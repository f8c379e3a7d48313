"""Pages that change by themselves: what makes them new, and that nothing hidden does."""

from __future__ import annotations

import pytest
from django.conf import settings as project_settings
from django.core.cache import cache
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from tests import factories
from tournaments import channels, freshness
from tournaments.models import Match, Official, PairingRound, StandingRow, Tournament
from tournaments.services import log
from tournaments.services.standings import rebuild_standings
from tournaments.words.log import SENTENCES

pytestmark = pytest.mark.django_db

PAGES = ("event", "round", "standings", "match")


@pytest.fixture
def match() -> Match:
    tournament = factories.TournamentFactory.create(
        slug="cairo", state=Tournament.State.RUNNING, time_zone="Africa/Cairo"
    )
    stage = factories.StageFactory.create(tournament=tournament)
    pairing_round = factories.PairingRoundFactory.create(stage=stage)
    return factories.MatchFactory.create(pairing_round=pairing_round)


@pytest.fixture
def tournament(match: Match) -> Tournament:
    return match.pairing_round.stage.tournament


def addresses(match: Match) -> dict[str, str]:
    return {
        "event": reverse("tournaments:tournament", args=["cairo"]),
        "round": reverse("tournaments:pairings", args=["cairo", 1, 1]),
        "standings": reverse("tournaments:standings", args=["cairo"]),
        "match": reverse("referee:match_sheet", args=[match.pk]),
    }


def tags(client, match: Match) -> dict[str, str]:
    """Return the tag of each page as this reader gets it."""
    return {
        name: client.get(address, headers={"Part": "1"}).headers["ETag"]
        for name, address in addresses(match).items()
    }


def changed(before: dict[str, str], after: dict[str, str]) -> set[str]:
    return {name for name in before if before[name] != after[name]}


def draft_of(match: Match) -> Match:
    stage = match.pairing_round.stage
    draft = factories.PairingRoundFactory.create(stage=stage, state=PairingRound.State.DRAFT)
    return factories.MatchFactory.create(pairing_round=draft)


def test_a_draft_changes_no_tag_of_a_stranger(client, match, tournament):
    before = tags(client, match)
    draft = draft_of(match)
    assert changed(before, tags(client, match)) == set()
    draft.save()
    log.write(tournament, "round_drawn", by=tournament.created_by)
    assert changed(before, tags(client, match)) == set()


def test_a_draft_that_is_published_makes_the_event_new(client, match, tournament):
    draft = draft_of(match)
    before = tags(client, match)
    PairingRound.objects.filter(pk=draft.pairing_round_id).update(state="published")
    log.write(tournament, "round_published", by=tournament.created_by)
    assert changed(before, tags(client, match)) == set(PAGES)


@pytest.mark.parametrize("act", sorted(freshness.PRIVATE_ACTS))
def test_a_hidden_act_of_the_desk_changes_no_tag_of_a_stranger(client, match, tournament, act):
    assert act in SENTENCES
    before = tags(client, match)
    line = log.write(tournament, act, by=tournament.created_by)
    assert changed(before, tags(client, match)) == set()
    # That it was taken back tells as little.
    line.undone_by = log.write(tournament, "undone", by=tournament.created_by)
    line.save()
    assert changed(before, tags(client, match)) == set()


def test_a_public_act_that_is_taken_back_makes_the_pages_new(client, match, tournament):
    line = log.write(tournament, "clock_set", by=tournament.created_by)
    before = tags(client, match)
    line.undone_by = log.write(tournament, "undone", by=tournament.created_by)
    line.save()
    assert changed(before, tags(client, match)) == set(PAGES)


def test_a_director_is_shown_what_is_new_among_the_drafts(client, match, tournament):
    official = factories.OfficialFactory.create(tournament=tournament, duty=Official.Duty.DIRECTOR)
    client.force_login(official.user)
    desk = reverse("tournaments:director", args=["cairo"])
    # The first answer brings the cookie of the page's forms, which belongs to the tag.
    client.get(desk)
    etag = client.get(desk).headers["ETag"]
    assert client.get(desk, headers={"If-None-Match": etag}).status_code == 304
    log.write(tournament, "round_drawn", by=official.user)
    assert client.get(desk, headers={"If-None-Match": etag}).status_code == 200


def test_a_move_makes_the_table_new_and_no_list_of_tables(client, match):
    before = tags(client, match)
    match.save()
    assert changed(before, tags(client, match)) == {"match"}


def test_who_sits_elsewhere_makes_the_round_new(client, match):
    before = tags(client, match)
    seats = {one.seat: one for one in match.seats.all()}
    match.seats.all().delete()
    for letter, other in ("AC", "CA", "BD", "DB"):
        seats[letter].pk, seats[letter].seat = None, other
        seats[letter].save()
    assert changed(before, tags(client, match)) == {"event", "round"}


def test_what_was_searched_for_is_made_new_by_its_own_tables_only(client, match, settings):
    settings.PAGE_COPY_SECONDS = 60
    cache.clear()
    other = factories.MatchFactory.create(pairing_round=match.pairing_round)
    player = match.seats.first().player
    player.name = "Zoraida"
    player.save()
    for address in (addresses(match)["round"], addresses(match)["event"]):
        found = f"{address}?q=zor"
        assert client.get(found, headers={"Part": "1"}).content.count(b'id="table-') == 1
        etag = client.get(found, headers={"Part": "1"}).headers["ETag"]
        other.score["round"] = other.score.get("round", 0) + 1
        other.save()
        again = client.get(found, headers={"Part": "1", "If-None-Match": etag})
        assert again.status_code == 304
        match.score["round"] = match.score.get("round", 0) + 1
        match.save()
        again = client.get(found, headers={"Part": "1", "If-None-Match": etag})
        assert again.status_code == 200


def test_an_event_at_a_table_makes_its_pages_new_and_leaves_the_standings(client, match):
    before = tags(client, match)
    match.score = {"totals": {"AC": 30, "BD": 5}, "round": 2}
    match.save()
    assert changed(before, tags(client, match)) == {"event", "round", "match"}


def test_a_table_that_is_taken_away_makes_the_round_new(client, match):
    gone = factories.MatchFactory.create(pairing_round=match.pairing_round)
    match.save()
    before = tags(client, match)
    gone.delete()
    assert changed(before, tags(client, match)) == {"event", "round"}


def test_standings_that_are_rebuilt_later_make_their_page_new(client, match, tournament):
    rebuild_standings(match.pairing_round.stage)
    row = StandingRow.objects.latest("order")
    StandingRow.objects.filter(pk=row.pk).update(played=7)
    before = tags(client, match)
    rebuild_standings(match.pairing_round.stage)
    assert changed(before, tags(client, match)) == {"event", "standings"}


@pytest.mark.parametrize("name", PAGES)
def test_a_page_that_has_not_changed_costs_few_queries(client, match, name):
    address = addresses(match)[name]
    etag = client.get(address, headers={"Part": "1"}).headers["ETag"]
    with CaptureQueriesContext(
        connection,
    ) as asked:
        again = client.get(address, headers={"Part": "1", "If-None-Match": etag})
    assert again.status_code == 304
    assert len(asked) <= 3, asked.captured_queries


def test_a_part_takes_no_message_away_from_the_page_it_is_for(client, match):
    address = addresses(match)["match"]
    client.cookies["messages"] = "not for a part"
    etag = client.get(address, headers={"Part": "1"}).headers["ETag"]
    again = client.get(address, headers={"Part": "1", "If-None-Match": etag})
    assert again.status_code == 304
    assert client.get(address, headers={"If-None-Match": etag}).status_code == 200


def test_strangers_share_what_was_made_once(client, match, settings, django_assert_max_num_queries):
    settings.PAGE_COPY_SECONDS = 60
    cache.clear()
    first = client.get(addresses(match)["round"])
    with django_assert_max_num_queries(3):
        again = client.get(addresses(match)["round"])
    assert again.content == first.content
    assert again.headers["ETag"] == first.headers["ETag"]
    match.score = {"totals": {"AC": 61, "BD": 0}, "round": 2}
    match.save()
    # A whole page may be a second old: with its own tag, so that its part is new when it asks.
    assert client.get(addresses(match)["round"]).headers["ETag"] == first.headers["ETag"]
    part = client.get(addresses(match)["round"], headers={"Part": "1"})
    assert "61" in part.content.decode()
    settings.PAGE_RECENT_SECONDS = 0
    cache.clear()
    client.get(addresses(match)["round"])
    match.score = {"totals": {"AC": 84, "BD": 0}, "round": 3}
    match.save()
    assert "84" in client.get(addresses(match)["round"]).content.decode()


def test_a_copy_is_for_strangers_only(client, match, tournament, settings):
    settings.PAGE_COPY_SECONDS = 60
    cache.clear()
    client.get(addresses(match)["round"])
    official = factories.OfficialFactory.create(tournament=tournament, duty=Official.Duty.DIRECTOR)
    client.force_login(official.user)
    shown = client.get(addresses(match)["round"]).content.decode()
    assert reverse("tournaments:director", args=["cairo"]) in shown
    client.logout()
    shown = client.get(addresses(match)["round"]).content.decode()
    assert reverse("tournaments:director", args=["cairo"]) not in shown


# --- what a page may hear ---------------------------------------------------------------------


def heard_by(client, address: str) -> tuple[str, ...]:
    answer = client.get(address, headers={"Part": "1"})
    found = channels.heard(answer.headers["Stream"].partition("k=")[2])
    assert found is not None
    return found[0]


def test_a_page_is_told_the_channels_of_what_it_shows(client, match, tournament, settings):
    settings.STREAM_URL = "/stream/"
    desk = f"d{tournament.pk}"
    found = addresses(match)
    assert heard_by(client, found["event"]) == (f"e{tournament.pk}",)
    assert heard_by(client, found["round"]) == (f"r{match.pairing_round_id}", desk)
    assert heard_by(client, found["standings"]) == (f"s{tournament.pk}", desk)
    assert heard_by(client, found["match"]) == (f"m{match.pk}", desk)


def test_a_quiet_answer_renews_what_a_page_may_hear(client, match, settings):
    settings.STREAM_URL = "/stream/"
    address = addresses(match)["match"]
    etag = client.get(address, headers={"Part": "1"}).headers["ETag"]
    again = client.get(address, headers={"Part": "1", "If-None-Match": etag})
    assert again.status_code == 304
    assert "Stream" in again.headers


def test_without_a_stream_nothing_is_told_of_it(client, match):
    assert project_settings.STREAM_URL == ""
    assert "Stream" not in client.get(addresses(match)["match"], headers={"Part": "1"}).headers


def test_a_draft_or_a_private_event_gives_a_stranger_nothing_to_hear(
    client, match, tournament, settings
):
    settings.STREAM_URL = "/stream/"
    draft = draft_of(match)
    hidden = [
        reverse("referee:match_sheet", args=[draft.pk]),
        reverse("tournaments:pairings", args=["cairo", 1, draft.pairing_round.number]),
    ]
    Tournament.objects.filter(pk=tournament.pk).update(is_private=True)
    for address in [*hidden, *addresses(match).values()]:
        answer = client.get(address, headers={"Part": "1"})
        assert answer.status_code == 404
        assert "Stream" not in answer.headers


def test_a_list_of_channels_holds_for_a_quarter_of_an_hour_and_cannot_be_changed():
    token = channels.signed(["m5", "d2"], now=1000)
    assert channels.heard(token, now=1800) == (("m5", "d2"), 1000.0)
    assert channels.heard(token, now=2000) is None
    assert channels.heard(token.replace("m5", "o5"), now=1800) is None
    for wrong in ("", ".", "m5", token[:-1], "m5.zz." + token.rpartition(".")[2]):
        assert channels.heard(wrong, now=1800) is None


def test_every_hidden_act_has_a_sentence_so_none_is_misspelled():
    assert set(SENTENCES) >= freshness.PRIVATE_ACTS

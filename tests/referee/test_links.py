"""Table links: a code opens one table without an account, for as long as it works."""

from __future__ import annotations

from datetime import timedelta
from uuid import uuid4

import pytest
from django.core.cache import cache
from django.core.exceptions import PermissionDenied
from django.test import Client
from django.utils import timezone

from engine.notation import parse_line
from referee import guests
from referee.errors.links import (
    LinkHours,
    LinkOfClosed,
    LinkOfDraft,
    NoLinkSide,
    PlayersMayNotRecord,
    RoundsNotConfirmed,
)
from referee.models import RecordedEvent, TableLink
from referee.services import links
from referee.services import records as services
from referee.verifying import altered_rows
from tests import factories
from tournaments.models import LogEntry, Match, PairingRound
from tournaments.policies_links import LinkRules, link_rules, rules_said
from tournaments.services.erasing import allow_erasing
from tournaments.words.log import SENTENCES

pytestmark = pytest.mark.django_db


def made(match, referee, scope="record", **more):
    more.setdefault("client_key", uuid4())
    return links.make_link(match, scope=scope, by=referee, **more)


def scanned(token, client=None):
    client = client or Client()
    return client, client.get(f"/l/{token}/")


def allow(match, director, **rules):
    tournament = match.pairing_round.stage.tournament
    return links.set_link_rules(tournament, LinkRules(**rules), by=director)


@pytest.fixture(autouse=True)
def nobody_guessed_before():
    cache.clear()


# --- made ------------------------------------------------------------------------------------


def test_only_the_digest_of_a_token_is_kept(match, referee):
    one = made(match, referee)
    kept = TableLink.objects.get()
    assert len(one.token) == 32
    assert one.token not in str(vars(kept))
    assert kept.digest == links.digest_of(one.token)


def test_the_same_key_gives_the_same_link_once(match, referee):
    key = uuid4()
    first, again = (made(match, referee, client_key=key) for _ in range(2))
    assert first.token == again.token
    assert TableLink.objects.count() == 1
    assert LogEntry.objects.filter(act="link_made").count() == 1


def test_links_of_one_key_differ_by_table_and_scope(make_match, referee, match):
    key = uuid4()
    tokens = {made(match, referee, scope, client_key=key).token for scope in ("record", "read")}
    assert len(tokens) == 2


def test_every_table_of_a_round_gets_a_link(match, referee):
    factories.MatchFactory.create(pairing_round=match.pairing_round)
    found = links.make_round_links(
        match.pairing_round, scope="read", client_key=uuid4(), by=referee
    )
    assert [one.link.match.table for one in found] == [1, 2]
    assert LogEntry.objects.filter(act="links_made").count() == 1


def test_a_scorer_makes_no_links(match):
    tournament = match.pairing_round.stage.tournament
    scorer = factories.OfficialFactory.create(tournament=tournament, duty="scorer").user
    with pytest.raises(PermissionDenied):
        made(match, scorer)


def test_a_draft_has_no_links(make_match):
    match = make_match(round_state=PairingRound.State.DRAFT)
    director = match.pairing_round.stage.tournament.created_by
    with pytest.raises(LinkOfDraft):
        links.make_round_links(match.pairing_round, scope="read", client_key=uuid4(), by=director)


def test_a_closed_table_is_only_read(match, referee):
    Match.objects.update(state="closed", closed_at=timezone.now())
    with pytest.raises(LinkOfClosed):
        made(match, referee)
    assert made(match, referee, "read").token


def test_players_record_only_where_the_event_allows_it(match, referee, director):
    with pytest.raises(PlayersMayNotRecord):
        made(match, referee, for_players=True)
    allow(match, director, players_record=True)
    assert made(match, referee, for_players=True).link.for_players


def test_sides_confirm_only_where_the_event_asks_them(match, referee, director):
    with pytest.raises(RoundsNotConfirmed):
        made(match, referee, "confirm", side="AC")
    allow(match, director, confirm_rounds=True)
    assert made(match, referee, "confirm", side="AC").link.side == "AC"


def test_a_side_that_is_none_is_refused(match, referee, director):
    allow(match, director, confirm_rounds=True)
    with pytest.raises(NoLinkSide):
        made(match, referee, "confirm", side="AB")


def test_only_directors_set_who_may_record(match, referee):
    with pytest.raises(PermissionDenied):
        allow(match, referee, players_record=True)


def test_hours_that_make_no_sense_are_refused(match, director):
    with pytest.raises(LinkHours):
        allow(match, director, hours=0)
    with pytest.raises(LinkHours):
        allow(match, director, minutes_after=100_000)


def test_settings_of_a_strange_file_are_as_usual():
    usual = LinkRules()
    said = {
        "table_links": {"hours": "many", "one_holder": 1, "other": True, "confirm_rounds": True}
    }
    assert rules_said(said) == LinkRules(confirm_rounds=True)
    assert rules_said({}) == usual


# --- opened ----------------------------------------------------------------------------------


def test_a_code_opens_the_record_without_an_account(match, referee):
    client, answer = scanned(made(match, referee).token)
    assert answer.url == f"/matches/{match.pk}/record/"
    page = client.get(answer.url)
    assert page.status_code == 200
    assert page.context["state"]["table"]["may"] == {"record": True, "reopen": False}


def test_the_grant_is_signed_and_no_script_reads_it(match, referee):
    _, answer = scanned(made(match, referee).token)
    cookie = answer.cookies[guests.COOKIE]
    assert cookie["httponly"]
    assert cookie["samesite"] == "Lax"
    assert ":" in cookie.value  # value, time and signature


def test_a_grant_somebody_wrote_themselves_opens_nothing(match, referee):
    link = made(match, referee).link
    client = Client()
    client.cookies[guests.COOKIE] = f"{link.pk}:1abc:forged"
    answer = client.get(f"/matches/{match.pk}/record/")
    assert answer.status_code == 302
    assert answer.headers["Location"].startswith("/login/")


def test_a_guest_records_and_the_log_names_the_link(match, referee):
    one = made(match, referee)
    client, _ = scanned(one.token)
    assert client.post(f"/matches/{match.pk}/open/").status_code == 302
    assert (
        client.post(f"/matches/{match.pk}/rounds/", {"number": 0, "opener": "A"}).status_code == 302
    )
    record = match.records.get()
    client.post(
        f"/rounds/{record.pk}/events/",
        {"what": "line", "line": "A 6-6", "number": 0, "client_key": str(uuid4())},
    )
    event = RecordedEvent.objects.get()
    assert (event.notation, event.recorded_by) == ("A 6-6", None)
    assert event.recorder == -one.link.pk


def test_what_a_guest_recorded_is_chained(match, referee):
    client, _ = scanned(made(match, referee).token)
    client.post(f"/matches/{match.pk}/open/")
    client.post(f"/matches/{match.pk}/rounds/", {"number": 0, "opener": "A"})
    record = match.records.get()
    guest = links.guest(TableLink.objects.select_related("match").get())
    services.append_event(record, number=0, event=parse_line("A 6-6"), by=guest)
    assert list(altered_rows()) == []
    # Behind the application's back the link is exchanged for another.
    with allow_erasing("a test changes a row"):
        RecordedEvent.objects.update(recorder=-999)
    assert len(list(altered_rows())) == 1


def test_a_guest_of_another_table_opens_nothing_here(make_match, match, referee):
    other = make_match()
    client, _ = scanned(made(match, referee).token)
    answer = client.get(f"/matches/{other.pk}/record/")
    assert answer.status_code == 404
    assert "opens no table" in answer.content.decode()
    assert "Rosa" not in answer.content.decode()


def test_a_guest_of_another_table_records_nothing_here(make_match, match, referee, director):
    client, _ = scanned(made(match, referee).token)
    other = make_match()
    boss = other.pairing_round.stage.tournament.created_by
    services.open_match(other, by=boss)
    record = services.open_round(other, number=0, opener="A", by=boss)
    answer = client.post(
        f"/api/rounds/{record.pk}/events/",
        {"number": 0, "event": "A 6-6"},
        content_type="application/json",
    )
    assert answer.status_code == 403
    assert not RecordedEvent.objects.exists()


def test_a_guest_directs_nothing(match, referee):
    client, _ = scanned(made(match, referee).token)
    slug = match.pairing_round.stage.tournament.slug
    for page in (f"/links/{slug}/", f"/calls/{slug}/", f"/tables/{slug}/"):
        assert client.get(page).status_code == 302
    answer = client.post(f"/api/matches/{match.pk}/reopen/", {"reason": "x"})
    assert answer.status_code == 403


def test_a_reading_link_records_nothing(match, referee):
    client, answer = scanned(made(match, referee, "read").token)
    assert answer.url == f"/matches/{match.pk}/"
    assert client.get(answer.url).status_code == 200
    assert client.post(f"/matches/{match.pk}/open/").status_code == 403


def test_a_private_event_is_read_by_its_link(match, referee):
    tournament = match.pairing_round.stage.tournament
    tournament.is_private = True
    tournament.save()
    assert Client().get(f"/matches/{match.pk}/").status_code == 404
    client, answer = scanned(made(match, referee, "read").token)
    assert client.get(answer.url).status_code == 200


def test_whoever_is_signed_in_records_under_their_own_name(match, referee, client):
    client.force_login(referee)
    scanned(made(match, referee).token, client)
    client.post(f"/matches/{match.pk}/open/")
    client.post(f"/matches/{match.pk}/rounds/", {"number": 0, "opener": "A"})
    record = match.records.get()
    event = {"number": 0, "event": "A 6-6"}
    client.post(f"/api/rounds/{record.pk}/events/", event, content_type="application/json")
    assert RecordedEvent.objects.get().recorded_by == referee


def test_a_request_from_another_site_records_nothing(match, referee):
    strict = Client(enforce_csrf_checks=True)
    client, _ = scanned(made(match, referee).token, strict)
    answer = client.post(f"/api/matches/{match.pk}/open/", content_type="application/json")
    assert answer.status_code == 403
    match.refresh_from_db()
    assert match.state == "waiting"


# --- closed again ----------------------------------------------------------------------------


@pytest.mark.parametrize("how", ["expired", "revoked", "long closed"])
def test_a_code_that_is_over_says_so_and_what_to_do(how, match, referee):
    one = made(match, referee)
    client, _ = scanned(one.token)
    if how == "expired":
        TableLink.objects.update(expires_at=timezone.now())
    elif how == "revoked":
        links.revoke_link(one.link, by=referee)
    else:
        Match.objects.update(state="closed", closed_at=timezone.now() - timedelta(hours=1))
    answer = client.get(f"/l/{one.token}/")
    text = answer.content.decode()
    assert answer.status_code == 410
    assert "Ask a referee" in text
    assert "Rosa" not in text
    record = client.get(f"/matches/{match.pk}/record/")
    assert record.status_code == 410


def test_a_code_works_a_while_after_the_match(match, referee):
    one = made(match, referee)
    Match.objects.update(state="closed", closed_at=timezone.now() - timedelta(minutes=20))
    assert scanned(one.token)[1].status_code == 302


def test_a_clock_that_was_an_hour_ahead_when_the_match_closed_leaves_the_code_open(match, referee):
    one = made(match, referee)
    Match.objects.update(state="closed", closed_at=timezone.now() + timedelta(hours=1))
    assert scanned(one.token)[1].status_code == 302


def test_players_codes_end_with_the_permission(match, referee, director):
    allow(match, director, players_record=True)
    one = made(match, referee, for_players=True)
    allow(match, director, players_record=False)
    assert scanned(one.token)[1].status_code == 410


def test_a_round_taken_back_to_a_draft_is_as_if_unknown(match, referee):
    one = made(match, referee)
    PairingRound.objects.update(state="draft")
    assert scanned(one.token)[1].status_code == 404


def test_taking_back_twice_is_logged_once(match, referee):
    one = made(match, referee)
    for _ in range(2):
        links.revoke_link(one.link, by=referee)
    assert LogEntry.objects.filter(act="link_revoked").count() == 1


def test_all_links_of_a_round_are_taken_back_at_once(match, referee):
    tokens = [made(match, referee, scope).token for scope in ("record", "read")]
    assert links.revoke_round(match.pairing_round, by=referee) == 2
    assert {scanned(token)[1].status_code for token in tokens} == {410}


@pytest.mark.parametrize("token", ["x", "A" * 32, "é" * 20, "a" * 5000, "..%00", "%F0%9F%98%80"])
def test_an_address_that_was_guessed_is_not_found(token, db):
    answer = Client().get(f"/l/{token}/")
    assert answer.status_code == 404


def test_guesses_are_throttled_but_real_codes_still_open(match, referee):
    one = made(match, referee)
    client = Client()
    for _ in range(guests.MOST_GUESSES):
        assert client.get("/l/guess/").status_code == 404
    assert client.get("/l/guess/").status_code == 429
    assert client.get(f"/l/{one.token}/").status_code == 302


# --- pages -----------------------------------------------------------------------------------


def test_a_referee_makes_prints_and_takes_back_codes(match, referee, client):
    client.force_login(referee)
    slug, pk = match.pairing_round.stage.tournament.slug, match.pairing_round_id
    assert client.get(f"/links/{slug}/").status_code == 200
    page = client.post(f"/links/{slug}/{pk}/make/", {"scope": "record", "client_key": str(uuid4())})
    address = page.context["codes"][0]["address"]
    assert "<svg" in page.content.decode()
    assert page.headers["Cache-Control"] == "no-store"
    path = address.removeprefix("http://testserver")
    assert Client().get(path).status_code == 302
    link = TableLink.objects.get()
    client.post(f"/links/{slug}/{pk}/revoke/", {"link": str(link.pk)})
    assert Client().get(path).status_code == 410
    assert client.get(f"/links/{slug}/").status_code == 200


@pytest.mark.parametrize("data", [{}, {"scope": "all"}, {"scope": "record", "client_key": "x"}])
def test_a_form_that_is_not_whole_is_shown_again(data, match, referee, client):
    client.force_login(referee)
    slug, pk = match.pairing_round.stage.tournament.slug, match.pairing_round_id
    assert client.post(f"/links/{slug}/{pk}/make/", data).status_code == 422
    assert not TableLink.objects.exists()


def test_the_director_sets_who_may_record(match, director, client):
    client.force_login(director)
    tournament = match.pairing_round.stage.tournament
    page = client.post(
        f"/links/{tournament.slug}/rules/",
        {"players_record": "on", "hours": "6", "minutes_after": "10"},
    )
    assert page.status_code == 302
    tournament.refresh_from_db()
    expected = LinkRules(players_record=True, one_holder=False, hours=6, minutes_after=10)
    assert link_rules(tournament) == expected


def test_settings_out_of_range_are_shown_again_with_what_was_typed(match, director, client):
    client.force_login(director)
    slug = match.pairing_round.stage.tournament.slug
    page = client.post(f"/links/{slug}/rules/", {"hours": "9999", "minutes_after": "10"})
    assert page.status_code == 422
    assert "9999" in page.content.decode()


def test_the_api_makes_lists_and_takes_back_links(match, referee, client):
    client.force_login(referee)
    slug = match.pairing_round.stage.tournament.slug
    asked = {"match": match.pk, "scope": "record", "client_key": str(uuid4())}
    made_now = client.post(
        f"/api/desk/{slug}/links/", asked, content_type="application/json"
    ).json()
    assert "/l/" in made_now[0]["address"]
    listed = client.get(f"/api/desk/{slug}/links/").json()
    assert [one["id"] for one in listed] == [made_now[0]["id"]]
    assert "address" not in listed[0]
    gone = client.post(f"/api/desk/{slug}/links/{listed[0]['id']}/revoke/").json()
    assert gone["works"] is False


def test_every_act_of_links_has_its_sentence():
    assert {"link_made", "table_taken_over", "referee_called"} <= set(SENTENCES)

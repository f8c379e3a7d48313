"""Where do I sit, asked by everybody at once: what is kept for a search, and what never is."""

from __future__ import annotations

import threading

import pytest
from django.contrib.auth.models import AnonymousUser
from django.core.cache import cache
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import translation

from tests import factories
from tournaments import kept_pages
from tournaments.freshness import Seen
from tournaments.models import Official, PairingRound, Tournament
from tournaments.services import log

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def keeping(settings):
    settings.PAGE_COPY_SECONDS = 60
    cache.clear()
    kept_pages.forget()
    yield
    kept_pages.forget()


@pytest.fixture
def tournament():
    return factories.TournamentFactory.create(slug="rush", state=Tournament.State.RUNNING)


@pytest.fixture
def rush(tournament):
    """Eight tables of a published round; Zoraida sits at the first, Zenobia at the second."""
    stage = factories.StageFactory.create(tournament=tournament)
    pairing_round = factories.PairingRoundFactory.create(
        stage=stage, state=PairingRound.State.PLAYING
    )
    matches = [factories.MatchFactory.create(pairing_round=pairing_round) for _ in range(8)]
    for match, name in zip(matches, ("Zoraida", "Zenobia"), strict=False):
        player = match.seats.get(seat="A").player
        player.name = name
        player.save()
    return matches


def addresses(match):
    pairing_round = match.pairing_round
    stage = pairing_round.stage
    slug = stage.tournament.slug
    return [
        reverse("tournaments:tournament", args=[slug]),
        reverse("tournaments:pairings", args=[slug, stage.number, pairing_round.number]),
    ]


def search(client, address, typed, **more):
    return client.get(f"{address}?q={typed}", headers={"Part": "1"}, **more)


@pytest.mark.parametrize("page", [0, 1])
def test_the_second_search_reads_its_own_tables_only(client, rush, page):
    address = addresses(rush[0])[page]
    search(client, address, "zor")
    with CaptureQueriesContext(connection) as asked:
        answer = search(client, address, "zen")
    assert "Zenobia" in answer.content.decode()
    assert "Zoraida" not in answer.content.decode()
    assert answer.content.count(b'id="table-') == 1
    seats = [one["sql"] for one in asked if "tournaments_player" in one["sql"]]
    assert len(seats) <= 2, seats
    assert len(asked) <= 9, [one["sql"][:120] for one in asked]


@pytest.mark.parametrize("page", [0, 1])
def test_what_is_found_in_a_kept_page_has_the_score_of_now(client, rush, page):
    address = addresses(rush[0])[page]
    search(client, address, "zen")
    rush[0].score = {"totals": {"AC": 61, "BD": 12}, "round": 3}
    rush[0].save()
    assert ">61<" in search(client, address, "zor").content.decode()
    by_name = client.get(f"{address}?q=zor&by=name", headers={"Part": "1"}).content.decode()
    assert "Zoraida" in by_name
    assert "Zenobia" not in by_name


@pytest.mark.parametrize("page", [0, 1])
def test_a_search_asked_again_is_unchanged_until_its_own_table_changes(client, rush, page):
    address = addresses(rush[0])[page]
    search(client, address, "zen")
    etag = search(client, address, "zor").headers["ETag"]
    shown = search(client, address, "zor")
    assert shown.headers["ETag"] == etag
    assert f'data-tag="{etag[1:-1]}"' in shown.content.decode()
    asks = {"Part": "1", "If-None-Match": etag}
    rush[1].score = {"totals": {"AC": 7, "BD": 12}, "round": 2}
    rush[1].save()
    assert client.get(f"{address}?q=zor", headers=asks).status_code == 304
    rush[0].score = {"totals": {"AC": 44, "BD": 12}, "round": 2}
    rush[0].save()
    again = client.get(f"{address}?q=zor", headers=asks)
    assert again.status_code == 200
    assert ">44<" in again.content.decode()


@pytest.mark.parametrize("page", [0, 1])
def test_an_act_of_the_desk_makes_the_kept_page_new(client, rush, page, tournament):
    address = addresses(rush[0])[page]
    assert "Zenobia" in search(client, address, "zen").content.decode()
    player = rush[1].seats.get(seat="A").player
    player.name = "Yamila"
    player.save()
    log.write(tournament, "entry_corrected", by=tournament.created_by)
    assert "Zenobia" not in search(client, address, "zen").content.decode()
    assert "Yamila" in search(client, address, "yam").content.decode()


def test_a_language_has_a_page_of_its_own(client, rush):
    address = addresses(rush[0])[0]
    search(client, address, "zor")
    shown = search(client, address, "zor", HTTP_ACCEPT_LANGUAGE="es").content.decode()
    with translation.override("es"):
        assert str(translation.gettext("Who enters")) in shown
    assert "Who enters" not in shown


def test_an_official_is_shown_a_page_made_for_them(client, rush, tournament):
    address = addresses(rush[0])[0]
    search(client, address, "zor")
    official = factories.OfficialFactory.create(tournament=tournament, duty=Official.Duty.DIRECTOR)
    client.force_login(official.user)
    with CaptureQueriesContext(connection) as asked:
        search(client, address, "zen")
    assert any("tournaments_standingrow" in one["sql"] and "LIMIT" in one["sql"] for one in asked)
    client.logout()
    assert reverse("tournaments:director", args=[tournament.slug]) not in (
        search(client, address, "zen").content.decode()
    )


def test_who_comes_while_a_page_is_made_waits_for_it(rf):
    request = rf.get("/")
    request.user = AnonymousUser()
    made = []
    begun, go_on = threading.Event(), threading.Event()

    def slowly():
        begun.set()
        go_on.wait(10)
        made.append(1)
        return "the page"

    answers = []
    seen = Seen(("event", 1, "old scores"), ())

    def ask():
        answers.append(kept_pages.for_search(request, seen, slowly))

    askers = [threading.Thread(target=ask) for _ in range(5)]
    askers[0].start()
    assert begun.wait(10)
    for asker in askers[1:]:
        asker.start()
    go_on.set()
    for asker in askers:
        asker.join(10)
    assert len(made) == 1
    assert sorted(answers) == [("the page", False)] + [("the page", True)] * 4


def test_a_page_that_could_not_be_made_is_tried_again(rf):
    request = rf.get("/")
    request.user = AnonymousUser()
    seen = Seen(("event", 2, ""), ())
    with pytest.raises(ZeroDivisionError):
        kept_pages.for_search(request, seen, lambda: 1 // 0)
    assert kept_pages.for_search(request, seen, lambda: "made") == ("made", False)
    assert kept_pages.for_search(request, seen, lambda: "again") == ("made", True)


def test_no_more_than_a_dozen_pages_are_kept(rf):
    request = rf.get("/")
    request.user = AnonymousUser()
    for number in range(20):
        kept_pages.for_search(request, Seen(("event", number, ""), ()), lambda: "made")
    old = Seen(("event", 0, ""), ())
    assert kept_pages.for_search(request, old, lambda: "anew") == ("anew", False)
    new = Seen(("event", 19, ""), ())
    assert kept_pages.for_search(request, new, lambda: "anew") == ("made", True)

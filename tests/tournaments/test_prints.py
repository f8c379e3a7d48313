"""Prints of an event as pages: who may see them, and that looking changes nothing."""

from __future__ import annotations

import re

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import translation
from django.utils.translation import gettext

from tests.factories import (
    EntryFactory,
    MatchFactory,
    OfficialFactory,
    PairingRoundFactory,
    StageFactory,
    TournamentFactory,
    UserFactory,
)
from tournaments import pdf
from tournaments.errors.prints import PdfNotPossible
from tournaments.models import Entry, LogEntry, Official, PairingRound, Tournament
from tournaments.views import papers
from tournaments.views.papers import _TURN
from tournaments.words.log import log_lines
from tournaments.words.prints import BY_KIND

pytestmark = pytest.mark.django_db

PUBLIC = ("pairings", "names", "standings")
OFFICIALS = ("scores", "cards")
DIRECTORS = ("badges", "certificates")
OF_ROUND = [one.kind for one in BY_KIND.values() if one.of_round]


@pytest.fixture
def played() -> PairingRound:
    pairing_round: PairingRound = PairingRoundFactory.create()
    MatchFactory.create(pairing_round=pairing_round)
    return pairing_round


@pytest.fixture
def event(played: PairingRound) -> Tournament:
    return played.stage.tournament


def get(client: Client, event: Tournament, kind: str, form: str = "html", query: str = ""):
    return client.get(f"/t/{event.slug}/prints/{kind}.{form}{query}")


@pytest.fixture
def no_pango(monkeypatch):
    """A machine without Pango, as WeasyPrint meets it."""

    def missing(name):
        raise OSError("cannot load library 'libpango-1.0-0'")

    monkeypatch.setattr(pdf, "import_module", missing)


# --- who ----------------------------------------------------------------------------------


def test_a_stranger_sees_what_the_public_pages_show_and_nothing_else(client, event):
    seen = {kind: get(client, event, kind).status_code for kind in BY_KIND}
    assert seen == dict.fromkeys(PUBLIC, 200) | dict.fromkeys(OFFICIALS + DIRECTORS, 403)


def test_an_official_prints_for_the_tables_and_a_director_everything(client, event):
    client.force_login(OfficialFactory.create(tournament=event).user)
    seen = {kind: get(client, event, kind).status_code for kind in BY_KIND}
    assert seen == dict.fromkeys(PUBLIC + OFFICIALS, 200) | dict.fromkeys(DIRECTORS, 403)
    client.force_login(event.created_by)
    assert {get(client, event, kind).status_code for kind in BY_KIND} == {200}


@pytest.mark.parametrize("form", ["html", "pdf"])
@pytest.mark.parametrize("kind", OF_ROUND)
def test_a_draft_is_not_there_for_anybody_but_the_directors(client, event, played, kind, form):
    PairingRound.objects.filter(pk=played.pk).update(state=PairingRound.State.DRAFT)
    query = f"?round={played.stage.number}.{played.number}"
    referee = OfficialFactory.create(tournament=event, duty=Official.Duty.REFEREE).user
    client.force_login(referee)
    assert get(client, event, kind, form, query).status_code == 404
    assert get(client, event, kind, form).status_code == 404
    client.logout()
    assert get(client, event, kind, form, query).status_code in (403, 404)
    client.force_login(event.created_by)
    page = get(client, event, kind, "html", query).content.decode()
    assert "Draft: this round is not published." in page


@pytest.mark.parametrize("kind", list(BY_KIND))
def test_a_private_event_and_one_in_preparation_are_not_there_for_strangers(client, event, kind):
    client.force_login(UserFactory.create())
    for hidden in ({"is_private": True}, {"is_private": False, "state": "draft"}):
        Tournament.objects.filter(pk=event.pk).update(**hidden)
        assert get(client, event, kind).status_code == 404
        assert get(client, event, kind, "pdf").status_code == 404


def test_the_page_of_all_prints_is_the_directors(client, event):
    address = f"/desk/{event.slug}/prints/"
    assert client.get(address).status_code == 302
    client.force_login(UserFactory.create())
    assert client.get(address).status_code == 403
    client.force_login(event.created_by)
    page = client.get(address).content.decode()
    assert all(f"/t/{event.slug}/prints/{kind}.pdf" in page for kind in BY_KIND)


# --- what -----------------------------------------------------------------------------------


def test_score_sheets_say_who_sits_where_with_number_and_club(client, event, played):
    client.force_login(event.created_by)
    page = get(client, event, "scores").content.decode()
    for seat in played.matches.get().seats.select_related("player__club"):
        assert seat.player.name in page
        assert seat.player.club.name in page
    assert page.count('class="code"') == 1


def test_only_the_tables_asked_for_are_printed(client, event, played):
    for _ in range(4):
        MatchFactory.create(pairing_round=played)
    client.force_login(event.created_by)
    page = get(client, event, "scores", query="?from=2&to=٣").content.decode()
    assert page.count('<section class="score-sheet">') == 2
    assert "Table 2" in page
    assert "Table 4" not in page


def test_names_stand_in_order_each_with_table_and_seat(client, event, played):
    seats = played.matches.get().seats.select_related("player")
    names = sorted((one.player for one in seats), key=lambda one: one.folded_name)
    page = get(client, event, "names").content.decode()
    places = [page.index(f"<bdi>{one.name}</bdi>") for one in names]
    assert places == sorted(places)


def test_paper_and_language_are_chosen_and_stay_with_the_pdf(client, event):
    page = get(client, event, "pairings", query="?paper=letter&lang=ar&round=1.1").content.decode()
    assert '<html lang="ar" dir="rtl">' in page
    assert '<body class="letter ar">' in page
    assert "pairings.pdf?round=1.1&amp;paper=letter&amp;lang=ar" in page


@pytest.mark.parametrize(("country", "size"), [("EG", "a4"), ("US", "letter"), ("DO", "letter")])
def test_paper_is_what_the_country_prints_on(client, event, country, size):
    Tournament.objects.filter(pk=event.pk).update(country=country)
    assert f'<body class="{size} en">' in get(client, event, "pairings").content.decode()


@pytest.mark.parametrize(
    "query", ["?round=x", "?round=1", "?round=9.9", "?round=1.1%00", "?from=x", "?to=-1"]
)
def test_what_makes_no_sense_is_not_found(client, event, query):
    client.force_login(event.created_by)
    assert get(client, event, "scores", query=query).status_code == 404


@pytest.mark.parametrize("name", ["pairings.docx", "secrets.pdf", "pairings"])
def test_a_print_that_nobody_makes_is_not_found(client, event, name):
    client.force_login(event.created_by)
    assert client.get(f"/t/{event.slug}/prints/{name}").status_code == 404


def test_without_a_round_there_is_no_print_of_one(client):
    event = TournamentFactory.create()
    client.force_login(event.created_by)
    assert get(client, event, "pairings").status_code == 404
    page = client.get(f"/desk/{event.slug}/prints/").content.decode()
    assert "Pairings, score sheets and table cards come with the first round." in page
    assert "prints/badges.pdf" in page


# --- looking changes nothing ------------------------------------------------------------------


@pytest.mark.parametrize("kind", list(BY_KIND))
def test_looking_at_a_print_changes_nothing(client, event, kind):
    EntryFactory.create(tournament=event, check_in_code="")
    client.force_login(event.created_by)
    with CaptureQueriesContext(
        connection,
    ) as queries:
        assert get(client, event, kind).status_code == 200
    changes = [
        one["sql"] for one in queries if one["sql"].split()[0] in ("INSERT", "UPDATE", "DELETE")
    ]
    assert changes == []
    assert not LogEntry.objects.filter(tournament=event).exists()


def test_codes_are_given_by_a_button_not_by_looking(client, event):
    Entry.objects.filter(tournament=event).update(check_in_code="")
    client.force_login(event.created_by)
    get(client, event, "badges")
    assert event.entries.filter(check_in_code="").count() == 2
    assert "Give them codes" in client.get(f"/desk/{event.slug}/prints/").content.decode()
    assert client.get(f"/desk/{event.slug}/prints/codes/").status_code == 405
    client.post(f"/desk/{event.slug}/prints/codes/")
    assert not event.entries.filter(check_in_code="").exists()


@pytest.mark.parametrize("kind", list(BY_KIND))
def test_a_print_asks_the_database_as_little_for_many_tables_as_for_one(client, kind):
    counts = []
    for tables in (1, 12):
        stage = StageFactory.create()
        pairing_round = PairingRoundFactory.create(stage=stage)
        MatchFactory.create_batch(tables, pairing_round=pairing_round)
        client.force_login(stage.tournament.created_by)
        with CaptureQueriesContext(connection) as queries:
            get(client, stage.tournament, kind)
        counts.append(len(queries))
    assert counts[0] == counts[1] <= 15


# --- without Pango, and in a rush ---------------------------------------------------------------


def test_without_pango_a_pdf_is_refused_with_a_whole_sentence_and_the_page(client, event, no_pango):
    response = get(client, event, "pairings", "pdf", "?lang=es&paper=a4")
    page = response.content.decode()
    assert response.status_code == 503
    with translation.override("es"):
        assert gettext(PdfNotPossible.text) in page
    assert f'data-code="{PdfNotPossible.code}"' in page
    assert f"/t/{event.slug}/prints/pairings.html?paper=a4&amp;lang=es" in page
    assert get(client, event, "pairings").status_code == 200


def test_strangers_wait_for_each_other_and_officials_for_nobody(client, event, no_pango):
    cache.add(_TURN, 1, 60)
    try:
        busy = get(client, event, "pairings", "pdf")
        assert busy.status_code == 503
        assert 'data-code="pdf_busy"' in busy.content.decode()
        assert busy["Retry-After"] == "10"
        client.force_login(event.created_by)
        official = get(client, event, "pairings", "pdf")
        assert 'data-code="pdf_not_possible"' in official.content.decode()
    finally:
        cache.delete(_TURN)


def test_more_sheets_than_a_worker_can_set_are_refused_with_what_to_do(
    client, event, played, monkeypatch
):
    monkeypatch.setattr(papers, "MOST_SHEETS", 1)
    MatchFactory.create_batch(2, pairing_round=played)
    client.force_login(event.created_by)
    response = get(client, event, "scores", "pdf")
    page = response.content.decode()
    assert response.status_code == 422
    assert 'data-code="print_too_long"' in page
    assert "This print has 2 sheets, and a PDF file takes at most 1." in page
    assert get(client, event, "scores").status_code == 200


def test_a_turn_is_given_back_even_where_nothing_was_set(client, event, no_pango):
    for _ in range(2):
        page = get(client, event, "pairings", "pdf").content.decode()
        assert 'data-code="pdf_not_possible"' in page


@pytest.mark.parametrize(
    ("name", "direction"),
    [
        ("Ahmed (أحمد)", "ltr"),
        ("أحمد (Ahmed)", "rtl"),
        ("(آرش) Arash", "rtl"),
        ("7 &amp; Ana", "ltr"),
        ("<small>هالة</small> Hala", "rtl"),
        ("12", "ltr"),
    ],
)
def test_a_name_has_the_direction_of_its_first_letter(name, direction):
    assert pdf.with_directions(f"<p><bdi>{name}</bdi></p>") == (
        f'<p><bdi dir="{direction}">{name}</bdi></p>'
    )


# --- reprints -----------------------------------------------------------------------------------


def marked(client: Client, event: Tournament, kind: str, query: str = ""):
    return client.post(f"/desk/{event.slug}/prints/{kind}/printed/{query}", follow=True)


@pytest.mark.parametrize("kind", ["pairings", "names", "scores", "cards", "badges"])
def test_from_the_second_paper_on_a_print_is_marked_with_its_time(client, event, kind):
    client.force_login(event.created_by)
    assert "Reprint, " not in get(client, event, kind).content.decode()
    page = marked(client, event, kind, "?paper=a4&lang=en").content.decode()
    assert re.search(r"Reprint, \d\d:\d\d", page)
    assert "marked as a reprint" in page
    assert '<body class="a4' in page


def test_the_mark_is_of_one_round_and_one_kind(client, event, played):
    PairingRoundFactory.create(stage=played.stage)
    client.force_login(event.created_by)
    marked(client, event, "pairings", "?round=1.1")
    assert "Reprint, " in get(client, event, "pairings", query="?round=1.1").content.decode()
    assert "Reprint, " not in get(client, event, "pairings", query="?round=1.2").content.decode()
    assert "Reprint, " not in get(client, event, "names", query="?round=1.1").content.decode()
    line = LogEntry.objects.get(tournament=event, act="printed")
    told = log_lines([line])[0].text
    assert told.endswith("printed for round 1 of Main stage: Pairings by table")


def test_only_an_official_notes_a_print_and_of_a_draft_only_a_director(client, event, played):
    assert marked(client, event, "pairings").redirect_chain[0][0].startswith("/login/")
    client.force_login(UserFactory.create())
    assert marked(client, event, "pairings").status_code == 403
    client.force_login(OfficialFactory.create(tournament=event).user)
    assert marked(client, event, "pairings").status_code == 200
    PairingRound.objects.filter(pk=played.pk).update(state=PairingRound.State.DRAFT)
    assert marked(client, event, "pairings", "?round=1.1").status_code == 404
    assert marked(client, event, "standings").status_code == 404
    assert LogEntry.objects.filter(tournament=event, act="printed").count() == 1

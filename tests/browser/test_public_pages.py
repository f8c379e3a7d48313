"""The public pages in a real browser: they fit a phone, and everybody can use them."""

from __future__ import annotations

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.urls import reverse

from engine.events import Sheet
from engine.notation import parse_line
from referee.services import records as services
from tests import factories
from tests.browser.conftest import DESK, PHONE
from tests.tournaments.test_standings_pages import play
from tournaments.models import Official
from tournaments.services.standings import rebuild_standings

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

NAMES = ("María José Fernández de la Vega", "محمد عبد الرحمن الشرقاوي", "Li", "بهرام تهرانچی")


@pytest.fixture
def addresses() -> list[str]:
    """An event with a match in play: two rounds, an infraction, a finding, long names."""
    tournament = factories.TournamentFactory.create(state="running", slug="cairo")
    stage = factories.StageFactory.create(tournament=tournament)
    pairing_round = factories.PairingRoundFactory.create(stage=stage, state="playing")
    players = [factories.PlayerFactory.create(name=name) for name in NAMES]
    entries = [
        factories.EntryFactory.create(tournament=tournament, players=players[:2]),
        factories.EntryFactory.create(tournament=tournament, players=players[2:]),
    ]
    match = factories.MatchFactory.create(pairing_round=pairing_round, entries=entries)
    factories.MatchFactory.create_batch(3, pairing_round=pairing_round)
    factories.ByeFactory.create(pairing_round=pairing_round)
    referee = factories.OfficialFactory.create(
        tournament=tournament, duty=Official.Duty.REFEREE
    ).user
    services.open_match(match, by=referee)
    services.record_sheet(
        match, number=0, sheet=Sheet("AC", 37, "out"), client_key=None, by=referee
    )
    record = services.open_round(match, number=1, opener="A", by=referee)
    for number, line in enumerate(
        ("A 6-6", "B pass", "C 6-5", "D! touch 5-1", "D 5-1", "A 1-1", "B 6-3")
    ):
        services.append_event(record, number=number, event=parse_line(line), by=referee)
    player, club = players[1], factories.ClubFactory.create(name="نادي ضفاف النيل")
    club.players.add(player)
    # Two rounds before it, so that places have moved and partners are counted.
    for number in (2, 3):
        over = factories.PairingRoundFactory.create(stage=stage, number=number)
        play(factories.MatchFactory.create(pairing_round=over, entries=entries), 10 * number)
    rebuild_standings(stage)
    pairing_round.state = "finished"
    pairing_round.save()
    rebuild_standings(stage)
    return [
        "/search/?q=sharqawi",
        "/search/?q=zzz",
        f"/clubs/{club.pk}/",
        f"/players/{player.pk}/",
        "/t/cairo/statistics/",
        "/t/cairo/standings/places/",
        "/",
        "/t/cairo/",
        "/t/cairo/rounds/1/1/",
        "/t/cairo/rounds/1/1/?by=name",
        "/t/cairo/rounds/1/1/?q=nobody",
        "/t/cairo/standings/",
        "/t/cairo/entries/",
        "/t/cairo/rules/",
        reverse("referee:match_sheet", args=[match.pk]),
    ]


@pytest.mark.parametrize("language", ["en", "ar", "fa", "es"])
def test_every_public_page_fits_a_phone_and_a_desk(new_page, addresses, language):
    for viewport in (PHONE, DESK):
        page = new_page(language=language, viewport=viewport)
        for address in addresses:
            page.goto(address)
            wider = page.evaluate(
                "document.documentElement.scrollWidth - document.documentElement.clientWidth"
            )
            assert wider <= 0, (address, viewport)


@pytest.mark.parametrize(("language", "scheme"), [("en", "light"), ("ar", "dark")])
def test_every_public_page_is_usable_by_everybody(new_page, addresses, language, scheme):
    page = new_page(language=language, scheme=scheme)
    for address in addresses:
        page.goto(address)
        page.evaluate(
            "for (const one of document.querySelectorAll('main details')) one.open = true"
        )
        found = Axe().run(page)
        assert found.violations_count == 0, (address, found.generate_report())

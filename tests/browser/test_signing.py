"""Both sides sign on a phone: a drawn name by finger, a PIN by keys alone, a refusal."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.contrib.auth.models import User
from django.urls import reverse
from playwright.sync_api import Page, expect

from engine.events import Sheet
from referee.models import Signature
from referee.services import records as services
from referee.services import signing
from tests.browser.conftest import PHONE
from tests.factories import (
    MatchFactory,
    OfficialFactory,
    PairingRoundFactory,
    StageFactory,
    TournamentFactory,
)
from tournaments.models import Match

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def over() -> Match:
    tournament = TournamentFactory.create(state="running", target=30)
    stage = StageFactory.create(tournament=tournament)
    match = MatchFactory.create(pairing_round=PairingRoundFactory.create(stage=stage))
    by = tournament.created_by
    services.open_match(match, by=by)
    services.record_sheet(match, number=0, sheet=Sheet("AC", 40, "out"), by=by)
    return match


@pytest.fixture
def rosa(over: Match) -> User:
    return OfficialFactory.create(tournament=over.pairing_round.stage.tournament).user


def at_the_end(page: Page, match: Match) -> Page:
    page.goto(reverse("referee:record", args=[match.pk]))
    expect(page.locator('[data-key="close-match"]')).to_be_visible()
    return page


def draw_name(page: Page) -> None:
    pad = page.locator(".signature-pad")
    pad.scroll_into_view_if_needed()
    box = pad.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 10, box["y"] + 10)
    page.mouse.down()
    for step in range(1, 13):
        page.mouse.move(box["x"] + 10 + 20 * step, box["y"] + (80 if step % 2 else 20))
    page.mouse.up()


@pytest.mark.parametrize("language", ["en", "ar"])
def test_a_name_is_drawn_and_the_page_shows_it_as_signed(
    new_page: Callable[..., Page], over: Match, rosa: User, language: str
) -> None:
    page = at_the_end(new_page(user=rosa, language=language, viewport=PHONE), over)
    page.locator('[data-key="sign-AC"]').click()
    draw_name(page)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert Axe().run(page).response["violations"] == []
    page.locator('[data-key="accept-drawn"]').click()
    expect(page.locator("dialog")).to_have_count(0)
    one = Signature.objects.get()
    assert (one.side, one.how) == ("AC", "drawn")
    assert one.strokes
    assert len(one.strokes[0]) >= 16
    expect(page.locator(".signing")).to_contain_text(one.code[:4])


def test_a_pin_is_typed_by_keys_alone_and_a_wrong_one_is_told_in_the_sheet(
    new_page: Callable[..., Page], over: Match, rosa: User, complaints: list[str]
) -> None:
    signing.set_pin(over.seats.get(seat="B").entry, pin="4711", by=rosa)
    page = at_the_end(new_page(user=rosa, viewport=PHONE), over)
    page.locator('[data-key="sign-BD"]').focus()
    page.keyboard.press("Enter")
    page.locator('[data-key="pin"]').focus()
    page.keyboard.type("1111")
    page.keyboard.press("Enter")
    expect(page.locator("dialog .alert")).to_contain_text("This is not the PIN of side")
    page.locator('[data-key="pin"]').fill("")
    page.locator('[data-key="pin"]').focus()
    page.keyboard.type("4711")
    page.keyboard.press("Enter")
    expect(page.locator("dialog")).to_have_count(0)
    assert Signature.objects.get().how == "pin"
    assert all("409" in one for one in complaints)
    complaints.clear()


def test_a_refusal_is_noted_and_the_match_is_closed_all_the_same(
    new_page: Callable[..., Page], over: Match, rosa: User
) -> None:
    page = at_the_end(new_page(user=rosa, viewport=PHONE), over)
    page.locator('[data-key="sign-BD"]').click()
    page.locator('[data-key="refuses"]').click()
    page.locator('[data-key="why"]').fill("The count was wrong.")
    page.locator('[data-key="note-refusal"]').click()
    expect(page.locator(".signing")).to_contain_text("The count was wrong.")
    page.locator('[data-key="close-match"]').click()
    page.locator('[data-key="confirm-close"]').click()
    expect(page.locator('[data-stage="closed"]')).to_have_count(1)
    expect(page.locator(".signing")).to_contain_text("Refuses to sign")


def test_without_a_script_a_side_signs_by_pin(
    new_page: Callable[..., Page], over: Match, rosa: User
) -> None:
    signing.set_pin(over.seats.get(seat="A").entry, pin="4711", by=rosa)
    page = new_page(user=rosa, viewport=PHONE, scripts=False)
    page.goto(reverse("referee:record", args=[over.pk]))
    page.get_by_role("link", name="Sign the sheet").click()
    page.get_by_label("PIN of the side").fill("4711")
    page.get_by_role("button", name="Accept by PIN").click()
    expect(page.get_by_text("By PIN").first).to_be_visible()
    assert Signature.objects.get().side == "AC"


@pytest.mark.parametrize("language", ["en", "fa"])
def test_pages_of_signing_fit_a_phone_and_have_no_violation(
    new_page: Callable[..., Page], over: Match, rosa: User, language: str
) -> None:
    signing.set_pin(over.seats.get(seat="A").entry, pin="4711", by=rosa)
    code = signing.sign(over, side="AC", how="pin", pin="4711", by=rosa).code
    slug = over.pairing_round.stage.tournament.slug
    page = new_page(user=rosa, language=language, viewport=PHONE)
    for name, arguments in (
        ("sign", [over.pk]),
        ("plays", [over.pk]),
        ("pins", [slug]),
        ("check", []),
        ("check_code", [code]),
        ("match_sheet", [over.pk]),
    ):
        page.goto(reverse(f"referee:{name}", args=arguments))
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), name
        assert Axe().run(page).response["violations"] == [], name

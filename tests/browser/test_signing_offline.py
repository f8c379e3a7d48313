"""Both sides sign without a network: kept on the device, sent after the events, or asked again."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Locator, Page, Route, expect

from engine.events import Sheet
from engine.notation import parse_line
from referee.models import RecordedEvent, RoundRecord, Signature
from referee.services import records as services
from referee.services import signing
from tests.browser.conftest import PHONE
from tests.browser.referees import TREMOR
from tests.browser.test_signing import draw_name
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
def match() -> Match:
    tournament = TournamentFactory.create(state="running", target=100)
    stage = StageFactory.create(tournament=tournament)
    match = MatchFactory.create(pairing_round=PairingRoundFactory.create(stage=stage))
    by = tournament.created_by
    services.open_match(match, by=by)
    services.record_sheet(match, number=0, sheet=Sheet("BD", 30, "out"), by=by)
    return match


@pytest.fixture
def rosa(match: Match) -> User:
    return OfficialFactory.create(tournament=match.pairing_round.stage.tournament).user


@pytest.fixture
def device(new_page: Callable[..., Page], match: Match, rosa: User) -> Page:
    """The page of the table, kept by the service worker, with the network cut."""
    page = new_page(user=rosa, viewport=PHONE)
    page.goto(f"/matches/{match.pk}/record/")
    page.evaluate("navigator.serviceWorker.ready")
    page.reload()
    page.wait_for_function(
        "async (address) => Boolean(await (await caches.open('pages')).match(address))",
        arg=page.url,
    )
    page.context.set_offline(True)
    return page


def tap(page: Page, selector: str) -> None:
    page.wait_for_timeout(TREMOR)
    page.tap(selector)


def last_round(page: Page) -> None:
    """Record the round that ends the match, without a network."""
    tap(page, '[data-key="sheet"]')
    tap(page, 'input[name="winner"][value="AC"] + span')
    page.fill('.sheet-form [name="points"]', "100")
    page.get_by_role("button", name="Record the result").click()
    expect(page.locator('#recorder[data-stage="over"]')).to_be_attached()


def sign(page: Page, side: str) -> None:
    tap(page, f'[data-key="sign-{side}"]')
    draw_name(page)
    tap(page, '[data-key="accept-drawn"]')
    expect(page.locator("dialog")).to_have_count(0)


def stopped(route: Route) -> None:
    if route.request.method == "POST":
        route.abort("internetdisconnected")
    else:
        route.fallback()


def line_of(page: Page, side: str) -> Locator:
    return page.locator(f'.signing-sides [data-side="{side}"]')


def test_names_drawn_without_network_are_kept_and_sent_after_the_events(device, match, complaints):
    last_round(device)
    sign(device, "AC")
    sign(device, "BD")
    for side in ("AC", "BD"):
        expect(line_of(device, side)).to_contain_text("Name drawn, not sent")
    expect(device.locator(".unsent")).to_contain_text("Not sent: 3")
    # It outlives the page. While a page is loaded anew the browser's switch may let one request
    # through: what is sent meanwhile is stopped here as well.
    device.route("**/*", stopped)
    device.reload()
    expect(line_of(device, "AC")).to_contain_text("Name drawn, not sent")
    assert not Signature.objects.exists()
    assert RoundRecord.objects.count() == 1
    device.unroute("**/*", stopped)

    sent: list[str] = []
    device.on("request", lambda one: sent.append(one.url) if one.method == "POST" else None)
    device.context.set_offline(False)
    expect(device.locator('#recorder[data-unsent="0"]')).to_be_attached(timeout=30_000)
    kinds = [one.rstrip("/").rsplit("/", 1)[-1] for one in sent]
    assert kinds == ["rounds", "sign", "sign"]
    expect(line_of(device, "AC")).not_to_contain_text("not sent")
    expect(line_of(device, "BD")).to_contain_text("Name drawn")
    expect(device.locator(".signing")).to_contain_text("Control code")
    found = {one.side: one for one in Signature.objects.filter(superseded_at=None)}
    assert set(found) == {"AC", "BD"}
    assert all(one.strokes and len(one.strokes[0]) >= 16 for one in found.values())
    tap(device, '[data-key="close-match"]')
    tap(device, '[data-key="confirm-close"]')
    expect(device.locator('[data-stage="closed"]')).to_have_count(1)
    complaints.clear()  # the browser notes failed attempts itself


def test_a_record_that_changed_meanwhile_asks_the_sides_to_sign_again(
    device, match, rosa, complaints
):
    services.record_sheet(match, number=1, sheet=Sheet("AC", 100, "out"), by=rosa)
    device.context.set_offline(False)
    device.reload()
    expect(device.locator('#recorder[data-stage="over"]')).to_be_attached()
    device.context.set_offline(True)
    sign(device, "AC")
    expect(line_of(device, "AC")).to_contain_text("not sent")
    late = RoundRecord.objects.get(number=1)
    ruled = parse_line("A! table_talk -> warning")
    services.append_event(late, number=1, event=ruled, by=rosa)
    device.context.set_offline(False)
    expect(line_of(device, "AC").locator(".sign-again")).to_be_visible(timeout=30_000)
    expect(device.locator(".problem")).to_contain_text("let it sign again")
    assert not Signature.objects.exists()
    # The question stays over a reload, until the side has signed.
    device.reload()
    expect(line_of(device, "AC").locator(".sign-again")).to_be_visible()
    sign(device, "AC")
    expect(device.locator(".sign-again")).to_have_count(0)
    expect(line_of(device, "AC")).to_contain_text("Name drawn")
    assert Signature.objects.get().side == "AC"
    complaints.clear()


def test_going_on_with_the_record_takes_a_kept_signature_away(device, match, complaints):
    last_round(device)
    sign(device, "BD")
    tap(device, '.action-bar [data-key="undo"]')
    expect(device.locator('#recorder[data-stage="over"]')).to_have_count(0)
    device.context.set_offline(False)
    expect(device.locator('#recorder[data-unsent="0"]')).to_be_attached(timeout=30_000)
    assert not Signature.objects.exists()
    assert RecordedEvent.objects.count() == 3
    complaints.clear()


def test_a_refusal_is_kept_too_and_a_dot_is_no_name(device, match, complaints):
    last_round(device)
    tap(device, '[data-key="sign-BD"]')
    expect(device.locator("dialog")).to_contain_text("Without a network")
    tap(device, '[data-key="accept-drawn"]')
    expect(device.locator("dialog .alert")).to_contain_text("a dot is no signature")
    tap(device, '[data-key="refuses"]')
    device.fill('[data-key="why"]', "العدّ خطأ 🙁")
    tap(device, '[data-key="note-refusal"]')
    expect(line_of(device, "BD")).to_contain_text("العدّ خطأ 🙁")
    device.context.set_offline(False)
    expect(device.locator('#recorder[data-unsent="0"]')).to_be_attached(timeout=30_000)
    one = Signature.objects.get()
    assert (one.how, one.reason) == ("refused", "العدّ خطأ 🙁")
    complaints.clear()


def test_a_pin_is_never_kept_on_the_device(device, match, rosa, complaints):
    device.context.set_offline(False)
    signing.set_pin(match.seats.get(seat="A").entry, pin="4711", by=rosa)
    services.record_sheet(match, number=1, sheet=Sheet("AC", 100, "out"), by=rosa)
    device.reload()
    device.context.set_offline(True)
    tap(device, '[data-key="sign-AC"]')
    device.fill('[data-key="pin"]', "4711")
    tap(device, '[data-key="accept-pin"]')
    expect(device.locator("dialog .alert")).to_be_visible()
    expect(device.locator('[data-key="pin"]')).to_have_value("4711")
    expect(device.locator("#recorder")).to_have_attribute("data-unsent", "0")
    device.context.set_offline(False)
    tap(device, '[data-key="accept-pin"]')
    expect(device.locator("dialog")).to_have_count(0)
    assert Signature.objects.get().how == "pin"
    complaints.clear()

"""An event's ledger and own rules in the browser: anyone accredited, own kinds, edited sheets."""

from __future__ import annotations

import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.urls import reverse
from playwright.sync_api import Page, expect

from referee.services import records as services
from tests import factories
from tests.browser.conftest import DESK, PHONE
from tests.browser.rulings import (
    Act,
    Ruling,
    begin,
    director_of,
    ledger,
    lines_of,
    seated,
    shown_on_ledger,
    state_of,
    write,
)
from tournaments.models import Match, PairingRound, Tournament

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def event_of(match: Match) -> Tournament:
    return match.pairing_round.stage.tournament


def referee_of(match: Match):
    return factories.OfficialFactory.create(tournament=event_of(match), duty="referee").user


def cards(page: Page, tournament: Tournament, name: str = "sanctions") -> None:
    page.goto(reverse(f"referee:{name}", args=[tournament.slug]))


def closed_with(*lines: str, profile: str = "femundo") -> Match:
    """Return a closed table of a single event in whose only round these infractions stand."""
    match = seated(profile, "single")
    begin(match)
    write(match, "result AC 200 out", *lines)
    services.close_match(match, by=director_of(match))
    return match


# --- measures kept, or changed with a reason --------------------------------------------------


@pytest.mark.parametrize(
    ("language", "article", "share", "card"),
    [
        ("ar", re.compile("FEMUNDO، المادة \u2068?٥, ١٤\u2069?"), "٤٠% من الهدف", "بطاقة صفراء"),
        (
            "fa",
            re.compile("FEMUNDO، مادهٔ \u2068?۵, ۱۴\u2069?"),
            "جریمه: ۴۰% سقف امتیاز",
            "کارت زرد",
        ),
        (
            "es",
            re.compile("FEMUNDO, artículo \u2068?5, 14\u2069?"),
            "40 % del tanteo final",
            "Tarjeta amarilla",
        ),
    ],
)
@pytest.mark.parametrize("viewport", [PHONE, DESK], ids=["390", "1280"])
def test_measures_and_their_article_are_in_the_readers_language(
    new_page, language, article, share, card, viewport
):
    # Numbers keep their own direction inside the words around them.
    match = seated("femundo", "pair")
    begin(match, "A 6-6")
    page = new_page(user=referee_of(match), viewport=viewport, language=language)
    ruling = Ruling(page, match)
    ruling.open(Act("B", "misplay", "percent 40, card yellow, expose"), article)
    chips = page.locator("dialog .measures label")
    expect(chips.nth(0)).to_have_text(share)
    expect(chips.nth(1)).to_have_text(card)
    found = Axe().run(page).response["violations"]
    assert [one["id"] for one in found] == []
    assert page.evaluate("document.documentElement.scrollWidth") <= viewport["width"]


def test_other_measures_than_the_schedules_are_recorded_with_a_reason_alone(new_page):
    match = seated("wdf", "pair")
    begin(match, "A 6-6")
    ruling = Ruling(new_page(user=referee_of(match)), match)
    page = ruling.page
    ruling.open(Act("B", "delay", "warning"), "wdf 3")
    ruling.click("other-measures", "measure-warning", "record-infraction")
    missing = page.locator("#reason-missing")
    expect(missing).to_be_visible()
    expect(page.locator('dialog [data-key="note"]')).to_be_focused()
    assert lines_of(match) == ["A 6-6"]
    # Put back as it was, nobody is asked any more.
    ruling.click("measure-warning")
    expect(missing).to_have_count(0)
    ruling.click("measure-warning")
    page.locator('dialog [data-key="note"]').fill("His watch had stopped")
    expect(missing).to_have_count(0)
    ruling.click("record-infraction")
    ruling.settled()
    assert lines_of(match)[-1] == "B! delay -> nothing # His watch had stopped"


def test_a_ruling_made_later_asks_for_the_case_and_for_a_reason_too(new_page):
    match = seated("femundo", "pair")
    begin(match, "A 6-6", "B! misplay 5-4 -> pending")
    ruling = Ruling(new_page(user=referee_of(match)), match)
    page = ruling.page
    page.click(".pending button")
    ruling.offers("percent 40, card yellow, expose")
    ruling.click("measure-card yellow", "record-ruling")
    expect(page.locator("#reason-missing")).to_be_visible()
    ruling.click("case-1")
    ruling.offers("retract, warning")
    ruling.click("record-ruling")
    ruling.settled()
    said = "# Corrected before anyone else has played"
    assert lines_of(match)[-1] == f"ruling 1 -> retract, warning {said}"
    assert state_of(match).rounds[0].turn == "B"


def test_a_measure_about_a_tile_brings_the_tiles_into_view(new_page):
    match = seated("wdf", "pair")
    begin(match, "A 6-6")
    ruling = Ruling(new_page(user=referee_of(match)), match)
    ruling.open(Act("B", "touch", "must_play"), "wdf 2")
    ruling.click("record-infraction")
    expect(ruling.page.locator('dialog [data-touched="6-1"]')).to_be_in_viewport()
    assert lines_of(match) == ["A 6-6"]
    ruling.page.click('dialog [data-touched="6-1"]')
    ruling.click("record-infraction")
    ruling.settled()
    assert lines_of(match)[-1] == "B! touch 6-1 -> must_play"


# --- the whole event --------------------------------------------------------------------------


def test_anyone_accredited_is_sanctioned_and_climbs_the_ladder(new_page):
    match = seated("femundo", "pair")
    tournament = event_of(match)
    page = new_page(user=director_of(match), viewport=DESK)
    for note in ("Shouted at a table", "Shouted again"):
        cards(page, tournament)
        page.get_by_role("link", name="Sanction somebody").click()
        page.get_by_label("Name of somebody else").fill("Nadia Haddad")
        page.get_by_label("Function of somebody else").select_option("coach")
        page.get_by_label("Sanction", exact=True).select_option("yellow")
        page.get_by_label("What for").fill(note)
        page.get_by_role("button", name="Put it on the ledger").click()
        expect(page.locator(".sanctions").first).to_contain_text("Nadia Haddad")
    red = page.locator("section", has=page.locator("#proposed")).locator(".sanctions li")
    expect(red).to_have_count(1)
    expect(red).to_contain_text("Red card")
    expect(red).to_contain_text("Coach")
    expect(red.locator(".article")).to_have_text("femundo 29")
    red.get_by_role("button").click()
    expect(page.locator("main")).to_contain_text("The card is confirmed.")
    # Somebody who does not play has no match to lose.
    expect(page.locator("#due")).to_have_count(0)


def test_a_referee_sanctions_a_captain_at_a_table_and_nobody_away_from_them(new_page, complaints):
    match = seated("wdf", "pair")
    page = new_page(user=referee_of(match))
    cards(page, event_of(match), "sanctions_give")
    page.get_by_label("Name of somebody else").fill("Samir")
    page.get_by_label("Function of somebody else").select_option("captain")
    page.get_by_label("Sanction", exact=True).select_option("warning")
    page.get_by_label("What for").fill("Talked to the table")
    page.get_by_role("button", name="Put it on the ledger").click()
    expect(page.locator("main")).to_contain_text("only a director sanctions away from them")
    # What was typed is still there.
    expect(page.get_by_label("Name of somebody else")).to_have_value("Samir")
    page.get_by_label("Table", exact=True).select_option(str(match.pk))
    page.get_by_role("button", name="Put it on the ledger").click()
    expect(page.locator(".sanctions").first).to_contain_text("Samir")
    assert all("422" in one for one in complaints)
    complaints.clear()


def test_a_director_edits_kinds_and_numbers_before_the_start_and_the_table_has_them(
    new_page, complaints
):
    match = seated("wdf", "pair")
    tournament = event_of(match)
    drawn = PairingRound.objects.filter(pk=match.pairing_round_id)
    drawn.update(state=PairingRound.State.DRAFT)
    page = new_page(user=director_of(match), viewport=DESK)
    cards(page, tournament)
    page.get_by_role("link", name="Infractions of this event").click()
    page.get_by_role("link", name="Add a kind of your own").click()
    page.get_by_label("Code").fill("phone_in_hall")
    page.locator('[name="name_en"]').fill("Phone in the hall")
    page.locator('[name="name_ar"]').fill("هاتف في القاعة")
    page.locator('[name="offences"]').fill("warning\npercent 15, card yellow")
    page.locator('[name="ladder"]').select_option("discipline")
    page.get_by_role("button", name="Save").click()
    row = page.locator("tr", has_text="Delay")
    row.get_by_role("link", name="Change").click()
    page.locator('[name="offences"]').fill("percent 5")
    page.get_by_role("button", name="Save").click()
    expect(page.locator("tr", has_text="Delay")).to_contain_text("Changed for this event")
    cards(page, tournament, "sanctions_rules")
    page.locator('[name="warnings"]').fill("3")
    page.get_by_role("button", name="Save").click()
    expect(page.locator("main")).to_contain_text("Warnings for a yellow card: 3.")

    drawn.update(state=PairingRound.State.PUBLISHED)
    page.goto(reverse("referee:own_penalty", args=[tournament.slug, "delay"]))
    page.locator('[name="offences"]').fill("warning")
    page.get_by_role("button", name="Save").click()
    expect(page.locator("main")).to_contain_text("has been published under them")
    assert all("422" in one or "409" in one for one in complaints)
    complaints.clear()

    begin(match, "A 6-6")
    ruling = Ruling(new_page(user=referee_of(match)), match)
    own = "a rule of this event"
    ruling.rule(Act("B", "delay", "percent 5", turn="B", totals=(0, -5), fined=(0, 5)), own)
    ruling.rule(Act("B", "phone_in_hall", "warning", turn="B"), own)
    ruling.rule(
        Act("B", "phone_in_hall", "percent 15, card yellow", "button", totals=(0, -20)), own
    )
    write(match, "B pass", "C pass", "D pass", "A pass", *(f"{s} counts 10" for s in "ABC"))
    write(match, "D counts 40", "A! disobedience -> disqualify # enough")
    services.close_match(match, by=director_of(match))
    assert ledger(match) == [
        ("Lin", "warning", "discipline"),
        ("Lin", "yellow", "discipline"),
        ("Rosa", "black", "discipline"),
    ]


def test_an_edited_sheet_never_counts_twice(new_page):
    match = closed_with("B! false_pass", "B! delay")
    told = {("Lin", "Yellow card"), ("Lin", "Warning")}
    page = new_page(user=director_of(match), viewport=DESK)
    shown_on_ledger(page, match, told)
    ruling = Ruling(page, match)
    for _ in range(2):
        ruling.click("reopen-match")
        page.locator('dialog [data-key="reason"]').fill("A look at the sheet")
        ruling.click("give-reason")
        page.wait_for_selector('#recorder[data-stage="over"]')
        ruling.settled()
        ruling.click("close-match", "confirm-close")
        page.wait_for_selector('#recorder[data-stage="closed"]')
    shown_on_ledger(page, match, told)
    assert ledger(match) == [("Lin", "warning", "play"), ("Lin", "yellow", "play")]

    page.goto(f"/desk/{event_of(match).slug}/tables/{match.pk}/reopen/")
    page.locator('[name="points_AC"]').fill("200")
    page.locator('[name="points_BD"]').fill("140")
    page.locator('[name="reason"]').first.fill("Read wrongly")
    page.get_by_role("button", name="Correct the result").click()
    expect(page.locator("main")).to_contain_text("is corrected")
    assert match.seats.get(seat="B").points_for == 140
    assert ledger(match) == [("Lin", "warning", "play"), ("Lin", "yellow", "play")]
    cards(page, event_of(match))
    expect(page.locator("#behind")).to_have_count(0)


def test_the_ledger_is_in_step_by_itself_after_seats_are_exchanged_at_the_desk(new_page):
    match = closed_with("B! false_pass")
    slug = event_of(match).slug
    page = new_page(user=director_of(match), viewport=DESK)
    shown_on_ledger(page, match, {("Lin", "Yellow card")})
    entries = dict(match.seats.values_list("seat", "entry"))
    page.goto(f"/desk/{slug}/tables/{match.pk}/swap/")
    page.locator('[name="one"]').select_option(f"{match.pk}-{entries['B']}")
    page.locator('[name="other"]').select_option(f"{match.pk}-{entries['D']}")
    page.locator('[name="reason"]').fill("They sat wrongly")
    page.get_by_role("button", name="Exchange the seats").click()
    expect(page.locator("main")).to_contain_text("have changed seats")
    cards(page, event_of(match))
    expect(page.locator("#behind")).to_have_count(0)
    proposed = page.locator("section", has=page.locator("#proposed"))
    expect(proposed.locator(".sanctions li")).to_have_count(1)
    expect(proposed).to_contain_text("Sara")

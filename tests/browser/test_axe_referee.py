"""axe on every page of the referee, every state and every dialog of the page that records."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from uuid import uuid4

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.core.cache import cache
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import Page, expect

from referee.models import TableLink
from referee.urls.site import urlpatterns
from tests.browser import referee_world
from tests.browser.conftest import PHONE
from tests.browser.referee_world import World
from tests.browser.referees import TREMOR

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

# What no reader sees as a page: a script, a description, files that are saved, paper.
NO_PAGES = {
    "worker", "manifest", "event_file", "record_list", "kept_file", "print_plays", "print_sheet",
    "indicators_file", "share_match",
}  # fmt: skip
# Screens on a wall and pictures laid over a film: nobody reads them here.
SCREENS = {"screen", "screen_now", "overlay", "overlay_now"}
# A change answered with another page of the list below, which says what was done.
CHANGES = {
    "appeal_withdraw", "call_change", "copy_event", "links_revoke", "own_penalty_forget",
    "sanction_confirm", "sanctions_confirm_all", "sanctions_in_step", "scan", "take_over",
}  # fmt: skip
# A change that is refused answers with a page of its own.
REFUSED: dict[str, Callable[[World], tuple[list[object], dict[str, str]]]] = {
    "open_match": lambda one: ([one.tables["closed"].pk], {}),
    "seats": lambda one: ([one.tables["first"].pk], {"seat_A": "x"}),
    "open_round": lambda one: ([one.tables["between"].pk], {"number": "9", "opener": "A"}),
    "append_event": lambda one: (
        [one.record("recording").pk],
        {"what": "line", "line": "A 6-6", "number": "8", "client_key": str(uuid4())},
    ),
    "close_match": lambda one: ([one.tables["recording"].pk], {"reason": ""}),
    "reopen_match": lambda one: ([one.tables["closed"].pk], {"reason": ""}),
    "replay_match": lambda one: ([one.tables["recording"].pk], {"reason": ""}),
    "appeal_panel": lambda one: ([one.appeal.pk], {"accounts": "nobody"}),
    "call_close": lambda one: ([_call(one)], {"outcome": ""}),
    "settle": lambda one: ([one.dispute.pk], {"settlement": ""}),
    "links_make": lambda one: (
        [one.tournament.slug, one.pairing_round.pk],
        {"scope": "record", "client_key": str(uuid4())},
    ),
}
SEEN: dict[str, Callable[[World], list[object]]] = {
    "offline": lambda _: [],
    "tables": lambda one: [one.tournament.slug],
    "import_event": lambda _: [],
    "kept_files": lambda one: [one.tournament.slug],
    "restore": lambda one: [one.tournament.slug, one.kept_file.pk],
    "back": lambda one: [one.tables["recording"].pk],
    "match_sheet": lambda one: [one.tables["closed"].pk],
    "record": lambda one: [one.tables["recording"].pk],
    "sign": lambda one: [one.tables["over"].pk],
    "score": lambda one: [one.tables["between"].pk],
    "own_pin": lambda one: [one.tables["over"].pk],
    "plays": lambda one: [one.tables["recording"].pk],
    "pins": lambda one: [one.tournament.slug],
    "check": lambda _: [],
    "check_code": lambda one: [one.code],
    "file_appeal": lambda one: [one.tables["closed"].pk],
    "appeal": lambda one: [one.appeal.pk],
    "appeal_decide": lambda one: [one.appeal.pk],
    "sanctions": lambda one: [one.tournament.slug],
    "sanctions_give": lambda one: [one.tournament.slug],
    "sanctions_rules": lambda one: [one.tournament.slug],
    "sanction": lambda one: [one.sanction.pk],
    "own_penalties": lambda one: [one.unplayed.slug],
    "own_penalty_new": lambda one: [one.unplayed.slug],
    "own_penalty": lambda one: [one.unplayed.slug, "phone"],
    "infraction": lambda one: [one.record("recording").pk],
    "links": lambda one: [one.tournament.slug],
    "links_rules": lambda one: [one.tournament.slug],
    "links_of_round": lambda one: [one.tournament.slug, one.pairing_round.pk],
    "indicators": lambda one: [one.tournament.slug],
    "statistics": lambda one: [one.tournament.slug],
    "moves": lambda one: [one.tables["closed"].pk],
    "embedded_moves": lambda one: [one.tables["recording"].pk],
    "confirm": lambda one: [one.tables["between"].pk],
    "call": lambda one: [one.tables["recording"].pk],
    "calls": lambda one: [one.tournament.slug],
}
# The page that records, in each of its stages.
STAGES = {
    "waiting": "waiting", "first": "between", "between": "between", "recording": "recording",
    "pending": "recording", "hands": "hands", "ended": "ended", "over": "over",
    "signed": "over", "closed": "closed",
}  # fmt: skip


def _call(world: World) -> int:
    return world.tables["recording"].calls.get().pk


@pytest.fixture(autouse=True)
def nobody_guessed_before() -> None:
    cache.clear()


@pytest.fixture
def world() -> World:
    return referee_world.made()


@pytest.fixture(params=["en", "ar"])
def page(
    request: pytest.FixtureRequest,
    new_page: Callable[..., Page],
    world: World,
    complaints: list[str],
) -> Iterator[Page]:
    yield new_page(user=world.director, language=request.param, viewport=PHONE)
    # The browser notes pages that are answered with a refusal.
    complaints[:] = [one for one in complaints if "Failed to load resource" not in one]


# Colours that are still on their way from day to night are no colours of the page.
AT_ONCE = """() => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync("*, *::before, *::after { transition: none !important; }");
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}"""


def faults(page: Page, where: str) -> list[str]:
    """Return what axe holds against a page, by day and by night, and whether it is too wide."""
    page.evaluate(AT_ONCE)
    found = violations(page, where)
    page.emulate_media(color_scheme="dark")
    # Nothing but colours differs by night.
    found += violations(page, f"{where}, dark", {"runOnly": ["color-contrast"]})
    page.emulate_media(color_scheme="light")
    if not page.evaluate("document.documentElement.scrollWidth <= innerWidth"):
        found.append(f"{where}: wider than the screen")
    return found


def violations(page: Page, where: str, options: dict[str, list[str]] | None = None) -> list[str]:
    return [
        f"{where}: {one['id']} ({one['impact']}): "
        + " | ".join(f"{each['html'][:160]} {each['failureSummary']}" for each in one["nodes"][:3])
        for one in Axe().run(page, options=options).response["violations"]
    ]


def test_every_address_of_the_referee_is_in_a_list():
    names = {str(one.name) for one in urlpatterns}
    names = {one for one in names if not one.startswith("api_")}
    assert names == NO_PAGES | SCREENS | CHANGES | set(REFUSED) | set(SEEN)


def test_no_page_has_a_violation(page: Page, world: World) -> None:
    found: list[str] = []
    for name, arguments in SEEN.items():
        answer = page.goto(reverse(f"referee:{name}", args=arguments(world)))
        assert answer is not None
        assert answer.status == 200, name
        found += faults(page, name)
    assert found == [], "\n".join(found)


def test_no_refusal_has_a_violation(page: Page, world: World) -> None:
    found: list[str] = []
    for name, arguments in REFUSED.items():
        args, fields = arguments(world)
        posted(page, reverse(f"referee:{name}", args=args), fields)
        found += faults(page, name)
    assert found == [], "\n".join(found)


def posted(page: Page, address: str, fields: dict[str, str]) -> None:
    """Send a form as a page without a script would, and wait for the answer."""
    page.goto(reverse("referee:check"))
    token = page.context.request.get("/login/").text()
    match = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', token)
    known = {"csrfmiddlewaretoken": match.group(1)} if match else {}
    with page.expect_navigation():
        page.evaluate(
            """([address, fields]) => {
              const form = document.createElement("form");
              Object.assign(form, { method: "post", action: address });
              for (const [name, value] of Object.entries(fields)) {
                const field = document.createElement("input");
                Object.assign(field, { name, value });
                form.append(field);
              }
              document.body.append(form);
              form.submit();
            }""",
            [address, fields | known],
        )
    assert page.url.endswith(address), page.url


def recorder(page: Page, world: World, table: str) -> None:
    page.goto(reverse("referee:record", args=[world.tables[table].pk]))
    expect(page.locator("#recorder[data-stage]")).to_be_attached()


def tap(page: Page, *selectors: str) -> None:
    for selector in selectors:
        page.wait_for_timeout(TREMOR)
        page.tap(selector)


def test_no_stage_of_a_table_has_a_violation(page: Page, world: World) -> None:
    found: list[str] = []
    for table, stage in STAGES.items():
        recorder(page, world, table)
        expect(page.locator("#recorder")).to_have_attribute("data-stage", stage)
        page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
        found += faults(page, table)
    recorder(page, world, "held")
    expect(page.locator(".held")).to_be_visible()
    found += faults(page, "held")
    recorder(page, world, "recording")
    page.context.set_offline(True)
    tap(page, '[data-key="pass"]')
    expect(page.locator("dialog, .unsent").first).to_be_visible()
    found += faults(page, "not sent")
    page.context.set_offline(False)
    assert found == [], "\n".join(found)


DIALOGS = {
    "infraction": ("recording", ['.action-bar [data-key="infraction"]']),
    "measures": (
        "recording",
        ['.action-bar [data-key="infraction"]', '[data-key="by-B"]', '[data-kind="delay"]'],
    ),
    "ruling": ("pending", ['[data-key="rule-5"]']),
    "setting the score": ("between", ['[data-key="set-score"]']),
    "going back": ("recording", ['[data-key="log"]', '[data-key="back-4"]']),
    "time is over": ("recording", ['[data-key="time-over"]']),
    "extra time": ("recording", ['[data-key="give-time"]']),
    "somebody leaves": ("recording", ['[data-key="leaves"]']),
    "closing early": ("recording", ['[data-key="close-early"]']),
    "a call": ("first", ['[data-key="call-referee"]']),
    "taking over": ("held", ['[data-key="take-over"]']),
    "signing": ("over", ['[data-key="sign-AC"]', '[data-key="refuses"]']),
    "signing by PIN": ("signed", ['[data-key="sign-AC"]']),
    "closing": ("signed", ['[data-key="close-match"]']),
    "opening again": ("closed", ['[data-key="reopen-match"]']),
}


def test_no_dialog_has_a_violation(page: Page, world: World) -> None:
    found: list[str] = []
    for name, (table, taps) in DIALOGS.items():
        recorder(page, world, table)
        tap(page, *taps)
        expect(page.locator("dialog[open]")).to_be_visible()
        found += faults(page, name)
    recorder(page, world, "recording")
    tap(page, ".pad .rest [data-tile] >> nth=0")
    expect(page.locator("dialog .refusal")).to_be_visible()
    found += faults(page, "a refused tile")
    assert found == [], "\n".join(found)


def test_no_code_that_opens_nothing_has_a_violation(
    page: Page, new_page: Callable[..., Page], world: World
) -> None:
    found: list[str] = []
    page.goto("/l/guessed/")
    found += faults(page, "a guessed code")
    over = world.token()
    TableLink.objects.update(expires_at=timezone.now())
    page.goto(f"/l/{over}/")
    found += faults(page, "a code that is over")
    for _ in range(40):
        page.request.get("/l/guessed/")
    page.goto("/l/guessed/")
    found += faults(page, "too many guesses")
    assert found == [], "\n".join(found)

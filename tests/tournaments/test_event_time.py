"""The time of an event is that of its place: on every page, past midnight, past a change of time.

In Cairo the clocks of 2026 go from 24:00 back to 23:00 on the night after 29 October, and on 24
April there is no time from 0:00 to 1:00.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime
from pathlib import Path

import pytest
from django.urls import reverse
from django.utils import timezone

from tests import factories
from tournaments.models import PairingRound, Screen, Tournament

pytestmark = pytest.mark.django_db

EVENING = datetime(2026, 10, 29, 20, 30, tzinfo=UTC)
TEMPLATES = Path("templates")
TIMED = re.compile(r'\|(?:time:"|date:"(?:SHORT_)?DATETIME|date:"H:i)')


@pytest.fixture
def played() -> PairingRound:
    """Ninety minutes from 23:30 on the longest day of the year: it ends at midnight."""
    tournament = factories.TournamentFactory.create(
        slug="nile", state=Tournament.State.RUNNING, time_zone="Africa/Cairo"
    )
    stage = factories.StageFactory.create(tournament=tournament)
    made = factories.PairingRoundFactory.create(stage=stage, starts_at=EVENING, minutes=90)
    factories.MatchFactory.create(pairing_round=made)
    Screen.objects.create(
        tournament=tournament, name="Hall", key="hall", shows="clock", language="en"
    )
    return made


def test_a_round_over_midnight_and_a_change_of_time_has_the_times_of_its_place(
    client, played, text
):
    page = text(client.get("/t/nile/rounds/1/1/"))
    assert "23:30" in page
    assert "00:00" in page
    assert 'data-starts="2026-10-29T23:30:00+03:00"' in page
    assert 'data-ends="2026-10-30T00:00:00+02:00"' in page
    assert "until 00:00" in text(client.get("/screen/hall/now/"))
    told = client.get("/api/t/nile/rounds/1/1/clock/").json()
    begun, over = (datetime.fromisoformat(told[one]) for one in ("starts_at", "ends_at"))
    assert begun == EVENING
    # Lengths are real minutes, whatever the clocks on the wall do.
    assert (over - begun).total_seconds() == 90 * 60


@pytest.mark.parametrize("language", ["ar", "fa"])
def test_the_times_are_in_the_digits_of_the_reader(client, played, text, language):
    page = text(client.get("/t/nile/rounds/1/1/", headers={"Accept-Language": language}))
    assert {"ar": "٢٣:٣٠", "fa": "۲۳:۳۰"}[language] in page


def set_clock(client, played: PairingRound, moment: str):
    client.force_login(played.stage.tournament.created_by)
    address = reverse("tournaments:director_clock", args=["nile", 1, 1])
    return client.post(address, {"act": "set", "minutes": "40", "starts_at": moment})


def test_the_desk_sets_the_time_that_is_on_the_wall(client, played):
    assert set_clock(client, played, "2026-10-29T22:15").status_code == 302
    played.refresh_from_db()
    assert played.starts_at == datetime(2026, 10, 29, 19, 15, tzinfo=UTC)
    assert set_clock(client, played, "2026-10-30T00:15").status_code == 302
    played.refresh_from_db()
    assert played.starts_at == datetime(2026, 10, 29, 22, 15, tzinfo=UTC)


@pytest.mark.parametrize("moment", ["2026-10-29T23:30", "2026-04-24T00:30"])
def test_a_time_that_is_there_twice_or_never_is_refused_at_its_field(client, played, text, moment):
    answer = set_clock(client, played, moment)
    assert answer.status_code == 422
    assert f"“{moment}” is no single moment: the clocks are changed there" in text(answer)
    played.refresh_from_db()
    assert played.starts_at == EVENING


def test_a_persian_page_shows_the_day_by_both_calendars(client, played, text):
    page = text(client.get("/t/nile/", headers={"Accept-Language": "fa"}))
    assert "۱۱ اردیبهشت ۱۴۰۵" in page
    assert "۲۰۲۶" in page
    assert "1405" not in text(client.get("/t/nile/", headers={"Accept-Language": "en"}))


def test_no_page_tells_a_time_by_the_clock_of_the_server():
    """Each has said whose time it is: at the time itself, around it, or for the whole answer."""
    whole = {"director_clock.html"}
    wrong = []
    for path in TEMPLATES.rglob("*.html"):
        text = path.read_text("utf-8")
        if path.parent.name == "screens" or path.name in whole or "{% timezone " in text:
            continue
        for found in TIMED.finditer(text):
            before = text[: found.start()].split("|")[-1]
            if not before.startswith("timezone:"):
                wrong.append(f"{path}: {text[found.start() - 40 : found.end()]}")
    assert wrong == []


@pytest.mark.parametrize(
    ("language", "written"), [("en", "23:30"), ("es", "23:30"), ("ar", "٢٣:٣٠"), ("fa", "۲۳:۳۰")]
)
def test_the_log_tells_when_it_was_at_the_place_of_the_event(
    client, played, text, monkeypatch, language, written
):
    tournament = played.stage.tournament
    with monkeypatch.context() as then:
        then.setattr(timezone, "now", lambda: EVENING)
        factories.LogEntryFactory.create(tournament=tournament)
    client.force_login(tournament.created_by)
    page = text(client.get("/desk/nile/log/", headers={"Accept-Language": language}))
    assert written in page

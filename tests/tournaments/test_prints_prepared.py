"""Long prints are set by a worker while their page waits; nobody gets what is not theirs."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
from celery import current_app
from django.core.cache import cache
from django.test import Client
from django.utils import timezone
from kombu.exceptions import OperationalError

from tests.factories import MatchFactory, OfficialFactory, PairingRoundFactory
from tournaments import pdf, prepared
from tournaments.models import LogEntry, Official, PairingRound, Tournament
from tournaments.tasks import set_print
from tournaments.views import prints

pytestmark = pytest.mark.django_db

FILE = b"%PDF-1.7 made by a worker"


class Worker:
    """Keeps what it is told to do until it is let to work."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def signature(self, name: str, args: list[str]) -> Any:
        assert name == set_print.name == prepared.SET_PRINT
        worker = self

        class Sent:
            def delay(self) -> None:
                worker.asked.extend(args)

        return Sent()

    def work(self) -> None:
        for key in self.asked:
            set_print(key)


@pytest.fixture
def made(monkeypatch) -> list[str]:
    """The prints that were set, and each as one short file."""
    found: list[str] = []

    def as_pdf(html: str) -> bytes:
        found.append(html)
        return FILE

    monkeypatch.setattr(pdf, "as_pdf", as_pdf)
    return found


@pytest.fixture
def worker(monkeypatch, settings) -> Worker:
    """A site with a worker, for which every print is long."""
    cache.clear()
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    monkeypatch.setattr(prepared, "LONG", 0)
    found = Worker()
    monkeypatch.setattr(current_app, "signature", found.signature)
    return found


@pytest.fixture
def event(made) -> Tournament:
    pairing_round: PairingRound = PairingRoundFactory.create()
    MatchFactory.create(pairing_round=pairing_round)
    return pairing_round.stage.tournament


@pytest.fixture
def official(client, event) -> Client:
    client.force_login(OfficialFactory.create(tournament=event).user)
    return client


def first(client: Client, event: Tournament) -> tuple[Any, str]:
    """Ask for a long print; return the page that waits, and where it looks again."""
    page = client.get(f"/t/{event.slug}/prints/scores.pdf?from=1&lang=en")
    assert page.status_code == 202, page.content
    seconds, again = re.fullmatch(r"(\d+); url=(.+)", page["Refresh"]).groups()  # type: ignore[union-attr]
    assert int(seconds) < 10
    return page, again


def test_a_long_print_is_set_by_the_worker_and_its_page_looks_again_without_a_script(
    official, event, worker, made
):
    page, again = first(official, event)
    shown = page.content.decode()
    assert "The PDF file is being prepared" in shown
    assert f'href="{again.replace("&", "&amp;")}"' in shown
    assert page["Cache-Control"] == "no-store"
    assert official.get(again).status_code == 202
    assert made == []
    worker.work()
    file = official.get(again)
    assert (file.status_code, file["Content-Type"], file.content) == (200, "application/pdf", FILE)
    assert len(made) == 1
    assert 'class="score-sheet"' in made[0]


def test_asked_for_twice_it_is_set_once(official, event, worker, made):
    assert first(official, event)[1] == first(official, event)[1]
    worker.work()
    assert len(worker.asked) == len(made) == 1
    # Asked for from the beginning, the file is there already.
    address = f"/t/{event.slug}/prints/scores.pdf?from=1&lang=en"
    assert official.get(address).content == FILE
    assert len(made) == 1


def test_what_changed_meanwhile_is_set_anew(official, event, worker, made):
    first(official, event)
    Tournament.objects.filter(pk=event.pk).update(name="Another name")
    first(official, event)
    worker.work()
    assert len(made) == 2
    assert "Another name" in made[1]


def test_looking_at_it_changes_nothing_of_the_event(official, event, worker):
    _, again = first(official, event)
    worker.work()
    official.get(again)
    assert not LogEntry.objects.filter(tournament=event).exists()


def test_whoever_may_not_print_any_more_gets_nothing(official, event, worker):
    _, again = first(official, event)
    worker.work()
    Official.objects.filter(tournament=event, duty=Official.Duty.REFEREE).delete()
    assert official.get(again).status_code == 403


def test_a_file_is_found_by_who_asked_for_it_and_at_its_address_only(official, event, worker, made):
    _, again = first(official, event)
    worker.work()
    key = again.rpartition("=")[2]
    other = official.get(f"/t/{event.slug}/prints/cards.pdf?prepared={key}")
    assert other.status_code == 202
    somebody = Client()
    somebody.force_login(OfficialFactory.create(tournament=event).user)
    assert somebody.get(again).status_code == 202
    stranger = Client()
    assert stranger.get(again).status_code == 403


@pytest.mark.parametrize("key", ["", "x", "a" * 32, "a" * 300, "../%00", "ü" * 32])
def test_a_key_that_makes_no_sense_asks_anew(official, event, worker, key):
    page = official.get(f"/t/{event.slug}/prints/scores.pdf", {"prepared": key})
    assert page.status_code == 202
    assert len(worker.asked) == 1


def test_what_was_kept_too_long_is_asked_for_anew(official, event, worker, made):
    _, again = first(official, event)
    worker.work()
    cache.clear()
    assert official.get(again).status_code == 202
    assert len(worker.asked) == 2


def test_without_a_broker_it_is_set_while_one_waits(official, event, worker, made, monkeypatch):
    def fails(name: str, args: list[str]) -> Any:
        raise OperationalError("no broker")

    monkeypatch.setattr(current_app, "signature", fails)
    address = f"/t/{event.slug}/prints/scores.pdf"
    assert official.get(address).content == FILE
    assert official.get(address).content == FILE
    assert len(made) == 2


def test_a_site_without_a_worker_sets_it_while_one_waits(official, event, worker, made, settings):
    settings.REDIS_URL = ""
    assert official.get(f"/t/{event.slug}/prints/scores.pdf").content == FILE
    assert worker.asked == []


def test_a_short_print_is_set_while_one_waits(official, event, worker, monkeypatch):
    monkeypatch.setattr(prepared, "LONG", 10_000_000)
    assert official.get(f"/t/{event.slug}/prints/scores.pdf").content == FILE
    assert worker.asked == []


def later(monkeypatch, seconds: int) -> None:
    """Let so much time pass."""
    then = timezone.now() + timedelta(seconds=seconds)
    monkeypatch.setattr(timezone, "now", lambda: then)


def test_where_no_worker_runs_the_page_sets_it_itself_after_a_while(
    official, event, worker, made, monkeypatch
):
    _, again = first(official, event)
    later(monkeypatch, prepared.PATIENCE_SECONDS + 1)
    assert official.get(again).content == FILE
    assert len(made) == 1


def test_a_worker_that_has_begun_is_waited_for(official, event, worker, made, monkeypatch):
    _, again = first(official, event)
    shown: list[int] = []
    working = pdf.as_pdf

    def slow(html: str) -> bytes:
        later(monkeypatch, prepared.PATIENCE_SECONDS + 1)
        shown.append(official.get(again).status_code)
        return working(html)

    monkeypatch.setattr(pdf, "as_pdf", slow)
    worker.work()
    assert (shown, len(made)) == ([202], 1)
    assert official.get(again).content == FILE


def test_looking_again_makes_nothing_of_the_print_anew(official, event, worker, monkeypatch):
    _, again = first(official, event)

    def drawn(address: str) -> str:
        raise AssertionError("a code was drawn to say that nothing is ready yet")

    monkeypatch.setattr(prints, "qr_picture", drawn)
    assert official.get(again).status_code == 202
    worker.work()
    assert official.get(again).content == FILE


def test_what_the_worker_could_not_set_is_tried_by_the_page(
    official, event, worker, made, monkeypatch
):
    _, again = first(official, event)
    working = pdf.as_pdf

    def fails(html: str) -> bytes:
        raise ValueError("no fonts here")

    monkeypatch.setattr(pdf, "as_pdf", fails)
    with pytest.raises(ValueError, match="no fonts"):
        worker.work()
    monkeypatch.setattr(pdf, "as_pdf", working)
    assert official.get(again).content == FILE


def test_a_strangers_print_is_never_set_by_the_worker(event, worker, made):
    assert Client().get(f"/t/{event.slug}/prints/names.pdf").content == FILE
    assert worker.asked == []

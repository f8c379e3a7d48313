"""What makes the recording page work without a network: the worker, the manifest, the headers."""

from __future__ import annotations

import json
import posixpath
import re
from datetime import timedelta
from pathlib import Path

import pytest
from django.contrib.staticfiles import finders
from django.utils import timezone

from referee.offline import KEEPABLE, asset_names
from referee.services import records as services
from tests.factories import MatchFactory, OfficialFactory

pytestmark = pytest.mark.django_db


def test_the_worker_keeps_every_script_the_page_can_ask_for(client):
    answer = client.get("/sw.js")
    written = answer.content.decode().partition("const SETTINGS = ")[2].partition(";\n")[0]
    settings = json.loads(written)
    assert answer["Content-Type"].startswith("text/javascript")
    assert "no-cache" in answer["Cache-Control"]
    for name in asset_names():
        assert finders.find(name)
        assert f"/static/{name}" in settings["assets"]


def test_modules_import_only_what_is_kept():
    kept = set(asset_names())
    for name in kept:
        if not name.endswith(".js"):
            continue
        folder = name.rpartition("/")[0]
        script = Path(str(finders.find(name))).read_text("utf-8")
        for found in re.findall(r'from "(\.{1,2}/[^"]+)"', script):
            assert posixpath.normpath(posixpath.join(folder, found)) in kept


def test_only_the_page_of_a_recorded_table_may_be_kept(client):
    match = MatchFactory.create()
    referee = OfficialFactory.create(tournament=match.pairing_round.stage.tournament).user
    assert KEEPABLE not in client.get("/").headers
    client.force_login(referee)
    assert client.get(f"/matches/{match.pk}/record/").headers[KEEPABLE] == "1"
    assert KEEPABLE not in client.get(f"/matches/{match.pk}/").headers


def test_the_site_can_be_installed(client):
    manifest = client.get("/manifest.webmanifest", headers={"Accept-Language": "ar"})
    assert manifest["Content-Type"] == "application/manifest+json"
    assert {"name", "start_url", "display", "icons"} <= manifest.json().keys()
    assert 'rel="manifest"' in client.get("/").content.decode()


def test_what_is_sent_late_keeps_the_time_at_which_it_was_recorded(client):
    match = MatchFactory.create()
    tournament = match.pairing_round.stage.tournament
    rosa = OfficialFactory.create(tournament=tournament).user
    record = services.open_round(services.open_match(match, by=rosa), number=0, opener="A", by=rosa)
    client.force_login(rosa)
    said = {"number": 0, "event": "A 6-6", "age": 60 * 60 * 1000}
    answer = client.post(f"/api/rounds/{record.pk}/events/", said, "application/json")
    assert answer.status_code == 201
    ago = timezone.now() - record.events.get().recorded_at
    assert timedelta(minutes=59) < ago < timedelta(minutes=61)
    said = {"number": 1, "event": "B 6-5", "age": 2 * 60 * 60 * 1000}
    answer = client.post(f"/api/rounds/{record.pk}/events/", said, "application/json")
    assert answer.status_code == 201
    # A device whose clock jumped ahead cannot put its events before those that came first.
    first, second = record.events.order_by("number").values_list("recorded_at", flat=True)
    assert first == second
    said = {"number": 2, "event": "C 5-5", "age": -1}
    assert (
        client.post(f"/api/rounds/{record.pk}/events/", said, "application/json").status_code == 400
    )

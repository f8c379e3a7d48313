"""What makes the recording page work without a network: the worker, the manifest, the headers."""

from __future__ import annotations

import json
import posixpath
import re

import pytest
from django.contrib.staticfiles import finders

from referee.offline import KEEPABLE, asset_names
from tests.factories import MatchFactory, OfficialFactory

pytestmark = pytest.mark.django_db


def test_the_worker_keeps_every_script_the_page_can_ask_for(client):
    answer = client.get("/sw.js")
    settings = json.loads(re.search(r"const SETTINGS = (.*);", answer.content.decode())[1])
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
        with open(str(finders.find(name)), encoding="utf-8") as script:
            for found in re.findall(r'from "(\.{1,2}/[^"]+)"', script.read()):
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

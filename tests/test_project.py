"""What the site needs around it: a sound environment, headers, a web server, a worker."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from celery import current_app
from django.contrib.auth.models import User
from django.core.exceptions import ImproperlyConfigured
from django.db import connection, transaction

from engine.profiles import Rules
from tournaments.models import Entry, Stage, StandingRow, Tournament
from tournaments.project import environment
from tournaments.services.results import schedule_standings

ROOT = Path(__file__).resolve().parents[1]
PRODUCTION = {"SECRET_KEY": "a key of the tests, as long as one must be " * 2, "DEBUG": "0"}


def manage(*command: str, **variables: str) -> subprocess.CompletedProcess[str]:
    inherited = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    return subprocess.run(
        [sys.executable, "manage.py", *command],
        cwd=ROOT,
        env=inherited | variables,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize(
    ("read", "name", "nonsense", "remedy"),
    [
        (lambda name: environment.flag(name, default=False), "DEBUG", "perhaps", "Set it to 1"),
        (lambda name: environment.number(name, default=0), "HSTS_SECONDS", "-1", "whole number"),
        (environment.hosts, "ALLOWED_HOSTS", "https://play.example.org", "host names only"),
        (environment.hosts, "ALLOWED_HOSTS", "play.example.org:80", "without a port"),
        (environment.origins, "CSRF_TRUSTED_ORIGINS", "play.example.org", "https://"),
        (environment.redis_url, "REDIS_URL", "127.0.0.1:6379", "redis://host:6379/0"),
    ],
)
def test_nonsense_is_refused_with_the_remedy(monkeypatch, read, name, nonsense, remedy):
    monkeypatch.setenv(name, nonsense)
    with pytest.raises(ImproperlyConfigured) as refused:
        read(name)
    assert name in str(refused.value)
    assert remedy in str(refused.value)


@pytest.mark.parametrize(
    "url",
    ["mysql://host/name", "postgres://host:5432/", "postgres://host:port/name", "domino.sqlite3"],
)
def test_a_database_the_site_does_not_run_on_is_refused(monkeypatch, tmp_path, url):
    monkeypatch.setenv("DATABASE_URL", url)
    with pytest.raises(ImproperlyConfigured, match="DATABASE_URL"):
        environment.database(default=tmp_path / "domino.sqlite3")


def test_sqlite_takes_its_write_lock_when_a_transaction_begins(monkeypatch, tmp_path):
    monkeypatch.delenv("DATABASE_URL", raising=False)
    found = environment.database(default=tmp_path / "domino.sqlite3")
    assert found["OPTIONS"]["transaction_mode"] == "IMMEDIATE"
    assert "journal_mode=WAL" in found["OPTIONS"]["init_command"]


def test_a_development_key_is_made_once_and_kept_from_others(monkeypatch, tmp_path):
    monkeypatch.delenv("SECRET_KEY", raising=False)
    key = environment.secret_key(debug=True, kept_in=tmp_path)
    assert len(key) >= 32
    assert environment.secret_key(debug=True, kept_in=tmp_path) == key
    assert (tmp_path / "secret_key").stat().st_mode & 0o077 == 0


@pytest.mark.parametrize(("given", "said"), [("", "is not set"), ("short", "at least 32")])
def test_a_site_for_others_needs_a_long_secret_key(monkeypatch, tmp_path, given, said):
    monkeypatch.setenv("SECRET_KEY", given)
    with pytest.raises(ImproperlyConfigured, match=said):
        environment.secret_key(debug=False, kept_in=tmp_path)


def test_a_start_with_nonsense_ends_with_one_sentence():
    answer = manage("check", **PRODUCTION | {"DATABASE_URL": "mysql://host/name"})
    assert answer.returncode == 1
    assert answer.stderr.startswith("Not started. DATABASE_URL does not name a database")
    assert len(answer.stderr.splitlines()) == 1


def test_the_directory_for_what_is_kept_is_made_at_the_start(tmp_path):
    place = tmp_path / "new" / "var"
    answer = manage("migrate", "--check", **PRODUCTION | {"VAR_DIR": str(place)})
    assert "unable to open" not in answer.stderr
    assert (place / "domino.sqlite3").exists()


def test_a_directory_that_cannot_be_made_ends_the_start_with_one_sentence(tmp_path):
    (tmp_path / "file").touch()
    answer = manage("check", **PRODUCTION | {"VAR_DIR": str(tmp_path / "file" / "var")})
    assert answer.returncode == 1
    assert answer.stderr.startswith("Not started. VAR_DIR is “")
    assert len(answer.stderr.splitlines()) == 1


def test_settings_for_others_have_nothing_to_warn_about():
    answer = manage(
        "check", "--deploy", "--fail-level", "WARNING",
        **PRODUCTION | {"ALLOWED_HOSTS": "play.example.org"},
    )  # fmt: skip
    assert answer.returncode == 0, answer.stderr


def test_every_file_the_styles_name_can_be_collected(tmp_path):
    answer = manage("collectstatic", "--noinput", **PRODUCTION | {"VAR_DIR": str(tmp_path)})
    assert answer.returncode == 0, answer.stderr
    names = json.loads((tmp_path / "static" / "staticfiles.json").read_text())["paths"]
    assert names["tournaments/site.css"] != "tournaments/site.css"


def test_answers_tell_browsers_to_run_only_files_of_the_site(client, db):
    headers = client.get("/login/").headers
    assert "default-src 'self'" in headers["Content-Security-Policy"]
    assert "unsafe" not in headers["Content-Security-Policy"]
    assert headers["X-Frame-Options"] == "DENY"
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "same-origin"


@pytest.fixture
def stage(db: None) -> Stage:
    rosa = User.objects.create_user("rosa")
    tournament = Tournament.objects.create(
        name="Open", slug="open", starts_on="2026-05-01", created_by=rosa,
        state=Tournament.State.RUNNING, rules=Rules.of("wdf").frozen_json(),
    )  # fmt: skip
    return Stage.objects.create(
        tournament=tournament, number=1, name="Stage", system=Stage.System.MANUAL
    )


@pytest.fixture
def worker() -> Iterator[None]:
    """Run the worker as the README says, on this test's database and its own queue."""
    test = connection.settings_dict
    url = f"postgres://{test['USER']}@{test['HOST']}:{test['PORT']}/{test['NAME']}"
    queue = current_app.conf.task_default_queue
    process = subprocess.Popen(
        [sys.executable, "-m", "celery", "-A", "tournaments.project.celery", "worker",
         "--pool", "solo", "--loglevel", "WARNING"],
        cwd=ROOT,
        env=os.environ | {"DATABASE_URL": url, "CELERY_QUEUE": queue},
    )  # fmt: skip
    current_app.conf.task_always_eager = False
    yield
    current_app.conf.task_always_eager = True
    process.terminate()
    process.wait(timeout=30)


@pytest.mark.redis
@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_a_worker_rebuilds_the_standings_after_a_change_is_stored(stage, worker):
    entry = Entry.objects.create(
        tournament=stage.tournament, number=1, seed=1, kind="pair", name="Rosa and Ana"
    )
    stale = StandingRow.objects.create(stage=stage, entry=entry, order=7, place=7)
    with transaction.atomic():
        schedule_standings(stage)
    deadline = time.monotonic() + 30
    while StandingRow.objects.filter(pk=stale.pk).exists():
        assert time.monotonic() < deadline, "the worker did not rebuild the standings"
        time.sleep(0.1)

"""What every test runs under, and that none is skipped."""

from __future__ import annotations

import os
from collections.abc import Generator, Iterable
from pathlib import Path
from tempfile import gettempdir
from typing import TypeVar
from uuid import uuid4

import pytest
from celery import current_app
from django.conf import settings as django_settings
from django.db import connection, connections
from django.db.backends.base.operations import BaseDatabaseOperations
from hypothesis import HealthCheck
from hypothesis import settings as hypothesis_settings

from scripts.messages import compile_catalogs
from tournaments import pictures
from tournaments.services.erasing import allow_erasing

hypothesis_settings.register_profile(
    "default", max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
hypothesis_settings.register_profile(
    "ci", max_examples=2000, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
hypothesis_settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))


def pytest_configure(config: pytest.Config) -> None:
    """Work at once instead of by a worker, sign in quickly, keep apart from other runs."""
    if not hasattr(config, "workerinput"):
        compile_catalogs()
    run = f"test-{uuid4().hex[:12]}"
    django_settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    django_settings.CACHES["default"]["KEY_PREFIX"] = run
    # Tests are undone, and the next one has other things under the same keys.
    django_settings.PAGE_COPY_SECONDS = 0
    current_app.conf.update(
        task_always_eager=True, task_eager_propagates=True, task_default_queue=run
    )
    keep_database_apart(run)
    let_sqlite_be_emptied()


def let_sqlite_be_emptied() -> None:
    """Let tests that commit empty their tables; PostgreSQL truncates, which no trigger stops."""
    if connection.vendor != "sqlite":
        return
    # Of the class: beside a browser's event loop the same thread has another connection.
    operations = type(connection.ops)
    flush = operations.execute_sql_flush

    def flush_all(self: BaseDatabaseOperations, sql_list: Iterable[str]) -> None:
        with allow_erasing("the database of a test is emptied"):
            flush(self, sql_list)

    operations.execute_sql_flush = flush_all  # type: ignore[method-assign]


def keep_database_apart(run: str) -> None:
    """Give this run a database of its own, which several connections can use at one moment.

    SQLite in memory cannot queue writers, so it is a file as in real life.
    """
    database = connections["default"].settings_dict
    is_sqlite = database["ENGINE"].endswith("sqlite3")
    database["TEST"]["NAME"] = str(Path(gettempdir(), f"{run}.sqlite3")) if is_sqlite else run


@pytest.fixture(autouse=True)
def no_pictures_drawn(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Draw nothing but in tests of it: every picture would take a third of a second."""
    if request.node.get_closest_marker("pdf") is None:
        monkeypatch.setattr(pictures, "as_png", lambda html: b"")


Report = TypeVar("Report", pytest.CollectReport, pytest.TestReport)


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    return nothing_skipped((yield))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    return nothing_skipped((yield))


def nothing_skipped(report: Report) -> Report:
    """A test that does not run proves nothing: deselect it by its marker, or mend it."""
    if report.skipped:
        report.outcome = "failed"
        report.longrepr = f"Nothing is skipped or expected to fail: {report.longrepr}"
    return report

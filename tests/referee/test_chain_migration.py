"""Records from before there was a chain are chained when the database is brought up to date."""

from __future__ import annotations

from collections.abc import Iterator
from uuid import uuid4

import pytest
from django.db import IntegrityError, connection
from django.db.migrations.executor import MigrationExecutor

from referee.models import RecordedEvent, RoundRecord
from referee.verifying import altered_rows
from tests.factories import MatchFactory, UserFactory

BEFORE = [("referee", "0002_kept_files")]


def migrate(targets: list[tuple[str, str]]) -> None:
    MigrationExecutor(connection).migrate(targets)


@pytest.fixture
def without_chain(transactional_db: None) -> Iterator[None]:
    """The database as it was before the chain; afterwards as it is."""
    everything = MigrationExecutor(connection).loader.graph.leaf_nodes()
    migrate(BEFORE)
    yield
    migrate(everything)


def test_what_was_recorded_before_is_chained(without_chain: None) -> None:
    # Two matches, one with two rounds; their tables have the same number.
    by = UserFactory.create()
    matches = [MatchFactory.create() for _ in range(2)]
    executor = MigrationExecutor(connection)
    old = executor.loader.project_state(BEFORE).apps
    for match, rounds in zip(matches, (2, 1), strict=True):
        for number in range(rounds):
            one = old.get_model("referee", "RoundRecord").objects.create(
                match_id=match.pk, number=number, opener="A", hands={"B": ["6-5"], "A": ["6-6"]}
            )
            for place, line in enumerate(("A 6-6", "B pass")):
                old.get_model("referee", "RecordedEvent").objects.create(
                    round=one, number=place, notation=line, client_key=uuid4(),
                    recorded_by_id=by.pk if place else None,
                )  # fmt: skip
    migrate(executor.loader.graph.leaf_nodes())
    assert list(altered_rows()) == []
    assert [one.follows for one in RoundRecord.objects.order_by("match_id", "number")] == [0, 2, 0]
    assert RecordedEvent.objects.exclude(chain="").count() == 6
    with pytest.raises(IntegrityError, match="not deleted"):
        RecordedEvent.objects.all().delete()

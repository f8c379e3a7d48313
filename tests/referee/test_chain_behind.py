"""One event is changed by hand behind the application's back, and `manage.py verify` names it."""

from __future__ import annotations

from collections.abc import Callable
from io import StringIO

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from django.core.management.base import CommandError

from referee.models import RoundRecord
from tests.referee.conftest import write
from tests.referee.test_chain import behind_the_back
from tournaments.models import Match

pytestmark = pytest.mark.django_db
LINES = ["A 6-6", "B 6-3", "C 3-3", "D 6-1", "A 3-2"]
EVENT = "UPDATE referee_recordedevent SET {} WHERE round_id = %s AND number = %s"


@pytest.fixture
def written(record: RoundRecord, referee: User) -> RoundRecord:
    write(record, LINES, referee)
    return record


def change(record: RoundRecord, number: int, what: str, *values: object) -> None:
    behind_the_back(EVENT.format(what), [*values, record.pk, number])


def changed_row(record: RoundRecord) -> None:
    change(record, 2, "notation = %s", "C 3-5")


def changed_time(record: RoundRecord) -> None:
    later = record.events.get(number=2).recorded_at.replace(year=2030)
    change(record, 2, "recorded_at = %s", later)


def deleted_row(record: RoundRecord) -> None:
    behind_the_back(
        "DELETE FROM referee_recordedevent WHERE round_id = %s AND number = %s", [record.pk, 2]
    )


def deleted_and_closed_up(record: RoundRecord) -> None:
    deleted_row(record)
    for number in (3, 4):
        change(record, number, "number = number - 1")


def swapped_order(record: RoundRecord) -> None:
    change(record, 2, "number = 99")
    change(record, 3, "number = 2")
    change(record, 99, "number = 3")


def inserted_between(record: RoundRecord) -> None:
    for number in (4, 3, 2):
        change(record, number, "number = number + 1")
    columns = "round_id, notation, recorder, recorded_at, recorded_by_id, chain"
    behind_the_back(
        f"INSERT INTO referee_recordedevent (number, client_key, {columns}) "
        f"SELECT 2, %s, {columns} FROM referee_recordedevent WHERE round_id = %s AND number = %s",
        ["1" * 32, record.pk, 1],
    )


def inserted_at_the_end(record: RoundRecord) -> None:
    columns = "round_id, notation, recorder, recorded_at, recorded_by_id, chain"
    behind_the_back(
        f"INSERT INTO referee_recordedevent (number, client_key, {columns}) "
        f"SELECT 5, %s, {columns} FROM referee_recordedevent WHERE round_id = %s AND number = %s",
        ["1" * 32, record.pk, 4],
    )


@pytest.mark.parametrize(
    ("act", "named"),
    [
        (changed_row, "event 2: altered"),
        (changed_time, "event 2: altered"),
        (deleted_row, "event 2: missing"),
        (deleted_and_closed_up, "event 2: "),
        (swapped_order, "event 2: "),
        (inserted_between, "event 2: "),
        (inserted_at_the_end, "event 5: "),
    ],
)
def test_verify_names_what_was_done_by_hand(
    written: RoundRecord, match: Match, act: Callable[[RoundRecord], None], named: str
) -> None:
    call_command("verify", stdout=StringIO())
    act(written)
    said = StringIO()
    with pytest.raises(CommandError, match="of records"):
        call_command("verify", stdout=said)
    lines = [one for one in said.getvalue().splitlines() if ", round 1 of the record, " in one]
    slug = match.pairing_round.stage.tournament.slug
    place = f"{slug}: stage 1 round 1 table {match.table} (match {match.pk}), round 1 of the record"
    assert lines[0].startswith(f"{place}, {named}"), said.getvalue()


def test_what_was_done_by_hand_stays_named_after_the_record_goes_on(
    written: RoundRecord, referee: User
) -> None:
    changed_time(written)
    write(written, ["B 1-1"], referee)
    said = StringIO()
    with pytest.raises(CommandError, match="1 rows of records"):
        call_command("verify", stdout=said)
    assert "event 2: altered" in said.getvalue()

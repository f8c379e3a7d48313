"""The chain of a record: what is altered behind the application's back is named."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import IntegrityError, connection, transaction

from engine.events import Sheet
from referee.chain import What
from referee.event_file import exported, imported
from referee.models import RecordedEvent, RoundRecord
from referee.services import records as services
from referee.services import replays
from referee.verifying import Altered, Beside, altered_rows
from tests.factories import (
    OrganizerFactory,
    RecordedEventFactory,
    TournamentFactory,
    UserFactory,
)
from tests.referee.conftest import write
from tests.referee.test_event_file import forget_event
from tests.tournaments.test_proofs import published
from tournaments.errors.event_files import BadEventFile
from tournaments.models import Match
from tournaments.services.erasing import allow_erasing

pytestmark = pytest.mark.django_db
LINES = ["A 6-6", "B 6-3", "C pass", "D 6-1"]


@pytest.fixture
def written(record: RoundRecord, referee: User) -> RoundRecord:
    write(record, LINES, referee)
    return record


def behind_the_back(statement: str, values: Sequence[Any] = ()) -> None:
    """Run a statement as somebody would who has the database and takes the triggers off."""
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
            cursor.execute("ALTER TABLE referee_recordedevent DISABLE TRIGGER referee_event_stays")
            cursor.execute(statement, values)
            cursor.execute("ALTER TABLE referee_recordedevent ENABLE TRIGGER referee_event_stays")
            return
        cursor.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")
        triggers = cursor.fetchall()
        assert len(triggers) == 2
        for name, _ in triggers:
            cursor.execute(f"DROP TRIGGER {name}")
        cursor.execute(statement, values)
        for _, made in triggers:
            cursor.execute(made)


def named() -> list[tuple[int | None, int | None, str]]:
    return [(one.round, one.number, one.what) for one in altered_rows()]


def event_of(record: RoundRecord, number: int) -> RecordedEvent:
    return record.events.get(number=number)


def test_a_record_is_chained_as_it_is_written(written: RoundRecord) -> None:
    links = list(written.events.order_by("number").values_list("chain", flat=True))
    written.refresh_from_db()
    assert len({written.chain, *links}) == 5
    assert (written.head, written.length) == (links[-1], 4)
    assert named() == []


def test_the_chain_begins_with_the_match(written: RoundRecord, match: Match) -> None:
    assert written.origin.endswith(f"/1/1/{match.pk}")


def test_a_round_follows_on_the_round_before_it(match: Match, referee: User) -> None:
    services.open_match(match, by=referee)
    for number in range(3):
        services.record_sheet(match, number=number, sheet=Sheet("AC", 20, "out"), by=referee)
    assert [one.follows for one in RoundRecord.objects.order_by("number")] == [0, 1, 1]
    assert named() == []


def test_a_late_ruling_in_an_earlier_round_goes_on_there(match: Match, referee: User) -> None:
    services.open_match(match, by=referee)
    for number in range(2):
        services.record_sheet(match, number=number, sheet=Sheet("AC", 20, "out"), by=referee)
    write(RoundRecord.objects.get(number=0), ["B! touch 5-1 -> warning"], referee)
    assert [one.length for one in RoundRecord.objects.order_by("number")] == [2, 1]
    assert named() == []


def test_a_round_opened_anew_after_an_undone_sheet_stays_whole(match: Match, referee: User) -> None:
    services.open_match(match, by=referee)
    services.record_sheet(match, number=0, sheet=Sheet("AC", 20, "out"), by=referee)
    record = RoundRecord.objects.get()
    write(record, ["undo 1"], referee)
    services.open_round(match, number=0, opener="B", by=referee)
    record.refresh_from_db()
    write(record, ["B 6-6", "C 6-3"], referee)
    record.refresh_from_db()
    assert [one["until"] for one in record.former] == [2]
    assert named() == []
    RoundRecord.objects.filter(pk=record.pk).update(opener="C")
    assert named() == [(0, None, What.ROUND_CHANGED)]


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("notation", "B 6-2"),
        ("client_key", "0" * 32),
        ("recorded_at", "2020-01-01 10:00:00+00:00"),
        ("recorder", 999_999),
    ],
)
def test_an_altered_event_is_named_and_no_other(
    written: RoundRecord, column: str, value: object
) -> None:
    one = event_of(written, 1)
    behind_the_back(
        f"UPDATE referee_recordedevent SET {column} = %s WHERE id = %s", [value, one.pk]
    )
    found = named()
    assert found[0] == (0, 1, What.CHANGED)
    # Another number of the account is also not the account that the row points at.
    assert found[1:] == ([(0, 1, Beside.RECORDER_CHANGED)] if column == "recorder" else [])


def test_an_altered_link_is_named_as_that(written: RoundRecord) -> None:
    one = event_of(written, 1)
    behind_the_back("UPDATE referee_recordedevent SET chain = %s WHERE id = %s", ["f" * 64, one.pk])
    assert named() == [(0, 1, What.LINK_CHANGED)]


def test_an_event_under_another_account_is_named(written: RoundRecord) -> None:
    one = event_of(written, 2)
    other = UserFactory.create()
    behind_the_back(
        "UPDATE referee_recordedevent SET recorded_by_id = %s WHERE id = %s", [other.pk, one.pk]
    )
    assert named() == [(0, 2, Beside.RECORDER_CHANGED)]


@pytest.mark.parametrize("number", [0, 1, 3])
def test_a_missing_event_is_named(written: RoundRecord, number: int) -> None:
    one = event_of(written, number)
    behind_the_back("DELETE FROM referee_recordedevent WHERE id = %s", [one.pk])
    assert named() == [(0, number, What.MISSING)]


def test_all_events_missing_are_named(written: RoundRecord) -> None:
    behind_the_back("DELETE FROM referee_recordedevent")
    assert named() == [(0, number, What.MISSING) for number in range(4)]


def test_an_inserted_event_is_named(written: RoundRecord, referee: User) -> None:
    RecordedEvent.objects.create(
        round=written, number=4, notation="A 1-0", client_key="1" * 32, recorded_by=referee,
        recorder=referee.pk,
    )  # fmt: skip
    assert named() == [(0, 4, What.INSERTED)]


def test_a_missing_round_is_named(match: Match, referee: User) -> None:
    services.open_match(match, by=referee)
    for number in range(3):
        services.record_sheet(match, number=number, sheet=Sheet("AC", 20, "out"), by=referee)
    one = RoundRecord.objects.get(number=1)
    behind_the_back("DELETE FROM referee_recordedevent WHERE round_id = %s", [one.pk])
    one.delete()
    assert named() == [(1, None, What.ROUND_MISSING)]


def test_an_altered_opener_is_named_and_no_event(written: RoundRecord) -> None:
    RoundRecord.objects.filter(pk=written.pk).update(opener="B")
    assert named() == [(0, None, What.ROUND_CHANGED)]


def test_a_record_at_another_match_is_named(written: RoundRecord, match: Match) -> None:
    match.pairing_round.number = 5
    match.pairing_round.save()
    assert named() == [(0, None, Beside.MOVED)]


def test_a_moment_counts_to_the_microsecond(written: RoundRecord) -> None:
    one = event_of(written, 0)
    with allow_erasing("a test"):
        RecordedEvent.objects.filter(pk=one.pk).update(
            recorded_at=one.recorded_at + timedelta(microseconds=1)
        )
    assert named() == [(0, 0, What.CHANGED)]


# --- the command -------------------------------------------------------------------------------


def verified(*names: str) -> str:
    said = StringIO()
    call_command("verify", *names, stdout=said)
    return said.getvalue()


def test_verify_finds_nothing_in_a_sound_record(written: RoundRecord) -> None:
    assert "1 rounds with 4 events checked: 0 faults" in verified()


def test_verify_names_match_table_round_and_event(written: RoundRecord, match: Match) -> None:
    one = event_of(written, 2)
    behind_the_back("UPDATE referee_recordedevent SET notation = 'C 3-2' WHERE id = %s", [one.pk])
    said = StringIO()
    slug = match.pairing_round.stage.tournament.slug
    with pytest.raises(CommandError, match="1 rows of records"):
        call_command("verify", slug, stdout=said)
    assert (
        f"{slug}: stage 1 round 1 table {match.table} (match {match.pk}), "
        "round 1 of the record, event 2: altered"
    ) in said.getvalue()


def test_verify_of_one_event_leaves_others_alone(written: RoundRecord) -> None:
    other = TournamentFactory.create(slug="sound")
    RoundRecord.objects.filter(pk=written.pk).update(opener="B")
    assert "0 rounds with 0 events checked: 0 faults" in verified(other.slug)


def test_verify_of_no_event_says_so() -> None:
    with pytest.raises(CommandError, match="No event has the address nowhere"):
        verified("nowhere")


def test_verify_checks_draws_too() -> None:
    last = published(8, rounds=1)
    last.draw["answer"]["byes"] = ["1"]
    last.save()
    with pytest.raises(CommandError, match="nile: 1 draws are not valid"):
        verified()
    assert "0 rounds with 0 events checked: 0 faults" in verified("--no-draws")


# --- the database refuses ----------------------------------------------------------------------


def test_the_database_refuses_to_change_an_event(written: RoundRecord) -> None:
    with pytest.raises(IntegrityError, match="not changed"), transaction.atomic():
        written.events.update(notation="A 5-5")
    assert named() == []


def test_the_database_refuses_to_delete_an_event(written: RoundRecord) -> None:
    with pytest.raises(IntegrityError, match="not deleted"), transaction.atomic():
        written.events.all().delete()
    assert written.events.count() == 4


def test_a_deleted_account_leaves_its_events_and_their_chain(
    written: RoundRecord, referee: User
) -> None:
    referee.delete()
    assert set(written.events.values_list("recorded_by", flat=True)) == {None}
    assert named() == []


def test_erasing_is_allowed_only_inside_its_block(written: RoundRecord) -> None:
    with allow_erasing("a test"):
        event_of(written, 3).delete()
    with pytest.raises(IntegrityError, match="not deleted"), transaction.atomic():
        event_of(written, 2).delete()


def test_erasing_that_fails_leaves_the_guard_as_it_was(written: RoundRecord) -> None:
    with pytest.raises(ZeroDivisionError), allow_erasing("a test"):
        _ = 1 // 0
    with pytest.raises(IntegrityError, match="not deleted"), transaction.atomic():
        event_of(written, 2).delete()


def test_a_replayed_match_begins_its_chain_anew(
    written: RoundRecord, match: Match, referee: User, director: User
) -> None:
    replays.replay_match(match, reason="The tiles were marked.", by=director)
    assert not RecordedEvent.objects.exists()
    services.open_match(match, by=referee)
    write(services.open_round(match, number=0, opener="A", by=referee), LINES, referee)
    assert named() == []


# --- event files -------------------------------------------------------------------------------


def there_and_back(match: Match) -> bytes:
    content = exported(match.pairing_round.stage.tournament)
    forget_event()
    imported(content, by=OrganizerFactory.create())
    return content


def test_an_event_file_carries_the_chain(written: RoundRecord, match: Match) -> None:
    written.refresh_from_db()
    there_and_back(match)
    assert RoundRecord.objects.get().head == written.head
    assert RoundRecord.objects.get().origin == written.origin
    assert named() == []


def test_an_event_file_carries_what_a_table_link_recorded(
    written: RoundRecord, match: Match
) -> None:
    RecordedEventFactory.create(round=written, notation="A 1-0", recorded_by=None, recorder=-7)
    there_and_back(match)
    assert RecordedEvent.objects.get(number=4).recorder == -7
    assert named() == []


def test_a_file_whose_rows_do_not_fit_its_chain_is_refused(
    written: RoundRecord, match: Match
) -> None:
    document = json.loads(exported(match.pairing_round.stage.tournament))
    record = document["stages"][0]["rounds"][0]["matches"][0]["record"]
    record[0]["events"][1]["notation"] = "B 6-2"
    forget_event()
    with pytest.raises(BadEventFile, match=r"record\[0\]\.events\[1\]\.chain"):
        imported(json.dumps(document).encode(), by=OrganizerFactory.create())


def test_a_copy_of_an_event_has_a_chain_of_its_own(written: RoundRecord, match: Match) -> None:
    written.refresh_from_db()
    content = exported(match.pairing_round.stage.tournament)
    copy = imported(content, copy="1", by=OrganizerFactory.create())
    one = RoundRecord.objects.get(match__pairing_round__stage__tournament=copy)
    assert one.head != written.head
    assert named() == []


def test_altered_is_told_with_its_place(written: RoundRecord, match: Match) -> None:
    RoundRecord.objects.filter(pk=written.pk).update(opener="B")
    slug = match.pairing_round.stage.tournament.slug
    assert list(altered_rows(match.pairing_round.stage.tournament)) == [
        Altered(match.pk, match.table, 1, 1, slug, 0, None, What.ROUND_CHANGED)
    ]

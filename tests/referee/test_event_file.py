"""A whole event as one file: there and back to the same standings, once, or refused with a path."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse

from referee.event_file import exported, imported
from referee.models import RecordedEvent, RoundRecord
from tests.factories import (
    PASSWORD,
    ClubFactory,
    EntryFactory,
    OfficialFactory,
    OrganizerFactory,
    RecordedEventFactory,
    RoundRecordFactory,
    TournamentFactory,
    UserFactory,
)
from tournaments.models import (
    Absence,
    Club,
    Entry,
    ForbiddenMeeting,
    Match,
    PairingRound,
    Player,
    Room,
    Stage,
    StandingRow,
    Tournament,
)
from tournaments.services import draws, event_file, event_shapes, pairings, results, stages
from tournaments.services.erasing import allow_erasing
from tournaments.services.event_import import BadEventFile, EventFileIsNewer
from tournaments.services.results import SeatResult
from tournaments.services.stages import StagePlan
from tournaments.services.standings import rebuild_standings
from tournaments.services.takes import Takes
from tournaments.words.log import log_lines

pytestmark = pytest.mark.django_db

# Seat A holds every six, so that seat B passes after the first tile.
HANDS = {
    "A": ["6-6", "6-5", "6-4", "6-3", "6-2", "6-1", "6-0"],
    "B": ["5-5", "5-4", "5-3", "5-2", "5-1", "5-0", "4-4"],
    "C": ["4-3", "4-2", "4-1", "4-0", "3-3", "3-2", "3-1"],
    "D": ["3-0", "2-2", "2-1", "2-0", "1-1", "1-0", "0-0"],
}


def play(pairing_round: PairingRound, by: User, chance: random.Random) -> None:
    pairings.publish(pairing_round, by=by)
    for match in pairing_round.matches.all():
        lost = chance.randrange(99)
        winner = chance.choice(("AC", "BD"))
        results.record_result(
            match,
            seats={
                letter: SeatResult(100, lost, "win", rounds_won=4)
                if letter in winner
                else SeatResult(lost, 100, "loss", deducted=chance.choice((0, 20)))
                for letter in "ABCD"
            },
            by=by,
        )


@pytest.fixture
def event() -> Tournament:
    """Nine pairs: a Swiss of three rounds with a bye and an absence, then the semifinals."""
    tournament = TournamentFactory.create(
        name="Nile Cup", slug="nile", state=Tournament.State.RUNNING,
        created_by__first_name="Mona", created_by__email="mona@example.org",
    )  # fmt: skip
    by = tournament.created_by
    club = ClubFactory.create(name="نادي النيل")
    EntryFactory.create_batch(9, tournament=tournament, club=club)
    one, other = tournament.entries.order_by("number")[:2]
    Entry.objects.filter(pk=one.pk).update(check_in_code="secret-code", paid=True)
    ForbiddenMeeting.objects.create(tournament=tournament, one=one, other=other)
    Room.objects.create(tournament=tournament, name="Hall", first_table=1, last_table=4)
    OfficialFactory.create(tournament=tournament, user__first_name="Omar")
    stage = stages.make_stage(tournament, StagePlan("swiss", rounds=3), by=by)
    chance = random.Random(5)
    for number in (1, 2, 3):
        if number == 2:
            prepared = draws.round_to_prepare(stage, 2)
            Absence.objects.create(pairing_round=prepared, entry=one, kind=Absence.Kind.EXCUSED)
        play(draws.draw_round(stage, number=number, by=by), by, chance)
        rebuild_standings(stage)
    match = Match.objects.filter(pairing_round__stage=stage).order_by("pk").first()
    record = RoundRecordFactory.create(match=match, opener="A", hands=HANDS, stock=[])
    for notation in ("A 6-6", "B pass"):
        RecordedEventFactory.create(round=record, notation=notation)
    stage = stages.close_stage(stage, by=by)
    final = stages.make_stage(
        tournament, StagePlan("knockout", takes=Takes(each=4)), source=stage, by=by
    )
    play(draws.draw_round(final, number=1, by=by), by, chance)
    rebuild_standings(final)
    draws.draw_round(final, number=2, by=by)
    return tournament


def standings() -> list[tuple[Any, ...]]:
    rows = StandingRow.objects.order_by("stage__number", "order")
    return list(
        rows.values_list(
            "stage__number", "entry__number", "order", "place", "played", "values", "decided_by"
        )
    )


def forget_event() -> None:
    with allow_erasing("the event is forgotten"):
        for stage in Stage.objects.order_by("-number"):
            stage.rounds.all().delete()
            stage.delete()
        Tournament.objects.all().delete()


def elsewhere() -> User:
    """Leave this installation as if the event had never been on it; return its organizer."""
    forget_event()
    Player.objects.all().delete()
    Club.objects.all().delete()
    User.objects.all().delete()
    return OrganizerFactory.create(username="layla")


def comparable(content: bytes) -> dict[str, Any]:
    """Return a document without what belongs to one installation."""
    document: dict[str, Any] = json.loads(content)
    document.pop("officials")
    for stage in document["stages"]:
        for pairing_round in stage["rounds"]:
            del pairing_round["id"]
            for match in pairing_round["matches"]:
                del match["id"]
    lines = [line for line in document["log"] if line["act"] != "event_imported"]
    for line in lines:
        line["details"] = {
            name: value
            for name, value in line["details"].items()
            if name not in ("match", "pairing_round", "by_name")
        }
    document["log"] = lines
    return document


def test_an_event_there_and_back_is_the_same(event):
    content = exported(event)
    before = standings()
    by = elsewhere()
    there = imported(content, by=by)
    assert standings() == before
    assert comparable(exported(there)) == comparable(content)
    for stage in there.stages.all():
        Stage.objects.filter(pk=stage.pk).update(state=Stage.State.OPEN)
        rebuild_standings(stage)
    assert standings() == before
    assert RecordedEvent.objects.count() == 2
    assert RoundRecord.objects.get().hands == HANDS


def test_the_event_goes_on_where_it_stopped(event):
    content = exported(event)
    by = elsewhere()
    there = imported(content, by=by)
    final = there.stages.get(number=2)
    play(final.rounds.get(number=2), by, random.Random(1))
    rebuild_standings(final)
    assert StandingRow.objects.filter(stage=final, place=1).count() == 1


def test_nothing_private_is_in_the_file(event):
    text = exported(event).decode()
    assert "secret-code" not in text
    assert event.created_by.email not in text
    assert event.created_by.password not in text
    assert event.created_by.username not in text
    assert "Mona" in text


def test_the_log_keeps_the_names_of_those_who_acted(event):
    content = exported(event)
    there = imported(content, by=elsewhere())
    said = [line.text for line in log_lines(there.log.all())]
    assert any(line.startswith("Mona published round 1") for line in said)
    assert said[0] == "layla imported the event from a file"
    closed = there.log.filter(act="result").first()
    assert closed is not None
    assert Match.objects.filter(pk=closed.details["match"], table=closed.details["table"]).exists()


def test_imported_twice_it_is_stored_once_also_where_it_came_from(event):
    content = exported(event)
    assert imported(content, by=event.created_by) == event
    by = elsewhere()
    there = imported(content, by=by)
    assert imported(content, by=by) == there
    # A copy saved there is the same event, too.
    assert imported(exported(there), by=by) == there
    assert Tournament.objects.count() == 1


def test_a_taken_address_and_known_people_are_found(event):
    content = exported(event)
    players = Player.objects.count()
    forget_event()
    TournamentFactory.create(slug="nile", name="Another")
    there = imported(content, by=OrganizerFactory.create())
    assert there.slug == "nile-2"
    assert Player.objects.count() == players


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("format", "chess"),
        ("version", "1"),
        ("key", None),
        ("event.name", 5),
        ("event.state", "over"),
        ("event.rules", {"profile": "chess"}),
        ("event.created_at", "yesterday"),
        ("entries[3].number", 1),
        ("entries[0].players[1].player", 99),
        ("players[0].club", -1),
        ("stages[0].tie_breaks[1]", "luck"),
        ("stages[1].source", 7),
        ("stages[1].settings.bracket", "big"),
        ("stages[0].rounds[0].matches[2].seats[1].points_for", "many"),
        ("stages[0].rounds[0].matches[2].seats[1].entry", 99),
        ("stages[0].rounds[1].absences[0].kind", "asleep"),
        ("stages[0].rounds[0].matches", {}),
        ("log[0].details", []),
        ("event.policies", {"absences": {"excused": 5}}),
        ("stages[0].rounds[0].standings", {"rows": [5]}),
        ("stages[0].standings[1].values", {"wins": "many"}),
        ("stages[0].rounds[0].matches[0].score", "draft"),
    ],
)
def test_a_malformed_file_is_refused_with_its_path_and_stores_nothing(event, path, value):
    document = json.loads(exported(event))
    by = elsewhere()
    target: Any = document
    *parents, last = path.replace("[", ".[").split(".")
    for part in parents:
        target = target[int(part[1:-1]) if part.startswith("[") else part]
    target[int(last[1:-1]) if last.startswith("[") else last] = value
    if path == "event.policies":
        # They are read when an open stage is counted.
        document["stages"][0]["state"] = "open"
    with pytest.raises(BadEventFile) as refused:
        imported(json.dumps(document).encode(), by=by)
    assert path in str(refused.value)
    assert not Tournament.objects.exists()
    assert not Player.objects.exists()


def test_the_same_table_twice_is_refused(event):
    document = json.loads(exported(event))
    document["stages"][0]["rounds"][0]["matches"][1]["table"] = 1
    by = elsewhere()
    with pytest.raises(BadEventFile, match="rows that fit together"):
        imported(json.dumps(document).encode(), by=by)
    assert not Tournament.objects.exists()


@pytest.mark.parametrize("content", [b"", b"[]", b"\xff\xfe", b'{"format": "domino-event"}'])
def test_what_is_no_event_is_refused(content):
    with pytest.raises(BadEventFile):
        imported(content, by=OrganizerFactory.create())


def test_a_bad_line_of_a_record_is_refused_with_its_path(event):
    content = exported(event).replace(b'"A 6-6"', b'"A 9-9 and more"')
    by = elsewhere()
    with pytest.raises(BadEventFile, match=r"record\[0\]\.events\[0\]\.notation"):
        imported(content, by=by)


@pytest.mark.parametrize(
    ("where", "value"),
    [
        ((), 2),
        (("answer",), 1.5),
        (("request", "entries"), 7),
        (("answer", "tables", 0, "AC"), None),
        (("answer", "tables", 0, "AC"), ["999"]),
    ],
)
def test_a_draw_that_no_page_could_read_is_refused(event, where, value):
    document = json.loads(exported(event))
    by = elsewhere()
    drawn = (one for stage in document["stages"] for one in stage["rounds"])
    place = next(one for one in drawn if "tables" in one["draw"].get("answer", {}))
    for key in ("draw", *where)[:-1]:
        place = place[key]
    place[("draw", *where)[-1]] = value
    with pytest.raises(BadEventFile, match=r"rounds\[0\]\.draw"):
        imported(json.dumps(document).encode(), by=by)
    assert not Tournament.objects.exists()


def test_a_newer_version_is_refused(event):
    document = json.loads(exported(event)) | {"version": 2}
    with pytest.raises(EventFileIsNewer):
        imported(json.dumps(document).encode(), by=event.created_by)


def test_only_those_who_may_create_events_import(event):
    with pytest.raises(PermissionDenied):
        imported(exported(event), by=UserFactory.create())


def test_the_commands_save_and_import(event, tmp_path: Path, capsys):
    path = tmp_path / "nile.json"
    call_command("export_event", "nile", str(path))
    by = elsewhere()
    call_command("import_event", str(path), director=by.username)
    assert Tournament.objects.get().name == "Nile Cup"
    assert "/t/nile/" in capsys.readouterr().out
    with pytest.raises(CommandError, match="No event has the address"):
        call_command("export_event", "elbe")
    path.write_text("{}", encoding="utf-8")
    with pytest.raises(CommandError, match="at format"):
        call_command("import_event", str(path), director=by.username)
    with pytest.raises(CommandError, match="cannot be read"):
        call_command("import_event", str(tmp_path / "none"), director=by.username)
    with pytest.raises(CommandError, match="No account"):
        call_command("import_event", str(path), director="nobody")


def test_the_desk_saves_and_another_desk_imports(client: Client, event, tmp_path: Path):
    client.force_login(event.created_by)
    page = client.get(reverse("tournaments:director_files", args=["nile"]))
    address = reverse("referee:event_file", args=["nile"])
    assert address in page.content.decode()
    saved = client.get(address)
    assert saved.headers["Content-Disposition"] == 'attachment; filename="nile.event.json"'
    path = tmp_path / "nile.json"
    path.write_bytes(saved.content)
    by = elsewhere()
    assert client.login(username=by.username, password=PASSWORD)
    for _ in range(2):
        with path.open("rb") as file:
            answer = client.post(reverse("referee:import_event"), {"file": file})
        assert answer.headers["Location"] == reverse("tournaments:director", args=["nile"])
    path.write_text("{}", encoding="utf-8")
    with path.open("rb") as file:
        answer = client.post(reverse("referee:import_event"), {"file": file})
    assert answer.status_code == 422
    assert "at format it should have" in answer.content.decode().replace("&quot;", '"')
    assert client.post(reverse("referee:import_event")).status_code == 422


def test_strangers_get_no_event_file(client: Client, event):
    client.force_login(UserFactory.create())
    assert client.get(reverse("referee:event_file", args=["nile"])).status_code == 403
    assert client.get(reverse("referee:import_event")).status_code == 403


@pytest.mark.parametrize("form", ["csv", "xlsx", "json"])
@pytest.mark.parametrize("kind", ["records", "infractions"])
def test_what_was_written_at_the_tables_is_a_list_in_every_format(
    client: Client, event, kind, form
):
    client.force_login(event.created_by)
    address = reverse("referee:record_list", args=["nile", kind, form])
    answer = client.get(address)
    assert answer.status_code == 200
    if (kind, form) == ("records", "csv"):
        lines = answer.content.decode("utf-8-sig").splitlines()
        assert [line.split(",")[5] for line in lines] == ["notation", "A 6-6", "B pass"]
    client.force_login(UserFactory.create())
    assert client.get(address).status_code == 403


def test_every_column_of_an_event_is_in_its_file_or_left_out_by_name():
    """A new column is forgotten nowhere: whoever adds one says here whether files have it."""
    left_out = {"check_in_code", "changed_at", "folded_name", "sounds", "user", "created_by"}
    left_out |= {"folded_full_name", "called_at"}
    missing = [
        f"{model.__name__}.{column.name}"
        for model, names in event_file.FIELDS.items()
        for column in model._meta.concrete_fields
        if column.name not in names
        and not column.primary_key
        and column.remote_field is None
        and column.name not in left_out | {"client_key"}
    ]
    assert missing == []
    assert event_shapes.without_shape(event_file.FIELDS) == []

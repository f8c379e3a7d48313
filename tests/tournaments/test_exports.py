"""Files of an event: what is in them, what only the desk gets, and nothing a spreadsheet runs."""

from __future__ import annotations

import csv
import io
import json

import pytest
from django.test import Client
from django.urls import reverse
from openpyxl import load_workbook

from tests.factories import (
    ByeFactory,
    EntryFactory,
    MatchFactory,
    PairingRoundFactory,
    PlayerFactory,
    StageFactory,
    TournamentFactory,
    UserFactory,
)
from tournaments.models import Entry, PairingRound, Stage, Tournament
from tournaments.services import exports, exports_desk, results
from tournaments.services.results import SeatResult
from tournaments.services.standings import rebuild_standings

pytestmark = pytest.mark.django_db


@pytest.fixture
def stage() -> Stage:
    """Three pairs: one round with a table and a bye, and a draft."""
    tournament = TournamentFactory.create(slug="cairo", state=Tournament.State.RUNNING)
    stage = StageFactory.create(tournament=tournament)
    formula = PlayerFactory.create(name="=1+1")
    first = EntryFactory.create(
        tournament=tournament,
        name="=1+1 / مريم",
        players=[formula, PlayerFactory.create(name="مريم")],
    )
    others = EntryFactory.create_batch(2, tournament=tournament)
    EntryFactory.create(tournament=tournament, state=Entry.State.WAITING, name="Waiting")
    pairing_round = PairingRoundFactory.create(stage=stage)
    match = MatchFactory.create(pairing_round=pairing_round, entries=[first, others[0]])
    ByeFactory.create(pairing_round=pairing_round, entry=others[1])
    won, lost = SeatResult(100, 120, "loss"), SeatResult(120, 100, "win")
    results.record_result(
        match, seats={"A": won, "C": won, "B": lost, "D": lost}, by=tournament.created_by
    )
    rebuild_standings(stage)
    draft = PairingRoundFactory.create(stage=stage, state=PairingRound.State.DRAFT)
    MatchFactory.create(pairing_round=draft, entries=[first, others[1]])
    return stage


def rows(client: Client, address: str, *args: str, **asked: int) -> list[dict[str, str]]:
    answer = client.get(reverse(f"tournaments:{address}", args=["cairo", *args, "csv"]), asked)
    assert answer.status_code == 200
    assert answer.content.startswith(b"\xef\xbb\xbf")
    assert "attachment" in answer.headers["Content-Disposition"]
    return list(csv.DictReader(io.StringIO(answer.content.decode("utf-8-sig"))))


def test_a_spreadsheet_runs_nothing(client, stage):
    [first, *_] = rows(client, "export", "entries")
    assert first["name"] == "'=1+1 / مريم"
    assert rows(client, "export", "results")[0]["points_for"] == "100"
    answer = client.get(reverse("tournaments:export", args=["cairo", "entries", "xlsx"]))
    page = load_workbook(io.BytesIO(answer.content))["entries"]
    assert (page["B2"].value, page["B2"].data_type) == ("'=1+1 / مريم", "s")
    assert (page["A2"].value, page["A2"].data_type) == (1, "n")


@pytest.mark.parametrize("text", ["=1", "+1", "-1", "@x", "＝1", "＠x", "\tx", "\rx"])
def test_whatever_begins_a_formula_is_made_a_text(text):
    assert exports.harmless(text) == f"'{text}"
    assert exports.harmless(-5) == -5
    assert exports.harmless("1-2") == "1-2"


def test_everybody_gets_what_is_public_and_the_desk_the_rest(client, stage):
    assert [row["number"] for row in rows(client, "export", "entries")] == ["1", "2", "3"]
    assert {row["round"] for row in rows(client, "export", "pairings")} == {"1"}
    assert "paid" not in rows(client, "export", "entries")[0]
    client.force_login(stage.tournament.created_by)
    entries = rows(client, "director_export", "entries")
    assert [row["state"] for row in entries][-1] == "waiting"
    assert entries[0]["paid"] == "0"
    assert {row["round"] for row in rows(client, "director_export", "pairings")} == {"1", "2"}
    client.force_login(UserFactory.create())
    denied = client.get(reverse("tournaments:director_export", args=["cairo", "entries", "csv"]))
    assert denied.status_code == 403


def test_results_have_a_line_a_seat_and_one_for_a_bye(client, stage):
    found = rows(client, "export", "results", stage=1, round=1)
    assert [row["seat"] for row in found] == ["A", "B", "C", "D", ""]
    assert [row["outcome"] for row in found] == ["loss", "win", "loss", "win", "bye"]
    assert found[0]["player"] == "'=1+1"


def test_standings_now_and_after_a_round(client, stage):
    now = rows(client, "export", "standings")
    assert [row["entry"] for row in now] == ["3", "2", "1"]
    assert now[1]["difference"] == "20"
    assert now[1]["decided_by"] == "difference"
    assert rows(client, "export", "standings", stage=1, round=1) == now
    answer = client.get(reverse("tournaments:export", args=["cairo", "standings", "json"]))
    assert json.loads(answer.content)["standings"][0]["wins"] == 1


def test_one_workbook_has_all(client, stage):
    answer = client.get(reverse("tournaments:export", args=["cairo", "all", "xlsx"]))
    book = load_workbook(io.BytesIO(answer.content))
    assert book.sheetnames == ["entries", "results", "standings 1"]


@pytest.mark.parametrize(
    ("kind", "form", "asked"),
    [
        ("secrets", "csv", {}),
        ("entries", "pdf", {}),
        ("all", "csv", {}),
        ("results", "csv", {"stage": "9"}),
        ("pairings", "csv", {"stage": "1", "round": "2"}),
        ("standings", "csv", {"round": "x"}),
    ],
)
def test_what_is_not_there_is_not_found(client, stage, kind, form, asked):
    address = reverse("tournaments:export", args=["cairo", kind, form])
    assert client.get(address, asked).status_code == 404


def test_a_round_without_standings_has_no_file_of_them(client, stage):
    PairingRound.objects.update(standings=[])
    address = reverse("tournaments:export", args=["cairo", "standings", "csv"])
    assert client.get(address, {"stage": "1", "round": "1"}).status_code == 404


def test_the_pages_list_the_files(client, stage):
    public = client.get(reverse("tournaments:files", args=["cairo"])).content.decode()
    assert reverse("tournaments:export", args=["cairo", "all", "xlsx"]) in public
    client.force_login(stage.tournament.created_by)
    desk = client.get(reverse("tournaments:director_files", args=["cairo"])).content.decode()
    assert reverse("tournaments:director_export", args=["cairo", "entries", "csv"]) in desk


@pytest.mark.parametrize("form", exports.FORMATS)
@pytest.mark.parametrize("kind", exports_desk.SHEETS)
def test_every_other_table_of_the_event_is_for_its_desk_in_every_format(client, stage, kind, form):
    tournament = stage.tournament
    address = reverse("tournaments:director_export", args=["cairo", kind, form])
    client.force_login(tournament.created_by)
    answer = client.get(address)
    assert answer.status_code == 200
    columns = exports_desk.SHEETS[kind](tournament).columns
    content = answer.content
    if form == "csv":
        assert content.startswith(b"\xef\xbb\xbf")
        assert content.decode("utf-8-sig").splitlines()[0] == ",".join(columns)
    elif form == "xlsx":
        page = load_workbook(io.BytesIO(content)).worksheets[0]
        assert tuple(cell.value for cell in page[1]) == columns
    else:
        assert isinstance(next(iter(json.loads(content).values())), list)
    assert (
        address
        in client.get(reverse("tournaments:director_files", args=["cairo"])).content.decode()
    )
    client.force_login(UserFactory.create())
    assert client.get(address).status_code in (403, 404)
    public = reverse("tournaments:export", args=["cairo", kind, form])
    assert client.get(public).status_code == 404


def test_the_lists_of_the_desk_say_what_is_there(stage):
    tournament = stage.tournament
    of = {kind: exports_desk.desk_sheet(tournament, kind) for kind in exports_desk.SHEETS}
    assert len(of["players"].rows) == sum(one.members.count() for one in tournament.entries.all())
    assert [row[3:5] for row in of["rounds"].rows] == [(1, "finished"), (2, "draft")]
    assert [row[6] for row in of["tables"].rows] == ["closed", "waiting"]
    assert [row[4] for row in of["missing"].rows] == ["bye"]
    assert {row[3] for row in of["log"].rows} >= {"result"}
    assert [row[0] for row in of["check-in"].rows] == [1, 2, 3, 4]


def test_a_cell_longer_than_a_workbook_holds_is_cut_there_and_whole_elsewhere():
    long = "é" * 40_000
    sheet = exports.Sheet("draws", ("request",), ((long,),))
    page = load_workbook(io.BytesIO(exports.written(sheet, "xlsx")))["draws"]
    assert len(page["A2"].value) == exports.LONGEST_CELL
    assert long in exports.written(sheet, "csv").decode()

"""The proof of a draw: anybody can replay it, and a checker counts its laws again."""

from __future__ import annotations

import copy
import json
import random
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from tests.tournaments.test_services_draws import event, play
from tournaments.competition.changes import Act, Change
from tournaments.competition.proof import verify
from tournaments.competition.types import BadRequest
from tournaments.models import Entry, PairingRound
from tournaments.queries.proofs import stored_draw
from tournaments.services import adjusting, draws, pairings, stages
from tournaments.services.stages import StagePlan

pytestmark = pytest.mark.django_db


def published(
    entries: int = 9, kind: str = Entry.Kind.PAIR, system: str = "swiss", rounds: int = 3
) -> PairingRound:
    """Return the last of some rounds that were drawn and published."""
    tournament = event(entries, kind)
    tournament.slug = "nile"
    tournament.save()
    by = tournament.created_by
    stage = stages.make_stage(tournament, StagePlan(system, rounds=rounds), by=by)
    for number in range(1, rounds):
        play(draws.draw_round(stage, number=number, by=by), by, random.Random(number))
    last = draws.draw_round(stage, number=rounds, by=by)
    return pairings.publish(last, by=by)


def proved(pairing_round: PairingRound) -> dict[str, Any]:
    stored = stored_draw(pairing_round)
    assert stored is not None
    return stored


@pytest.mark.parametrize(
    ("system", "kind"), [("swiss", Entry.Kind.PAIR), ("rotating", Entry.Kind.SINGLE)]
)
def test_every_stored_draw_is_valid_and_as_it_was_seated(system: str, kind: str) -> None:
    last = published(17, kind, system)
    for one in last.stage.rounds.all():
        checked: Any = verify(proved(one))
        assert (checked["valid"], checked["faults"], checked["changed"]) == (True, [], [])
        assert checked["optimum"]["optimal"] is (system == "swiss")


@pytest.mark.parametrize("system", ["groups", "knockout", "double_elimination", "round_robin"])
def test_what_is_drawn_as_a_whole_is_replayed_from_any_of_its_rounds(system: str) -> None:
    tournament = event(8)
    by = tournament.created_by
    draw = {"groups": 2} if system == "groups" else {}
    stage = stages.make_stage(tournament, StagePlan(system, draw=draw), by=by)
    play(draws.draw_round(stage, number=1, by=by), by, random.Random(1))
    second = draws.draw_round(stage, number=2, by=by)
    assert verify(proved(second)) == {"valid": True, "faults": []}


def test_a_round_robin_of_the_desk_is_replayed_too() -> None:
    tournament = event(6)
    stage = pairings.make_round_robin(tournament, by=tournament.created_by)
    assert verify(proved(stage.rounds.get(number=3)))["valid"]


def faults(stored: dict[str, Any]) -> set[str]:
    checked: Any = verify(stored)
    assert not checked["valid"]
    return {one["code"] for one in checked["faults"]}


def test_a_forged_draw_is_found_out() -> None:
    stored = proved(published(9))
    tables = stored["answer"]["tables"]
    twice = copy.deepcopy(stored)
    twice["answer"]["tables"][0]["AC"] = list(tables[1]["AC"])
    assert {"replay_differs", "seated_twice", "left_out"} <= faults(twice)
    again = copy.deepcopy(stored)
    rested = next(one["id"] for one in stored["request"]["entries"] if one["byes"])
    for table in again["answer"]["tables"]:
        for side in ("AC", "BD"):
            if table[side] == [rested]:
                table[side] = list(stored["answer"]["byes"])
    again["answer"]["byes"] = [rested]
    assert "bye_too_often" in faults(again)
    barred = copy.deepcopy(stored)
    barred["request"]["forbidden"] = [[tables[0]["AC"][0], tables[0]["BD"][0]]]
    assert "forbidden" in faults(barred)
    boasting = copy.deepcopy(stored)
    boasting["answer"]["report"]["win_gap"] += 1
    assert "wrong_report" in faults(boasting)


def test_a_needless_rematch_is_found_out() -> None:
    stored = proved(published(8))
    one, other = stored["request"]["met"][0]
    tables = stored["answer"]["tables"]
    at = next(table for table in tables if one in table["AC"] + table["BD"])
    there = next(table for table in tables if other in table["AC"] + table["BD"])
    mine = "AC" if one in at["BD"] else "BD"
    theirs = "AC" if other in there["AC"] else "BD"
    at[mine], there[theirs] = there[theirs], at[mine]
    assert {"needless_rematch", "wrong_report"} <= faults(stored)


def test_partners_without_two_names_are_refused() -> None:
    request = {"system": "swiss", "entries": [{"id": "a"}, {"id": "b"}], "partnered": [["a"]]}
    answer = {"tables": [{"table": 1, "AC": ["a"], "BD": ["b"]}], "byes": []}
    with pytest.raises(BadRequest, match=r"partnered\[0\]"):
        verify({"request": request, "answer": answer})


def test_a_change_by_hand_is_no_fault_but_is_named() -> None:
    last = published(9)
    by = last.stage.tournament.created_by
    seated = adjusting.seating_of(last)
    one, other = seated.tables[0].entries[0], seated.tables[1].entries[0]
    change = Change(Act.SWAP, (one, other))
    adjusting.change_seats(last, change, seen=seated.fingerprint(), by=by)
    stored = proved(last)
    checked: Any = verify(stored)
    assert checked["valid"]
    assert [table["table"]["table"] for table in checked["changed"]] == [1, 2]
    assert [(one["by"], one["act"]) for one in stored["changes"]] == [
        (by.username, "round_places_exchanged")
    ]


def test_the_page_explains_each_table_and_hands_out_the_draw(client: Client, text: Any) -> None:
    last = published(9)
    page = text(client.get("/t/nile/rounds/1/3/proof/"))
    assert page.count("They have not met before.") == 4
    assert re.search(r"Wins \d, \d; ranks \d, \d\.", page)
    assert "Nobody meets somebody they have met before." in page
    assert "Nobody has changed the draw by hand." in page
    assert "python -m tournaments.competition verify nile-1-3-draw.json" in page
    draw = client.get("/t/nile/rounds/1/3/proof/draw.json").json()
    checked: Any = verify(draw)
    assert (checked["valid"], checked["changed"]) == (True, [])
    assert checked["optimum"]["by"] == "every draw"
    request = client.get("/t/nile/rounds/1/3/proof/request.json").json()
    assert request == last.draw["request"]
    assert client.get("/t/nile/rounds/1/3/proof/answer.json").json() == draw["answer"]
    assert client.get("/t/nile/rounds/1/3/proof/password.json").status_code == 404
    assert client.get("/api/t/nile/rounds/1/3/proof/").json()["request"] == request
    by = last.stage.tournament.created_by
    seated = adjusting.seating_of(last)
    change = Change(Act.SWAP, (seated.tables[0].entries[0], seated.byes[0]))
    adjusting.change_seats(last, change, seen=seated.fingerprint(), by=by)
    page = text(client.get("/t/nile/rounds/1/3/proof/"))
    assert f"{by.username} exchanged two places in round 3" in page
    assert "Changed by hand" in page


def test_the_command_line_says_whether_a_draw_is_valid(tmp_path: Path) -> None:
    stored = proved(published(8))
    for wrong, code in ((False, 0), (True, 1)):
        if wrong:
            stored["answer"]["byes"] = ["1"]
        file = tmp_path / "draw.json"
        file.write_text(json.dumps(stored))
        told = subprocess.run(
            [sys.executable, "-m", "tournaments.competition", "verify", str(file)],
            capture_output=True,
            check=False,
        )
        assert told.returncode == code
        assert json.loads(told.stdout)["valid"] is not wrong


def test_the_draws_of_an_event_are_verified_by_a_command(capsys: Any) -> None:
    last = published(8)
    call_command("verify_draws", "nile")
    assert capsys.readouterr().out.count("valid, 0 places changed by hand, optimal: proved") == 3
    last.draw["answer"]["byes"] = ["1"]
    last.save()
    with pytest.raises(CommandError, match="1 draws are not valid"):
        call_command("verify_draws", "nile")
    with pytest.raises(CommandError, match="No event"):
        call_command("verify_draws", "rhine")


def test_a_draft_and_a_round_by_hand_have_no_proof(client: Client) -> None:
    first = published(8, rounds=1)
    by = first.stage.tournament.created_by
    PairingRound.objects.filter(pk=first.pk).update(state="draft")
    client.force_login(by)
    for url in ("/t/nile/rounds/1/1/proof/", "/t/nile/rounds/1/1/proof/draw.json"):
        assert client.get(url).status_code == 404
    assert client.get("/api/t/nile/rounds/1/1/proof/").status_code == 404
    draw = {"request": {"system": "manual"}, "answer": {"tables": [], "byes": []}}
    PairingRound.objects.filter(pk=first.pk).update(state="published", draw=draw)
    assert client.get("/t/nile/rounds/1/1/proof/").status_code == 404

"""Rows of shared/cases/situations.md that concern draws, each as it is told there."""

from __future__ import annotations

import random
import time
from itertools import combinations
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from tests.factories import ClubFactory
from tests.tournaments.test_services_draws import entries_at, event, play, settle
from tournaments import tasks
from tournaments.models import Bye, Entry, ForbiddenMeeting, LogEntry, Match, Stage, Tournament
from tournaments.services import asked_draws, draws, pairings, stages
from tournaments.services.byes import give_bye
from tournaments.services.disqualification import disqualify
from tournaments.services.leaving import withdraw
from tournaments.services.stages import StagePlan

pytestmark = pytest.mark.django_db


def swiss(entries: int, rounds: int = 9, **draw: object) -> tuple[Stage, User]:
    tournament = event(entries)
    by = tournament.created_by
    stage = stages.make_stage(tournament, StagePlan("swiss", rounds=rounds, draw=draw), by=by)
    return stage, by


def test_situation_1_a_draw_asked_for_again_is_the_first_one() -> None:
    stage, by = swiss(16)
    play(draws.draw_round(stage, number=1, by=by), by, random.Random(1))
    for _ in range(2):
        tasks.draw_round(stage.pk, 2, by.pk)
    drawn = draws.draw_round(stage, number=2, by=by)
    assert drawn.matches.count() == 8
    assert sorted(number for one in drawn.matches.all() for number in entries_at(one)) == list(
        range(1, 17)
    )
    assert LogEntry.objects.filter(act="round_drawn", details__round=2).count() == 1


@pytest.mark.parametrize("kind", Bye.Kind.values)
@pytest.mark.parametrize("worth", Bye.Worth.values)
def test_situation_5_a_bye_typed_by_hand_is_one_and_no_second_follows(
    kind: str, worth: str
) -> None:
    stage, by = swiss(9)
    # The last of the list, who would be the first to rest in every later round, too.
    typed = stage.tournament.entries.get(number=9)
    give_bye(stage, number=1, entry=typed, worth=worth, by=by)
    drawn = draws.draw_round(stage, number=1, by=by)
    assert (drawn.matches.count(), drawn.byes.get().entry) == (4, typed)
    # Even where it was stored under the other kind.
    Bye.objects.filter(pairing_round=drawn, entry=typed).update(kind=kind)
    _typed_loses_every_match(stage, by, typed)
    assert Bye.objects.filter(entry=typed).count() == 1
    assert Bye.objects.filter(pairing_round__stage=stage).count() == 5


def test_situation_5_without_the_bye_of_round_1_the_same_entry_rests_later() -> None:
    # What the test above would miss if nothing else kept the entry from resting.
    stage, by = swiss(9)
    typed = stage.tournament.entries.get(number=9)
    other = stage.tournament.entries.get(number=1)
    give_bye(stage, number=1, entry=other, worth="half", by=by)
    draws.draw_round(stage, number=1, by=by)
    _typed_loses_every_match(stage, by, typed)
    assert Bye.objects.filter(entry=typed).count() == 1


def _typed_loses_every_match(stage: Stage, by: User, typed: Entry) -> None:
    """Play five rounds in which one entry loses, so that it stands where byes are given."""
    for number in range(1, 6):
        drawn = pairings.publish(draws.draw_round(stage, number=number, by=by), by=by)
        for match in drawn.matches.all():
            on_ac = match.seats.filter(entry=typed, seat="A").exists()
            settle(match, "BD" if on_ac else "AC", by)


@pytest.mark.parametrize(("reserved", "tables", "byes"), [(3, 4, 3), (4, 3, 5)])
def test_situation_7_reserved_byes_leave_the_pool_before_it_is_odd(
    reserved: int, tables: int, byes: int
) -> None:
    stage, by = swiss(11)
    asked = list(stage.tournament.entries.order_by("number")[:reserved])
    for entry in asked:
        give_bye(stage, number=1, entry=entry, by=by)
    drawn = draws.draw_round(stage, number=1, by=by)
    assert (drawn.matches.count(), drawn.byes.count()) == (tables, byes)
    assert {one.entry for one in drawn.byes.filter(kind="asked")} == set(asked)
    seated = [number for one in drawn.matches.all() for number in entries_at(one)]
    resting = drawn.byes.values_list("entry__number", flat=True)
    assert sorted([*seated, *resting]) == list(range(1, 12))


def test_situation_11_no_rematch_while_a_draw_without_one_exists() -> None:
    for seed in range(6):
        stage, by = swiss(8)
        met: set[frozenset[int]] = set()
        for number in range(1, 6):
            drawn = draws.draw_round(stage, number=number, by=by)
            tables = {frozenset(entries_at(one)) for one in drawn.matches.all()}
            if _can_all_meet_anew(frozenset(range(1, 9)), met):
                assert met.isdisjoint(tables)
            met |= tables
            play(drawn, by, random.Random(seed * 10 + number))


def _can_all_meet_anew(left: frozenset[int], met: set[frozenset[int]]) -> bool:
    """Try every draw: an independent answer for a small field."""
    if not left:
        return True
    one = min(left)
    return any(
        frozenset((one, other)) not in met and _can_all_meet_anew(left - {one, other}, met)
        for other in left - {one}
    )


@pytest.mark.parametrize("leave", ["withdrawn", "disqualified"])
def test_situation_13_who_leaves_after_publication_loses_and_is_drawn_no_more(leave: str) -> None:
    stage, by = swiss(8)
    drawn = pairings.publish(draws.draw_round(stage, number=1, by=by), by=by)
    entry = stage.tournament.entries.get(number=3)
    if leave == "withdrawn":
        withdraw(entry, by=by)
    else:
        disqualify(entry, reason="Hid a tile", by=by)
    table = drawn.matches.get(seats__entry=entry, seats__seat__in="AB")
    assert table.state == Match.State.CLOSED
    outcomes = {seat.entry_id == entry.pk: seat.outcome for seat in table.seats.all()}
    assert outcomes[True].endswith("loss")
    assert outcomes[False].endswith("win")
    for match in drawn.matches.exclude(pk=table.pk):
        settle(match, "AC", by)
    second = draws.draw_round(stage, number=2, by=by)
    assert "3" not in {one["id"] for one in second.draw["request"]["entries"]}


@pytest.mark.parametrize("leave", ["withdrawn", "disqualified"])
def test_situation_13_who_leaves_while_the_round_is_a_draft_loses_when_it_is_published(
    leave: str,
) -> None:
    stage, by = swiss(8)
    draft = draws.draw_round(stage, number=1, by=by)
    Entry.objects.filter(tournament=stage.tournament, number=3).update(state=leave)
    pairings.publish(draft, by=by)
    table = draft.matches.filter(seats__entry__number=3).distinct().get()
    assert table.state == Match.State.CLOSED
    assert set(table.seats.values_list("outcome", flat=True)) == {"walkover_win", "walkover_loss"}


def all_of_one_club(entries: int) -> tuple[Stage, User]:
    """Return a stage whose entries are all of one club, and club-mates must not meet."""
    stage, by = swiss(entries)
    club = ClubFactory.create()
    stage.tournament.entries.update(club=club)
    listed = stage.tournament.entries.order_by("pk")
    ForbiddenMeeting.objects.bulk_create(
        ForbiddenMeeting(tournament=stage.tournament, one=one, other=other)
        for one, other in combinations(listed, 2)
    )
    return stage, by


@pytest.mark.parametrize("entries", [16, 120])
def test_situation_15_impossible_constraints_are_said_and_the_round_stays_undrawn(
    client: Client, text: Any, entries: int
) -> None:
    stage, by = all_of_one_club(entries)
    slug = stage.tournament.slug
    client.force_login(by)
    begun = time.monotonic()
    refused = client.post(f"/desk/{slug}/pairings/1/1/draw/now/")
    assert time.monotonic() - begun < 10
    assert refused.status_code == 422
    assert "Allow some of these meetings" in text(refused)
    tasks.draw_round(stage.pk, 1, by.pk)
    assert not Match.objects.exists()
    page = text(client.get(f"/desk/{slug}/pairings/1/1/draw/"))
    assert "The last draw did not succeed; the round is not drawn." in page
    assert "Allow some of these meetings" in page


def test_situation_15_a_draw_that_takes_too_long_is_stopped_with_a_sentence(
    client: Client, text: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    stage, by = swiss(8)
    slow = tasks.SoftTimeLimitExceeded

    def too_slow(*_: object, **__: object) -> None:
        raise slow

    monkeypatch.setattr(draws, "draw_round", too_slow)
    tasks.draw_round(stage.pk, 1, by.pk)
    client.force_login(by)
    page = text(client.get(f"/desk/{stage.tournament.slug}/pairings/1/1/draw/"))
    assert "No draw was found within 9 seconds." in page
    assert not Match.objects.exists()


def test_a_large_field_is_drawn_by_a_worker(client: Client, monkeypatch: Any) -> None:
    monkeypatch.setattr(asked_draws, "DRAWN_AT_ONCE", 4)
    stage, by = swiss(8)
    client.force_login(by)
    url = f"/desk/{stage.tournament.slug}/pairings/1/1/draw/"
    assert client.post(url + "now/").headers["Location"] == url
    assert Match.objects.count() == 4
    assert client.get(url).status_code == 302


def test_situation_55_page_and_api_show_the_same_tables_before_play(client: Client) -> None:
    tournament = event(4, Entry.Kind.SINGLE)
    Tournament.objects.filter(pk=tournament.pk).update(players_per_table=4)
    by = tournament.created_by
    stage = stages.make_stage(tournament, StagePlan("rotating", rounds=3), by=by)
    url = f"/t/{tournament.slug}/rounds/1/1/"
    pairings.publish(draws.draw_round(stage, number=1, by=by), by=by)
    shown = client.get(url).context["now"]["tables"]
    told = client.get("/api" + url).json()["tables"]
    sheet = Match.objects.get()
    on_page = {seat.seat: seat.player.name for side in shown[0].sides for seat in side.seats}
    in_api = {
        seat["seat"]: seat["player"]["name"] for side in told[0]["sides"] for seat in side["seats"]
    }
    stored = {seat.seat: seat.player.name for seat in sheet.seats.select_related("player")}
    assert len(shown) == len(told) == 1
    assert on_page == in_api == stored


def test_situation_55_four_of_eight_left_out_leave_one_table(client: Client) -> None:
    tournament = event(8, Entry.Kind.SINGLE)
    by = tournament.created_by
    stage = stages.make_stage(tournament, StagePlan("rotating", rounds=3), by=by)
    url = f"/desk/{tournament.slug}/pairings/1/1/draw/"
    client.force_login(by)
    for number in (1, 2, 3, 4):
        client.post(url, {"other": str(number), "other_decision": "absent"} | _kept(stage))
    client.post(url + "now/")
    client.post(f"/desk/{tournament.slug}/pairings/1/1/publish/")
    public = f"/t/{tournament.slug}/rounds/1/1/"
    assert len(client.get(public).context["now"]["tables"]) == 1
    (table,) = client.get("/api" + public).json()["tables"]
    named = {seat["entry"]["number"] for side in table["sides"] for seat in side["seats"]}
    assert named == {5, 6, 7, 8}


def _kept(stage: Stage) -> dict[str, str]:
    """Return the decisions made so far, as the page sends them again."""
    absent = Entry.objects.filter(absences__pairing_round__stage=stage)
    return {f"decision_{one.number}": "absent" for one in absent}

"""The desk's pages of a draw: before it, the draft, its changes by hand, its publication."""

from __future__ import annotations

import random
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from tests.factories import EntryFactory, UserFactory
from tests.tournaments.test_services_draws import play
from tournaments.models import (
    Absence,
    Bye,
    Entry,
    ForbiddenMeeting,
    Match,
    PairingRound,
    Room,
    Stage,
    Tournament,
)
from tournaments.services import adjusting, draws, pairings, stages
from tournaments.services.stages import StagePlan

pytestmark = pytest.mark.django_db

DRAW = "/desk/nile/pairings/1/1/draw/"
ADJUST = "/desk/nile/pairings/1/1/adjust/"


@pytest.fixture
def stage(event: Tournament) -> Stage:
    """A Swiss stage of eight pairs whose first round is not drawn."""
    EntryFactory.create_batch(8, tournament=event)
    event.state = Tournament.State.RUNNING
    event.save()
    return stages.make_stage(event, StagePlan("swiss", rounds=5), by=event.created_by)


@pytest.fixture
def draft(stage: Stage) -> PairingRound:
    return draws.draw_round(stage, number=1, by=stage.tournament.created_by)


def test_a_round_is_drawn_from_the_desk_changed_and_published(
    client: Client, stage: Stage, text: Any
) -> None:
    assert client.get("/desk/nile/").context["next"].url == DRAW
    page = text(client.get(DRAW))
    assert "Everybody is here, as far as the desk knows." in page
    assert "8 entries play" in page
    assert client.post(DRAW + "now/").headers["Location"] == ADJUST
    assert client.post(DRAW + "now/").headers["Location"] == ADJUST
    assert Match.objects.count() == 4
    assert client.get(DRAW).headers["Location"] == ADJUST
    page = text(client.get(ADJUST))
    assert "Only directors see this draft." in page
    client.post("/desk/nile/pairings/1/1/publish/")
    assert "This round is published" in text(client.get(ADJUST))


def test_who_is_not_checked_in_gets_one_decision_each(
    client: Client, stage: Stage, text: Any
) -> None:
    Entry.objects.filter(number__lte=4).update(checked_in_at=timezone.now())
    page = text(client.get(DRAW))
    assert page.count("not checked in") >= 4
    sent = {f"decision_{n}": kind for n, kind in zip((5, 6, 7, 8), KINDS, strict=True)}
    for _ in range(2):
        assert client.post(DRAW, sent).status_code == 302
    assert Absence.objects.get(entry__number=5).kind == "absent"
    assert Absence.objects.get(entry__number=6).kind == "excused"
    assert Bye.objects.get(entry__number=7).kind == "asked"
    assert Entry.objects.get(number=8).state == "withdrawn"
    assert "4 entries play" in text(client.get(DRAW))
    back = {"decision_5": "plays", "decision_6": "excused", "decision_7": "bye"}
    client.post(DRAW, back | {"other": "1", "other_decision": "absent"})
    assert set(Absence.objects.values_list("entry__number", flat=True)) == {1, 6}
    client.post(DRAW + "now/")
    seated = set(Entry.objects.filter(seats__isnull=False).values_list("number", flat=True))
    assert seated == {2, 3, 4, 5}


KINDS = ("absent", "excused", "bye", "withdraw")


def test_all_who_are_not_checked_in_are_absent_at_one_touch(client: Client, stage: Stage) -> None:
    Entry.objects.filter(number__lte=6).update(checked_in_at=timezone.now())
    sent = {"decision_7": "plays", "decision_8": "plays", "step": "all_absent"}
    client.post(DRAW, sent)
    assert set(Absence.objects.values_list("entry__number", flat=True)) == {7, 8}


def test_what_is_open_is_named_with_its_table_and_going_on_needs_a_reason(
    client: Client, stage: Stage, draft: PairingRound, text: Any
) -> None:
    by = stage.tournament.created_by
    pairings.publish(draft, by=by)
    page = text(client.get("/desk/nile/pairings/1/2/draw/"))
    assert "Still open in the round before" in page
    for match in draft.matches.all():
        assert f"/desk/nile/results/1/1/?table={match.table}" in page
    refused = client.post("/desk/nile/pairings/1/2/draw/now/")
    assert refused.status_code == 422
    assert "give a reason to draw without them" in text(refused)
    client.post("/desk/nile/pairings/1/2/draw/now/", {"reason": "Table 3 plays on"})
    assert stage.rounds.get(number=2).matches.count() == 4
    assert "because: Table 3 plays on" in text(client.get("/desk/nile/log/"))


def test_a_draft_is_invisible_everywhere_else(client: Client, draft: PairingRound) -> None:
    match = draft.matches.first()
    assert match is not None
    name = str(match.seats.all()[0].entry)
    client.logout()
    gone = [
        "/t/nile/rounds/1/1/",
        "/t/nile/rounds/1/1/proof/",
        "/t/nile/rounds/1/1/proof/draw.json",
        "/api/t/nile/rounds/1/1/",
        "/api/t/nile/rounds/1/1/proof/",
        f"/matches/{match.pk}/",
        f"/api/matches/{match.pk}/",
    ]
    assert {url: client.get(url).status_code for url in gone} == dict.fromkeys(gone, 404)
    for url in ("/t/nile/", "/t/nile/rounds/", f"/t/nile/?q={name}", "/api/t/nile/rounds/"):
        answer = client.get(url, follow=True)
        assert f"/matches/{match.pk}/" not in answer.content.decode(), url
        assert "/rounds/1/1/" not in answer.content.decode(), url
    for url in (DRAW, ADJUST, "/api/desk/nile/stages/1/rounds/1/preview/"):
        assert client.get(url).status_code in (302, 401, 403), url


def test_a_change_shows_its_cost_before_it_is_made(
    client: Client, stage: Stage, draft: PairingRound, text: Any
) -> None:
    by = stage.tournament.created_by
    play(draft, by, random.Random(2))
    first = adjusting.seating_of(draft)
    second = draws.draw_round(stage, number=2, by=by)
    url = "/desk/nile/pairings/1/2/adjust/"
    one, other = first.tables[0].entries
    seated = adjusting.seating_of(second)
    at = next(table for table in seated.tables if one in table.entries)
    beside = next(entry for entry in at.entries if entry != one)
    page = client.get(url, {"one": other, "other": beside})
    assert "have met before." in text(page)
    assert "grave" in text(page)
    assert adjusting.seating_of(second) == seated
    sent = {"one": other, "other": beside, "seen": page.context["ahead"]["seen"]}
    for _ in range(2):
        assert client.post(url + "change/", sent).status_code == 302
    page = client.get(url)
    assert "have met before." in text(page)
    assert "Back to the draw’s answer" in text(page)
    last = page.context["page"].last_change.pk
    client.post(url + "act/", {"step": "undo", "last": last})
    assert adjusting.seating_of(second) == seated
    client.post(url + "change/", sent)
    client.post(url + "act/", {"step": "restore"})
    assert adjusting.seating_of(second) == seated


def test_a_change_of_seats_that_are_no_more_is_refused(
    client: Client, draft: PairingRound, text: Any
) -> None:
    refused = client.post(ADJUST + "change/", {"one": "1", "other": "2", "seen": "old"})
    assert refused.status_code == 422
    assert "Somebody has changed round 1" in text(refused)
    assert client.get(ADJUST, {"one": "1"}).status_code == 422
    assert client.get(ADJUST, {"one": "1", "other": "1"}).status_code == 422
    assert client.get(ADJUST, {"act": "renumber", "table": "1"}).status_code == 422
    assert client.get(ADJUST, {"act": "explode"}).status_code == 422


def test_tables_are_renumbered_dissolved_and_made_from_the_page(
    client: Client, draft: PairingRound
) -> None:
    for asked in (
        {"act": "renumber", "table": "1", "number": "9"},
        {"act": "rest", "table": "2"},
    ):
        seen = client.get(ADJUST, asked).context["ahead"]["seen"]
        client.post(ADJUST + "change/", asked | {"seen": seen})
    assert sorted(draft.matches.values_list("table", flat=True)) == [3, 4, 9]
    resting = list(map(str, draft.byes.values_list("entry__number", flat=True)))
    asked_for: dict[str, Any] = {"act": "seat", "entries": resting}
    seen = client.get(ADJUST, asked_for).context["ahead"]["seen"]
    client.post(ADJUST + "change/", asked_for | {"seen": seen})
    assert sorted(draft.matches.values_list("table", flat=True)) == [1, 3, 4, 9]


def test_a_locked_table_stays_when_the_draft_is_discarded_and_drawn_anew(
    client: Client, draft: PairingRound, text: Any
) -> None:
    match = draft.matches.get(table=2)
    for _ in range(2):
        client.post(ADJUST + "act/", {"step": "lock", "match": match.pk})
    assert "Locked" in text(client.get(ADJUST))
    answer = client.post(DRAW + "discard/", {"step": "discard"})
    assert answer.headers["Location"] == DRAW
    assert "Locked, so kept as they are: Table 2" in text(client.get(DRAW))
    client.post(DRAW + "now/")
    assert draft.matches.count() == 4
    answer = client.post(DRAW + "discard/", {"step": "anew"})
    assert answer.headers["Location"] == ADJUST
    assert Match.objects.filter(pk=match.pk, is_locked=True).exists()
    client.post(ADJUST + "act/", {"step": "unlock", "match": match.pk})
    assert not Match.objects.filter(is_locked=True).exists()


def test_two_are_forbidden_to_meet_and_allowed_again(
    client: Client, draft: PairingRound, text: Any
) -> None:
    for _ in range(2):
        client.post(ADJUST + "act/", {"step": "forbid", "first": "1", "second": "2"})
    meeting = ForbiddenMeeting.objects.get()
    assert "Allow again" in text(client.get(ADJUST))
    client.post(ADJUST + "act/", {"step": "allow", "meeting": meeting.pk})
    client.post(ADJUST + "act/", {"step": "allow", "meeting": meeting.pk})
    assert not ForbiddenMeeting.objects.exists()


def test_rooms_are_named_and_stand_in_the_lists_of_tables(
    client: Client, draft: PairingRound, text: Any
) -> None:
    rooms = "/desk/nile/rooms/"
    room = {"name": "Hall A", "first_table": "1", "last_table": "2"}
    for _ in range(2):
        assert client.post(rooms, room).status_code == 302
    assert Room.objects.count() == 1
    clash = client.post(rooms, {"name": "Hall B", "first_table": "2", "last_table": "9"})
    assert clash.status_code == 422
    assert "Table 2 stands in Hall A already." in text(clash)
    turned = client.post(rooms, {"name": "Hall B", "first_table": "9", "last_table": "3"})
    assert "Exchange the two numbers." in text(turned)
    assert text(client.get(ADJUST)).count("Hall A") == 2
    pairings.publish(draft, by=draft.stage.tournament.created_by)
    assert text(client.get("/t/nile/rounds/1/1/")).count("Hall A") == 2
    client.post(f"{rooms}{Room.objects.get().pk}/remove/")
    assert not Room.objects.exists()


def test_the_api_draws_previews_changes_and_restores(client: Client, stage: Stage) -> None:
    api = "/api/desk/nile/stages/1/rounds/1/"
    assert client.post(api + "draw/", {}, content_type="application/json").json() == {
        "stage": 1,
        "number": 1,
        "state": "draft",
    }
    draft = stage.rounds.get(number=1)
    before = adjusting.seating_of(draft)
    entries = [int(before.tables[0].entries[0]), int(before.tables[1].entries[0])]
    change: dict[str, Any] = {"act": "swap", "entries": entries}
    ahead = client.post(api + "preview/", change, content_type="application/json").json()
    assert ahead["worse"] == []
    sent = change | {"seen": ahead["seen"]}
    for _ in range(2):
        made = client.post(api + "changes/", sent, content_type="application/json")
        assert made.status_code == 200
    assert adjusting.seating_of(draft) != before
    stale = client.post(api + "changes/", change | {"seen": "x"}, content_type="application/json")
    assert stale.status_code == 409
    client.delete(api + "changes/")
    assert adjusting.seating_of(draft) == before
    assert client.delete(api + "draw/").status_code == 204
    assert draft.matches.count() == 0


def test_strangers_neither_draw_nor_change(client: Client, draft: PairingRound) -> None:
    client.logout()
    assert client.get(ADJUST).status_code == 302
    client.force_login(UserFactory.create())
    for url in (DRAW, ADJUST, "/desk/nile/rooms/"):
        assert client.get(url).status_code == 403
    for url in (DRAW + "now/", DRAW + "discard/", ADJUST + "change/", ADJUST + "act/"):
        assert client.post(url).status_code == 403


def test_who_has_played_was_here_though_nobody_checked_them_in(
    client: Client, stage: Stage, draft: PairingRound
) -> None:
    Entry.objects.filter(number=1).update(checked_in_at=timezone.now())
    assert len(client.get("/desk/nile/pairings/1/2/draw/").context["page"].doubtful) == 7
    play(draft, stage.tournament.created_by, random.Random(1))
    assert client.get("/desk/nile/pairings/1/2/draw/").context["page"].doubtful == ()


def test_a_change_by_hand_is_known_in_every_language_of_a_reader(
    client: Client, stage: Stage, draft: PairingRound
) -> None:
    client.post("/desk/nile/pairings/1/1/draw/discard/", {"step": "anew"})
    one, other = (table.seats.get(seat="A").entry.number for table in draft.matches.all()[:2])
    asked = {"one": one, "other": other}
    seen = client.get(ADJUST, asked).context["ahead"]["seen"]
    assert client.post(ADJUST + "change/", asked | {"seen": seen}).status_code == 302
    for language in ("fa", "en"):
        page = client.get(ADJUST, headers={"accept-language": language}).context["page"]
        assert page.last_change is not None


def test_forbidding_somebody_who_has_left_meanwhile_is_refused_in_words_and_keeps_the_other(
    client: Client, draft: PairingRound, text: Any
) -> None:
    Entry.objects.filter(number=2).update(state=Entry.State.WITHDRAWN)
    answer = client.post(ADJUST + "act/", {"step": "forbid", "first": "1", "second": "2"})
    assert answer.status_code == 422
    assert "“2”" in answer.context["refusal"]
    assert answer.context["forbid"]["first"].value() == "1"
    assert not ForbiddenMeeting.objects.exists()

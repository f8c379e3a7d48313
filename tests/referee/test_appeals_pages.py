"""Appeals in the browser and in the API: filed from a table, given a panel, previewed, decided."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.test import Client

from referee.models import RecordedEvent, RoundRecord
from referee.services import appeals as recorded_appeals
from referee.services import records as services
from referee.services import replays
from tests.factories import OfficialFactory, UserFactory
from tests.referee.conftest import director_of, referee_of, sheet, tournament_of, write
from tests.tournaments.appealing import GROUNDS, filed, side_of
from tournaments.models import Appeal, Match, Official, Tournament
from tournaments.services import appeals
from tournaments.services.appeal_decisions import Verdict

pytestmark = pytest.mark.django_db

JSON = "application/json"


@pytest.fixture
def closed(match: Match, director: User) -> Match:
    """The match, recorded from sheets and closed 105 to 40."""
    services.open_match(match, by=director)
    sheet(match, 0, "BD", 40, director)
    sheet(match, 1, "AC", 105, director)
    return services.close_match(match, by=director)


def filing(match: Match, **more: Any) -> dict[str, Any]:
    entry = side_of(match, "B").number
    return {"client_key": str(uuid4()), "entry": entry, "grounds": GROUNDS, **more}


def turned(**more: Any) -> dict[str, Any]:
    return {
        "state": "upheld",
        "effect": "corrected",
        "reasons": "The sheet says so.",
        "points_AC": "60",
        "points_BD": "105",
        **more,
    }


def page(client: Client, address: str) -> str:
    answer = client.get(address)
    assert answer.status_code == 200, address
    return answer.content.decode()


def test_the_record_is_frozen_event_by_event(record: RoundRecord, referee: User) -> None:
    write(record, ["A 6-6", "B 6-1"], referee)
    made = recorded_appeals.file_appeal(
        record.match, entry=side_of(record.match, "B"), grounds=GROUNDS, by=referee
    )
    (one,) = made.evidence["record"]["rounds"]
    assert [event["notation"] for event in one["events"]] == ["A 6-6", "B 6-1"]
    assert "B 6-1" in made.evidence["record"]["lines"]


def test_the_evidence_stays_when_the_record_goes_on(record: RoundRecord, referee: User) -> None:
    write(record, ["A 6-6", "B 6-1"], referee)
    made = recorded_appeals.file_appeal(
        record.match, entry=side_of(record.match, "B"), grounds=GROUNDS, by=referee
    )
    write(record, ["C 1-4", "D 4-4"], referee)
    stored = Appeal.objects.get()
    assert stored.evidence == made.evidence
    assert appeals.is_intact(stored)


def test_a_replay_by_decision_keeps_evidence_and_takes_the_record(
    closed: Match, director: User
) -> None:
    made = recorded_appeals.file_appeal(
        closed, entry=side_of(closed, "B"), grounds=GROUNDS, by=director
    )
    recorded_appeals.decide_appeal(made, Verdict("upheld", "Void.", "replay"), by=director)
    closed.refresh_from_db()
    assert closed.state == Match.State.WAITING
    assert not RecordedEvent.objects.exists()
    assert len(Appeal.objects.get().evidence["record"]["rounds"]) == 2


def test_a_panel_member_has_no_other_replay(closed: Match, referee: User) -> None:
    with pytest.raises(Exception, match="Only a director"):
        replays.replay_match(closed, reason="no", by=referee)


def test_an_appeal_is_filed_from_the_page_of_its_table(
    client: Client, closed: Match, referee: User
) -> None:
    client.force_login(referee)
    address = f"/matches/{closed.pk}/appeal/"
    assert address in page(client, f"/matches/{closed.pk}/record/")
    assert address in page(client, f"/matches/{closed.pk}/")
    sent = filing(closed, fee="50 USD")
    for _ in range(2):
        answer = client.post(address, sent)
        assert answer.status_code == 302
    made = Appeal.objects.get()
    assert answer["Location"] == f"/appeals/{made.pk}/"
    assert made.evidence["record"]["rounds"]
    assert GROUNDS in page(client, f"/appeals/{made.pk}/")


def test_what_was_typed_stays_when_an_appeal_is_refused(
    client: Client, closed: Match, referee: User
) -> None:
    client.force_login(referee)
    filed(closed, grounds="An earlier one.", by=referee)
    answer = client.post(f"/matches/{closed.pk}/appeal/", filing(closed))
    assert answer.status_code == 422
    text = answer.content.decode()
    assert GROUNDS in text
    assert "is not decided yet" in text


def test_a_form_that_makes_no_sense_is_told_so(
    client: Client, closed: Match, referee: User
) -> None:
    client.force_login(referee)
    sent = {"client_key": "no key", "entry": "first", "grounds": "", "fee": "x" * 41}
    assert client.post(f"/matches/{closed.pk}/appeal/", sent).status_code == 422
    assert not Appeal.objects.exists()


def test_a_decision_is_previewed_and_then_written_down(
    client: Client, closed: Match, director: User
) -> None:
    made = filed(closed)
    client.force_login(director)
    address = f"/appeals/{made.pk}/decide/"
    shown = client.post(address, turned())
    assert shown.status_code == 200
    assert "What this decision changes" in shown.content.decode()
    assert Appeal.objects.get().state == "filed"
    seen = shown.context["seen"]
    done = client.post(address, turned(step="decide", seen=seen))
    assert done.status_code == 302
    assert closed.seats.get(seat="B").outcome == "win"
    assert "The sheet says so." in page(client, f"/appeals/{made.pk}/")


def test_what_was_changed_after_the_preview_is_previewed_again(
    client: Client, closed: Match, director: User
) -> None:
    made = filed(closed)
    client.force_login(director)
    address = f"/appeals/{made.pk}/decide/"
    seen = client.post(address, turned()).context["seen"]
    again = client.post(address, turned(step="decide", seen=seen, points_AC="70"))
    assert again.status_code == 200
    assert Appeal.objects.get().state == "filed"


def test_a_decision_without_its_score_keeps_what_was_typed(
    client: Client, closed: Match, director: User
) -> None:
    client.force_login(director)
    sent = turned(points_AC="", points_BD="many")
    answer = client.post(f"/appeals/{filed(closed).pk}/decide/", sent)
    assert answer.status_code == 422
    assert "The sheet says so." in answer.content.decode()


@pytest.mark.parametrize("effect", ["none", "walkover", "replay"])
def test_every_effect_is_decided_on_the_page(
    client: Client, closed: Match, director: User, effect: str
) -> None:
    made = filed(closed)
    client.force_login(director)
    address = f"/appeals/{made.pk}/decide/"
    sent = {"state": "upheld", "effect": effect, "reasons": "So be it."}
    if effect == "walkover":
        sent["absent"] = str(side_of(closed, "A").number)
    seen = client.post(address, sent).context["seen"]
    assert client.post(address, sent | {"step": "decide", "seen": seen}).status_code == 302
    assert Appeal.objects.get().effect == effect


def test_a_walkover_asks_who_loses(client: Client, closed: Match, director: User) -> None:
    client.force_login(director)
    sent = {"state": "upheld", "effect": "walkover", "reasons": "So be it."}
    answer = client.post(f"/appeals/{filed(closed).pk}/decide/", sent)
    assert answer.status_code == 422
    assert "Choose who loses without play." in answer.content.decode()


def test_a_panel_is_named_on_the_page_and_its_member_decides(
    client: Client, closed: Match, director: User
) -> None:
    member = OfficialFactory.create(
        tournament=tournament_of(closed), duty=Official.Duty.SCORER
    ).user
    made = filed(closed)
    client.force_login(member)
    assert client.get(f"/appeals/{made.pk}/").status_code == 403
    client.force_login(director)
    sent = {"accounts": [member.username], "names": "Lin\nOmar"}
    assert client.post(f"/appeals/{made.pk}/panel/", sent).status_code == 302
    client.force_login(member)
    assert f"/appeals/{made.pk}/decide/" in page(client, f"/appeals/{made.pk}/")
    assert client.get(f"/appeals/{made.pk}/decide/").status_code == 200


def test_an_appeal_is_withdrawn_on_the_page(client: Client, closed: Match, referee: User) -> None:
    made = filed(closed, fee="50 USD")
    client.force_login(referee)
    sent = {"fee_state": "returned"}
    assert client.post(f"/appeals/{made.pk}/withdraw/", sent).status_code == 302
    assert Appeal.objects.get().fee_state == "returned"


def test_a_referee_reads_but_neither_decides_nor_names(
    client: Client, closed: Match, referee: User
) -> None:
    made = filed(closed)
    client.force_login(referee)
    assert "/decide/" not in page(client, f"/appeals/{made.pk}/")
    assert client.get(f"/appeals/{made.pk}/decide/").status_code == 403
    assert client.post(f"/appeals/{made.pk}/panel/", {"names": "Lin"}).status_code == 403


@pytest.mark.parametrize(
    "address", ["/appeals/{pk}/", "/appeals/{pk}/decide/", "/desk/{slug}/appeals/"]
)
def test_what_appeals_say_is_not_public(client: Client, closed: Match, address: str) -> None:
    made = filed(closed)
    address = address.format(pk=made.pk, slug=tournament_of(closed).slug)
    assert client.get(address)["Location"].startswith("/login/")
    client.force_login(UserFactory.create())
    answer = client.get(address)
    assert answer.status_code == 403
    assert GROUNDS not in answer.content.decode()


def test_an_appeal_of_a_private_event_is_not_there_for_a_stranger(
    client: Client, closed: Match
) -> None:
    made = filed(closed)
    Tournament.objects.update(is_private=True)
    client.force_login(UserFactory.create())
    for address in (f"/appeals/{made.pk}/", f"/matches/{closed.pk}/appeal/"):
        assert client.get(address).status_code == 404
    answer = client.get(f"/api/appeals/{made.pk}/")
    assert answer.status_code == 404


def test_the_list_is_for_referees_and_the_time_for_directors(
    client: Client, closed: Match, referee: User, director: User
) -> None:
    made = filed(closed)
    address = f"/desk/{tournament_of(closed).slug}/appeals/"
    client.force_login(referee)
    assert f"/appeals/{made.pk}/" in page(client, address)
    assert client.post(address, {"minutes": "30"}).status_code == 403
    client.force_login(director)
    assert client.post(address, {"minutes": "٣٠"}).status_code == 302
    assert Tournament.objects.get().policies["appeal_minutes"] == 30
    assert client.post(address, {"minutes": "0"}).status_code == 422


def test_the_api_files_previews_decides_and_reads(
    client: Client, closed: Match, director: User
) -> None:
    client.force_login(director)
    sent = filing(closed, fee="50 USD")
    made = client.post(f"/api/matches/{closed.pk}/appeals/", sent, content_type=JSON)
    assert made.status_code == 201
    again = client.post(f"/api/matches/{closed.pk}/appeals/", sent, content_type=JSON)
    assert again.json()["id"] == made.json()["id"]
    address = f"/api/appeals/{made.json()['id']}/"
    assert client.get(address).json()["evidence_hash"] == made.json()["evidence_hash"]
    verdict = {
        "state": "upheld",
        "effect": "corrected",
        "reasons": "Yes.",
        "points": {"AC": 60, "BD": 105},
    }
    would = client.post(f"{address}preview/", verdict, content_type=JSON)
    assert (would.status_code, would.json()["state"]) == (200, "upheld")
    assert Appeal.objects.get().state == "filed"
    done = client.post(f"{address}decide/", verdict, content_type=JSON)
    assert (done.status_code, done.json()["fee_state"]) == (200, "returned")
    lines = client.get(f"/api/desk/{tournament_of(closed).slug}/appeals/").json()
    assert [one["state"] for one in lines] == ["upheld"]
    assert "grounds" not in lines[0]


def test_the_api_refuses_with_code_and_sentence(
    client: Client, closed: Match, director: User
) -> None:
    client.force_login(director)
    made = filed(closed)
    address = f"/api/appeals/{made.pk}/decide/"
    verdict = {"state": "rejected", "effect": "replay", "reasons": "No."}
    answer = client.post(address, verdict, content_type=JSON)
    assert (answer.status_code, answer.json()["code"]) == (409, "effect_needs_upheld")
    assert client.post(address, {"state": "maybe"}, content_type=JSON).status_code == 400
    unknown = {"state": "upheld", "effect": "walkover", "reasons": "Y.", "absent": [99]}
    assert client.post(address, unknown, content_type=JSON).json()["code"] == "unknown_entry"


def test_the_api_names_a_panel_withdraws_and_sets_the_time(
    client: Client, closed: Match, director: User
) -> None:
    made = filed(closed)
    client.force_login(director)
    sent = {"accounts": [referee_of(closed).username], "names": ["Lin"]}
    named = client.put(f"/api/appeals/{made.pk}/panel/", sent, content_type=JSON)
    assert [one["may_write"] for one in named.json()["panel"]] == [True, False]
    time = f"/api/desk/{tournament_of(closed).slug}/appeal-time/"
    assert client.put(time, {"minutes": 30}, content_type=JSON).json() == {"minutes": 30}
    gone = client.post(f"/api/appeals/{made.pk}/withdraw/", {}, content_type=JSON)
    assert gone.json()["state"] == "withdrawn"


@pytest.mark.parametrize("act", ["", "panel/", "decide/", "preview/", "withdraw/"])
def test_the_api_tells_a_stranger_nothing(client: Client, closed: Match, act: str) -> None:
    made = filed(closed)
    address = f"/api/appeals/{made.pk}/{act}"
    method = {"": "GET", "panel/": "PUT"}.get(act, "POST")
    assert client.generic(method, address).status_code == 403
    client.force_login(UserFactory.create())
    answer = client.generic(method, address)
    assert answer.status_code == 403
    assert GROUNDS not in answer.content.decode()


def test_a_scorer_does_not_file_through_any_door(client: Client, closed: Match) -> None:
    scorer = OfficialFactory.create(
        tournament=tournament_of(closed), duty=Official.Duty.SCORER
    ).user
    client.force_login(scorer)
    assert client.post(f"/matches/{closed.pk}/appeal/", filing(closed)).status_code == 403
    answer = client.post(f"/api/matches/{closed.pk}/appeals/", filing(closed), content_type=JSON)
    assert answer.status_code == 403
    assert director_of(closed) != scorer
    assert not Appeal.objects.exists()

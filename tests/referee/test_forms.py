"""The page's forms, which work without a script: each becomes one event."""

from __future__ import annotations

import re
from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.test import Client

from engine.errors import DominoError
from engine.penalties import Measure
from referee.forms.records import read_measures
from referee.models import RoundRecord
from referee.services import records as services
from tests.referee.conftest import MakeMatch, referee_of, write

pytestmark = pytest.mark.django_db


@pytest.fixture
def post(client: Client, record: RoundRecord, referee: User) -> Any:
    client.force_login(referee)

    def send(**fields: Any) -> Any:
        fields.setdefault("number", record.events.count())
        return client.post(f"/rounds/{record.pk}/events/", fields)

    return send


def last(record: RoundRecord) -> str:
    return record.events.order_by("number").last().notation  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("fields", "line"),
    [
        ({"what": "line", "line": "63"}, "B 6-3"),
        ({"line": "۶۳"}, "B 6-3"),
        ({"what": "infraction", "seat": "C", "kind": "delay"}, "C! delay"),
        (
            {
                "what": "infraction",
                "seat": "C",
                "kind": "touch",
                "tile": "٥١",
                "choice": "must_play",
            },
            "C! touch 5-1 -> must_play",
        ),
        (
            {"what": "infraction", "seat": "C", "kind": "signaling", "choice": "pending"},
            "C! signaling -> pending",
        ),
        (
            {
                "what": "infraction",
                "seat": "D",
                "kind": "table_talk",
                "ruling": "chosen",
                "measures": ["warning", "points ٢٠", "card yellow"],
                "note": "about the double five",
                "deliberate": "on",
            },
            "D! table_talk deliberate -> warning, points 20, card yellow # about the double five",
        ),
        (
            {
                "what": "infraction",
                "seat": "B",
                "kind": "misplay",
                "tile": "5-4",
                "end": "right",
                "open": "4",
                "choice": "other",
                "measures": "stand, warning",
                "note": "seen late",
            },
            "B! misplay 5-4 right open 4 -> stand, warning # seen late",
        ),
        ({"what": "time"}, "time over"),
        ({"what": "leaves", "seat": "C", "substitute": "robot"}, "C leaves robot"),
        ({"what": "undo", "count": "١"}, "undo 1"),
        ({"what": "undo"}, "undo 1"),
    ],
)
def test_each_form_becomes_an_event(
    post: Any, record: RoundRecord, referee: User, fields: dict[str, Any], line: str
) -> None:
    write(record, "A 6-6", referee)
    response = post(**fields)
    assert response.status_code == 302, response.context["form"].errors
    assert last(record) == line


def test_a_ruling_follows_a_stopped_table(post: Any, record: RoundRecord, referee: User) -> None:
    write(record, ["A 6-6", "B! signaling -> pending"], referee)
    fields = {"what": "ruling", "event": "1", "measures": "warning, points 20", "note": "mild"}
    assert post(**fields).status_code == 302
    assert last(record) == "ruling 1 -> warning, points 20 # mild"


def test_a_ruling_may_be_the_schedules(post: Any, record: RoundRecord, referee: User) -> None:
    write(record, ["A 6-6", "B! signaling -> pending"], referee)
    assert post(what="ruling", event="1", measures="").status_code == 302
    assert last(record) == "ruling 1"


def test_hands_are_shown_and_counted(client: Client, make_match: MakeMatch) -> None:
    match = make_match("domna", entry_kind="single", players=2)
    referee = referee_of(match)
    services.open_match(match, by=referee)
    record = services.open_round(match, number=0, opener="A", by=referee)
    write(record, ["A 6-6", "B! table_talk -> lose_round"], referee)
    client.force_login(referee)
    address = f"/rounds/{record.pk}/events/"
    shown = {"what": "show", "seat": "B", "tiles": "5-5 ٥٠, 10 11 20 22 33", "number": 2}
    assert client.post(address, shown).status_code == 302
    assert last(record) == "B shows 5-5 5-0 1-0 1-1 2-0 2-2 3-3"
    counted = {"what": "count", "seat": "A", "pips": "١٥", "number": 3}
    assert client.post(address, counted).status_code == 302
    assert last(record) == "A counts 15"


def test_points_of_an_elimination_round_are_by_player(
    client: Client, make_match: MakeMatch
) -> None:
    match = make_match("elimination", entry_kind="single", players=3)
    referee = referee_of(match)
    services.open_match(match, by=referee)
    client.force_login(referee)
    fields = {
        "number": 0,
        "sheet": 1,
        "winner": "A",
        "points_B": "12",
        "points_C": "٩",
        "ended": "out",
    }
    assert client.post(f"/matches/{match.pk}/rounds/", fields).status_code == 302
    assert last(match.records.get()) == "result A A=0 B=12 C=9 out"


@pytest.mark.parametrize(
    ("fields", "field", "sentence"),
    [
        ({"what": "line", "line": ""}, "line", "Nothing was given here"),
        ({"what": "infraction", "seat": "E", "kind": "delay"}, "seat", "cannot be chosen here"),
        ({"what": "infraction", "seat": "A", "kind": "no"}, "kind", "cannot be chosen here"),
        (
            {"what": "infraction", "seat": "A", "kind": "touch", "tile": "77"},
            "tile",
            "is not a tile. Write two numbers from 0 to 6",
        ),
        ({"what": "count", "seat": "A", "pips": "200"}, "pips", "“200” was given here, but"),
        ({"what": "undo", "count": "0"}, "count", "“0” was given here, but"),
        ({"what": "time", "number": "x"}, "number", "“x” was given here, but a whole"),
    ],
)
def test_a_wrong_field_is_named_and_nothing_is_stored(
    post: Any, record: RoundRecord, fields: dict[str, Any], field: str, sentence: str
) -> None:
    response = post(**fields)
    assert response.status_code == 422
    assert sentence in response.context["form"].errors[field][0]
    assert not record.events.exists()


def test_measures_that_are_none_are_refused_with_what_was_typed(
    post: Any, record: RoundRecord
) -> None:
    said = {"what": "infraction", "seat": "A", "kind": "delay", "choice": "other"}
    response = post(**said, measures="a slap on the wrist", note="why not")
    assert response.status_code == 422
    assert "names no measures" in response.context["refused"]["message"]
    assert "a slap on the wrist" in response.content.decode()
    assert not record.events.exists()


def test_other_measures_than_those_offered_need_a_reason(post: Any, record: RoundRecord) -> None:
    said = {"what": "infraction", "seat": "A", "kind": "delay", "choice": "other"}
    response = post(**said, measures="points 5")
    assert response.status_code == 422
    assert "Write in the note why" in response.context["form"].errors["note"][0]
    assert "points 5" in response.content.decode()
    assert not record.events.exists()
    assert post(**said, measures="points 5", note="The third warning").status_code == 302


def test_measures_are_read_in_notation() -> None:
    assert read_measures(["warning", "points 20, card red"]) == (
        Measure("warning"),
        Measure("points", 20),
        Measure("card", "red"),
    )
    for wrong in (["slap"], [""], ["pending"], ["points"], ["warning # note"]):
        with pytest.raises(DominoError, match="names no measures"):
            read_measures(wrong)


def test_a_form_sent_twice_stores_once(post: Any, record: RoundRecord) -> None:
    fields = {"what": "line", "line": "A 6-6", "number": 0, "client_key": str(uuid4())}
    assert [post(**fields).status_code for _ in range(3)] == [302, 302, 302]
    assert record.events.count() == 1


def test_the_refused_tile_can_be_recorded_as_an_infraction(
    post: Any, record: RoundRecord, referee: User
) -> None:
    write(record, "A 6-6", referee)
    refused = post(what="line", line="54")
    assert refused.status_code == 422
    assert "54" in refused.content.decode()
    form = refused.context["refused"]["infraction_form"]
    fields = {name: form.initial.get(name) or "" for name in ("seat", "kind", "tile")}
    choice = refused.context["refused"]["proposals"][0]["line"]
    assert post(what="infraction", choice=choice, **fields).status_code == 302
    assert last(record) == "B! misplay 5-4 -> retract, warning"
    assert services.undo(record, number=2, by=referee).next_number == 3


def test_the_infraction_page_offers_the_schedules_measures(
    client: Client, record: RoundRecord, referee: User
) -> None:
    client.force_login(referee)
    address = f"/rounds/{record.pk}/infraction/"
    assert client.get(address).context["proposals"] == []
    page = client.get(address, {"seat": "B", "kind": "signaling", "deliberate": "1"})
    assert page.context["proposals"][0]["line"] == "disqualify"
    choices = [value for value, _ in page.context["infraction_form"].fields["choice"].choices]
    assert choices[0] == "disqualify"
    assert choices[-2:] == ["pending", "other"]
    assert re.search(r"Disqualified from the event", page.content.decode())


def test_a_page_keeps_what_was_typed_when_somebody_else_went_on(
    post: Any, record: RoundRecord, referee: User
) -> None:
    write(record, ["A 6-6", "B 6-3"], referee)
    response = post(line="B 6-4", number=1)
    assert response.status_code == 422
    assert response.context["typed"] == "B 6-4"
    assert "B 6-4" in response.content.decode()

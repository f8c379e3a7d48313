"""Every operation of the API, asked by everybody with bodies that make no sense."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from datetime import timedelta
from functools import cache
from typing import Any, NamedTuple
from uuid import uuid4

import pytest
from django.conf import settings
from django.db import transaction
from django.utils import timezone
from drf_spectacular.generators import SchemaGenerator
from rest_framework.test import APIClient

from referee.models import RoundConfirmation, Sanction, TableCall, TableLink
from tests.factories import (
    EntryFactory,
    LogEntryFactory,
    MatchFactory,
    OfficialFactory,
    OrganizerFactory,
    PairingRoundFactory,
    RoundRecordFactory,
    StageFactory,
    TournamentFactory,
    UserFactory,
)
from tests.framework_sentences import told_by_the_framework
from tournaments.models import Appeal, Match, Official, PairingRound, Screen, Tournament

pytestmark = pytest.mark.django_db

LANGUAGES = tuple(code for code, _ in settings.LANGUAGES if code != "en")
CHANGES = ("post", "put", "patch", "delete")
# What anybody who signed in may send.
FOR_EVERYBODY = {"enter_oneself", "desk_list", "withdraw_oneself"}
# What a referee may do at the tables and at the door; a director may do everything.
FOR_REFEREES = {
    "desk_check_in", "desk_undo_check_in", "desk_extra_time", "desk_store_score",
    "desk_accept_report", "desk_reject_report", "open_match", "confirm_seats", "open_round",
    "append_event", "close_match", "file_appeal", "withdraw_appeal", "sign_sheet", "set_pin",
    "give_sanction", "confirm_sanction", "drop_sanction", "sanctions_in_step",
    "take_over_table", "call_referee", "change_call", "confirm_round", "settle_dispute",
    "make_links", "revoke_link", "go_back", "set_score", "desk_call_players", "desk_clear_calls",
}  # fmt: skip

# What is no body at all is refused by the reader of all operations alike; each is tried with some.
NO_JSON = (
    b"{", b"\xff\xfe", b"[" * 20_000, b'{"a": ' * 20_000, b'{"name": NaN}',
    b'{"number": ' + b"1" * 5_000 + b"}", b'{"name": "a\\u0000b"}', b'{"name": "\\ud800"}',
)  # fmt: skip
RAW = (
    b"", b"[]", b'"text"', b"null", b"7", b"{}", b'{"name": 1e999}',
    b'{"' + b"1" * 5_000 + b'": 1}', *NO_JSON[2:3], *NO_JSON[-3:],
)  # fmt: skip
VALUES: tuple[Any, ...] = (
    [], {}, "", None, True, "text", 10**30, -1, 1.5, "٣", [{}], {"a": {"b": []}}, [None],
    ["x"] * 50, "2026-13-45", [10**30], {"A": 10**30}, [-1, "a"],
)  # fmt: skip


class Operation(NamedTuple):
    """An operation of the description: where, how, and the fields it reads."""

    name: str
    method: str
    path: str
    fields: tuple[str, ...]

    def __str__(self) -> str:
        return self.name


@cache
def description() -> dict[str, Any]:
    found: dict[str, Any] = SchemaGenerator().get_schema(request=None, public=True)
    return found


def operations() -> Iterator[Operation]:
    schemas = description()["components"]["schemas"]
    for path, methods in description()["paths"].items():
        for method, told in methods.items():
            content = told.get("requestBody", {}).get("content", {})
            fields: set[str] = set()
            for one in content.values():
                name = one["schema"].get("$ref", "").rpartition("/")[2]
                fields |= set(schemas.get(name, {}).get("properties", {}))
            yield Operation(told["operationId"], method, path, tuple(sorted(fields)))


OPERATIONS = sorted(operations())
OF_AN_EVENT = [one for one in OPERATIONS if one.method in CHANGES and "{" in one.path]


class World(NamedTuple):
    """An event being played, and how its things are called in an address."""

    event: Tournament
    match: Match
    ids: dict[str, int]
    code: str
    users: dict[str, Any]

    def address(self, one: Operation, *, slug: str | None = None) -> str:
        def filled(found: re.Match[str]) -> str:
            before, name = found[1], found[2]
            if name == "code":
                return f"{before}/{self.code}"
            if name == "act":
                return f"{before}/claim"
            if name == "slug":
                return f"{before}/{slug or self.event.slug}"
            return f"{before}/{self.ids.get(before, 1)}"

        return re.sub(r"(^/api/rounds|[\w-]*)/\{(\w+)\}", filled, one.path)

    def client(self, who: str, language: str = "en") -> APIClient:
        client = APIClient(headers={"Accept-Language": language})
        client.force_authenticate(self.users[who])
        return client


@pytest.fixture
def world() -> World:
    director = OrganizerFactory.create()
    event = TournamentFactory.create(created_by=director, slug="nile", state="running")
    stage = StageFactory.create(tournament=event)
    pairing_round = PairingRoundFactory.create(stage=stage, state=PairingRound.State.PLAYING)
    match = MatchFactory.create(pairing_round=pairing_round, state=Match.State.PLAYING)
    entry = EntryFactory.create(tournament=event, check_in_code="KM4P7R2X")
    appeal = Appeal.objects.create(
        tournament=event, match=match, entry=entry, number=1, grounds="Why.", filed_by=director
    )
    referee = OfficialFactory.create(tournament=event, duty=Official.Duty.REFEREE)
    line = LogEntryFactory.create(tournament=event)
    record = RoundRecordFactory.create(match=match)
    sanction = Sanction.objects.create(
        tournament=event, match=match, player=entry.members.all()[0].player, function="player",
        ladder="play", severity="black", source="ladder",
    )  # fmt: skip
    link = TableLink.objects.create(
        match=match, scope=TableLink.Scope.RECORD, digest="d" * 64,
        expires_at=timezone.now() + timedelta(hours=1), made_by=director,
    )  # fmt: skip
    screen = Screen.objects.create(tournament=event, name="Hall", key="hall", language="en")
    word = RoundConfirmation.objects.create(
        match=match, round=0, side="AC", head="h" * 64, agrees=False, word="No.", said_by=director
    )
    call = TableCall.objects.create(
        match=match, kind=TableCall.Kind.OTHER, language="en", client_key=uuid4()
    )
    ids = {
        "links": link.pk,
        "confirmations": word.pk,
        "calls": call.pk,
        "tables": match.pk,
        "matches": match.pk,
        "players": entry.members.all()[0].player_id,
        "officials": referee.pk,
        "log": line.pk,
        "/api/rounds": record.pk,
        "appeals": appeal.pk,
        "sanctions": sanction.pk,
        "screens": screen.pk,
    }
    users = {
        "anonymous": None,
        "stranger": UserFactory.create(),
        "referee": referee.user,
        "director": director,
    }
    return World(event, match, ids, entry.check_in_code, users)


def bodies(one: Operation) -> Iterator[bytes]:
    yield from RAW
    for value in VALUES if one.fields else ():
        yield json.dumps(dict.fromkeys(one.fields, value)).encode()
    for field in one.fields[:1]:
        yield json.dumps({field: "x" * 1_000_000}).encode()


def send(client: APIClient, one: Operation, address: str, body: bytes = b"[]") -> Any:
    """Send a body and leave everything as it was."""
    with transaction.atomic():
        answer = client.generic(
            one.method.upper(),
            address,
            body,  # type: ignore[arg-type]
            "application/json",
        )
        transaction.set_rollback(True)
    return answer


def assert_refusal(answer: Any, language: str = "en") -> None:
    told = answer.json()
    assert {"code", "message"} <= set(told), told
    assert re.fullmatch(r"[a-z][a-z_]*", told["code"])
    for one in (told, *told.get("errors", ())):
        assert re.fullmatch(r"[a-z][a-z_]*", one["code"]), one
        assert one["message"].rstrip("\u2069")[-1] in ".!?", one
        assert not told_by_the_framework(one["message"], language), one
    if told["code"] == "fields_are_wrong":
        assert told["errors"]


@pytest.mark.parametrize("one", OPERATIONS, ids=str)
def test_no_body_breaks_an_operation_or_is_answered_in_other_words(one: Operation, world: World):
    address = world.address(one)
    clients = {language: world.client("director", language) for language in LANGUAGES}
    for place, body in enumerate(bodies(one)):
        language = LANGUAGES[place % len(LANGUAGES)]
        answer = send(clients[language], one, address, body)
        assert answer.status_code < 500, body[:200]
        if answer.status_code >= 400:
            assert_refusal(answer, language)


@pytest.mark.parametrize("body", NO_JSON)
def test_what_is_no_json_is_refused_with_the_reason(world: World, body: bytes):
    answer = world.client("director", "ar").generic(
        "PUT",
        "/api/desk/nile/details/",
        body,  # type: ignore[arg-type]
        "application/json",
    )
    assert (answer.status_code, answer.json()["code"]) == (400, "parse_error")
    assert_refusal(answer, "ar")


@pytest.mark.parametrize("one", OF_AN_EVENT, ids=str)
def test_who_may_not_is_told_so_before_what_was_sent_is_read(one: Operation, world: World):
    address = world.address(one)
    for who in ("anonymous", "stranger", "referee"):
        allowed = one.name in FOR_EVERYBODY or (who == "referee" and one.name in FOR_REFEREES)
        answer = send(world.client(who), one, address)
        if who == "anonymous" or not allowed:
            assert (who, answer.status_code) == (who, 403)
            assert_refusal(answer)
        else:
            assert (who, answer.status_code) != (who, 403)


@pytest.mark.parametrize("one", OF_AN_EVENT, ids=str)
def test_what_is_hidden_is_not_there_for_anybody_else(one: Operation, world: World):
    Tournament.objects.filter(pk=world.event.pk).update(state=Tournament.State.DRAFT)
    address = world.address(one)
    for who in ("anonymous", "stranger"):
        answer = send(world.client(who), one, address)
        assert (who, answer.status_code) == (who, 404)
        assert_refusal(answer)


@pytest.mark.parametrize("one", [one for one in OF_AN_EVENT if "{slug}" in one.path], ids=str)
def test_what_is_not_there_is_said_before_what_was_sent_is_read(one: Operation, world: World):
    for who in ("anonymous", "stranger", "director"):
        answer = send(world.client(who), one, world.address(one, slug="nowhere"))
        assert (who, answer.status_code) == (who, 404)
        assert_refusal(answer)


def test_an_address_that_does_not_exist_is_refused_in_the_same_shape(client):
    for address in ("/api/", "/api/nothing/", "/api/t/nile/nothing/here/", "/api/matches/x/"):
        for method in ("get", "post"):
            answer = getattr(client, method)(address)
            assert (answer.status_code, answer.json()["code"]) == (404, "not_found")
            assert_refusal(answer)


def test_a_huge_number_in_an_address_is_not_there(world: World):
    client = world.client("director")
    for address in (
        f"/api/matches/{10**30}/",
        f"/api/rounds/{10**30}/events/",
        f"/api/t/nile/rounds/{10**30}/{10**30}/",
        f"/api/desk/nile/tables/{10**30}/score/",
        f"/api/desk/nile/entries/{10**30}/",
    ):
        for method in ("get", "put", "patch", "post"):
            answer = getattr(client, method)(address, {})
            assert answer.status_code in (404, 405), (address, method)
            assert_refusal(answer)


def test_the_description_tells_of_every_refusal(world: World):
    for one in OPERATIONS:
        answers = description()["paths"][one.path][one.method]["responses"]
        wanted = {"403", "default"}
        wanted |= {"400", "409"} if one.method in CHANGES else set()
        wanted |= {"404"} if "{" in one.path else set()
        assert wanted <= set(answers), one.name


def test_a_field_that_is_wrong_says_what_was_found_what_belongs_there_and_what_to_do(world: World):
    client = world.client("director")
    sent = {"minutes": "abc", "starts_at": "soon"}
    told = client.put("/api/desk/nile/stages/1/rounds/1/clock/", sent).json()
    assert told["message"].startswith("2 fields cannot be read. The first: minutes: “abc” was")
    assert [(one["field"], one["code"]) for one in told["errors"]] == [
        ("minutes", "wrong_value"),
        ("starts_at", "wrong_value"),
    ]
    assert told["errors"][0]["message"] == (
        "minutes: “abc” was given here, but a whole number from 1 to 600 is expected. Correct it."
    )


def test_a_field_inside_a_list_is_told_with_its_path(world: World):
    client = world.client("director")
    told = client.post("/api/desk/nile/entries/", {"players": [{"name": "Rosa"}, {}]}).json()
    assert told["errors"] == [
        {
            "field": "players[1].name",
            "code": "field_missing",
            "message": "players[1].name: Nothing was given here, but a text of at most 120 "
            "characters is expected. Fill it in.",
        }
    ]

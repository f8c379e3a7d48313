"""A table at an event, its officials, and both doors to it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from engine.events import Sheet
from engine.notation import parse_line
from referee.models import RoundRecord
from referee.recorded import Recorded
from referee.services import records as services
from tests import factories
from tournaments.models import Match, Official, PairingRound, Tournament

MakeMatch = Callable[..., Match]
PUBLISHED = PairingRound.State.PUBLISHED


@pytest.fixture
def make_match(db: None) -> MakeMatch:
    """Seat a table of four players named Rosa, Lin, Omar and Sara (A to D) under a profile."""

    def make(profile: str = "wdf", **settings: Any) -> Match:
        entry_kind = settings.pop("entry_kind", "pair")
        players = settings.pop("players", 4)
        state = settings.pop("round_state", PUBLISHED)
        tournament = factories.TournamentFactory.create(
            profile=profile,
            state=Tournament.State.RUNNING,
            entry_kind=entry_kind,
            players_per_table=players,
            **settings,
        )
        stage = factories.StageFactory.create(tournament=tournament)
        pairing_round = factories.PairingRoundFactory.create(stage=stage, state=state)
        named = {
            letter: factories.PlayerFactory.create(name=name)
            for letter, name in zip("ABCD"[:players], ("Rosa", "Lin", "Omar", "Sara"), strict=False)
        }
        sides = ("AC", "BD") if entry_kind == "pair" else tuple(named)
        entries = [
            factories.EntryFactory.create(
                tournament=tournament, players=[named[one] for one in side]
            )
            for side in sides
        ]
        return factories.MatchFactory.create(pairing_round=pairing_round, entries=entries)

    return make


@pytest.fixture
def match(make_match: MakeMatch) -> Match:
    return make_match()


def tournament_of(match: Match) -> Tournament:
    return match.pairing_round.stage.tournament


@pytest.fixture
def referee(match: Match) -> User:
    return referee_of(match)


def referee_of(match: Match) -> User:
    """Return a referee of the match's event."""
    official = factories.OfficialFactory.create(
        tournament=tournament_of(match), duty=Official.Duty.REFEREE
    )
    return official.user


def director_of(match: Match) -> User:
    return tournament_of(match).created_by


@pytest.fixture
def director(match: Match) -> User:
    return director_of(match)


@pytest.fixture
def stranger(db: None) -> User:
    return factories.UserFactory.create()


@pytest.fixture
def opened(match: Match, referee: User) -> Match:
    """The match, opened by the referee."""
    return services.open_match(match, by=referee)


@pytest.fixture
def record(opened: Match, referee: User) -> RoundRecord:
    """The first round of the open match; seat A holds the double six and opens."""
    return services.open_round(opened, number=0, opener="A", by=referee)


def write(record: RoundRecord, lines: Sequence[str] | str, by: User) -> Recorded:
    """Store lines of notation after what the round has."""
    told = lines.splitlines() if isinstance(lines, str) else lines
    recorded = None
    for line in told:
        recorded = services.append_event(
            record, number=record.events.count(), event=parse_line(line.strip()), by=by
        )
    assert recorded is not None
    return recorded


def sheet(match: Match, number: int, winner: str | None, points: int, by: User) -> None:
    """Record a whole round from a score sheet; without a winner it was a block."""
    services.record_sheet(
        match, number=number, sheet=Sheet(winner, points, "out" if winner else "blocked"), by=by
    )


class Door:
    """Posts to a table as the page or as the API does, and reads why it was refused."""

    def __init__(self, kind: str, client: Client) -> None:
        self.kind = kind
        self.client = client

    @property
    def refused(self) -> int:
        return 422 if self.kind == "page" else 409

    @property
    def done(self) -> int:
        return 302 if self.kind == "page" else 201

    def post(self, address: str, **fields: Any) -> Any:
        fields = {name: value for name, value in fields.items() if value is not None}
        if self.kind == "page":
            return self.client.post(address, fields)
        return self.client.post(f"/api{address}", fields, content_type="application/json")

    def event(self, record: RoundRecord, *, number: int, line: str, key: object = None) -> Any:
        name = "line" if self.kind == "page" else "event"
        return self.post(
            f"/rounds/{record.pk}/events/",
            number=number,
            client_key=None if key is None else str(key),
            **{name: line},
        )


@pytest.fixture(params=["page", "api"])
def door(request: pytest.FixtureRequest, client: Client) -> Door:
    return Door(request.param, client)

"""An event with a table in every state: all pages of the referee have something to show."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from uuid import uuid4

from django.contrib.auth.models import User

from referee.event_file import exported
from referee.models import KeptFile, RoundConfirmation, RoundRecord, Sanction
from referee.services import appeals, calls, confirming, holders, links, sanctions, signing
from referee.services import records as services
from referee.services.event_restoring import keep_sent
from tests import factories
from tests.browser.played_table import Hands, first_acts
from tests.referee.conftest import sheet, write
from tournaments.models import Appeal, Match, PairingRound, Tournament
from tournaments.policies_links import LinkRules
from tournaments.services import clock
from tournaments.services.own_penalties import set_own_penalties

PHONE_IN_HALL = {
    "phone": {
        "offences": [["warning"], [{"percent": 30}]],
        "names": {"en": "Phone in the hall", "ar": "هاتف في القاعة"},
        "ladder": "discipline",
    }
}
OTHER_DEVICE = "second01.0123456789abcdef0123"
NAMES = ("Rosa Álvarez de la Fuente y Montenegro", "محمد عبد الرحمن", "Lin", "سارة")


@dataclass(frozen=True)
class World:
    """One event in play, one that has not begun, and their director, who may do everything."""

    tournament: Tournament
    unplayed: Tournament
    director: User
    tables: dict[str, Match]
    hands: Hands

    @property
    def pairing_round(self) -> PairingRound:
        return self.tables["waiting"].pairing_round

    @property
    def appeal(self) -> Appeal:
        return Appeal.objects.get()

    @property
    def sanction(self) -> Sanction:
        return Sanction.objects.order_by("pk")[0]

    @property
    def kept_file(self) -> KeptFile:
        return KeptFile.objects.get()

    @property
    def dispute(self) -> RoundConfirmation:
        return RoundConfirmation.objects.get(agrees=False)

    @property
    def code(self) -> str:
        return self.tables["signed"].signatures.order_by("pk")[0].code

    def record(self, table: str) -> RoundRecord:
        return self.tables[table].records.order_by("-number")[0]

    def token(self, table: str = "recording", **settings: Any) -> str:
        match = self.tables[table]
        settings.setdefault("scope", "record")
        return links.make_link(match, client_key=uuid4(), by=self.director, **settings).token


def made() -> World:
    """Build it all through the services, as it would come about."""
    tournament = factories.TournamentFactory.create(state="running", target=100)
    by = tournament.created_by
    links.set_link_rules(tournament, LinkRules(confirm_rounds=True, players_record=True), by=by)
    stage = factories.StageFactory.create(tournament=tournament)
    pairing_round = factories.PairingRoundFactory.create(stage=stage)
    world = World(tournament, _unplayed(by), by, {}, first_acts()[2])
    for name in (
        "waiting", "first", "between", "recording", "pending", "hands", "ended", "held", "over",
        "signed", "closed",
    ):  # fmt: skip
        match = factories.MatchFactory.create(pairing_round=pairing_round)
        world.tables[name] = match
        if name != "waiting":
            services.open_match(match, by=by)
    for seat, name in zip(world.tables["recording"].seats.order_by("seat"), NAMES, strict=True):
        seat.player.name = name
        seat.player.save()
    clock.set_clock(pairing_round, minutes=40, by=by)
    _play(world)
    _around(world)
    return world


def _unplayed(by: User) -> Tournament:
    tournament = factories.TournamentFactory.create(state=Tournament.State.OPEN, created_by=by)
    set_own_penalties(tournament, penalties=PHONE_IN_HALL, by=by)
    return tournament


def _play(world: World) -> None:
    by, tables = world.director, world.tables
    opener, acts, _ = first_acts()
    for name, length in (("recording", 8), ("pending", 5), ("held", 6), ("hands", None)):
        record = services.open_round(tables[name], number=0, opener=opener, by=by)
        services.append_events(record.pk, number=0, events=acts[:length], by=by)
    write(world.record("pending"), "B! signaling -> pending", by)
    sheet(tables["between"], 0, "AC", 40, by)
    for name in ("over", "signed", "closed"):
        sheet(tables[name], 0, "BD", 35, by)
        sheet(tables[name], 1, "AC", 100, by)
    sheet(tables["ended"], 0, "AC", 40, by)
    write(world.record("ended"), ["B! delay -> warning", "D! signaling -> pending"], by)
    write(world.record("closed"), ["B! delay", "A! table_talk"], by)
    services.close_match(tables["closed"], by=by)


def _around(world: World) -> None:
    by, tables = world.director, world.tables
    holders.take_over(tables["held"], OTHER_DEVICE, by=by)
    sides = [one.entry for one in tables["closed"].seats.order_by("seat")[:2]]
    appeals.file_appeal(tables["closed"], entry=sides[1], grounds="The count is wrong.", by=by)
    confirming.say_of_round(tables["between"], number=0, side="AC", agrees=True, by=by)
    confirming.say_of_round(
        tables["between"], number=0, side="BD", agrees=False, word="It was 30.", by=by
    )
    for name in ("recording", "between"):
        calls.call_referee(
            tables[name], kind="ruling", note="قطعة 🎲 مكشوفة", language="ar", client_key=uuid4(),
            by=by,
        )  # fmt: skip
    signing.set_pin(tables["signed"].seats.get(seat="A").entry, pin="4711", by=by)
    signing.sign(tables["signed"], side="AC", how="pin", pin="4711", by=by)
    drawn = [[10, 10, 200, 80, 300, 20, 400, 90, 500, 30, 600, 100, 700, 40, 800, 90]]
    signing.sign(tables["signed"], side="BD", how="drawn", strokes=drawn, by=by)
    sanctions.synchronise(world.tournament, by=by)
    world.token()
    keep_sent(world.tournament, exported(world.tournament), by=by)

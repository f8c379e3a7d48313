"""An event with a hidden round and a minor among its players, and every address to ask it at."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.test import Client

from referee.services import records as table
from tests.addresses import LISTS, PRINTS, named_addresses
from tests.factories import EntryFactory, PlayerFactory, TournamentFactory, UserFactory
from tournaments.digits import local_digits
from tournaments.models import Entry, Match, Player, Screen, Stage, Tournament
from tournaments.services import draws, pairings, scores, stages
from tournaments.services.entries import PlayerData
from tournaments.services.players import correct_player
from tournaments.services.ratings import rebuild_ratings
from tournaments.services.stages import StagePlan
from tournaments.services.standings import rebuild_standings

# Numbers that stand nowhere else: of the hidden round, and what they add up to with the first.
KNOWN = {"AC": 131, "BD": 58}
HIDDEN = {"AC": 177, "BD": 89}
SUMS = (
    *(KNOWN["AC"] + HIDDEN["AC"], KNOWN["BD"] + HIDDEN["BD"]),
    *(KNOWN["AC"] + HIDDEN["BD"], KNOWN["BD"] + HIDDEN["AC"]),
)
# The given name is public; the family name of a minor is nobody's but the officials'.
GIVEN, FAMILY = "Zenobia", "Quintanilla"


@dataclass(frozen=True, slots=True)
class HiddenEvent:
    """A Swiss of pairs: its first round is known, its second is played and to be hidden."""

    stage: Stage
    hidden: Match
    """A table of the hidden round whose result is stored."""
    recorded: Match
    """A table of the hidden round that is being recorded move by move."""

    @property
    def tournament(self) -> Tournament:
        return self.stage.tournament


def hidden_event(size: int = 4, *, third: bool = True) -> HiddenEvent:
    tournament = TournamentFactory.create(
        slug="prize-giving", state=Tournament.State.RUNNING, name="Prize Cup"
    )
    minor, partner = PlayerFactory.create(name=f"{GIVEN} {FAMILY}"), PlayerFactory.create()
    EntryFactory.create(
        tournament=tournament, category="Open", players=[minor, partner],
        name=f"{minor.name} / {partner.name}",
    )  # fmt: skip
    EntryFactory.create_batch(size - 1, tournament=tournament, category="Open")
    by = tournament.created_by
    stage = stages.make_stage(tournament, StagePlan("swiss", rounds=5), by=by)
    pairings.publish(draws.draw_round(stage, number=1, by=by), by=by)
    for match in tables(stage, 1):
        scores.record_score(match, points=KNOWN, sure=True, by=by)
    rebuild_standings(stage)
    pairings.publish(draws.draw_round(stage, number=2, by=by), by=by)
    *played, last = tables(stage, 2)
    for match in played:
        scores.record_score(match, points=HIDDEN, sure=True, by=by)
    if third:
        scores.record_score(last, points=HIDDEN, sure=True, by=by)
        rebuild_standings(stage)
        pairings.publish(draws.draw_round(stage, number=3, by=by), by=by)
        last = tables(stage, 3)[0]
        table.open_round(table.open_match(last, by=by), number=0, opener="A", by=by)
    rebuild_standings(stage)
    rebuild_ratings(tournament)
    Entry.objects.filter(tournament=tournament, number=1).update(check_in_code="abcdefgh2345")
    for shows in Screen.Shows.values:
        Screen.objects.create(
            tournament=tournament, name=shows, key=f"key-{shows}", shows=shows, language="en",
            stage=stage, message="Welcome",
        )  # fmt: skip
    # Only now somebody says that a player is a minor: the full name has been everywhere.
    written = PlayerData(minor.name, f"{GIVEN} {FAMILY}", country="EG", is_minor=True)
    correct_player(tournament, minor, written=written, spellings=[f"Z {FAMILY}"], by=by)
    return HiddenEvent(stage, played[0], last)


def tables(stage: Stage, number: int) -> list[Match]:
    found = Match.objects.filter(pairing_round__stage=stage, pairing_round__number=number)
    return list(found.order_by("table"))


def addresses(event: HiddenEvent) -> Iterator[tuple[str, str]]:
    """Yield the name and the address of everything the site has, filled for the event."""
    tournament, player = event.tournament, Player.objects.earliest("pk")
    matches = [event.hidden.pk, event.recorded.pk, tables(event.stage, 1)[0].pk]
    players = list(Player.objects.order_by("pk").values_list("pk", flat=True))
    clubs = [one for one in {player.club_id} if one]
    known: dict[str, list[Any]] = {
        "slug": [tournament.slug], "stage": [event.stage.number, event.stage.pk],
        "number": [1, 2, 3], "entry": [1], "round_number": [2], "table": [1],
        "code": ["abcdefgh2345"], "key": [f"key-{one}" for one in Screen.Shows.values],
        "form": ["csv", "xlsx", "json", "html"], "kind": [*LISTS, *PRINTS],
        "part": ["request", "answer", "draw"], "token": ["x"],
        "pk": [*matches, *players[:2], *players[-1:], *clubs],
        "player": [player.pk], "keep": players[:1], "gone": players[1:2],
    }  # fmt: skip
    yield from named_addresses(known)
    slug = tournament.slug
    for by in ("player", "club", "country", "category", "event", "entry"):
        yield "standings", f"/t/{slug}/standings/?by={by}"
    for query in ("?by=name", "?q=player", "?round=1.2", "?round=1.3", "?after=2", "?after=1"):
        yield "pairings", f"/t/{slug}/rounds/1/2/{query}"
        yield "tournament", f"/t/{slug}/{query}"
        yield "print", f"/t/{slug}/prints/pairings.html{query}"
        yield "print", f"/t/{slug}/prints/standings.html{query}"
        yield "api_standings", f"/api/t/{slug}/standings/{query}"
    for kind in LISTS:
        for form in ("csv", "json", "xlsx"):
            yield "export", f"/t/{slug}/files/{kind}.{form}?round=2"
    for typed in ("player", GIVEN, "z", "1"):
        yield "search", f"/search/?q={typed}"
        yield "api_search", f"/api/search/?q={typed}"
        yield "ratings", f"/ratings/?q={typed}"


def number(*numbers: int, language: str = "en") -> re.Pattern[str]:
    """Return what finds one of some numbers that stand for themselves."""
    written = {str(one) for one in numbers} | {local_digits(one, language) for one in numbers}
    found = "|".join(sorted(written))
    return re.compile(rf"(?<![\w#.-])(?:{found})(?![\w.%-])")


def stranger() -> Client:
    return Client()


def signed_in() -> Client:
    client = Client()
    client.force_login(UserFactory.create())
    return client

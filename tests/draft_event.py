"""An event with a draft round and a draft stage, what tells of them, and every address to ask."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.utils import timezone

from referee.services import records as table
from tests.addresses import LISTS, PRINTS, named_addresses
from tests.factories import EntryFactory, PlayerFactory, TournamentFactory
from tournaments.models import Entry, Match, PairingRound, Player, Screen, Stage, Tournament
from tournaments.services import draws, pairings, scores, stages
from tournaments.services.stages import StagePlan
from tournaments.services.standings import rebuild_standings

# What stands nowhere but in the drafts: a name at a table, numbers of tables, the name of a stage.
TELLING = ("Quixotina", "4711", "4712", "8821", "Zanzibar")
CODE = "abcdefgh2345"


@dataclass(frozen=True, slots=True)
class DraftEvent:
    """A Swiss of five pairs: one round played, one in play; `drafted` adds what is a draft."""

    stage: Stage

    @property
    def tournament(self) -> Tournament:
        return self.stage.tournament

    def drafts(self) -> list[PairingRound]:
        found = PairingRound.objects.filter(stage__tournament=self.tournament, state="draft")
        return list(found.order_by("stage__number", "number"))


def draft_event() -> DraftEvent:
    tournament = TournamentFactory.create(
        slug="nile", name="Nile Cup", state=Tournament.State.RUNNING
    )
    EntryFactory.create_batch(5, tournament=tournament, category="Open")
    by = tournament.created_by
    stage = stages.make_stage(tournament, StagePlan("swiss", name="League", rounds=9), by=by)
    for number in (1, 2):
        drawn = pairings.publish(draws.draw_round(stage, number=number, by=by), by=by)
        first, last = drawn.matches.order_by("table")
        scores.record_score(first, points={"AC": 131, "BD": 58}, sure=True, by=by)
        if number == 1:
            scores.record_score(last, points={"AC": 90, "BD": 120}, sure=True, by=by)
            rebuild_standings(stage)
    table.open_round(table.open_match(last, by=by), number=0, opener="A", by=by)
    rebuild_standings(stage)
    Entry.objects.filter(tournament=tournament, number=1).update(check_in_code=CODE)
    for shows in Screen.Shows.values:
        Screen.objects.create(
            tournament=tournament, name=shows, key=f"key-{shows}", shows=shows, language="en",
            stage=stage, message="Welcome",
        )  # fmt: skip
    return DraftEvent(stage)


def drafted(event: DraftEvent) -> None:
    """Draw the third round, and the first of a second stage; publish neither."""
    by = event.tournament.created_by
    third = draws.draw_round(event.stage, number=3, reason="We go on.", by=by)
    final = stages.make_stage(
        event.tournament, StagePlan("knockout", name="Zanzibar", first_table=8821), by=by
    )
    draws.draw_round(final, number=1, by=by)
    for number, match in zip((4711, 4712), third.matches.order_by("table"), strict=True):
        Match.objects.filter(pk=match.pk).update(table=number)
        match.seats.filter(seat="A").update(player=PlayerFactory.create(name="Quixotina"))
    PairingRound.objects.filter(pk=third.pk).update(starts_at=timezone.now(), minutes=47)


def addresses(event: DraftEvent, *, code: str = CODE) -> Iterator[tuple[str, str]]:
    """Yield the name and the address of everything the site has, filled for the event."""
    slug = event.tournament.slug
    of_event = Match.objects.filter(pairing_round__stage__tournament=event.tournament)
    hidden = list(of_event.filter(pairing_round__state="draft").order_by("table"))
    open_ones = list(of_event.exclude(pairing_round__state="draft").order_by("pk"))
    matches = [*(hidden[:1] + hidden[-1:]), open_ones[-1]]
    rounds = [one.pk for one in event.drafts()]
    players = list(Player.objects.order_by("pk").values_list("pk", flat=True))
    # Whoever sits out, or is replaced at the table, has nothing to tell of it.
    told = of_event.filter(table=4711, seats__seat="C").values_list("seats__player", flat=True)
    players_told = [*players[:1], *told]
    known: dict[str, list[Any]] = {
        "slug": [slug], "stage": [1, 2], "number": [1, 2, 3], "entry": [1],
        "round_number": [1, 3], "table": [1, 4711], "code": [code],
        "key": [f"key-{one}" for one in Screen.Shows.values],
        "form": ["html", "csv", "json", "xlsx"], "kind": [*LISTS, *PRINTS],
        "part": ["request", "answer", "draw"], "token": ["x"],
        "pk": [*(one.pk for one in matches), *rounds, *players[:1], *players[-1:]],
        "player": players_told, "keep": players[:1], "gone": players[1:2],
    }  # fmt: skip
    yield from named_addresses(known)
    asked = ("round=1.3", "stage=2", "by=name", "q=quixotina", "after=3")
    for query in asked:
        for at in ("", "rounds/", "rounds/1/2/", "rounds/1/3/", "standings/", "entries/"):
            yield "page", f"/t/{slug}/{at}?{query}"
        for kind in ("pairings", "names", "scores", "cards", "standings"):
            yield "print", f"/t/{slug}/prints/{kind}.html?{query}"
        yield "api_standings", f"/api/t/{slug}/standings/?{query}"
    # As PDF a draft is refused before anything is set.
    for kind in ("pairings", "names", "scores", "cards"):
        yield "print", f"/t/{slug}/prints/{kind}.pdf?round=1.3"
    for kind in LISTS:
        for query in ("round=3", "stage=2", "stage=1&round=3"):
            yield "export", f"/t/{slug}/files/{kind}.json?{query}"
    for query in ("quixotina", "zanzibar", "nile"):
        yield "search", f"/search/?q={query}"
        yield "api_search", f"/api/search/?q={query}"
        yield "index", f"/?q={query}"

"""Every address that can be read: as few queries in a large event as in a small one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import get_resolver, reverse

from referee.services import records as table
from tests.factories import EntryFactory, TournamentFactory
from tournaments.models import Entry, Match, Player, Stage, Tournament
from tournaments.services import draws, pairings, scores, stages
from tournaments.services.stages import StagePlan
from tournaments.services.standings import rebuild_standings

SIZES = (16, 64)
SEVERAL = {"director_duplicates"}
# As a column that is read, not one that is compared.
LONG = re.compile(r'"tournaments_pairinground"\."(?:draw|standings)"(?=,|\s*$)')
FROM = re.compile(r"\bFROM\b")


def event(size: int) -> Stage:
    """A Swiss of pairs: one round played, the second half played and half recorded by moves."""
    tournament = TournamentFactory.create(
        slug=f"of-{size}", state=Tournament.State.RUNNING, policies={"absences": {}}
    )
    EntryFactory.create_batch(size, tournament=tournament, category="Open")
    by = tournament.created_by
    stage = stages.make_stage(tournament, StagePlan("swiss", rounds=5), by=by)
    for number in (1, 2):
        pairings.publish(draws.draw_round(stage, number=number, by=by), by=by)
        matches = list(Match.objects.filter(pairing_round__stage=stage).filter(
            pairing_round__number=number).order_by("table"))  # fmt: skip
        played = matches if number == 1 else matches[: len(matches) // 2]
        for match in played:
            points = {"AC": 100, "BD": match.table}
            scores.record_score(match, points=points, sure=True, by=by)
        rebuild_standings(stage)
    for match in matches[len(matches) // 2 :]:
        table.open_round(table.open_match(match, by=by), number=0, opener="A", by=by)
    Entry.objects.filter(tournament=tournament, number=1).update(check_in_code="abcdefgh2345")
    return stage


def addresses(stage: Stage) -> Iterator[tuple[str, list[str]]]:
    """Yield every named address of the site, with each way to fill it for the event."""
    tournament = stage.tournament
    last = stage.rounds.get(number=2).matches.order_by("table")
    player = Player.objects.filter(memberships__entry__tournament=tournament).earliest("pk")
    line = tournament.log.latest("pk")
    official = tournament.officials.earliest("pk")
    known: dict[str, list[Any]] = {
        "slug": [tournament.slug], "stage": [stage.number, stage.pk], "number": [2, 1, 3],
        "entry": [1], "round_number": [2], "table": [1], "code": ["abcdefgh2345"],
        "form": ["csv", "xlsx", "json"], "kind": ["standings", "entries"],
        "part": ["request", "answer", "draw"], "by": ["club", "country", "player", "category"],
        "pk": [last.earliest("table").pk, last.latest("table").pk, player.pk, line.pk, official.pk],
        "player": [player.pk], "keep": [player.pk], "gone": [player.pk + 1],
    }  # fmt: skip
    for space in ("tournaments", "referee"):
        for name, ways in get_resolver().namespace_dict[space][1].reverse_dict.lists():
            names = ways[0][0][0][1]
            if isinstance(name, str) and set(names) <= known.keys():
                filled = product(*(known[one] for one in names))
                yield (
                    name,
                    [
                        reverse(f"{space}:{name}", kwargs=dict(zip(names, values, strict=True)))
                        for values in filled
                    ],
                )


def read(stage: Stage, client: Client) -> dict[str, list[str]]:
    """Return what is sent to the database by each address that answers, asked a second time."""
    found = {}
    for name, ways in addresses(stage):
        there = next((one for one in ways if client.get(one).status_code == 200), None)
        if there is not None:
            with CaptureQueriesContext(connection) as sent:
                client.get(there)
            found[name] = [one["sql"] for one in sent.captured_queries]
    return found


# What an address is for: it reads the draw of a round, or the standings kept with all of them.
READS_LONG = {
    "proof", "proof_file", "api_proof", "director_adjust", "standings_after", "standings_places",
    "api_desk_undo", "director_undo", "event_file", "export", "files", "director_export",
    "director_files", "api_event_file",
}  # fmt: skip
# What is counted here is more than a page: a decision made and thrown away, a file of everything.
MORE = {
    "director_undo": 60,
    "api_desk_undo": 60,
    "event_file": 32,
    "api_event_file": 32,
    "director_adjust": 28,
}
MOST = {"visitor": 15, "director": 20}


@pytest.mark.django_db
@pytest.mark.parametrize("who", ["director", "visitor"])
def test_no_address_costs_more_queries_where_the_field_is_larger(who):
    found = []
    for size in SIZES:
        stage = event(size)
        client = Client(raise_request_exception=False)
        if who == "director":
            client.force_login(stage.tournament.created_by)
        found.append(read(stage, client))
    small, large = found
    both = small.keys() & large.keys()
    assert len(both) > (80 if who == "director" else 25)
    counts = {name: (len(small[name]), len(large[name])) for name in both}
    # Pairs of players who may be one person are read as many at a time as the database takes.
    grown = {name: two for name, two in counts.items() if two[1] > two[0] + (name in SEVERAL)}
    assert grown == {}
    dear = {name: two for name, two in counts.items() if two[1] > MORE.get(name, MOST[who])}
    assert dear == {}
    long = {name for name in both for sql in large[name] if LONG.search(FROM.split(sql)[0])}
    assert long - READS_LONG == set()

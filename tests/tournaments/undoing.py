"""Every decision the log can tell of: an event in which it can be made, and how it is made."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from typing import Any

from django.apps import apps
from django.contrib.auth.models import User
from django.db.models import Model

from tests.factories import (
    EntryFactory,
    TournamentFactory,
)
from tournaments.models import (
    Entry,
    LogEntry,
    Match,
    PairingRound,
    Rating,
    Stage,
    Tournament,
)
from tournaments.services import (
    draws,
    lifecycle,
    pairings,
    scores,
    stages,
)
from tournaments.services.entries import PlayerData
from tournaments.services.stages import StagePlan
from tournaments.services.standings import rebuild_standings

Do = Callable[[], object]
_numbers = count(1)


class World:
    """An event of pairs with its director, taken as far as a decision needs it."""

    def __init__(self, pairs: int = 4, **fields: Any) -> None:
        self.event = TournamentFactory.create(**fields)
        self.by: User = self.event.created_by
        EntryFactory.create_batch(pairs, tournament=self.event)

    def fresh(self) -> Tournament:
        return Tournament.objects.get(pk=self.event.pk)

    def entry(self, number: int = 1) -> Entry:
        return Entry.objects.get(tournament=self.event, number=number)

    def running(self) -> World:
        lifecycle.start(self.event, by=self.by)
        self.event.refresh_from_db()
        return self

    def stage(self, system: str = "swiss", **fields: Any) -> Stage:
        if self.event.state == Tournament.State.OPEN:
            self.running()
        return stages.make_stage(self.event, StagePlan(system, **fields), by=self.by)

    def drawn(self, system: str = "swiss", **fields: Any) -> PairingRound:
        return draws.draw_round(self.stage(system, **fields), number=1, by=self.by)

    def published(self, system: str = "swiss", **fields: Any) -> PairingRound:
        return pairings.publish(self.drawn(system, **fields), by=self.by)

    def table(self, system: str = "swiss", **fields: Any) -> Match:
        found = self.published(system, **fields).matches.order_by("table").first()
        assert found is not None
        return found

    def closed(self, system: str = "swiss", **fields: Any) -> Match:
        """Return table 1 of a first round in which every table has its result."""
        first = self.table(system, **fields)
        for match in first.pairing_round.matches.order_by("table"):
            self.score(match)
        return Match.objects.get(pk=first.pk)

    def score(self, match: Match, **points: int) -> Match:
        given = points or {"AC": 100, "BD": 40 + match.table}
        return scores.record_score(match, points=given, sure=True, by=self.by)


def somebody(name: str = "") -> PlayerData:
    return PlayerData(name or f"Somebody New {next(_numbers)}", club="A Club That Is New")


def state() -> dict[str, list[str]]:
    """Return every row there is but the log and accounts, without keys and stamps of change."""
    for stage in Stage.objects.filter(state=Stage.State.OPEN):
        rebuild_standings(stage)
    tables = {one.pk: (one.pairing_round_id, one.table) for one in Match.objects.all()}
    found = {}
    models: list[Any] = [*apps.get_app_config("tournaments").get_models(), Rating]
    for model in models:
        if model is not LogEntry:
            found[model.__name__] = sorted(_row(one, tables) for one in model.objects.all())
    for model in apps.get_app_config("referee").get_models():
        found[model.__name__] = sorted(_row(one, tables) for one in model._base_manager.all())
    return found


def _row(one: Model, tables: dict[int, tuple[int, int]]) -> str:
    row: dict[str, Any] = {}
    for field in one._meta.concrete_fields:
        value = getattr(one, field.attname)
        if field.primary_key or getattr(field, "auto_now", False):
            continue
        if isinstance(one, PairingRound) and field.attname == "standings":
            # The rows: that they were corrected, and corrected back, stays written down.
            value = value["rows"] if value and one.state == PairingRound.State.FINISHED else []
        row[field.attname] = tables[value] if field.related_model is Match and value else value
    return repr(sorted(row.items(), key=lambda item: item[0]))

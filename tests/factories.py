"""One factory per model, and the officials and events that most tests begin with."""

from __future__ import annotations

from datetime import date
from typing import Any
from uuid import uuid4

from django.contrib.auth.models import Permission, User
from factory.declarations import LazyAttribute, LazyFunction, SelfAttribute, Sequence, SubFactory
from factory.django import DjangoModelFactory, Password
from factory.helpers import post_generation

from engine.profiles import Rules
from referee import chain, rows
from referee.models import RecordedEvent, RoundRecord
from tournaments.models import (
    Bye,
    Club,
    Entry,
    EntryPlayer,
    LogEntry,
    Match,
    MatchSeat,
    Official,
    PairingRound,
    Player,
    Stage,
    StandingRow,
    Tournament,
)

PASSWORD = "a long enough password"


class UserFactory(DjangoModelFactory[User]):
    class Meta:
        model = User
        skip_postgeneration_save = True

    username = Sequence(lambda n: f"user{n}")
    password = Password(PASSWORD)


class OrganizerFactory(UserFactory):
    """Somebody who may set up tournaments."""

    @post_generation
    def permission(self: User, create: bool, extracted: object, **kwargs: object) -> None:
        self.user_permissions.add(
            Permission.objects.get(codename="add_tournament", content_type__app_label="tournaments")
        )


class ClubFactory(DjangoModelFactory[Club]):
    class Meta:
        model = Club

    name = Sequence(lambda n: f"Club {n}")
    country = "EG"


class PlayerFactory(DjangoModelFactory[Player]):
    class Meta:
        model = Player

    name = Sequence(lambda n: f"Player {n}")
    club = SubFactory(ClubFactory)
    country = "EG"


class TournamentFactory(DjangoModelFactory[Tournament]):
    """A tournament of pairs under `wdf` with registration open; its creator directs it."""

    class Meta:
        model = Tournament
        skip_postgeneration_save = True

    class Params:
        profile = "wdf"
        target = None
        options: dict[str, str | int] | None = None

    name = Sequence(lambda n: f"Open {n}")
    slug = Sequence(lambda n: f"open-{n}")
    venue = "Café Olive"
    city = "Cairo"
    country = "EG"
    time_zone = "Africa/Cairo"
    starts_on = date(2026, 5, 1)
    state = Tournament.State.OPEN
    entry_kind = Entry.Kind.PAIR
    players_per_table = 4
    rules = LazyAttribute(lambda one: Rules.of(one.profile, one.target, one.options).frozen_json())
    created_by = SubFactory(OrganizerFactory)

    @post_generation
    def director(self: Tournament, create: bool, extracted: object, **kwargs: object) -> None:
        Official.objects.create(tournament=self, user=self.created_by, duty=Official.Duty.DIRECTOR)


class OfficialFactory(DjangoModelFactory[Official]):
    class Meta:
        model = Official

    tournament = SubFactory(TournamentFactory)
    user = SubFactory(UserFactory)
    duty = Official.Duty.REFEREE


class EntryFactory(DjangoModelFactory[Entry]):
    """An entry with as many new players as its kind needs, or with `players`."""

    class Meta:
        model = Entry
        skip_postgeneration_save = True

    tournament = SubFactory(TournamentFactory)
    number = LazyAttribute(lambda one: one.tournament.entries.count() + 1)
    kind = LazyAttribute(lambda one: one.tournament.entry_kind)
    name = LazyAttribute(lambda one: f"Entry {one.number}")
    seed = SelfAttribute("number")
    club = SubFactory(ClubFactory)

    @post_generation
    def players(self: Entry, create: bool, extracted: Any, **kwargs: object) -> None:
        size = 1 if self.kind == Entry.Kind.SINGLE else 2
        players = extracted or PlayerFactory.create_batch(size, club=self.club)
        for position, player in enumerate(players, start=1):
            EntryPlayerFactory(entry=self, player=player, position=position)


class EntryPlayerFactory(DjangoModelFactory[EntryPlayer]):
    class Meta:
        model = EntryPlayer

    entry = SubFactory(EntryFactory)
    tournament = SelfAttribute("entry.tournament")
    player = SubFactory(PlayerFactory)
    position = 1


class StageFactory(DjangoModelFactory[Stage]):
    class Meta:
        model = Stage

    tournament = SubFactory(TournamentFactory, state=Tournament.State.RUNNING)
    number = LazyAttribute(lambda one: one.tournament.stages.count() + 1)
    name = "Main stage"
    system = Stage.System.MANUAL
    tie_breaks = ["wins", "difference", "points_for"]
    seed = 7


class PairingRoundFactory(DjangoModelFactory[PairingRound]):
    class Meta:
        model = PairingRound

    stage = SubFactory(StageFactory)
    number = LazyAttribute(lambda one: one.stage.rounds.count() + 1)
    state = PairingRound.State.PUBLISHED


class ByeFactory(DjangoModelFactory[Bye]):
    class Meta:
        model = Bye

    pairing_round = SubFactory(PairingRoundFactory)
    entry = SubFactory(EntryFactory, tournament=SelfAttribute("..pairing_round.stage.tournament"))


class MatchFactory(DjangoModelFactory[Match]):
    """A table with two new pairs seated, or with `entries` in their order."""

    class Meta:
        model = Match
        skip_postgeneration_save = True

    pairing_round = SubFactory(PairingRoundFactory)
    table = LazyAttribute(lambda one: one.pairing_round.matches.count() + 1)

    @post_generation
    def entries(self: Match, create: bool, extracted: Any, **kwargs: object) -> None:
        tournament = self.pairing_round.stage.tournament
        single = tournament.entry_kind == Entry.Kind.SINGLE
        count = tournament.players_per_table if single else 2
        entries = extracted or [EntryFactory(tournament=tournament) for _ in range(count)]
        seats = "ABCD" if single else ("AC", "BD")
        for entry, letters in zip(entries, seats, strict=False):
            for letter, member in zip(letters, entry.members.order_by("position"), strict=False):
                MatchSeatFactory(match=self, seat=letter, entry=entry, player=member.player)


class MatchSeatFactory(DjangoModelFactory[MatchSeat]):
    class Meta:
        model = MatchSeat

    match = SubFactory(MatchFactory)
    pairing_round = SelfAttribute("match.pairing_round")
    seat = "A"
    entry = SubFactory(EntryFactory)
    player = SubFactory(PlayerFactory)


class StandingRowFactory(DjangoModelFactory[StandingRow]):
    class Meta:
        model = StandingRow

    stage = SubFactory(StageFactory)
    entry = SubFactory(EntryFactory, tournament=SelfAttribute("..stage.tournament"))
    order = LazyAttribute(lambda one: one.stage.standing_rows.count() + 1)
    place = SelfAttribute("order")


class LogEntryFactory(DjangoModelFactory[LogEntry]):
    class Meta:
        model = LogEntry

    tournament = SubFactory(TournamentFactory)
    by = SubFactory(UserFactory)
    act = "started"


class RoundRecordFactory(DjangoModelFactory[RoundRecord]):
    class Meta:
        model = RoundRecord

    match = SubFactory(MatchFactory)
    number = LazyAttribute(lambda one: one.match.records.count())

    @classmethod
    def _create(cls, model_class: Any, *args: Any, **kwargs: Any) -> RoundRecord:
        record: RoundRecord = model_class(*args, **kwargs)
        record.origin = record.origin or rows.origin_of(record.match)
        record.chain = record.head = chain.round_link(
            chain.origin_link(record.origin), record.number, record.opener, record.hands,
            record.stock, record.started_at,
        )  # fmt: skip
        record.save()
        return record


class RecordedEventFactory(DjangoModelFactory[RecordedEvent]):
    class Meta:
        model = RecordedEvent

    round = SubFactory(RoundRecordFactory)
    number = LazyAttribute(lambda one: one.round.events.count())
    notation = "A 6-6"
    client_key = LazyFunction(uuid4)
    recorded_by = SubFactory(UserFactory)

    @classmethod
    def _create(cls, model_class: Any, *args: Any, **kwargs: Any) -> RecordedEvent:
        event: RecordedEvent = model_class(*args, **kwargs)
        if event.recorder is None:
            event.recorder = event.recorded_by_id
        record = RoundRecord.objects.get(pk=event.round.pk)
        event.chain = record.head = chain.event_link(
            record.head, record.number, event.number, event.notation, event.client_key,
            event.recorded_at, event.recorder,
        )  # fmt: skip
        event.save()
        record.length = event.number + 1
        record.save()
        return event

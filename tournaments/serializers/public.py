"""Shapes of the API."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.reverse import reverse

from tournaments.models import Entry, Match, MatchSeat, PairingRound, Stage, Tournament
from tournaments.queries.events import TableLine
from tournaments.queries.standings import StandingLine


class RefusalSerializer(serializers.Serializer[Any]):
    """What a refused request is told: `code` for programs, `message` for people."""

    code = serializers.CharField(help_text="Stays the same in every language and version.")
    message = serializers.CharField(
        help_text="A whole sentence in the reader's language: what is wrong, what was found, what"
        " to do."
    )
    path = serializers.CharField(
        required=False, help_text="Where in a record that cannot be read (`bad_record`)."
    )


class FieldProblemSerializer(serializers.Serializer[Any]):
    """One field that cannot be read."""

    field = serializers.CharField(
        help_text="Its path, such as `players[0].name`; empty where the whole is meant."
    )
    code = serializers.CharField(help_text="For example `field_missing`, `wrong_value`.")
    message = serializers.CharField(help_text="A whole sentence about it.")


class BadRequestSerializer(RefusalSerializer):
    """What was sent cannot be read; each field that is wrong is told in `errors`."""

    errors = FieldProblemSerializer(  # type: ignore[assignment]
        many=True, required=False, help_text="With the code `fields_are_wrong`."
    )


class TournamentSerializer(serializers.Serializer[Any]):
    """A tournament in a list."""

    slug = serializers.SlugField(source="tournament.slug")
    name = serializers.CharField(source="tournament.name")
    state = serializers.ChoiceField(Tournament.State.choices, source="tournament.state")
    venue = serializers.CharField(source="tournament.venue", allow_blank=True)
    city = serializers.CharField(source="tournament.city", allow_blank=True)
    country = serializers.CharField(source="tournament.country", allow_blank=True)
    time_zone = serializers.CharField(source="tournament.time_zone")
    starts_on = serializers.DateField(source="tournament.starts_on")
    entry_kind = serializers.ChoiceField(Entry.Kind.choices, source="tournament.entry_kind")
    players_per_table = serializers.IntegerField(source="tournament.players_per_table")
    profile = serializers.CharField(source="tournament.rules.profile", help_text="Its key.")
    target = serializers.IntegerField()
    entries = serializers.IntegerField(help_text="How many are registered.")
    rounds_published = serializers.IntegerField()
    tables_open = serializers.IntegerField(help_text="Tables of published rounds not closed yet.")


class TournamentPageSerializer(serializers.Serializer[Any]):
    """Some of the tournaments, and where the others are."""

    count = serializers.IntegerField()
    next = serializers.URLField(allow_null=True)
    previous = serializers.URLField(allow_null=True)
    results = TournamentSerializer(many=True)


class PlayerSerializer(serializers.Serializer[Any]):
    """A player by name; nothing else about the person is public."""

    id = serializers.IntegerField(source="pk")
    name = serializers.CharField()
    latin_name = serializers.CharField(allow_blank=True)
    country = serializers.CharField(allow_blank=True)


class EntryNameSerializer(serializers.Serializer[Any]):
    """An entry by number and name."""

    number = serializers.IntegerField()
    name = serializers.CharField()


class EntrySerializer(serializers.Serializer[Any]):
    """An entry with its players in order."""

    number = serializers.IntegerField(source="entry.number")
    name = serializers.CharField(source="entry.name")
    kind = serializers.ChoiceField(Entry.Kind.choices, source="entry.kind")
    state = serializers.ChoiceField(Entry.State.choices, source="entry.state")
    seed = serializers.IntegerField(source="entry.seed")
    club = serializers.CharField(source="club.name", default=None, allow_null=True)
    players = PlayerSerializer(many=True)


class PairingRoundSerializer(serializers.Serializer[Any]):
    """A pairing round in a list; drafts are listed for directors only."""

    number = serializers.IntegerField(source="pairing_round.number")
    state = serializers.ChoiceField(PairingRound.State.choices, source="pairing_round.state")
    published_at = serializers.DateTimeField(source="pairing_round.published_at", allow_null=True)
    tables = serializers.IntegerField()
    tables_open = serializers.IntegerField()


class StageSerializer(serializers.Serializer[Any]):
    """A stage with its pairing rounds."""

    number = serializers.IntegerField(source="stage.number")
    name = serializers.CharField(source="stage.title")
    system = serializers.ChoiceField(Stage.System.choices, source="stage.system")
    state = serializers.ChoiceField(Stage.State.choices, source="stage.state")
    rounds = PairingRoundSerializer(many=True)


class SeatSerializer(serializers.Serializer[Any]):
    """Who sits where; the result of the seat once the match is closed."""

    seat = serializers.ChoiceField(["A", "B", "C", "D"])
    player = PlayerSerializer()
    entry = EntryNameSerializer()
    substitute = serializers.CharField(allow_blank=True)
    outcome = serializers.ChoiceField(
        MatchSeat.Outcome.choices, allow_blank=True, help_text="Empty until the match is closed."
    )
    points_for = serializers.IntegerField(allow_null=True)
    points_against = serializers.IntegerField(allow_null=True)
    deducted = serializers.IntegerField(help_text="Penalty points among the points.")
    rounds_won = serializers.IntegerField()


class SideSerializer(serializers.Serializer[Any]):
    """Seats that win or lose together."""

    side = serializers.CharField(help_text="For example AC.")
    points = serializers.IntegerField(allow_null=True, help_text="Running until it is closed.")
    is_winner = serializers.BooleanField()
    seats = SeatSerializer(many=True)


class TableSerializer(serializers.Serializer[Any]):
    """A match of a pairing round."""

    match = serializers.IntegerField(source="match.pk")
    table = serializers.IntegerField(source="match.table")
    state = serializers.ChoiceField(Match.State.choices, source="match.state")
    round = serializers.IntegerField(
        allow_null=True, help_text="The round being played, from 1; null before the first."
    )
    under_protest = serializers.BooleanField(
        source="is_protested", help_text="An appeal about the result is not decided yet."
    )
    sides = SideSerializer(many=True)
    record = serializers.SerializerMethodField(help_text="Address of the match's record.")

    def get_record(self, line: TableLine) -> str:
        request: Request | None = self.context.get("request")
        return reverse("referee:api_record", args=[line.match.pk], request=request)


class PairingsSerializer(serializers.Serializer[Any]):
    """A pairing round with its tables and byes."""

    stage = serializers.IntegerField(source="stage.number")
    number = serializers.IntegerField(source="pairing_round.number")
    state = serializers.ChoiceField(PairingRound.State.choices, source="pairing_round.state")
    published_at = serializers.DateTimeField(source="pairing_round.published_at", allow_null=True)
    results_hidden = serializers.BooleanField(
        source="are_results_hidden", help_text="They are shown at the prize-giving."
    )
    tables = TableSerializer(many=True)
    byes = EntryNameSerializer(many=True)


class TieBreakSerializer(serializers.Serializer[Any]):
    """What orders the standings, in the order asked."""

    name = serializers.CharField()
    label = serializers.CharField()  # type: ignore[assignment]
    meaning = serializers.CharField()


class StandingSerializer(serializers.Serializer[Any]):
    """A row of the standings; places begin anew in each group."""

    group = serializers.CharField(allow_blank=True)
    place = serializers.IntegerField()
    is_shared = serializers.BooleanField()
    entry = EntryNameSerializer()
    played = serializers.IntegerField()
    values = serializers.SerializerMethodField(help_text="By name of the tie-break.")
    decided_by = serializers.CharField(
        allow_blank=True, help_text="The tie-break that parts the row from the one above."
    )
    reason = serializers.CharField(allow_blank=True, help_text="The same in words.")
    level = serializers.CharField(
        allow_blank=True, help_text="What was level before that, in words."
    )

    def get_values(self, line: StandingLine) -> dict[str, int]:
        return {one.name: one.value for one in line.values}


class ProtestSerializer(serializers.Serializer[Any]):
    """A table whose result is under protest."""

    match = serializers.IntegerField()
    stage = serializers.IntegerField()
    round = serializers.IntegerField()
    table = serializers.IntegerField()


class StandingsSerializer(serializers.Serializer[Any]):
    """The standings of a stage; `stage` is null before anything is published."""

    stage = serializers.IntegerField(source="stage.number", default=None, allow_null=True)
    rounds = serializers.IntegerField()
    rounds_finished = serializers.IntegerField()
    hidden_rounds = serializers.ListField(
        child=serializers.IntegerField(),
        help_text="Rounds with results that are shown at the prize-giving; none is counted.",
    )
    tie_breaks = TieBreakSerializer(many=True, source="columns")
    under_protest = ProtestSerializer(
        many=True, source="protests", help_text="While there is any, the places are provisional."
    )
    rows = StandingSerializer(many=True)


class RuleLineSerializer(serializers.Serializer[Any]):
    """One rule in words, and where it is written."""

    text = serializers.CharField()
    article = serializers.CharField(allow_blank=True)


class OptionLineSerializer(serializers.Serializer[Any]):
    """An option that was settled."""

    name = serializers.CharField()
    label = serializers.CharField()  # type: ignore[assignment]
    value = serializers.CharField(help_text="In words.")
    article = serializers.CharField(allow_blank=True)
    is_changed = serializers.BooleanField(help_text="The profile alone would say otherwise.")


class PenaltyLineSerializer(serializers.Serializer[Any]):
    """What an infraction costs, offence by offence."""

    kind = serializers.CharField()
    label = serializers.CharField()  # type: ignore[assignment]
    offences = serializers.ListField(child=serializers.CharField())
    deliberate = serializers.ListField(child=serializers.CharField())


class RulesSerializer(serializers.Serializer[Any]):
    """The rules of a tournament: `frozen` for programs, the rest in words."""

    profile = serializers.CharField(source="rules.profile")
    profile_name = serializers.CharField(source="profile")
    target = serializers.IntegerField(source="rules.target")
    frozen = serializers.DictField(source="tournament.rules")
    lines = RuleLineSerializer(many=True)
    options = OptionLineSerializer(many=True)
    penalties = PenaltyLineSerializer(many=True)

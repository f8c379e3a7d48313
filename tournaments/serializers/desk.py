"""Shapes of the director's API: what is sent to change an event, and what comes back."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any

from drf_spectacular.utils import extend_schema_field, extend_schema_serializer
from rest_framework import serializers

from engine.profiles import LARGEST_TARGET, PROFILES
from tournaments.digits import to_latin_digits
from tournaments.errors.base import explain
from tournaments.lists import columns
from tournaments.lists.encodings import ENCODINGS
from tournaments.lists.lines import Column
from tournaments.lists.preview import PreviewRow
from tournaments.models import Entry, Match, Official, PairingRound, Tournament
from tournaments.serializers.numbers import NumberField
from tournaments.services.pairings import TableData
from tournaments.services.people import PlayerData

_FIELDS = [field for field in columns.LABELS_OF_A_PAIR if field]


class DayField(serializers.DateField):
    """A day written like 2026-11-30, in digits of any of our languages."""

    def to_internal_value(self, value: Any) -> date:
        read: date = super().to_internal_value(
            to_latin_digits(value) if isinstance(value, str) else value
        )
        return read


class DetailsSerializer(serializers.Serializer[Any]):
    """Where and when an event is played."""

    name = serializers.CharField(max_length=120)
    starts_on = DayField()
    venue = serializers.CharField(max_length=120, allow_blank=True, default="")
    city = serializers.CharField(max_length=80, allow_blank=True, default="")
    country = serializers.CharField(
        max_length=2, allow_blank=True, default="", help_text="Two letters, for example EG."
    )
    time_zone = serializers.CharField(
        max_length=64, default="UTC", help_text="For example Africa/Cairo."
    )


class NewRulesSerializer(serializers.Serializer[Any]):
    """The rules of an event; what is left away stays as the profile says."""

    profile = serializers.ChoiceField(list(PROFILES))
    target = serializers.IntegerField(
        min_value=1, max_value=LARGEST_TARGET, allow_null=True, default=None
    )
    options = serializers.DictField(
        default=dict, help_text="Options of the record's rules that differ from the profile."
    )
    entry_kind = serializers.ChoiceField(Entry.Kind.choices, default="pair")
    players_per_table = serializers.IntegerField(min_value=2, max_value=4, default=4)


class TableRulesSerializer(serializers.Serializer[Any]):
    """The rules of one table; without a profile, those of the event."""

    profile = serializers.ChoiceField(list(PROFILES), allow_blank=True, default="")
    target = serializers.IntegerField(
        min_value=1, max_value=LARGEST_TARGET, allow_null=True, default=None
    )
    options = serializers.DictField(default=dict)


class NewTournamentSerializer(DetailsSerializer, NewRulesSerializer):
    """A new event. Without `slug` the address is made from the name."""

    slug = serializers.SlugField(max_length=80, allow_blank=True, default="")


class ChangedTournamentSerializer(serializers.Serializer[Any]):
    """An event as it is after a change."""

    slug = serializers.SlugField()
    name = serializers.CharField()
    state = serializers.ChoiceField(Tournament.State.choices)
    rules = serializers.JSONField(help_text="Frozen profile, target and options.")
    entry_kind = serializers.ChoiceField(Entry.Kind.choices)
    players_per_table = serializers.IntegerField()


class NewPlayerSerializer(serializers.Serializer[Any]):
    """A player of a new entry; found by number, else by name and club."""

    name = serializers.CharField(max_length=120)
    latin_name = serializers.CharField(max_length=120, allow_blank=True, default="")
    club = serializers.CharField(max_length=120, allow_blank=True, default="")
    country = serializers.CharField(max_length=2, allow_blank=True, default="")
    number = serializers.CharField(max_length=32, allow_blank=True, default="")
    is_minor = serializers.BooleanField(
        default=False, help_text="The public reads the given name and an initial."
    )


class NewEntrySerializer(serializers.Serializer[Any]):
    """A new entry: one player, two partners, or the members of a team."""

    players = NewPlayerSerializer(many=True, allow_empty=False)
    name = serializers.CharField(max_length=250, allow_blank=True, default="")
    club = serializers.CharField(max_length=120, allow_blank=True, default="")
    seed = serializers.IntegerField(min_value=1, max_value=100_000, allow_null=True, default=None)
    category = serializers.CharField(max_length=40, allow_blank=True, default="")

    def validate_players(self, players: Sequence[dict[str, Any]]) -> tuple[PlayerData, ...]:
        return tuple(PlayerData(**player) for player in players)


class EntryChangeSerializer(serializers.Serializer[Any]):
    """Corrections of an entry; what is left away stays."""

    name = serializers.CharField(max_length=250, required=False)
    club = serializers.CharField(max_length=120, allow_blank=True, required=False)
    seed = serializers.IntegerField(min_value=1, max_value=100_000, required=False)
    category = serializers.CharField(max_length=40, allow_blank=True, required=False)


class ChangedEntrySerializer(serializers.Serializer[Any]):
    """An entry as it is after a change."""

    number = serializers.IntegerField()
    name = serializers.CharField()
    seed = serializers.IntegerField()
    state = serializers.ChoiceField(Entry.State.choices)
    club = serializers.CharField(source="club.name", default=None, allow_null=True)


class ListChoicesSerializer(serializers.Serializer[Any]):
    """How a list is to be read, where it was recognised wrongly."""

    encoding = serializers.ChoiceField(list(ENCODINGS), allow_blank=True, default="")
    columns = serializers.ListField(
        child=serializers.ChoiceField([*_FIELDS, ""]),
        default=list,
        max_length=40,
        help_text="What each column holds, in order; empty for a column that is not used.",
    )


class NewListSerializer(ListChoicesSerializer):
    """A list of entries to be looked at: a file, or text."""

    file = serializers.FileField(required=False, help_text="CSV or XLSX.")
    text = serializers.CharField(required=False, max_length=1_000_000)


class ConfirmedListSerializer(ListChoicesSerializer):
    """The `list` of a preview, to be imported."""

    list = serializers.CharField(help_text="As the preview gave it.")
    leave_out = serializers.BooleanField(
        default=False, help_text="Leave out the lines with problems instead of refusing all."
    )


class ProblemSerializer(serializers.Serializer[Any]):
    """What is wrong, for programs and for people."""

    code = serializers.CharField()
    message = serializers.SerializerMethodField()

    def get_message(self, problem: Any) -> str:
        return explain(problem)


class PreviewRowSerializer(serializers.Serializer[Any]):
    """A line of a list: what it would do."""

    line = serializers.IntegerField()
    status = serializers.ChoiceField(["new", "entered", "wrong", "read"])
    players = serializers.SerializerMethodField()
    name = serializers.CharField(source="entry.name")
    club = serializers.CharField(source="entry.club")
    seed = serializers.IntegerField(source="entry.seed", allow_null=True)
    problems = ProblemSerializer(many=True)

    def get_players(self, row: PreviewRow) -> list[str]:
        return [player.name for player in row.entry.players]


class PreviewSerializer(serializers.Serializer[Any]):
    """What importing a list would do. Nothing is stored."""

    list = serializers.CharField(help_text="Send it back to import this very list.")
    encoding = serializers.CharField(source="preview.encoding")
    delimiter = serializers.CharField(source="preview.delimiter", trim_whitespace=False)
    columns = serializers.SerializerMethodField()
    problems = ProblemSerializer(source="preview.problems", many=True)
    rows = PreviewRowSerializer(source="preview.rows", many=True)

    @extend_schema_field(serializers.ListField(child=serializers.CharField()))
    def get_columns(self, one: Any) -> Sequence[str]:
        found: Sequence[Column] = one["preview"].columns
        return [column.field for column in found]


class ImportedSerializer(serializers.Serializer[Any]):
    """How many lines were new, entered before and left out."""

    new = serializers.IntegerField()
    unchanged = serializers.IntegerField()
    left_out = serializers.IntegerField()


class NewDutySerializer(serializers.Serializer[Any]):
    """A duty for somebody who has an account."""

    username = serializers.CharField(max_length=150)
    duty = serializers.ChoiceField(Official.Duty.choices)
    table = NumberField(min_value=1, allow_null=True, default=None)


class NewAccountSerializer(NewDutySerializer):
    """A new account with a duty."""

    full_name = serializers.CharField(max_length=150, allow_blank=True, default="")


class OfficialSerializer(serializers.Serializer[Any]):
    """Somebody with a duty."""

    id = serializers.IntegerField(source="pk")
    username = serializers.CharField(source="user.username")
    duty = serializers.ChoiceField(Official.Duty.choices)
    table = serializers.IntegerField(allow_null=True)


class AccountSerializer(OfficialSerializer):
    """A new account; the password is told only here."""

    password = serializers.CharField()


class TableSerializer(serializers.Serializer[Any]):
    """A table by hand: entry numbers, pairs as A and C, then B and D; single players by seat."""

    table = NumberField(min_value=1)
    entries = serializers.ListField(child=NumberField(min_value=1), min_length=1, max_length=4)


@extend_schema_serializer(component_name="NewPairingRound")
class NewRoundSerializer(serializers.Serializer[Any]):
    """A round seated by hand."""

    tables = TableSerializer(many=True)
    byes = serializers.ListField(child=NumberField(min_value=1), default=list)

    def validate_tables(self, tables: Sequence[dict[str, Any]]) -> list[TableData]:
        return [TableData(one["table"], tuple(one["entries"])) for one in tables]


class SeatedRoundSerializer(serializers.Serializer[Any]):
    """A pairing round as it is after a change."""

    stage = serializers.IntegerField(source="stage.number")
    number = serializers.IntegerField()
    state = serializers.ChoiceField(PairingRound.State.choices)


class AbsentSerializer(serializers.Serializer[Any]):
    """Who did not appear at a table."""

    absent = serializers.ListField(
        child=NumberField(min_value=1),
        allow_empty=False,
        max_length=4,
        help_text="Numbers of entries that sit at the table.",
    )


class ClosedTableSerializer(serializers.Serializer[Any]):
    """A table as it is after a change."""

    id = serializers.IntegerField(source="pk")
    table = serializers.IntegerField()
    state = serializers.ChoiceField(Match.State.choices)


class PublishSerializer(serializers.Serializer[Any]):
    """Whether entries without a table or a bye are meant to be without."""

    leave_out = serializers.BooleanField(default=False)

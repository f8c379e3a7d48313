"""Shapes of the API of results."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from tournaments.forms.results import LONGEST_REASON
from tournaments.serializers.numbers import NumberField
from tournaments.services.clock import LONGEST_ROUND, MOST_EXTRA
from tournaments.services.corrections import Correction
from tournaments.services.places import Move
from tournaments.services.result_rules import AFTER_FINE, LEFT

# Far above what any match brings, and small enough for every database.
MOST_POINTS = 1_000_000


class ScoreSerializer(serializers.Serializer[Any]):
    """The final score of a table: points by side, `{"AC": 200, "BD": 137}`, or by seat."""

    points = serializers.DictField(
        child=serializers.IntegerField(min_value=-MOST_POINTS, max_value=MOST_POINTS),
        allow_empty=False,
    )
    deducted = serializers.DictField(
        child=serializers.IntegerField(min_value=0, max_value=MOST_POINTS),
        required=False,
        default=dict,
        help_text="Penalty points by seat.",
    )
    sure = serializers.BooleanField(default=False, help_text="Store a doubtful score.")
    over = serializers.BooleanField(
        default=False, help_text="Mine is right, not the one that was reported first."
    )


class ReportedTableSerializer(serializers.Serializer[Any]):
    """A table after its score was sent; `reported_by` while it waits for a second person."""

    id = serializers.IntegerField()
    table = serializers.IntegerField()
    state = serializers.CharField()
    reported_by = serializers.CharField(allow_null=True)


class NeededSerializer(serializers.Serializer[Any]):
    """Whether something is needed."""

    needed = serializers.BooleanField()


class DeskReasonSerializer(serializers.Serializer[Any]):
    """Why, in a few words, for the log."""

    reason = serializers.CharField(max_length=LONGEST_REASON, allow_blank=True)


class DisqualifySerializer(DeskReasonSerializer):
    """Why an entry is put out; `with_partner` puts out its partner of this round as well."""

    with_partner = serializers.BooleanField(default=False)


class CorrectScoreSerializer(DeskReasonSerializer):
    """Another score for a closed table, and why."""

    points = serializers.DictField(
        child=serializers.IntegerField(min_value=-MOST_POINTS, max_value=MOST_POINTS),
        allow_empty=False,
    )
    deducted = serializers.DictField(
        child=serializers.IntegerField(min_value=0, max_value=MOST_POINTS),
        required=False,
        default=dict,
    )
    sure = serializers.BooleanField(default=False)


class SwapSerializer(DeskReasonSerializer):
    """Two entries by number; `other_table_id` where the other one sits at another table."""

    one = NumberField(min_value=1)
    other = NumberField(min_value=1)
    other_table_id = NumberField(required=False, allow_null=True, default=None)
    follow = serializers.ChoiceField(["persons", "seats"], default="persons")


class LeftSerializer(DeskReasonSerializer):
    """Who left a table, by the numbers of entries, and why."""

    left = serializers.ListField(child=NumberField(min_value=1), allow_empty=False, max_length=4)


class MeetingSerializer(DeskReasonSerializer):
    """Who goes on from a table of a bracket that both sides lost; null for nobody."""

    winner = NumberField(min_value=1, allow_null=True)


class ResultRulesSerializer(serializers.Serializer[Any]):
    """How results count; null is as the rule book has it."""

    level_results = serializers.BooleanField(
        allow_null=True, default=None, help_text="A match the bell ended may be nobody's win."
    )
    left_at_table = serializers.ChoiceField(LEFT, allow_null=True, default=None)
    after_fine = serializers.ChoiceField(
        AFTER_FINE,
        allow_null=True,
        default=None,
        help_text="Who wins a match of pairs whose winner lost it by penalty points.",
    )


class MoveSerializer(serializers.Serializer[Any]):
    """An entry whose place changed; 0 is no place."""

    entry = serializers.IntegerField(source="entry.number")
    name = serializers.CharField(source="entry.name")
    before = serializers.IntegerField()
    after = serializers.IntegerField()


class CorrectionSerializer(serializers.Serializer[Any]):
    """What a correction did; `later_rounds` were published before it and stay as they are.

    `gone` are tables of a bracket that stood on the old winner, as [round, table]: they were
    taken away and are drawn anew.
    """

    table = serializers.IntegerField(source="match.table")
    moves = serializers.SerializerMethodField()
    later_rounds = serializers.ListField(child=serializers.IntegerField())
    gone = serializers.ListField(child=serializers.ListField(child=serializers.IntegerField()))

    @extend_schema_field(MoveSerializer(many=True))
    def get_moves(self, done: Correction) -> Any:
        return self.moves_of(done.moves)

    @staticmethod
    def moves_of(moves: Iterable[Move]) -> Any:
        return MoveSerializer(list(moves), many=True).data


class UndoneSerializer(serializers.Serializer[Any]):
    """What taking a decision back changes, in sentences and in places."""

    effects = serializers.ListField(child=serializers.CharField())
    moves = MoveSerializer(many=True)


class NewClockSerializer(serializers.Serializer[Any]):
    """How long a round lasts, and from when; without `starts_at` from now."""

    minutes = serializers.IntegerField(min_value=1, max_value=LONGEST_ROUND)
    starts_at = serializers.DateTimeField(required=False, allow_null=True, default=None)


class ExtraTimeSerializer(DeskReasonSerializer):
    """The extra time of a table in all."""

    seconds = serializers.IntegerField(min_value=0, max_value=MOST_EXTRA)


class ExtraTableSerializer(serializers.Serializer[Any]):
    """A table with extra time."""

    table = serializers.IntegerField()
    extra_seconds = serializers.IntegerField()
    ends_at = serializers.DateTimeField()


class ClockSerializer(serializers.Serializer[Any]):
    """The time of a round; without a clock all but `now` is null."""

    now = serializers.DateTimeField()
    starts_at = serializers.DateTimeField(allow_null=True)
    ends_at = serializers.DateTimeField(allow_null=True)
    minutes = serializers.IntegerField(allow_null=True)
    tables = ExtraTableSerializer(many=True)

"""Shapes of the ledger of cards in the API."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from engine.ladder import MOST_OF_ONE, SEVERITIES
from referee.models import Sanction
from referee.models.sanctions import LONGEST_NAME, LONGEST_NOTE
from referee.queries.sanctions import SanctionLine
from referee.services.sanction_effects import CarriedOut
from tournaments.policies_cards import TO_EVERYBODY, TO_OFFICIALS
from tournaments.serializers.numbers import NumberField


class NewSanctionSerializer(serializers.Serializer[Any]):
    """A sanction by hand; the same `client_key` again answers with the first."""

    player = NumberField(min_value=1, default=None, allow_null=True, help_text="A player's id.")
    name = serializers.CharField(default="", allow_blank=True, max_length=LONGEST_NAME)
    function = serializers.ChoiceField(
        [one for one in Sanction.Function.choices if one[0] != Sanction.Function.PLAYER],
        default="",
        allow_blank=True,
    )
    severity = serializers.ChoiceField(SEVERITIES)
    kind = serializers.CharField(default="", allow_blank=True, max_length=40)
    ladder = serializers.ChoiceField(Sanction.Ladder.choices, default="", allow_blank=True)
    match = NumberField(min_value=1, default=None, allow_null=True, help_text="A match's id.")
    note = serializers.CharField(max_length=LONGEST_NOTE)
    client_key = serializers.UUIDField(default=None, allow_null=True)


class DropSerializer(serializers.Serializer[Any]):
    """Why a card is not given."""

    reason = serializers.CharField(max_length=LONGEST_NOTE)


class NumbersSerializer(serializers.Serializer[Any]):
    """What the ladder counts; 0 switches a rung off. What is not sent stays."""

    warnings = NumberField(min_value=0, max_value=MOST_OF_ONE, required=False)
    yellows = NumberField(min_value=0, max_value=MOST_OF_ONE, required=False)
    red_and_yellow = serializers.BooleanField(required=False)
    infractions = NumberField(min_value=0, max_value=MOST_OF_ONE, required=False)
    apart = serializers.BooleanField(required=False)


class CardRulesSerializer(serializers.Serializer[Any]):
    """What makes the next card, and who sees the cards."""

    numbers = NumbersSerializer()
    shown = serializers.ChoiceField([TO_OFFICIALS, TO_EVERYBODY])


class OwnPenaltiesSerializer(serializers.Serializer[Any]):
    """The event's own penalties: kind to `offences`, `deliberate`, `names`, `ladder`."""

    penalties = serializers.JSONField()


class InStepSerializer(serializers.Serializer[Any]):
    """How many lines of the ledger followed the records."""

    proposed = serializers.IntegerField()
    dropped = serializers.IntegerField()
    asking = serializers.IntegerField()


class SanctionSerializer(serializers.Serializer[Any]):
    """One line of the ledger."""

    id = serializers.IntegerField(source="sanction.pk")
    player = serializers.IntegerField(source="sanction.player_id", allow_null=True)
    name = serializers.CharField()
    function = serializers.CharField(source="sanction.function")
    severity = serializers.CharField(source="sanction.severity")
    ladder = serializers.CharField(source="sanction.ladder")
    kind = serializers.CharField(source="sanction.kind")
    origin = serializers.CharField(source="sanction.source", help_text="Where it comes from.")
    match = serializers.IntegerField(source="sanction.match_id", allow_null=True)
    round = serializers.IntegerField(source="sanction.round", allow_null=True)
    event = serializers.IntegerField(source="sanction.event", allow_null=True)
    note = serializers.CharField(source="sanction.note")
    state = serializers.CharField(source="sanction.state")
    reason = serializers.CharField()
    asks = serializers.BooleanField(source="sanction.asks")
    counted_in = serializers.IntegerField(source="sanction.counted_in_id", allow_null=True)
    article = serializers.CharField()
    effect_due = serializers.BooleanField(source="is_due")
    effect_done = serializers.BooleanField(source="is_done")
    given_at = serializers.DateTimeField(source="sanction.given_at")


class _SeatSerializer(serializers.Serializer[Any]):
    name = serializers.CharField()
    is_offender = serializers.BooleanField()
    before = serializers.SerializerMethodField()
    after = serializers.SerializerMethodField()

    @extend_schema_field({"type": "object", "additionalProperties": True})
    def get_before(self, one: Any) -> dict[str, Any]:
        return _left_with(one.before)

    @extend_schema_field({"type": "object", "additionalProperties": True})
    def get_after(self, one: Any) -> dict[str, Any]:
        return _left_with(one.after)


def _left_with(result: Any) -> dict[str, Any]:
    return {
        "outcome": result.outcome,
        "points_for": result.points_for,
        "points_against": result.points_against,
    }


class CarriedOutSerializer(serializers.Serializer[Any]):
    """What a card changes, or has changed: seats, places, open tables lost, the entry put out."""

    seats = _SeatSerializer(many=True)
    entry_out = serializers.SerializerMethodField()
    tables_lost = serializers.ListField(child=serializers.IntegerField(), source="tables")
    places = serializers.SerializerMethodField()

    @extend_schema_field({"type": "integer", "nullable": True})
    def get_entry_out(self, one: CarriedOut) -> int | None:
        return one.entry.number if one.entry is not None else None

    @extend_schema_field({"type": "array", "items": {"type": "object"}})
    def get_places(self, one: CarriedOut) -> list[dict[str, int]]:
        moves = one.correction.moves if one.correction is not None else ()
        return [{"entry": m.entry.number, "before": m.before, "after": m.after} for m in moves]


def line_json(lines: tuple[SanctionLine, ...]) -> list[dict[str, Any]]:
    """Return lines of the ledger as the API has them."""
    return list(SanctionSerializer(lines, many=True).data)

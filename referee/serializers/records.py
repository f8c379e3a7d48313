"""Shapes of the referee's API."""

from __future__ import annotations

from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema_field, extend_schema_serializer
from rest_framework import serializers

from engine.errors import DominoError
from engine.events import Event, Sheet
from engine.notation import format_line
from engine.penalties import KINDS
from engine.reading import read_event
from engine.record import LARGEST_NUMBER
from referee.typed import read_typed
from tournaments.errors.base import explain
from tournaments.serializers.numbers import NumberField

SEAT_LETTERS = ("A", "B", "C", "D")


@extend_schema_field(OpenApiTypes.ANY)
class EventField(serializers.Field[Event, Any, Any, Any]):
    """An event: a line of notation such as `B 6-3 right`, or its JSON object."""

    def to_internal_value(self, data: Any) -> Event:
        try:
            if isinstance(data, str):
                return read_typed(data, None)
            return read_event(data)
        except DominoError as error:
            raise serializers.ValidationError(explain(error), error.code) from error

    def to_representation(self, value: Event) -> str:
        return format_line(value)


@extend_schema_field(OpenApiTypes.ANY)
class SheetField(EventField):
    """A whole round from a score sheet: `{"winner": "AC", "points": 37, "ended": "out"}`."""

    def to_internal_value(self, data: Any) -> Event:
        event = super().to_internal_value({"result": data})
        assert isinstance(event, Sheet)
        return event


# A device that was without a network for longer than a day sends as if it were one.
LONGEST_AGE = 24 * 60 * 60 * 1000


class NewEventSerializer(serializers.Serializer[Any]):
    """An event to store: its number in the round, and a key the device chose for it."""

    number = serializers.IntegerField(min_value=0, max_value=LARGEST_NUMBER)
    event = EventField()
    client_key = serializers.UUIDField(required=False, allow_null=True, default=None)
    age = serializers.IntegerField(
        min_value=0,
        max_value=LONGEST_AGE,
        default=0,
        help_text="How many milliseconds ago it was recorded at the table.",
    )


class WantedBackSerializer(serializers.Serializer[Any]):
    """Where to go back to: just before an event of a round, or before the whole round."""

    round = serializers.IntegerField(
        min_value=0, max_value=LARGEST_NUMBER, required=False, allow_null=True, default=None
    )
    event = serializers.IntegerField(
        min_value=0, max_value=LARGEST_NUMBER, required=False, allow_null=True, default=None
    )


class BackSerializer(serializers.Serializer[Any]):
    """Going back, with what the record came to when its preview was looked at."""

    round = serializers.IntegerField(min_value=0, max_value=LARGEST_NUMBER)
    event = serializers.IntegerField(
        min_value=0, max_value=LARGEST_NUMBER, required=False, allow_null=True, default=None
    )
    rounds = serializers.IntegerField(
        min_value=0, max_value=LARGEST_NUMBER, help_text="How many rounds the preview told."
    )
    events = serializers.IntegerField(
        min_value=0, max_value=LARGEST_NUMBER, help_text="How many events its last round had."
    )
    client_key = serializers.UUIDField(required=False, allow_null=True, default=None)


class NewRoundSerializer(serializers.Serializer[Any]):
    """A round to start. `result` records it as a whole from a score sheet."""

    number = serializers.IntegerField(min_value=0, max_value=LARGEST_NUMBER)
    opener = serializers.ChoiceField(SEAT_LETTERS, required=False, allow_blank=True, default="")
    hands = serializers.DictField(
        child=serializers.ListField(child=serializers.CharField(max_length=3), max_length=28),
        required=False,
        allow_null=True,
        default=None,
    )
    stock = serializers.ListField(
        child=serializers.CharField(max_length=3),
        max_length=28,
        required=False,
        allow_null=True,
        default=None,
    )
    result = SheetField(required=False, default=None)
    client_key = serializers.UUIDField(required=False, allow_null=True, default=None)


class SeatsSerializer(serializers.Serializer[Any]):
    """Seat to player: who really sits where. Seats that are not at the table are left out."""

    A = NumberField(min_value=1)
    B = NumberField(min_value=1)
    C = NumberField(min_value=1, required=False)
    D = NumberField(min_value=1, required=False)


class ReasonSerializer(serializers.Serializer[Any]):
    """Why, in a few words."""

    reason = serializers.CharField(
        max_length=500, required=False, allow_blank=True, default="", trim_whitespace=True
    )


class ReopeningSerializer(ReasonSerializer):
    withdrawn_too = serializers.BooleanField(
        default=False, help_text="Open it although an entry of the table has withdrawn since."
    )


class WantedProposalsSerializer(serializers.Serializer[Any]):
    """For whom and for what measures are wanted."""

    seat = serializers.ChoiceField(SEAT_LETTERS)
    kind = serializers.RegexField(r"^[a-z][a-z0-9_]{0,39}$", help_text=", ".join(KINDS))
    deliberate = serializers.BooleanField(required=False, default=False)


# --- what is answered; only described here, `referee.states` makes it ----------------------


class TileOnTableSerializer(serializers.Serializer[Any]):
    tile = serializers.CharField()
    left = serializers.IntegerField()
    right = serializers.IntegerField()
    end = serializers.CharField(allow_null=True)
    seat = serializers.CharField()
    event = serializers.IntegerField()
    double = serializers.BooleanField()
    standing = serializers.BooleanField()


class PlayableTileSerializer(serializers.Serializer[Any]):
    tile = serializers.CharField()
    ends = serializers.ListField(child=serializers.CharField())


class EventSerializer(serializers.Serializer[Any]):
    number = serializers.IntegerField()
    line = serializers.CharField(help_text="The event in notation.")
    type = serializers.CharField()
    seat = serializers.CharField(allow_null=True)
    in_effect = serializers.BooleanField()
    sentence = serializers.CharField()


class RoundLineSerializer(serializers.Serializer[Any]):
    id = serializers.IntegerField()
    number = serializers.IntegerField(help_text="From 0.")
    opener = serializers.CharField(allow_null=True)
    ended = serializers.CharField()
    ended_label = serializers.CharField()
    winner = serializers.CharField(allow_null=True)
    winner_name = serializers.CharField(allow_null=True)
    points = serializers.DictField(child=serializers.IntegerField())
    left = serializers.DictField(child=serializers.IntegerField(allow_null=True))
    moves = serializers.IntegerField()
    sentence = serializers.CharField()


class RoundSerializer(serializers.Serializer[Any]):
    id = serializers.IntegerField()
    number = serializers.IntegerField(help_text="From 0.")
    events_address = serializers.CharField()
    blind = serializers.BooleanField()
    opener = serializers.CharField(allow_null=True)
    turn = serializers.CharField(allow_null=True)
    play_over = serializers.BooleanField()
    ended = serializers.CharField()
    ended_label = serializers.CharField()
    winner = serializers.CharField(allow_null=True)
    points = serializers.DictField(child=serializers.IntegerField())
    next_number = serializers.IntegerField(help_text="The number the next event has.")
    line = TileOnTableSerializer(many=True, help_text="From left to right.")
    ends = serializers.ListField(child=serializers.IntegerField(), allow_null=True)
    in_hand = serializers.DictField(child=serializers.IntegerField())
    hands = serializers.DictField(
        child=serializers.ListField(child=serializers.CharField()), allow_null=True
    )
    stock_left = serializers.IntegerField()
    can_draw = serializers.BooleanField()
    can_pass = serializers.BooleanField()
    must = serializers.DictField(child=serializers.ListField(child=serializers.CharField()))
    lose_turn = serializers.ListField(child=serializers.CharField())
    pending = serializers.ListField(child=serializers.IntegerField())
    first_tile = serializers.CharField(allow_null=True)
    needs_hands = serializers.ListField(child=serializers.CharField())
    tiles = PlayableTileSerializer(many=True, help_text="Those that fit first.")
    events = EventSerializer(many=True)
    undo = serializers.DictField(allow_null=True)


class LiveSerializer(serializers.Serializer[Any]):
    """A match as it stands."""

    state = serializers.CharField()
    over = serializers.BooleanField()
    time_over = serializers.BooleanField()
    winner = serializers.CharField(allow_null=True)
    winner_name = serializers.CharField(allow_null=True)
    totals = serializers.DictField(child=serializers.IntegerField())
    deductions = serializers.DictField(child=serializers.IntegerField())
    substitutes = serializers.DictField(child=serializers.CharField())
    out = serializers.ListField(child=serializers.CharField())
    rounds = RoundLineSerializer(many=True)
    next_round = serializers.DictField(allow_null=True)
    can_close = serializers.BooleanField()
    round = RoundSerializer(allow_null=True)
    findings = serializers.ListField(child=serializers.DictField())
    infractions = serializers.ListField(child=serializers.DictField())
    offences = serializers.DictField(child=serializers.DictField(child=serializers.IntegerField()))
    last_sentence = serializers.CharField()


class StateSerializer(serializers.Serializer[Any]):
    """A match: what does not change while it is recorded, and what does."""

    table = serializers.DictField()
    live = LiveSerializer()
    record = serializers.ListField(
        child=serializers.DictField(),
        required=False,
        help_text="For who records: the rounds as in the record format, each with its `id`.",
    )
    hall = serializers.DictField(
        required=False,
        help_text="For who records: the device that holds the table, what the sides say of the "
        "rounds, and the open call of the table.",
    )


class ChangedRoundSerializer(RoundSerializer):
    events = EventSerializer(many=True, help_text="Those from the number that was sent on.")
    in_effect = serializers.ListField(
        child=serializers.BooleanField(), help_text="Of every event: does it still count?"
    )


class ChangesSerializer(LiveSerializer):
    """What an event can change. Rounds before this one stay as they were and are left out."""

    rounds = RoundLineSerializer(many=True, help_text="The line of this round alone.")
    round = ChangedRoundSerializer()
    written = serializers.ListField(
        child=serializers.DictField(),
        help_text="The events from the number that was sent on, as in the record format.",
    )


class StoredEventSerializer(serializers.Serializer[Any]):
    number = serializers.IntegerField()
    changes = ChangesSerializer()


@extend_schema_serializer(component_name="TableRefusal")
class RefusalSerializer(serializers.Serializer[Any]):
    """Why something was refused, and how the match stands."""

    code = serializers.CharField()
    message = serializers.CharField()
    as_infraction = serializers.CharField(allow_null=True)
    proposals = serializers.ListField(child=serializers.DictField(), required=False)
    since = EventSerializer(many=True, required=False)
    holder = serializers.DictField(
        required=False, help_text="Which device holds the table, where that is why."
    )
    state = LiveSerializer()
    record = serializers.ListField(child=serializers.DictField())


class ProposalsSerializer(serializers.Serializer[Any]):
    seat = serializers.CharField()
    kind = serializers.CharField()
    offence = serializers.IntegerField()
    proposals = serializers.ListField(child=serializers.DictField())

"""Shapes of the API of table links, holders, confirmed rounds and referee calls."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from referee.models import TableCall, TableLink
from referee.models.links import LONGEST_WORD
from tournaments.policies_moves import LONGEST_MOVE
from tournaments.serializers.numbers import NumberField


class NewLinksSerializer(serializers.Serializer[Any]):
    """Links to make: for one `match`, or for every table of a `pairing_round`."""

    match = NumberField(min_value=1, required=False, default=None, allow_null=True)
    pairing_round = NumberField(
        min_value=1, required=False, default=None, allow_null=True, help_text="Its id."
    )
    scope = serializers.ChoiceField(TableLink.Scope.choices)
    side = serializers.CharField(max_length=2, required=False, default="", allow_blank=True)
    for_players = serializers.BooleanField(required=False, default=False)
    client_key = serializers.UUIDField()


class LinkSerializer(serializers.Serializer[Any]):
    """A link. `address` is told only when it is made."""

    id = serializers.IntegerField()
    match = serializers.IntegerField()
    table = serializers.IntegerField()
    scope = serializers.ChoiceField(TableLink.Scope.choices)
    side = serializers.CharField()
    for_players = serializers.BooleanField()
    made_at = serializers.DateTimeField()
    expires_at = serializers.DateTimeField()
    used_at = serializers.DateTimeField(allow_null=True)
    works = serializers.BooleanField()
    address = serializers.CharField(required=False)


class LinkRulesSerializer(serializers.Serializer[Any]):
    """Who may record a table, and how rounds are confirmed."""

    players_record = serializers.BooleanField()
    confirm_rounds = serializers.BooleanField()
    one_holder = serializers.BooleanField()
    hours = NumberField(min_value=0)
    minutes_after = NumberField(min_value=0)
    move_seconds = NumberField(min_value=0, max_value=LONGEST_MOVE, default=0)


class SaySerializer(serializers.Serializer[Any]):
    """What a side says of a round of the match, counted from 0."""

    number = NumberField(min_value=0)
    side = serializers.CharField(max_length=2)
    agrees = serializers.BooleanField()
    word = serializers.CharField(
        max_length=LONGEST_WORD, required=False, default="", allow_blank=True
    )
    head = serializers.CharField(max_length=64, required=False, default="", allow_blank=True)


class SettlementSerializer(serializers.Serializer[Any]):
    settlement = serializers.CharField(max_length=LONGEST_WORD, allow_blank=True)


class WordSerializer(serializers.Serializer[Any]):
    """What a side says of a round now."""

    id = serializers.IntegerField(allow_null=True)
    round = serializers.IntegerField()
    side = serializers.CharField()
    name = serializers.CharField()
    agrees = serializers.BooleanField(allow_null=True)
    disputed = serializers.BooleanField()
    word = serializers.CharField()
    settled = serializers.CharField()


class NewCallSerializer(serializers.Serializer[Any]):
    """What a table calls a referee for; the key is chosen by the device that calls."""

    kind = serializers.ChoiceField(TableCall.Kind.choices)
    note = serializers.CharField(
        max_length=LONGEST_WORD, required=False, default="", allow_blank=True
    )
    client_key = serializers.UUIDField()


class OutcomeSerializer(serializers.Serializer[Any]):
    """What came of a call; needed to close it."""

    outcome = serializers.CharField(
        max_length=LONGEST_WORD, required=False, default="", allow_blank=True
    )


class CallSerializer(serializers.Serializer[Any]):
    """A call of a table."""

    id = serializers.IntegerField()
    match = serializers.IntegerField()
    kind = serializers.ChoiceField(TableCall.Kind.choices)
    note = serializers.CharField()
    language = serializers.CharField()
    moves = serializers.ListField(child=serializers.CharField())
    called_at = serializers.DateTimeField()
    claimed_by = serializers.CharField(allow_null=True)
    claimed_at = serializers.DateTimeField(allow_null=True)
    escalated_at = serializers.DateTimeField(allow_null=True)
    closed_at = serializers.DateTimeField(allow_null=True)
    outcome = serializers.CharField()

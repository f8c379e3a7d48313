"""Shapes of appeals in the API, for those who may read what they say."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from tournaments.models import Appeal
from tournaments.policies import MOST_APPEAL_MINUTES
from tournaments.serializers.numbers import NumberField
from tournaments.serializers.public import EntryNameSerializer
from tournaments.serializers.results import MOST_POINTS
from tournaments.services.appeal_decisions import FEES, VERDICTS
from tournaments.services.appeals import (
    LONGEST_FEE,
    LONGEST_NAME,
    LONGEST_REASON,
    LONGEST_TEXT,
    MOST_ON_PANEL,
    is_intact,
)


class NewAppealSerializer(serializers.Serializer[Any]):
    """An appeal; the same `client_key` again answers with what was filed the first time."""

    entry = NumberField(min_value=1, help_text="The number of the entry that appeals.")
    grounds = serializers.CharField(max_length=LONGEST_TEXT)
    on_behalf_of = serializers.CharField(default="", allow_blank=True, max_length=LONGEST_NAME)
    fee = serializers.CharField(
        default="", allow_blank=True, max_length=LONGEST_FEE, help_text="Such as `50 USD`."
    )
    late_reason = serializers.CharField(
        default="",
        allow_blank=True,
        max_length=LONGEST_REASON,
        help_text="Why a director takes it after its time.",
    )
    client_key = serializers.UUIDField(default=None, allow_null=True)


class PanelSerializer(serializers.Serializer[Any]):
    """Who decides: officials by user name, others by name."""

    accounts = serializers.ListField(
        child=serializers.CharField(max_length=150), default=list, max_length=MOST_ON_PANEL
    )
    names = serializers.ListField(
        child=serializers.CharField(max_length=LONGEST_NAME), default=list, max_length=MOST_ON_PANEL
    )


class VerdictSerializer(serializers.Serializer[Any]):
    """A decision. `points` and `deducted` with `corrected`; `absent` with `walkover`."""

    state = serializers.ChoiceField(VERDICTS)
    reasons = serializers.CharField(max_length=LONGEST_TEXT)
    effect = serializers.ChoiceField(Appeal.Effect.choices, default=Appeal.Effect.NONE.value)
    points = serializers.DictField(
        child=NumberField(min_value=-MOST_POINTS, max_value=MOST_POINTS), default=dict
    )
    deducted = serializers.DictField(
        child=NumberField(min_value=0, max_value=MOST_POINTS), default=dict
    )
    absent = serializers.ListField(child=NumberField(min_value=1), default=list, max_length=4)
    fee_state = serializers.ChoiceField(FEES, default="", allow_blank=True)
    sure = serializers.BooleanField(default=False, help_text="Store a doubtful score.")


class AppealTimeSerializer(serializers.Serializer[Any]):
    """For how many minutes after a result appeals are taken; null for no limit."""

    minutes = serializers.IntegerField(min_value=1, max_value=MOST_APPEAL_MINUTES, allow_null=True)


class PanelMemberSerializer(serializers.Serializer[Any]):
    """Somebody who decides."""

    name = serializers.CharField()
    may_write = serializers.SerializerMethodField(help_text="An account is on the panel.")

    @extend_schema_field(bool)
    def get_may_write(self, member: Any) -> bool:
        return member.user_id is not None


class AppealLineSerializer(serializers.Serializer[Any]):
    """An appeal in a list."""

    id = serializers.IntegerField(source="pk")
    number = serializers.IntegerField()
    match = serializers.IntegerField(source="match_id")
    stage = serializers.IntegerField(source="match.pairing_round.stage.number")
    round = serializers.IntegerField(source="match.pairing_round.number")
    table = serializers.IntegerField(source="match.table")
    entry = EntryNameSerializer()
    state = serializers.ChoiceField(Appeal.State.choices)
    effect = serializers.ChoiceField(Appeal.Effect.choices)
    filed_at = serializers.DateTimeField()
    decided_at = serializers.DateTimeField(allow_null=True)
    fee = serializers.CharField(allow_blank=True)
    fee_state = serializers.ChoiceField(Appeal.Fee.choices, allow_blank=True)
    panel = PanelMemberSerializer(many=True, source="panel.all")


class AppealSerializer(AppealLineSerializer):
    """An appeal with what it says, its evidence, and what the decision changed."""

    on_behalf_of = serializers.CharField(allow_blank=True)
    late_reason = serializers.CharField(allow_blank=True)
    grounds = serializers.CharField()
    reasons = serializers.CharField(allow_blank=True)
    changed = serializers.DictField(
        help_text="Results before and after, places moved, rounds that stay."
    )
    evidence = serializers.DictField()
    evidence_hash = serializers.CharField(
        help_text="SHA-256 of the evidence as JSON with sorted keys and no spaces."
    )
    is_intact = serializers.SerializerMethodField(help_text="The evidence still has that hash.")

    @extend_schema_field(bool)
    def get_is_intact(self, appeal: Appeal) -> bool:
        return is_intact(appeal)

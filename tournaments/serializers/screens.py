"""Shapes of the API of the screens of a hall."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from tournaments.models import Screen
from tournaments.models.screens import LONGEST_MESSAGE, LONGEST_NAME, MOST_PARTS, SECONDS
from tournaments.serializers.numbers import NumberField


class ScreenSettingsSerializer(serializers.Serializer[Any]):
    """How a screen shows whatever it shows."""

    name = serializers.CharField(max_length=LONGEST_NAME)
    language = serializers.CharField(max_length=10, default="en", help_text="For example ar.")
    second_language = serializers.CharField(
        max_length=10, allow_blank=True, default="", help_text="Takes turns with the first."
    )
    seconds = NumberField(min_value=SECONDS[0], max_value=SECONDS[1], default=10)
    part = NumberField(min_value=1, max_value=MOST_PARTS, default=1)
    parts = NumberField(
        min_value=1, max_value=MOST_PARTS, default=1, help_text="Screens that share a long list."
    )
    is_light = serializers.BooleanField(default=False)
    rings = serializers.BooleanField(
        default=False, help_text="When the time is over; at most one screen of an event does."
    )


class SwitchSerializer(serializers.Serializer[Any]):
    """What a screen is to show. A table or message left away stays as it was."""

    shows = serializers.ChoiceField(Screen.Shows.choices)
    table = NumberField(min_value=1, allow_null=True, default=None)
    message = serializers.CharField(
        max_length=LONGEST_MESSAGE, allow_blank=True, allow_null=True, default=None
    )
    stage = NumberField(
        allow_null=True, default=None, help_text="Its number; without it the one being played."
    )


class ScreenSerializer(ScreenSettingsSerializer):
    """A screen with its address."""

    id = serializers.IntegerField()
    shows = serializers.ChoiceField(Screen.Shows.choices)
    stage = serializers.SerializerMethodField()
    table = serializers.IntegerField()
    message = serializers.CharField()
    path = serializers.SerializerMethodField(help_text="Opens without an account.")

    def get_stage(self, screen: Screen) -> int | None:
        return screen.stage.number if screen.stage is not None else None

    def get_path(self, screen: Screen) -> str:
        return f"/screen/{screen.key}/"

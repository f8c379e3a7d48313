"""Shapes of the prints in the API."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers


class PrintSerializer(serializers.Serializer[Any]):
    """A print and where it is fetched."""

    kind = serializers.CharField()
    label = serializers.CharField(  # type: ignore[assignment]
        help_text="In the reader's language."
    )
    text = serializers.CharField(help_text="What it is for.")
    round = serializers.CharField(
        allow_null=True, help_text="`stage.number` where it is made of one round."
    )
    page = serializers.URLField(help_text="To be printed from a browser.")
    pdf = serializers.URLField(
        help_text="As a file. 202 with `Refresh` while it is being prepared, 503 where none can be"
        " made."
    )


class PrintsSerializer(serializers.Serializer[Any]):
    """Every print of an event the reader may have, or of a table."""

    papers = serializers.ListField(
        child=serializers.CharField(), help_text="For `paper` in an address."
    )
    languages = serializers.ListField(
        child=serializers.CharField(), help_text="For `lang` in an address."
    )
    prints = PrintSerializer(many=True)

"""Whole numbers as the API reads them."""

from __future__ import annotations

from typing import Any, Final

from rest_framework import serializers

# The largest number every database holds in a column of its own.
LARGEST_NUMBER: Final = 2_147_483_647


class NumberField(serializers.IntegerField):
    """A whole number from 0 on, unless said otherwise, that every database can hold."""

    def __init__(self, **settings: Any) -> None:
        settings.setdefault("min_value", 0)
        settings.setdefault("max_value", LARGEST_NUMBER)
        super().__init__(**settings)

"""How the API describes itself: what each operation does, and how it refuses."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from drf_spectacular.openapi import AutoSchema
from rest_framework.permissions import SAFE_METHODS

from tournaments.serializers.public import BadRequestSerializer, RefusalSerializer


class SummedUpSchema(AutoSchema):
    """Takes the summary of an operation from its docstring, and adds the refusals all share."""

    def get_summary(self) -> str | None:
        summary = super().get_summary()
        if summary:
            return summary
        first, _, _ = self.get_description().partition("\n")
        return first.rstrip(".")

    def _get_response_bodies(self, direction: Any = "response") -> dict[str, Any]:
        bodies: dict[str, Any] = super()._get_response_bodies(direction)
        for code, shape, when in self._refusals():
            told = bodies.setdefault(code, self._get_response_for_code(shape, code))
            told["description"] = told["description"] or when
        return dict(sorted(bodies.items()))

    def _refusals(self) -> Iterator[tuple[str, Any, str]]:
        """Yield the statuses an operation can refuse with, the shape, and when it does."""
        if self.method not in SAFE_METHODS:
            yield "400", BadRequestSerializer, "What was sent cannot be read."
            yield "409", RefusalSerializer, "As things stand, it cannot be done."
        yield "403", RefusalSerializer, "Not signed in, or it is not yours to do."
        if "{" in self.path:
            yield "404", RefusalSerializer, "It is not there, or not for you to see."
        yield "default", RefusalSerializer, "Any other refusal has this shape too."

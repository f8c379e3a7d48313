"""How the API describes itself: each operation with one line that says what it does."""

from __future__ import annotations

from drf_spectacular.openapi import AutoSchema


class SummedUpSchema(AutoSchema):
    """Takes the summary of an operation from the first line of its docstring."""

    def get_summary(self) -> str | None:
        summary = super().get_summary()
        if summary:
            return summary
        first, _, _ = self.get_description().partition("\n")
        return first.rstrip(".")

"""The form on which the score of a table is set to what its paper says."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext, gettext_lazy

from engine.record import LARGEST_NUMBER
from engine.seats import Side
from tournaments.forms.fields import PlainForm, WholeNumberField


class ScoreForm(PlainForm):
    """The points of each side as they are on paper, and why they are set."""

    reason = forms.CharField(
        label=gettext_lazy("Reason"),
        strip=True,
        error_messages={
            "required": gettext_lazy("Say why, in a few words: the reason is kept with the match.")
        },
        widget=forms.TextInput(attrs={"dir": "auto"}),
    )

    def __init__(self, *given: Any, sides: list[tuple[Side, str, int]], **settings: Any) -> None:
        super().__init__(*given, **settings)
        self.sides = [side for side, _, _ in sides]
        for side, name, points in sides:
            self.fields[f"points_{side}"] = WholeNumberField(
                label=gettext("Points of %(player)s") % {"player": name},
                min_value=0,
                max_value=LARGEST_NUMBER,
                initial=max(0, points),
            )
        self.order_fields([*(f"points_{side}" for side in self.sides), "reason"])

    def totals(self) -> dict[Side, int]:
        return {side: self.cleaned_data[f"points_{side}"] for side in self.sides}

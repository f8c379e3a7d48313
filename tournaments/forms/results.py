"""Forms about results: a table number, a score, a reason, the time of a round."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from tournaments.digits import to_latin_digits
from tournaments.forms.fields import PlainForm, WholeNumberField
from tournaments.forms.tables import AbsentForm
from tournaments.models import Entry, Match
from tournaments.queries.events import SideLine
from tournaments.queries.results import side_name
from tournaments.services.clock import LONGEST_ROUND, MOST_EXTRA
from tournaments.services.scores import parse_score, score_of

LONGEST_REASON = 200
_DIGITS = {"inputmode": "numeric", "dir": "ltr", "autocomplete": "off", "size": 8}

PICK_TWO = {"required": _("Pick two: one on the first list, one on the second.")}


class TableForm(PlainForm):
    """The number of a table."""

    table = WholeNumberField(
        label=_("Table"),
        min_value=1,
        widget=forms.TextInput(attrs={**_DIGITS, "autofocus": True}),
        error_messages={
            "required": _("Type the number of the table."),
            "invalid": _("This is not a number. Type the number of the table."),
        },
    )


class PointsField(forms.CharField):
    """The points of a side; that they are missing is said only once the whole score is read."""

    def validate(self, value: str) -> None:
        """Let an empty field pass: the first field may hold the whole score."""


class ScoreForm(PlainForm):
    """The points of each side; the first field takes both, as "200 137" or "200-137"."""

    def __init__(
        self, *given: Any, match: Match, sides: Sequence[SideLine], **settings: Any
    ) -> None:
        super().__init__(*given, **settings)
        self.match = match
        self.sides = [str(one.side) for one in sides]
        stored = score_of(match)
        for place, side in enumerate(sides):
            attrs: dict[str, object] = {**_DIGITS, "data-score": place}
            if place == 0:
                attrs["autofocus"] = True
            self.fields[f"points_{side.side}"] = PointsField(
                label=f"{side.side} · {side_name(side)}",
                max_length=40,
                initial=stored.get(str(side.side), ""),
                widget=forms.TextInput(attrs=attrs),
            )
        single = match.pairing_round.stage.tournament.entry_kind == Entry.Kind.SINGLE
        self._fined: dict[str, str] = {}
        for side in sides:
            groups = [(seat.seat, seat.player.name) for seat in side.seats] if single else []
            for letters, name in groups or [(str(side.side), side_name(side))]:
                field = f"fine_{letters}"
                self._fined[field] = letters
                self.fields[field] = WholeNumberField(
                    label=f"{letters} · {name}", required=False, min_value=0
                )

    @property
    def score_fields(self) -> list[forms.BoundField]:
        return [self[f"points_{side}"] for side in self.sides]

    @property
    def fine_fields(self) -> list[forms.BoundField]:
        return [self[name] for name in self._fined]

    @property
    def has_fines(self) -> bool:
        return any(field.value() for field in self.fine_fields)

    def clean(self) -> dict[str, Any]:
        """Read the score; whatever is missing or no number is said at its field."""
        cleaned = super().clean() or self.cleaned_data
        typed = [to_latin_digits(cleaned.get(f"points_{side}", "") or "") for side in self.sides]
        if typed[0] and not any(typed[1:]):
            numbers = parse_score(typed[0])
            if len(numbers) == len(self.sides):
                typed = [str(one) for one in numbers]
        self.points: dict[str, int] = {}
        for side, text in zip(self.sides, typed, strict=True):
            numbers = parse_score(text)
            if len(numbers) == 1:
                self.points[side] = numbers[0]
            else:
                self.add_error(f"points_{side}", self._missing(text))
        return cleaned

    def _missing(self, text: str) -> str:
        if not text:
            return gettext("The points of this side are missing.")
        return gettext("“%(text)s” is not one number of points. Type a whole number.") % {
            "text": text
        }

    def deducted(self) -> dict[str, int]:
        """Return the penalty points by seat; those of a pair fall on both partners."""
        return {
            letter: points
            for field, letters in self._fined.items()
            if (points := self.cleaned_data.get(field))
            for letter in letters
        }

    @property
    def fingerprint(self) -> str:
        """What was typed, in one line: a second press counts only for the same score."""
        fines = sorted(self.deducted().items())
        return "-".join(str(self.points[side]) for side in self.sides) + f"|{fines}"


class ReasonField(forms.CharField):
    """Why, in a few words, for the log."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(
            label=_("Reason"),
            max_length=LONGEST_REASON,
            widget=forms.TextInput(attrs={"dir": "auto"}),
            help_text=_("It is kept in the log of the event."),
            error_messages={"required": _("A reason is needed. Say in a few words why.")},
            **settings,
        )


class CorrectionForm(ScoreForm):
    """Another score for a closed table, and why."""

    def __init__(self, *given: Any, **settings: Any) -> None:
        super().__init__(*given, **settings)
        self.fields["reason"] = ReasonField()
        self.fields[f"points_{self.sides[0]}"].widget.attrs.pop("autofocus", None)


class ReasonForm(PlainForm):
    """Why something is done."""

    reason = ReasonField()


class LeftForm(AbsentForm):
    """Who left a table in the middle of play, and why."""

    reason = ReasonField()

    def __init__(self, *given: Any, **settings: Any) -> None:
        super().__init__(*given, **settings)
        self.fields["absent"].label = _("Who left?")
        self.fields["absent"].error_messages["required"] = _(
            "Nobody is chosen. Choose who left the table."
        )


class SwapForm(PlainForm):
    """Two entries that sat in each other's seats, and whose the results are."""

    one = forms.ChoiceField(label=_("Who sat wrongly"), error_messages=PICK_TWO)
    other = forms.ChoiceField(label=_("And whose seat it was"), error_messages=PICK_TWO)
    follow = forms.ChoiceField(
        label=_("The results"),
        initial="persons",
        widget=forms.RadioSelect,
        choices=[
            (
                "persons",
                _("Everybody keeps the result they played for; only the seats are put right."),
            ),
            (
                "seats",
                _("The results stay with the seats: the two exchange their results."),
            ),
        ],
    )
    reason = ReasonField()

    def __init__(self, *given: Any, here: Match, round_seats: Sequence[Any], **settings: Any):
        super().__init__(*given, **settings)
        self.places = {f"{one.match_id}-{one.entry_id}": one for one in round_seats}
        choices = [
            (key, f"{one.match.table} · {one.entry.name}") for key, one in self.places.items()
        ]
        mine = [one for one in choices if one[0].startswith(f"{here.pk}-")]
        for name, shown in (("one", mine), ("other", choices)):
            field = self.fields[name]
            if isinstance(field, forms.ChoiceField):
                field.choices = shown
        if len(mine) > 1:
            self.initial.setdefault("other", mine[1][0])

    def chosen(self, name: str) -> tuple[Match, Entry]:
        seat = self.places[self.cleaned_data[name]]
        return seat.match, seat.entry


class ClockForm(PlainForm):
    """How long a round lasts, and from when."""

    minutes = WholeNumberField(label=_("Minutes"), min_value=1, max_value=LONGEST_ROUND)
    starts_at = forms.DateTimeField(
        label=_("Begins"),
        required=False,
        widget=forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M"),
        help_text=_("Empty: now, or as it was. The time is that of the event."),
    )

    def begins(self) -> datetime | None:
        found: datetime | None = self.cleaned_data["starts_at"]
        return found


class ExtraTimeForm(PlainForm):
    """Extra time of one table, in minutes and in all."""

    table = WholeNumberField(label=_("Table"), min_value=1)
    minutes = WholeNumberField(
        label=_("Extra minutes in all"), min_value=0, max_value=MOST_EXTRA // 60
    )
    reason = ReasonField()

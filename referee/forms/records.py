"""What referees send from pages without a script: one event, one ruling, one round."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any
from uuid import UUID, uuid4

from django import forms
from django.core.exceptions import ValidationError
from django.http import QueryDict
from django.utils.translation import gettext, gettext_lazy

from engine.errors import DominoError
from engine.events import (
    PENDING,
    Count,
    End,
    Event,
    Infraction,
    Leaves,
    Pending,
    Ruling,
    Sheet,
    Show,
    TimeOver,
    Undo,
)
from engine.notation import parse_line
from engine.penalties import KINDS, Measure
from engine.record import LARGEST_NUMBER, LONGEST_NOTE, MOST_EVENTS
from engine.seats import SEATS, Seat, Side
from engine.tiles import SET_PIPS, Tile
from referee.errors.records import UnreadableMeasures
from referee.proposals import Proposal
from referee.sentences import ROBOT, kind_label
from referee.typed import read_typed
from tournaments.digits import to_latin_digits
from tournaments.errors.base import explain
from tournaments.forms.fields import PlainForm, WholeNumberField
from tournaments.models import LONGEST_SUBSTITUTE

SCHEDULE = "schedule"
CHOSEN = "chosen"
OTHER = "other"
LTR = {"dir": "ltr"}


def read_measures(said: Iterable[str]) -> tuple[Measure, ...]:
    """Read measures in notation, each alone or several with commas; raises UnreadableMeasures."""
    text = ", ".join(one.strip() for one in said if one.strip())
    if "#" in text:
        raise UnreadableMeasures(found=text[:80])
    try:
        event = parse_line(f"ruling 0 -> {to_latin_digits(text)}")
    except DominoError:
        raise UnreadableMeasures(found=text[:80]) from None
    assert isinstance(event, Ruling)
    assert event.measures is not None
    return event.measures


class SeveralInput(forms.TextInput):
    """One text, or as many values of the same name as the page sent."""

    def value_from_datadict(self, data: Any, files: Any, name: str) -> Any:
        return data.getlist(name) if isinstance(data, QueryDict) else data.get(name)

    def format_value(self, value: Any) -> str:
        return ", ".join(map(str, value)) if isinstance(value, list) else str(value or "")


class SeveralField(forms.Field):
    """Several values of one name, or one value with blanks or commas between them."""

    def __init__(self, *, separator: str = ",", **settings: Any) -> None:
        settings.setdefault("widget", SeveralInput(attrs=LTR))
        super().__init__(**settings)
        self.separator = separator

    def to_python(self, value: object) -> list[str]:
        said = value if isinstance(value, list) else [value or ""]
        parts = (
            part
            for one in said
            for part in str(one).replace(",", self.separator).split(self.separator)
        )
        return [part.strip() for part in parts if part.strip()]


class TileField(forms.CharField):
    """A tile, in digits of any of our languages."""

    def __init__(self, **settings: Any) -> None:
        settings.setdefault("max_length", 8)
        settings.setdefault("widget", forms.TextInput(attrs={**LTR, "inputmode": "numeric"}))
        super().__init__(**settings)

    def clean(self, value: Any) -> Any:
        text = super().clean(value)
        if not text:
            return None
        try:
            return Tile.parse(to_latin_digits(text).replace(" ", "").replace("–", "-"))
        except DominoError as error:
            raise ValidationError(explain(error), error.code) from error


class NumberedForm(PlainForm):
    """Which event of the round this is meant to be, and the key that stores it once."""

    number = WholeNumberField(min_value=0, max_value=LARGEST_NUMBER)
    client_key = forms.UUIDField(required=False)

    @property
    def key(self) -> UUID | None:
        key: UUID | None = self.cleaned_data["client_key"]
        return key


class EventForm(PlainForm):
    """A form that becomes one event. `turn` is the seat on turn, None when nobody is."""

    def __init__(
        self,
        *args: Any,
        turn: Seat | None = None,
        seats: Iterable[tuple[str, str]] = (),
        sides: Iterable[tuple[Side, str]] = (),
        offered: Iterable[Proposal] = (),
        kinds: Iterable[tuple[str, str]] = (),
        **settings: Any,
    ) -> None:
        super().__init__(*args, **settings)
        self.turn = turn
        self.kinds = list(kinds) or [(one, kind_label(one)) for one in KINDS]
        self.table_seats = list(seats) or [(one.value, one.value) for one in SEATS]
        self.offered = list(offered)
        if "seat" in self.fields:
            self.fields["seat"] = forms.ChoiceField(
                label=gettext_lazy("Seat"), choices=self.table_seats
            )
        self.prepare(list(sides))

    def prepare(self, sides: list[tuple[Side, str]]) -> None:
        """Make the fields that depend on the table."""

    def event(self) -> Event:
        """Return the event; raises a refusal when it cannot be read."""
        raise NotImplementedError

    @property
    def who(self) -> Seat:
        return Seat(self.cleaned_data["seat"])


class LineForm(EventForm):
    line = forms.CharField(
        label=gettext_lazy("Event"), max_length=5000, widget=forms.TextInput(attrs=LTR)
    )

    def event(self) -> Event:
        return read_typed(self.cleaned_data["line"], self.turn)


class RulingField(forms.ChoiceField):
    """One of the measures offered. Whatever else is sent is read as measures, or refused."""

    widget = forms.RadioSelect

    def valid_value(self, value: Any) -> bool:
        return True


class RuledForm(EventForm):
    """What an infraction and a ruling share: the measures and a note."""

    ruling = forms.CharField(required=False, widget=forms.HiddenInput)
    choice = RulingField(label=gettext_lazy("Ruling"), required=False)
    measures = SeveralField(
        label=gettext_lazy("Other measures"),
        required=False,
        help_text=gettext_lazy(
            "In notation, with commas between them, such as “warning, points 20”."
        ),
    )
    note = forms.CharField(
        label=gettext_lazy("Note"), required=False, max_length=LONGEST_NOTE, strip=True
    )
    can_wait = False

    def prepare(self, sides: list[tuple[Side, str]]) -> None:
        choices = [(one.json()["line"], self._label(one)) for one in self.offered]
        if not choices:
            choices.append((SCHEDULE, gettext("As the schedule of penalties says")))
        if self.can_wait:
            choices.append((PENDING.value, gettext("Stop the table; the ruling comes later")))
        choices.append((OTHER, gettext("Other measures, written below")))
        field = self.fields["choice"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = choices
        field.initial = choices[0][0]

    @staticmethod
    def _label(one: Proposal) -> str:
        told = one.json()
        return gettext("%(measures)s — %(when)s") % {
            "measures": told["text"],
            "when": told["when"],
        }

    def clean(self) -> dict[str, Any]:
        said = super().clean() or self.cleaned_data
        if said.get("choice") == OTHER and not said.get("note"):
            why = gettext("Write in the note why other measures than the schedule’s are given.")
            self.add_error("note", ValidationError(why, code="reason_missing"))
        return said

    def ruled(self) -> tuple[Measure, ...] | Pending | None:
        """Return the measures chosen, None where the schedule decides."""
        said: list[str] = self.cleaned_data["measures"]
        how = self.cleaned_data["ruling"] or self.cleaned_data["choice"]
        if how == PENDING.value:
            return PENDING
        if how in (OTHER, CHOSEN) or (not how and said):
            return read_measures(said)
        if how in ("", SCHEDULE):
            return None
        return read_measures([how])


class InfractionForm(RuledForm):
    can_wait = True
    seat = forms.ChoiceField()
    kind = forms.ChoiceField(label=gettext_lazy("Kind"))
    tile = TileField(label=gettext_lazy("Tile"), required=False)
    end = forms.ChoiceField(
        label=gettext_lazy("End"),
        required=False,
        choices=[("", "–"), ("left", gettext_lazy("left")), ("right", gettext_lazy("right"))],
    )
    open = forms.TypedChoiceField(
        label=gettext_lazy("Half now open, for a tile that stays"),
        required=False,
        coerce=int,
        empty_value=None,
        choices=[("", "–"), *((str(one), str(one)) for one in range(7))],
    )
    deliberate = forms.BooleanField(label=gettext_lazy("On purpose"), required=False)
    field_order = (
        *("seat", "kind", "tile", "choice", "measures", "deliberate", "end", "open", "note"),
        "ruling",
    )

    def prepare(self, sides: list[tuple[Side, str]]) -> None:
        super().prepare(sides)
        kind = self.fields["kind"]
        assert isinstance(kind, forms.ChoiceField)
        kind.choices = self.kinds

    def event(self) -> Event:
        said = self.cleaned_data
        return Infraction(
            seat=self.who,
            kind=said["kind"],
            tile=said["tile"],
            end=End(said["end"]) if said["end"] else None,
            open=said["open"],
            measures=self.ruled(),
            deliberate=said["deliberate"],
            note=said["note"],
        )


class RulingForm(RuledForm):
    def prepare(self, sides: list[tuple[Side, str]]) -> None:
        super().prepare(sides)
        self.fields["event"] = WholeNumberField(
            label=gettext("Event"), min_value=0, max_value=MOST_EVENTS
        )

    def event(self) -> Event:
        measures = self.ruled()
        return Ruling(
            event=self.cleaned_data["event"],
            measures=None if isinstance(measures, Pending) else measures,
            note=self.cleaned_data["note"],
        )


class ShowForm(EventForm):
    seat = forms.ChoiceField()
    tiles = SeveralField(label=gettext_lazy("Tiles left"), required=False, separator=" ")

    def event(self) -> Event:
        said: list[str] = self.cleaned_data["tiles"]
        tiles = (Tile.parse(to_latin_digits(one).replace("–", "-")) for one in said)
        return Show(self.who, tuple(tiles))


class CountForm(EventForm):
    seat = forms.ChoiceField()
    pips = WholeNumberField(label=gettext_lazy("Pips left"), min_value=0, max_value=SET_PIPS)

    def event(self) -> Event:
        return Count(self.who, self.cleaned_data["pips"])


class TimeForm(EventForm):
    def event(self) -> Event:
        return TimeOver()


class LeavesForm(EventForm):
    seat = forms.ChoiceField()
    substitute = forms.CharField(
        label=gettext_lazy("Substitute: a name, or “robot”"),
        max_length=LONGEST_SUBSTITUTE,
        initial=ROBOT,
    )

    def event(self) -> Event:
        return Leaves(self.who, self.cleaned_data["substitute"])


class UndoForm(EventForm):
    count = WholeNumberField(
        label=gettext_lazy("How many events"), min_value=1, max_value=MOST_EVENTS, required=False
    )

    def event(self) -> Event:
        return Undo(self.cleaned_data["count"] or 1)


class ResultForm(EventForm):
    """A whole round from a score sheet. Where everyone plays alone, the points are by seat."""

    winner = forms.ChoiceField(label=gettext_lazy("Winner of the round"), required=False)
    points = WholeNumberField(
        label=gettext_lazy("Points"), min_value=0, max_value=LARGEST_NUMBER, required=False
    )
    ended = forms.ChoiceField(
        label=gettext_lazy("How it ended"),
        choices=[("out", gettext_lazy("Out")), ("blocked", gettext_lazy("Blocked"))],
    )
    elimination = False

    def prepare(self, sides: list[tuple[Side, str]]) -> None:
        winner = self.fields["winner"]
        assert isinstance(winner, forms.ChoiceField)
        winner.choices = [*sides, ("", gettext("Nobody"))]
        if self.elimination:
            del self.fields["points"]
            for seat, name in self.table_seats:
                self.fields[f"points_{seat}"] = WholeNumberField(
                    label=gettext("Points of %(player)s") % {"player": name},
                    min_value=0,
                    max_value=LARGEST_NUMBER,
                    required=False,
                )

    def event(self) -> Event:
        said = self.cleaned_data
        points: int | dict[Seat, int] = said.get("points") or 0
        if self.elimination:
            points = {Seat(one): said[f"points_{one}"] or 0 for one, _ in self.table_seats}
        return Sheet(said["winner"] or None, points, said["ended"])


class PointsByPlayerForm(ResultForm):
    elimination = True


class RoundForm(PlainForm):
    """A round to start."""

    number = WholeNumberField(min_value=0, max_value=LARGEST_NUMBER)
    opener = forms.ChoiceField(
        label=gettext_lazy("Who opens?"),
        required=False,
        choices=[
            ("", gettext_lazy("As the rules say")),
            *((one.value, one.value) for one in SEATS),
        ],
    )
    sheet = forms.BooleanField(required=False)
    client_key = forms.UUIDField(required=False)


class WantedBackForm(PlainForm):
    """Where to go back to: just before an event of a round, or before the whole round."""

    round = WholeNumberField(min_value=0, max_value=LARGEST_NUMBER, required=False)
    event = WholeNumberField(min_value=0, max_value=LARGEST_NUMBER, required=False)


class BackForm(PlainForm):
    """Going back, with what the record came to when the preview was looked at."""

    round = WholeNumberField(min_value=0, max_value=LARGEST_NUMBER, widget=forms.HiddenInput)
    event = WholeNumberField(
        min_value=0, max_value=LARGEST_NUMBER, required=False, widget=forms.HiddenInput
    )
    rounds = WholeNumberField(min_value=0, max_value=LARGEST_NUMBER, widget=forms.HiddenInput)
    events = WholeNumberField(min_value=0, max_value=LARGEST_NUMBER, widget=forms.HiddenInput)
    client_key = forms.UUIDField(required=False, initial=uuid4, widget=forms.HiddenInput)


class SeatsForm(PlainForm):
    """Who really sits where, by the players' ids."""

    def __init__(self, *args: Any, seats: Iterable[str], **settings: Any) -> None:
        super().__init__(*args, **settings)
        for seat in seats:
            self.fields[seat] = WholeNumberField(
                label=gettext("Seat %(seat)s") % {"seat": seat}, min_value=1
            )


class ReasonForm(PlainForm):
    """Why, in a few words."""

    reason = forms.CharField(
        label=gettext_lazy("Reason"), required=False, max_length=500, strip=True
    )


class ReopeningForm(ReasonForm):
    """Why, and that it is known that an entry of the table has withdrawn since."""

    withdrawn_too = forms.BooleanField(required=False, widget=forms.HiddenInput)


EVENT_FORMS: dict[str, type[EventForm]] = {
    "line": LineForm,
    "infraction": InfractionForm,
    "ruling": RulingForm,
    "show": ShowForm,
    "count": CountForm,
    "time": TimeForm,
    "leaves": LeavesForm,
    "result": ResultForm,
    "undo": UndoForm,
}

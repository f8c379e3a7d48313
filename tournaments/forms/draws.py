"""Forms about a round before and after its draw."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from tournaments.competition.changes import Act, Change
from tournaments.digits import local_digits
from tournaments.forms.fields import PlainForm, WholeNumberField
from tournaments.models import Entry, Room, Tournament
from tournaments.queries.desk_draw import PreparePage
from tournaments.services.deciding import Decision

DECISIONS = (
    (Decision.PLAYS.value, _("Plays")),
    (Decision.ABSENT.value, _("Absent")),
    (Decision.EXCUSED.value, _("Excused")),
    (Decision.BYE.value, _("Bye asked for")),
    (Decision.HALF_BYE.value, _("Bye for half the points")),
    (Decision.EMPTY_BYE.value, _("Bye without points")),
    (Decision.WITHDRAW.value, _("Leaves the event")),
)


_BYES = (Decision.BYE, Decision.HALF_BYE, Decision.EMPTY_BYE)


class DecisionsForm(PlainForm):
    """One decision for each entry that may not be there, and for one more."""

    other = forms.ChoiceField(label=_("Somebody else is missing"), required=False)
    other_decision = forms.ChoiceField(
        label=_("What happens to them"), choices=DECISIONS[1:], required=False
    )

    def __init__(self, *given: Any, page: PreparePage, **settings: Any) -> None:
        super().__init__(*given, **settings)
        self.page = page
        known = [one for one in DECISIONS if page.gives_byes or one[0] not in _BYES]
        for one in page.doubtful:
            self.fields[_name(one.entry)] = forms.ChoiceField(
                label=one.entry.name, choices=known, initial=one.decision.value
            )
        decision = self.fields["other_decision"]
        if isinstance(decision, forms.ChoiceField):
            decision.choices = known[1:]
        choices: list[tuple[str, str]] = [("", gettext("nobody"))]
        choices += [
            (str(one.number), f"{local_digits(one.number)} · {one.name}") for one in page.others
        ]
        other = self.fields["other"]
        if isinstance(other, forms.ChoiceField):
            other.choices = choices

    @property
    def rows(self) -> list[tuple[Any, forms.BoundField]]:
        """Return each entry in doubt with its field."""
        return [(one, self[_name(one.entry)]) for one in self.page.doubtful]

    def decisions(self) -> list[tuple[Entry, str]]:
        """Return what was decided about whom, only where it is new."""
        found = [
            (one.entry, self.cleaned_data[_name(one.entry)])
            for one in self.page.doubtful
            if self.cleaned_data[_name(one.entry)] != one.decision
        ]
        other = self.cleaned_data.get("other")
        what = self.cleaned_data.get("other_decision") or Decision.ABSENT.value
        return found + [(one, what) for one in self.page.others if str(one.number) == other]


def _name(entry: Entry) -> str:
    return f"decision_{entry.number}"


class ChangeForm(PlainForm):
    """One change of a round by hand."""

    act = forms.ChoiceField(choices=[(str(one), str(one)) for one in Act], required=False)
    one = forms.CharField(required=False)
    other = forms.CharField(required=False)
    entries = forms.MultipleChoiceField(required=False)
    table = WholeNumberField(required=False)
    number = WholeNumberField(required=False)

    def __init__(self, *given: Any, entries: Iterable[str], **settings: Any) -> None:
        super().__init__(*given, **settings)
        field = self.fields["entries"]
        if isinstance(field, forms.MultipleChoiceField):
            field.choices = [(one, one) for one in entries]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        act = cleaned.get("act") or Act.SWAP
        if act == Act.SWAP and not (cleaned.get("one") and cleaned.get("other")):
            raise ValidationError(gettext("Pick two: one on the first list, one on the second."))
        if act == Act.RENUMBER and not cleaned.get("number"):
            raise ValidationError(gettext("The new number of the table is missing. Type it."))
        return cleaned

    def refusal(self) -> str:
        """Return what is wrong with what was sent, as sentences."""
        return " ".join(str(text) for texts in self.errors.values() for text in texts)

    def change(self) -> Change:
        """Return the change that was asked for."""
        given = self.cleaned_data
        act = Act(given["act"] or Act.SWAP)
        if act is Act.SWAP:
            return Change(act, (given["one"], given["other"]))
        entries = tuple(given["entries"]) if act is Act.SEAT else ()
        return Change(act, entries, table=given["table"] or 0, number=given["number"] or 0)


class ForbidForm(PlainForm):
    """Two entries that are not to meet."""

    first = forms.ChoiceField(label=_("These two"))
    second = forms.ChoiceField(label=_("are not to meet"))

    def __init__(self, *given: Any, tournament: Tournament, **settings: Any) -> None:
        super().__init__(*given, **settings)
        entries = tournament.entries.filter(state=Entry.State.REGISTERED).order_by("number")
        self.entries = {str(one.number): one for one in entries}
        for name in ("first", "second"):
            field = self.fields[name]
            if isinstance(field, forms.ChoiceField):
                field.choices = [
                    (number, f"{local_digits(number)} · {one.name}")
                    for number, one in self.entries.items()
                ]

    def refusal(self) -> str:
        """Return what is wrong with what was sent, as sentences."""
        return " ".join(str(text) for texts in self.errors.values() for text in texts)

    def pair(self) -> tuple[Entry, Entry]:
        return self.entries[self.cleaned_data["first"]], self.entries[self.cleaned_data["second"]]


class RoomForm(PlainForm):
    """A room with its range of tables."""

    name = forms.CharField(
        label=_("Name of the room"),
        max_length=80,
        error_messages={"required": _("The room has no name. Type one, such as “Hall A”.")},
    )
    first_table = WholeNumberField(label=_("First table"), min_value=1)
    last_table = WholeNumberField(label=_("Last table"), min_value=1)

    def __init__(self, *given: Any, tournament: Tournament, **settings: Any) -> None:
        super().__init__(*given, **settings)
        self.rooms = list(Room.objects.filter(tournament=tournament))

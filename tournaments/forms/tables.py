"""Forms about tables: who sits where in a round seated by hand, who did not appear."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from tournaments.digits import local_digits
from tournaments.forms.fields import PlainForm, WholeNumberField
from tournaments.models import Entry
from tournaments.queries.desk import ManualRoundPage
from tournaments.rules import entry_seats, rules_of
from tournaments.services.pairings import TableData


class AbsentForm(PlainForm):
    """Who did not appear at a table."""

    absent = forms.MultipleChoiceField(
        label=_("Who did not appear?"),
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": _("Nobody is chosen. Choose who did not appear.")},
    )

    def __init__(self, *given: Any, entries: Iterable[Entry], **settings: Any) -> None:
        super().__init__(*given, **settings)
        self.entries = {str(entry.number): entry for entry in entries}
        field = self.fields["absent"]
        if isinstance(field, forms.MultipleChoiceField):
            field.choices = [(number, entry.name) for number, entry in self.entries.items()]

    def chosen(self) -> list[Entry]:
        return [self.entries[number] for number in self.cleaned_data["absent"]]


class ManualRoundForm(PlainForm):
    """A select per place at each table, and whether whoever is left over has the bye."""

    byes = forms.BooleanField(
        label=_("Whoever is not seated has a bye in this round"), required=False, initial=True
    )

    def __init__(self, *given: Any, page: ManualRoundPage, **settings: Any) -> None:
        super().__init__(*given, **settings)
        self.page = page
        self.places = max(page.sizes)
        numbers = [line.entry.number for line in page.entries]
        self.count = max(len(page.tables), -(-len(numbers) // self.places) or 1)
        choices: list[tuple[str, str]] = [("", gettext("nobody"))]
        choices += [
            (str(line.entry.number), f"{local_digits(line.entry.number)} · {line.entry.name}")
            for line in page.entries
        ]
        for row in range(self.count):
            self._add_table(row, choices)

    def _add_table(self, row: int, choices: list[tuple[str, str]]) -> None:
        stored = self.page.tables[row] if row < len(self.page.tables) else (row + 1, ())
        table, seated = stored
        self.fields[f"table_{row}"] = WholeNumberField(
            label=_("Table"),
            min_value=1,
            initial=table,
            widget=forms.TextInput(attrs={"inputmode": "numeric", "dir": "ltr", "size": 3}),
            error_messages={"required": _("The table has no number. Count tables from 1.")},
        )
        for place, label in enumerate(self.place_labels()):
            self.fields[f"place_{row}_{place}"] = forms.ChoiceField(
                label=label,
                choices=choices,
                required=False,
                initial=str(seated[place]) if place < len(seated) else "",
                error_messages={
                    "invalid_choice": _("This entry does not play. Choose one from the list.")
                },
            )

    def place_labels(self) -> list[str]:
        """Return what the places of a table are called: the seats they take."""
        tournament = self.page.tournament
        seats = entry_seats(
            rules_of(tournament), tournament.entry_kind, tournament.players_per_table
        )
        return [
            gettext("Seats %(one)s and %(other)s") % {"one": taken[0], "other": taken[1]}
            if len(taken) == 2
            else gettext("Seat %(seat)s") % {"seat": taken[0]}
            for taken in seats
        ][: self.places]

    @property
    def rows(self) -> list[tuple[forms.BoundField, list[forms.BoundField]]]:
        """Return each table's number field with the fields of its places."""
        return [
            (
                self[f"table_{row}"],
                [self[f"place_{row}_{place}"] for place in range(self.places)],
            )
            for row in range(self.count)
        ]

    def clean(self) -> dict[str, Any]:
        """Say at its field who is seated twice."""
        cleaned = super().clean() or self.cleaned_data
        at: dict[str, int] = {}
        for row in range(self.count):
            for place in range(self.places):
                name = f"place_{row}_{place}"
                chosen = cleaned.get(name)
                if not chosen:
                    continue
                if chosen in at:
                    text = gettext("Seated at table %(table)s already. Choose somebody else.")
                    table = cleaned.get(f"table_{at[chosen]}") or at[chosen] + 1
                    self.add_error(name, text % {"table": table})
                else:
                    at[chosen] = row
        return cleaned

    def given(self) -> dict[str, Any]:
        """Return the keywords of the service; tables without anybody are left away."""
        tables = []
        seated: set[int] = set()
        for row in range(self.count):
            chosen = [
                int(self.cleaned_data[f"place_{row}_{place}"])
                for place in range(self.places)
                if self.cleaned_data[f"place_{row}_{place}"]
            ]
            if chosen:
                tables.append(TableData(self.cleaned_data[f"table_{row}"], tuple(chosen)))
                seated.update(chosen)
        left = [one.entry.number for one in self.page.entries if one.entry.number not in seated]
        return {"tables": tables, "byes": left if self.cleaned_data["byes"] else []}

"""Forms of appeals: filing one, naming its panel, deciding it."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import blake2b
from typing import Any
from uuid import uuid4

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from tournaments.forms.fields import PlainForm, WholeNumberField
from tournaments.models import Appeal, Entry, Official
from tournaments.policies import MOST_APPEAL_MINUTES
from tournaments.services.appeal_decisions import FEES, VERDICTS
from tournaments.services.appeals import (
    LONGEST_FEE,
    LONGEST_NAME,
    LONGEST_REASON,
    LONGEST_TEXT,
)

_TEXT = {"dir": "auto", "rows": 5}
_WORDS = {"dir": "auto"}


class FilingForm(PlainForm):
    """Who appeals, why, and the fee that was deposited."""

    client_key = forms.UUIDField(widget=forms.HiddenInput)
    entry = forms.TypedChoiceField(
        label=_("Who appeals"),
        coerce=int,
        widget=forms.RadioSelect,
        error_messages={"required": _("Nobody is chosen. Choose the side that appeals.")},
    )
    on_behalf_of = forms.CharField(
        label=_("Who brought it forward"),
        max_length=LONGEST_NAME,
        required=False,
        help_text=_("The name of the player or captain, as on the written appeal."),
        widget=forms.TextInput(attrs=_WORDS),
    )
    grounds = forms.CharField(
        label=_("Grounds"),
        max_length=LONGEST_TEXT,
        help_text=_("What the appeal is about. Only officials read it."),
        error_messages={"required": _("The grounds are missing. Write what it is about.")},
        widget=forms.Textarea(attrs=_TEXT),
    )
    fee = forms.CharField(
        label=_("Fee deposited"),
        max_length=LONGEST_FEE,
        required=False,
        help_text=_("Amount and currency, such as 50 USD. Left empty where there is none."),
        widget=forms.TextInput(attrs=_WORDS),
    )
    late_reason = forms.CharField(
        label=_("Why it is taken after its time"),
        max_length=LONGEST_REASON,
        required=False,
        help_text=_("Only a director takes an appeal after the event’s time for appeals."),
        widget=forms.TextInput(attrs=_WORDS),
    )

    def __init__(
        self, *given: Any, entries: Iterable[Entry], has_limit: bool, **settings: Any
    ) -> None:
        super().__init__(*given, **settings)
        self.entries = {one.number: one for one in entries}
        field = self.fields["entry"]
        assert isinstance(field, forms.TypedChoiceField)
        field.choices = [(number, one.name) for number, one in self.entries.items()]
        if not has_limit:
            del self.fields["late_reason"]
        self.initial.setdefault("client_key", uuid4())

    def filing(self) -> dict[str, Any]:
        """Return what services.appeals.file_appeal takes."""
        said = dict(self.cleaned_data)
        return said | {"entry": self.entries[said["entry"]]}


class PanelForm(PlainForm):
    """Who decides: officials by their accounts, others by name."""

    accounts = forms.MultipleChoiceField(
        label=_("Officials on the panel"),
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text=_("They can write the decision down."),
    )
    names = forms.CharField(
        label=_("Others on the panel"),
        required=False,
        help_text=_("One name a line."),
        widget=forms.Textarea(attrs={"dir": "auto", "rows": 3}),
    )

    def __init__(self, *given: Any, appeal: Appeal, **settings: Any) -> None:
        panel = list(appeal.panel.select_related("user"))
        settings.setdefault(
            "initial",
            {
                "accounts": [one.user.username for one in panel if one.user],
                "names": "\n".join(one.name for one in panel if one.user is None),
            },
        )
        super().__init__(*given, **settings)
        field = self.fields["accounts"]
        assert isinstance(field, forms.MultipleChoiceField)
        officials = Official.objects.filter(tournament=appeal.tournament_id)
        people = {one.user.username: one.user for one in officials.select_related("user")}
        field.choices = [
            (name, user.get_full_name() or name) for name, user in sorted(people.items())
        ]

    def panel(self) -> dict[str, list[str]]:
        """Return what services.appeals.name_panel takes."""
        return {
            "accounts": self.cleaned_data["accounts"],
            "names": self.cleaned_data["names"].splitlines(),
        }


class VerdictForm(PlainForm):
    """How an appeal is decided, why, and what becomes of the result and the fee."""

    state = forms.ChoiceField(
        label=_("The appeal is"),
        choices=VERDICTS,
        widget=forms.RadioSelect,
        error_messages={"required": _("The decision is missing. Uphold or reject the appeal.")},
    )
    effect = forms.ChoiceField(
        label=_("What becomes of the result"),
        choices=Appeal.Effect.choices,
        initial=Appeal.Effect.NONE,
        widget=forms.RadioSelect,
    )
    absent = forms.TypedMultipleChoiceField(
        label=_("Who loses without play"),
        coerce=int,
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text=_("Where the match is won without play: everybody else at the table wins it."),
    )
    reasons = forms.CharField(
        label=_("Reasons"),
        max_length=LONGEST_TEXT,
        help_text=_("Only officials read them."),
        error_messages={"required": _("The reasons are missing. Write why it is so decided.")},
        widget=forms.Textarea(attrs=_TEXT),
    )
    fee_state = forms.ChoiceField(
        label=_("The fee is"),
        required=False,
        choices=[("", _("Returned if upheld, kept if rejected")), *FEES],
    )

    def __init__(self, *given: Any, appeal: Appeal, entries: Iterable[Entry], **settings: Any):
        super().__init__(*given, **settings)
        self.entries = {one.number: one for one in entries}
        field = self.fields["absent"]
        assert isinstance(field, forms.TypedMultipleChoiceField)
        field.choices = [(number, one.name) for number, one in self.entries.items()]
        if not appeal.fee:
            del self.fields["fee_state"]

    def clean(self) -> dict[str, Any]:
        """Say at its field that a walkover needs a loser."""
        cleaned = super().clean() or self.cleaned_data
        if cleaned.get("effect") == Appeal.Effect.WALKOVER and not cleaned.get("absent"):
            self.add_error("absent", gettext("Nobody is chosen. Choose who loses without play."))
        return cleaned

    @property
    def corrects(self) -> bool:
        """Say whether another score is put in the place of the stored one."""
        return self.data.get("effect") == Appeal.Effect.CORRECTED

    def chosen(self) -> list[Entry]:
        """Return who loses without play."""
        return [self.entries[number] for number in self.cleaned_data["absent"]]

    def fingerprint(self, more: object) -> str:
        """Return what was typed, in short: a decision counts only for what was previewed."""
        told = repr((sorted(self.cleaned_data.items(), key=str), more))
        return blake2b(told.encode(), digest_size=8).hexdigest()


class AppealTimeForm(PlainForm):
    """For how long after a result appeals are taken."""

    minutes = WholeNumberField(
        label=_("Minutes after a result"),
        required=False,
        min_value=1,
        max_value=MOST_APPEAL_MINUTES,
        help_text=_("Left empty, appeals are taken at any time before the event ends."),
    )

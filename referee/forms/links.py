"""What is sent from the pages of table links, confirmed rounds and referee calls."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from referee.models import TableCall, TableLink
from referee.models.links import LONGEST_WORD
from tournaments.forms.fields import PlainForm, WholeNumberField
from tournaments.policies_links import LinkRules
from tournaments.policies_moves import LONGEST_MOVE

SCOPES = [
    ("read", _("To read along")),
    ("record", _("To record the table: for its referee")),
    ("players", _("To record the table: for its players")),
    ("confirm", _("To confirm the rounds: one for each side")),
]


class LinksForm(PlainForm):
    """What links are wanted for: one table, or all tables of a round."""

    scope = forms.ChoiceField(label=_("What the codes are for"), choices=SCOPES)
    side = forms.CharField(required=False, max_length=2)
    match = WholeNumberField(required=False, min_value=1, widget=forms.HiddenInput)
    on_sheets = forms.BooleanField(label=_("Print them on the score sheets"), required=False)
    client_key = forms.UUIDField(widget=forms.HiddenInput)

    def wanted(self) -> dict[str, Any]:
        """Return what the services that make links take."""
        scope = self.cleaned_data["scope"]
        for_players = scope == "players"
        return {
            "scope": TableLink.Scope.RECORD if for_players else scope,
            "for_players": for_players,
            "client_key": self.cleaned_data["client_key"],
        }


class LinkRulesForm(PlainForm):
    """Who may record a table, how rounds are confirmed, how long links work."""

    players_record = forms.BooleanField(
        label=_("Players may record their own table by a code"), required=False
    )
    confirm_rounds = forms.BooleanField(
        label=_("The other side is asked to confirm each round"), required=False
    )
    one_holder = forms.BooleanField(
        label=_("One device at a time keeps the record of a table; others read along"),
        required=False,
    )
    hours = WholeNumberField(label=_("Hours a code works at most"), min_value=0)
    minutes_after = WholeNumberField(
        label=_("Minutes a code still works after its match is closed"), min_value=0
    )
    move_seconds = WholeNumberField(
        label=_("Seconds for a move on the timer of a table; 0: as the rules of the table say"),
        min_value=0,
        max_value=LONGEST_MOVE,
        required=False,
    )

    def rules(self) -> LinkRules:
        said = self.cleaned_data
        return LinkRules(**said | {"move_seconds": said["move_seconds"] or 0})


class ConfirmForm(PlainForm):
    """What a side says of a round."""

    number = WholeNumberField(min_value=0, widget=forms.HiddenInput)
    side = forms.CharField(max_length=2, widget=forms.HiddenInput)
    head = forms.CharField(max_length=64, widget=forms.HiddenInput)
    agrees = forms.BooleanField(required=False, widget=forms.HiddenInput)
    word = forms.CharField(label=_("What is wrong?"), required=False, max_length=LONGEST_WORD)


class SettleForm(PlainForm):
    """How a dispute was settled."""

    settlement = forms.CharField(
        label=_("How was it settled?"), required=False, max_length=LONGEST_WORD
    )


class CallForm(PlainForm):
    """What a table calls a referee for."""

    kind = forms.ChoiceField(label=_("What is it about?"), choices=TableCall.Kind.choices)
    note = forms.CharField(
        label=_("A few words, if needed"), required=False, max_length=LONGEST_WORD
    )
    client_key = forms.UUIDField(widget=forms.HiddenInput)


class OutcomeForm(PlainForm):
    """What came of a call."""

    outcome = forms.CharField(label=_("What came of it?"), required=False, max_length=LONGEST_WORD)

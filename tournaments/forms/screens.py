"""Forms of the screens of a hall: what one shows now, and how it shows things."""

from __future__ import annotations

from typing import Any

from django import forms
from django.conf import settings
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from tournaments.forms.fields import PlainForm, WholeNumberField
from tournaments.models import Screen, Stage, Tournament
from tournaments.models.screens import LONGEST_MESSAGE, LONGEST_NAME
from tournaments.services.screens import ScreenSettings


class SwitchForm(PlainForm):
    """What a screen needs to show one thing or another; the button pressed says which."""

    shows = forms.ChoiceField(
        choices=Screen.Shows.choices,
        required=False,
        widget=forms.HiddenInput,
        error_messages={
            "invalid_choice": _("A screen cannot show this. Press one of the buttons.")
        },
    )
    table = WholeNumberField(
        label=_("Featured table"),
        error_messages={"required": _("No table is given. Type its number, such as 1.")},
    )
    message = forms.CharField(
        label=_("Message"), required=False, max_length=LONGEST_MESSAGE, strip=True
    )
    stage = forms.ChoiceField(label=_("Stage"), required=False)

    def __init__(self, *given: Any, stages: list[Stage], screen: Screen, **more: Any) -> None:
        more.setdefault("auto_id", f"switch-{screen.pk or 'all'}-%s")
        more["initial"] = {
            "table": screen.table,
            "message": screen.message,
            "stage": screen.stage.number if screen.stage else "",
        }
        super().__init__(*given, **more)
        self.screen = screen
        self._stages = {str(stage.number): stage for stage in stages}
        choices = [("", gettext("The one being played"))]
        choices += [(number, stage.title) for number, stage in self._stages.items()]
        field = self.fields["stage"]
        if isinstance(field, forms.ChoiceField):
            field.choices = choices
        if len(stages) < 2:
            # There is nothing to choose; what is chosen all the same stays.
            field.widget = forms.HiddenInput()

    def clean(self) -> dict[str, Any]:
        """Say above the form what is wrong with the button, which is no field anybody sees.

        Whoever types a message, or another table, and presses Enter has pressed no button: what
        was typed is then shown.
        """
        for sentence in self.errors.get("shows", ()):
            self.add_error(None, sentence)
        if self.cleaned_data.get("shows") == "":
            meant = (("message", Screen.Shows.MESSAGE), ("table", Screen.Shows.FEATURED))
            typed = [shows for name, shows in meant if name in self.changed_data]
            if typed or self.screen.pk:
                self.cleaned_data["shows"] = typed[0] if typed else self.screen.shows
            else:
                text = gettext("Nothing is chosen. Press the button of what is to be shown.")
                self.add_error(None, text)
        return super().clean() or self.cleaned_data

    def given(self) -> dict[str, Any]:
        """Return the keywords of the service."""
        cleaned = self.cleaned_data
        return {
            "shows": cleaned["shows"],
            "table": cleaned["table"],
            "message": cleaned["message"],
            "stage": self._stages.get(cleaned["stage"]),
        }


class ScreenForm(PlainForm):
    """The name of a screen, its languages, and how it turns its pages."""

    name = forms.CharField(
        label=_("Name of the screen"),
        max_length=LONGEST_NAME,
        error_messages={
            "required": _("A screen needs a name. Type one, such as the place where it hangs.")
        },
    )
    language = forms.ChoiceField(label=_("Language"))
    second_language = forms.ChoiceField(label=_("Second language, in turn"), required=False)
    seconds = WholeNumberField(
        label=_("Seconds a page is shown"),
        error_messages={"required": _("No number of seconds is given. Ten is usual.")},
    )
    part = WholeNumberField(
        label=_("Part of long lists it shows"),
        error_messages={"required": _("No part is given. Type 1 where one screen shows all.")},
    )
    parts = WholeNumberField(
        label=_("Of so many parts"),
        error_messages={"required": _("No number is given. Type 1 where one screen shows all.")},
    )
    is_light = forms.BooleanField(label=_("Dark letters on white"), required=False)
    rings = forms.BooleanField(
        label=_("Rings when the time is over"),
        required=False,
        help_text=_("At most one screen of an event rings: the last one that was told to."),
    )

    def __init__(self, *given: Any, screen: Screen | None = None, **more: Any) -> None:
        shown = screen or Screen(language="en")
        more.setdefault("auto_id", f"screen-{shown.pk or 'new'}-%s")
        more["initial"] = {name: getattr(shown, name) for name in self.base_fields}
        super().__init__(*given, **more)
        self.screen = screen
        languages = list(settings.LANGUAGES)
        for name, choices in (
            ("language", languages),
            ("second_language", [("", gettext("none")), *languages]),
        ):
            field = self.fields[name]
            if isinstance(field, forms.ChoiceField):
                field.choices = choices

    def wanted(self) -> ScreenSettings:
        return ScreenSettings(**self.cleaned_data)


def stages_of(tournament: Tournament) -> list[Stage]:
    """Return the stages a screen can be told to show."""
    return list(tournament.stages.order_by("number"))

"""Forms of the calls of players, and of the documents of an event."""

from __future__ import annotations

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext_lazy as _

from tournaments.forms.fields import PlainForm, WholeNumberField
from tournaments.models.documents import LARGEST_FILE, LONGEST_LINK, LONGEST_TITLE


class CallForm(PlainForm):
    """Which table, and which of its seats; none for all of them."""

    table = WholeNumberField(label=_("Table"), min_value=1)
    seats = forms.MultipleChoiceField(
        label=_("Seats"),
        choices=[(letter, letter) for letter in "ABCD"],
        widget=forms.CheckboxSelectMultiple,
        required=False,
        help_text=_("None: everybody at the table is called."),
    )


class DocumentForm(PlainForm):
    """A title, and a PDF file or a link."""

    title = forms.CharField(label=_("Title"), max_length=LONGEST_TITLE)
    file = forms.FileField(
        label=_("PDF file"),
        required=False,
        widget=forms.ClearableFileInput(attrs={"accept": "application/pdf,.pdf"}),
        help_text=_("Up to 2 MB."),
    )
    link = forms.CharField(
        label=_("Link instead"),
        max_length=LONGEST_LINK,
        required=False,
        widget=forms.URLInput(attrs={"dir": "ltr"}),
    )

    def given(self) -> dict[str, object]:
        """Return what the service takes; of a file that is too large only a little more."""
        file: UploadedFile | None = self.cleaned_data["file"]
        return {
            "title": self.cleaned_data["title"],
            "link": self.cleaned_data["link"],
            "content": file.read(LARGEST_FILE + 1) if file else b"",
        }

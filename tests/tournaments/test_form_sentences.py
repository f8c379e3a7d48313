"""No form shows a sentence of the framework, whatever is typed into it."""

from __future__ import annotations

import copy
import importlib
import inspect
from typing import Any

import pytest
from django import forms
from django.conf import settings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils import translation
from django.utils.datastructures import MultiValueDict

from tests.framework_sentences import told_by_the_framework
from tests.test_conventions import MODULES, name_of, read
from tournaments.forms.access import SignInForm
from tournaments.forms.fields import DayField, OwnWords, PlainForm, WholeNumberField

WRONG = (
    "", " ", "abc", "-1", "0", "1.5", "99999999999999999999", "9" * 6_000, "a\0b", "x" * 5_000,
    "2026-13-45", "٩٩٩٩٩٩٩٩٩٩", "on", "[]", "other",
)  # fmt: skip


def form_classes() -> list[type[forms.BaseForm]]:
    """Return every form the project has."""
    found = set()
    for path in MODULES:
        if "Form" in read(path) and path.name != "__main__.py" and path.name != "admin.py":
            module = importlib.import_module(name_of(path).removesuffix(".py").replace("/", "."))
            for _name, one in inspect.getmembers(module, inspect.isclass):
                if issubclass(one, forms.BaseForm) and one.__module__ == module.__name__:
                    found.add(one)
    return sorted(found, key=lambda one: (one.__module__, one.__name__))


FORMS = form_classes()


def test_every_form_speaks_for_itself():
    assert len(FORMS) > 30
    wrong = [one.__name__ for one in FORMS if not issubclass(one, OwnWords)]
    assert wrong == []


def sentences(field: forms.Field, typed: str) -> list[str]:
    """Return what a form with this one field says about what was typed."""
    sent = MultiValueDict({"field": [typed] if typed else []})
    file = SimpleUploadedFile(("x" * 300) + ".csv", b"")
    form = type("One", (PlainForm,), {"field": copy.deepcopy(field)})(
        sent, MultiValueDict({"field": [file]} if typed == "on" else {})
    )
    return [str(one) for told in form.errors.values() for one in told]


@pytest.mark.parametrize("language", [code for code, _ in settings.LANGUAGES])
def test_no_field_of_a_form_is_refused_in_the_frameworks_words(language: str):
    told = []
    with translation.override(language):
        for one in FORMS:
            fields: dict[str, forms.Field] = getattr(one, "base_fields", {})
            told += [
                (one.__name__, name, typed[:20], said)
                for name, field in fields.items()
                for typed in WRONG
                for said in sentences(field, typed)
            ]
    assert len(told) > 100
    assert [one for one in told if told_by_the_framework(one[3], language)] == []


@pytest.mark.parametrize(
    ("field", "typed", "sentence"),
    [
        (
            WholeNumberField(min_value=2, max_value=512),
            "abc",
            "“abc” was given here, but a whole number from 2 to 512 is expected. Correct it.",
        ),
        (
            WholeNumberField(min_value=2, max_value=512),
            "600",
            "“600” was given here, but a whole number from 2 to 512 is expected. Correct it.",
        ),
        (
            WholeNumberField(min_value=2),
            "",
            "Nothing was given here, but a whole number of at least 2 is expected. Fill it in.",
        ),
        (
            DayField(),
            "soon",
            "“soon” was given here, but a day such as 2026-11-30 is expected. Correct it.",
        ),
        (
            forms.CharField(max_length=3),
            "Rosa",
            "“Rosa…” is too long: 4 characters. Use 3 at most.",
        ),
        (
            forms.ChoiceField(choices=[("a", "A")]),
            "b",
            "“b” cannot be chosen here. Choose something from the list.",
        ),
        (
            forms.ChoiceField(choices=[("a", "A")]),
            "",
            "Nothing is chosen here. Choose something from the list.",
        ),
        (forms.BooleanField(), "", "This is not ticked, but it has to be. Tick it to go on."),
        (
            forms.FileField(),
            "",
            "Nothing was given here, but a file is expected. Fill it in.",
        ),
    ],
)
def test_a_field_says_what_was_found_and_what_to_do(field: Any, typed: str, sentence: str):
    assert sentences(field, typed) == [sentence]


def test_a_sentence_a_field_brings_along_stays():
    field = WholeNumberField(error_messages={"required": "Type the number of the table."})
    assert sentences(field, "") == ["Type the number of the table."]


@pytest.mark.django_db
def test_signing_in_is_refused_in_our_words():
    for typed in ({}, {"username": "rosa", "password": "wrong"}):
        form = SignInForm(data=typed)
        told = [str(one) for errors in form.errors.values() for one in errors]
        assert told
        assert not [one for one in told if told_by_the_framework(one, "en")]

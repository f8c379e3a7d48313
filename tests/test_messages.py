"""The translation tool: what it collects, what it keeps, what it does not let pass."""

from __future__ import annotations

import io
import re

import pytest
from babel.messages.catalog import Message
from babel.messages.mofile import read_mo
from django.conf import settings

from scripts import messages
from tournaments.project.languages import languages

PYTHON = """
from engine.errors import marked
from django.utils.translation import gettext, ngettext, pgettext

text = marked(
    "%(tile)s is already in the line of play. "
    "Check the tile you entered."
)
gettext("Sign in")
ngettext("%(count)s tile", "%(count)s tiles", 2)
pgettext("a tie", "Draw")
gettext(text)
"""
TEMPLATE = """{% load i18n %}
  {% translate "Open table" %} it's "not" (marked
    {% blocktranslate count n=tiles|length trimmed %}
      {{ n }} tile, 50%
    {% plural %}
      {{ n }} tiles, 50%
    {% endblocktranslate %}
  <p title="{% translate "Draw" context "from the boneyard" %}">{{ _("Round") }}</p>
"""


@pytest.fixture
def project(tmp_path, monkeypatch):
    """A small project of its own, in Arabic only."""
    (tmp_path / "engine").mkdir()
    (tmp_path / "templates").mkdir()
    (tmp_path / "engine" / "errors.py").write_text(PYTHON, encoding="utf-8")
    (tmp_path / "templates" / "page.html").write_text(TEMPLATE, encoding="utf-8")
    monkeypatch.setattr(messages, "ROOT", tmp_path)
    monkeypatch.setattr(messages, "LOCALE", tmp_path / "locale")
    assert messages.add("ar") == 0
    return tmp_path


def test_sentences_of_python_and_of_templates_are_collected(project):
    found = {(one.id, one.context) for one in messages.collect("ar") if one.id}
    assert found == {
        ("%(tile)s is already in the line of play. Check the tile you entered.", None),
        ("Sign in", None),
        (("%(count)s tile", "%(count)s tiles"), None),
        ("Draw", "a tie"),
        ("Open table", None),
        (("%(n)s tile, 50%%", "%(n)s tiles, 50%%"), None),
        ("Draw", "from the boneyard"),
        ("Round", None),
    }


def test_an_update_keeps_translations_and_forgets_what_is_gone(project, capsys):
    messages.update()
    path = messages.catalog_path("ar")
    signed = path.read_text(encoding="utf-8").replace(
        'msgid "Sign in"\nmsgstr ""', '# seen\nmsgid "Sign in"\nmsgstr "تسجيل الدخول"'
    )
    path.write_text(signed, encoding="utf-8")
    (project / "templates" / "page.html").write_text("", encoding="utf-8")
    messages.update()
    text = path.read_text(encoding="utf-8")
    assert 'msgid "Sign in"\nmsgstr "تسجيل الدخول"' in text
    assert "Open table" not in text
    messages.update()
    assert path.read_text(encoding="utf-8") == text
    assert "sentences" in capsys.readouterr().out


def test_a_catalog_without_todays_sentences_is_stale(project, capsys):
    messages.update()
    (project / "templates" / "page.html").write_text("{% load i18n %}{% translate 'New' %}")
    assert messages.check() == 1
    assert "does not have the sentences of the code" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("sentence", "translation", "fault"),
    [
        ("Table %(table)s", "", "is not translated"),
        ("Table %(table)s", "طاولة", r"lacks %\(table\)s"),
        ("Table %(table)s", "طاولة %(tabel)s", r"has %\(tabel\)s"),
        ("%(share)s%% played", "%(share)s% ملعوب", "cannot be filled in"),
        ("Sign in", "Sign in", "Latin letters"),
        (("%(n)s tile", "%(n)s tiles"), ("", "ا", "ا", "%(n)s ا", "%(n)s ا", "%(n)s ا"), "not tr"),
        (("%(n)s tile", "%(n)s tiles"), ("ا", "ا", "ا", "%(n)s ا", "%(n)s ا", "ا"), "lacks"),
    ],
)
def test_a_wrong_translation_is_named(sentence, translation, fault):
    message = Message(sentence, translation)
    assert any(re.search(fault, one) for one in messages.faults("ar", message))


def test_forms_for_none_one_and_two_may_say_the_number_in_words():
    forms = ("لا قطع", "قطعة واحدة", "قطعتان", "%(n)s قطع", "%(n)s قطعة", "%(n)s قطعة")
    assert list(messages.faults("ar", Message(("%(n)s tile", "%(n)s tiles"), forms))) == []


def test_a_doubtful_translation_is_not_let_pass():
    message = Message("Sign in", "تسجيل الدخول", flags={"fuzzy"})
    assert list(messages.faults("ar", message)) == ["is marked fuzzy"]


def test_compiled_catalogs_hold_what_was_translated(project):
    messages.update()
    path = messages.catalog_path("ar")
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace('"Round"\nmsgstr ""', '"Round"\nmsgstr "جولة"'), encoding="utf-8")
    messages.compile_catalogs()
    catalog = read_mo(io.BytesIO(path.with_suffix(".mo").read_bytes()))
    assert [one.string for one in catalog if one.id == "Round"] == ["جولة"]
    assert catalog.num_plurals == 6


@pytest.mark.parametrize(
    ("language", "name", "plurals"),
    [
        ("fr", "Français", "nplurals=3"),
        ("tr", "Türkçe", "nplurals=2"),
        ("ru", "Русский", "nplurals=3"),
    ],
)
def test_a_new_language_is_a_new_catalog_and_no_code(project, language, name, plurals, capsys):
    assert messages.add(language) == 0
    assert f"{language}/LC_MESSAGES/django.po: 8 sentences, 8 to be looked at" in (
        capsys.readouterr().out
    )
    offered = {one.code: one for one in languages(messages.LOCALE)}
    assert list(offered) == ["en", "ar", language]
    assert offered[language].name == name
    assert plurals in offered[language].plurals
    assert messages.check() == 1
    path = messages.catalog_path(language)
    before = path.read_text(encoding="utf-8")
    assert messages.add(language) == 1
    assert path.read_text(encoding="utf-8") == before


def test_a_code_that_is_no_language_begins_nothing(project, capsys):
    assert messages.add("qq") == 1
    assert "“qq” is no language's code" in capsys.readouterr().out
    assert not messages.catalog_path("qq").exists()


def test_every_catalog_is_offered_by_its_own_name():
    offered = dict(settings.LANGUAGES)
    assert set(offered) == {"en", *messages.languages()}
    assert [offered[code] for code in ("ar", "fa", "es")] == ["العربية", "فارسی", "Español"]
    assert {one.code: one.digits for one in languages() if one.digits} == {
        "ar": "٠١٢٣٤٥٦٧٨٩",
        "fa": "۰۱۲۳۴۵۶۷۸۹",
    }

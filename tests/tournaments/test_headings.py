"""The headings of players' lists are recognised in every language the site has."""

from __future__ import annotations

import pytest
from django.conf import settings
from django.utils.translation import gettext, override

from tournaments.lists.columns import LABELS_OF_ONE, recognised
from tournaments.lists.sheets import Cell, Line, Sheet


def sheet_of(*headings: str) -> Sheet:
    cells = tuple(Cell(one) for one in headings)
    return Sheet((Line(1, cells),), "utf-8")


@pytest.mark.parametrize(
    ("headings", "kind", "fields"),
    [
        (("Joueur", "Club", "Pays", "N° de licence"), "single", "player1 club country number1"),
        (("Nom", "Clube", "País"), "single", "player1 club country"),
        (("Jogador 1", "Jogador 2", "Cabeça de chave"), "pair", "player1 player2 seed"),
        (("Joueur A", "Partenaire", "Fédération"), "pair", "player1 player2 country"),
        (("Dupla", "Nome da dupla"), "pair", "both "),
    ],
)
def test_headings_in_french_and_portuguese_are_recognised(headings, kind, fields):
    found, first = recognised(sheet_of(*headings), kind)
    assert first is not None
    assert " ".join(found) == fields


@pytest.mark.parametrize("language", [code for code, _ in settings.LANGUAGES])
def test_the_names_the_site_itself_has_for_columns_are_headings(language):
    with override(language):
        headings = {field: gettext(label) for field, label in LABELS_OF_ONE.items() if field}
    found, first = recognised(sheet_of(*headings.values()), "single")
    assert first is not None
    assert list(found) == list(headings)

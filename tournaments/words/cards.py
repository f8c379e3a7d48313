"""Words of the ledger of cards: kinds, and the articles a proposed card comes from."""

from __future__ import annotations

from django.utils.translation import gettext

from engine.errors import Phrase
from engine.ladder import INFRACTIONS_ARTICLE, article_of
from engine.own_penalties import Own
from tournaments.words.rules import kind_name

REPEATED = "repeated"
"""The kind of what several infractions of one match come to."""


def kind_on_ledger(kind: str, own: Own) -> str:
    """Return a kind in the reader's language; "" for a card that has none of its own."""
    if kind == REPEATED:
        return gettext("Several infractions in one match")
    return kind_name(kind, own) if kind else ""


def rung_article(profile: str, kind: str) -> Phrase:
    """Return where a card that the system proposes comes from."""
    return INFRACTIONS_ARTICLE if kind == REPEATED else article_of(profile)

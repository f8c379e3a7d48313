"""What the director's pages need to say about a line, a stage or a refusal."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from django import template
from django.utils.translation import get_language_bidi

from tournaments import permissions
from tournaments.direction import isolated
from tournaments.errors.base import Sentence, explain
from tournaments.permissions import Visitor
from tournaments.queries.events import EntryLine, StageLine

register = template.Library()


@dataclass(frozen=True, slots=True)
class _Isolated:
    """A sentence whose fillings keep their own direction of reading."""

    text: str
    params: Mapping[str, object]


@register.filter
def explained(sentence: Sentence) -> str:
    """Say a marked sentence in the reader's language, names in their own direction."""
    if get_language_bidi():
        return explain(sentence)
    params = {
        name: isolated(value) if isinstance(value, str) else value
        for name, value in sentence.params.items()
    }
    return explain(_Isolated(sentence.text, params))


@register.filter
def has_own_name(line: EntryLine) -> bool:
    """Say whether an entry is called otherwise than by its players' names."""
    return line.entry.name not in {
        " / ".join(player.name for player in line.players),
        " – ".join(player.name for player in line.players),
    }


@register.filter
def only_drafts(line: StageLine) -> bool:
    """Say whether nothing of a stage has been published."""
    return all(one.is_draft for one in line.rounds)


@register.filter
def has_desk(user: Visitor | str | None) -> bool:
    """Say whether somebody sets up or directs anything; a page without user has nobody."""
    return user is not None and not isinstance(user, str) and permissions.has_desk(user)

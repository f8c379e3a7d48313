"""What the director's pages need to say about a line, a stage or a refusal."""

from __future__ import annotations

from django import template

from tournaments.errors import Sentence, explain
from tournaments.queries import EntryLine, StageLine

register = template.Library()


@register.filter
def explained(sentence: Sentence) -> str:
    """Say a marked sentence in the reader's language."""
    return explain(sentence)


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

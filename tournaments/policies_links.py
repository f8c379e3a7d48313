"""What an event says about table links: who records a table, and how rounds are confirmed."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Final

from tournaments.models import Tournament

TABLE_LINKS: Final = "table_links"
MOST_HOURS: Final = 24 * 7
MOST_MINUTES_AFTER: Final = 24 * 60


@dataclass(frozen=True, slots=True)
class LinkRules:
    """What holds for the tables of an event.

    `players_record`: players may record their own table by a link. `confirm_rounds`: the other
    side is asked to confirm each round. `one_holder`: one device at a time keeps a record.
    `hours`: how long a link works at most; `minutes_after`: how long after the match is closed.
    `move_seconds`: what the move timer of a table counts; 0 where its rules decide.
    """

    players_record: bool = False
    confirm_rounds: bool = False
    one_holder: bool = True
    hours: int = 12
    minutes_after: int = 30
    move_seconds: int = 0


def link_rules(tournament: Tournament) -> LinkRules:
    """Return what an event has set; the rest is as usual."""
    return rules_said(tournament.policies)


def rules_said(policies: dict[str, Any]) -> LinkRules:
    """Return what the policies of an event say about table links."""
    usual = asdict(LinkRules())
    said: dict[str, Any] = policies.get(TABLE_LINKS) or {}
    # An event from a file may say anything here: what makes no sense is as usual.
    known = {
        name: value for name, value in said.items() if type(value) is type(usual.get(name, ""))
    }
    return LinkRules(**{**usual, **{name: known[name] for name in usual if name in known}})

"""The log of the desk in sentences."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.utils.translation import gettext, gettext_noop

from tournaments.errors import listed
from tournaments.models import LogEntry, Official

# By act; the first sentence whose gaps the details can fill is said.
SENTENCES: Final[Mapping[str, tuple[str, ...]]] = {
    "created": (gettext_noop("set up the event"),),
    "rules_changed": (gettext_noop("changed the rules"),),
    "details_changed": (gettext_noop("changed where or when it is played"),),
    "registration_opened": (gettext_noop("opened registration"),),
    "started": (gettext_noop("closed registration and started the event"),),
    "finished": (gettext_noop("finished the event"),),
    "official_added": (gettext_noop("gave %(username)s a duty: %(duty)s"),),
    "official_removed": (gettext_noop("took a duty from %(username)s: %(duty)s"),),
    "entry_registered": (gettext_noop("registered entry %(entry)s, %(name)s"),),
    "entry_changed": (gettext_noop("changed entry %(entry)s, %(name)s"),),
    "entry_withdrawn": (gettext_noop("withdrew entry %(entry)s, %(name)s"),),
    "entry_reinstated": (gettext_noop("let entry %(entry)s, %(name)s, return"),),
    "entry_removed": (gettext_noop("removed entry %(entry)s, %(name)s"),),
    "entries_imported": (gettext_noop("imported entries from a list (%(entries)s)"),),
    "round_robin_made": (gettext_noop("drafted a round robin of %(rounds)s rounds, %(stage)s"),),
    "stage_made": (gettext_noop("began a stage seated by hand, %(stage)s"),),
    "stage_discarded": (gettext_noop("threw away the drafts of %(stage)s"),),
    "round_seated": (gettext_noop("seated round %(round)s of %(stage)s"),),
    "round_published": (gettext_noop("published round %(round)s of %(stage)s"),),
    "result": (gettext_noop("closed table %(table)s in round %(round)s of %(stage)s"),),
    "walkover": (
        gettext_noop("closed table %(table)s in round %(round)s of %(stage)s: somebody was absent"),
    ),
    "match_reopened": (
        gettext_noop("opened table %(table)s in round %(round)s of %(stage)s again"),
        gettext_noop("gave the reason for opening a table again: %(reason)s"),
    ),
    "match_closed_early": (gettext_noop("closed a table before its end, because: %(reason)s"),),
}
_SHOWN_OF_A_LIST: Final = 8


@dataclass(frozen=True, slots=True)
class LogLine:
    """Who did what, and when."""

    at: datetime
    who: str
    what: str


def log_lines(entries: Iterable[LogEntry]) -> tuple[LogLine, ...]:
    """Return log entries in the reader's language."""
    return tuple(
        LogLine(one.at, str(one.by) if one.by else gettext("somebody"), _said(one))
        for one in entries
    )


def _said(entry: LogEntry) -> str:
    fillings = {name: _filling(name, value) for name, value in entry.details.items()}
    for text in SENTENCES.get(entry.act, ()):
        try:
            return gettext(text) % fillings
        except KeyError:
            continue
    return entry.act.replace("_", " ")


def _filling(name: str, value: object) -> object:
    if name == "duty":
        return Official.Duty(value).label if value in Official.Duty.values else value
    if isinstance(value, list):
        shown = listed(value[:_SHOWN_OF_A_LIST])
        return shown if len(value) <= _SHOWN_OF_A_LIST else shown + " …"
    return value

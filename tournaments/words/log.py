"""The log of the desk in sentences."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.utils.translation import gettext, gettext_noop

from engine.ladder import SEVERITY_LABELS
from tournaments.digits import local_digits
from tournaments.errors.base import explain
from tournaments.models import Appeal, Bye, LogEntry, Official, Screen, Stage
from tournaments.rules import tie_break_label
from tournaments.words.hidden import SENTENCES as HIDDEN_SENTENCES
from tournaments.words.log_appeals import SENTENCES as APPEAL_SENTENCES
from tournaments.words.log_calls import SENTENCES as CALL_SENTENCES
from tournaments.words.log_cards import SENTENCES as CARD_SENTENCES
from tournaments.words.log_draws import SENTENCES as DRAW_SENTENCES
from tournaments.words.log_links import SENTENCES as LINK_SENTENCES
from tournaments.words.log_prints import SENTENCES as PRINT_SENTENCES
from tournaments.words.log_screens import SENTENCES as SCREEN_SENTENCES
from tournaments.words.log_signing import SENTENCES as SIGNING_SENTENCES
from tournaments.words.prints import BY_KIND as PRINTS

# By act; the first sentence whose gaps the details can fill is said.
SENTENCES: Final[Mapping[str, tuple[str, ...]]] = {
    **APPEAL_SENTENCES,
    **CARD_SENTENCES,
    **DRAW_SENTENCES,
    **LINK_SENTENCES,
    **CALL_SENTENCES,
    **PRINT_SENTENCES,
    **HIDDEN_SENTENCES,
    **SCREEN_SENTENCES,
    **SIGNING_SENTENCES,
    "created": (gettext_noop("%(who)s set up the event"),),
    "rules_changed": (gettext_noop("%(who)s changed the rules"),),
    "details_changed": (gettext_noop("%(who)s changed where or when it is played"),),
    "registration_opened": (gettext_noop("%(who)s opened registration"),),
    "started": (gettext_noop("%(who)s closed registration and started the event"),),
    "finished": (gettext_noop("%(who)s finished the event"),),
    "official_added": (gettext_noop("%(who)s gave %(username)s a duty: %(duty)s"),),
    "official_removed": (gettext_noop("%(who)s took a duty from %(username)s: %(duty)s"),),
    "entry_registered": (gettext_noop("%(who)s registered entry %(entry)s, %(name)s"),),
    "entry_changed": (gettext_noop("%(who)s changed entry %(entry)s, %(name)s"),),
    "entry_withdrawn_itself": (
        gettext_noop("Entry %(entry)s, %(name)s, was withdrawn by its own players"),
    ),
    "entry_withdrawn": (gettext_noop("%(who)s withdrew entry %(entry)s, %(name)s"),),
    "entry_reinstated": (gettext_noop("%(who)s let entry %(entry)s, %(name)s, return"),),
    "entry_removed": (gettext_noop("%(who)s removed entry %(entry)s, %(name)s"),),
    "player_corrected": (gettext_noop("%(who)s corrected the player %(before)s: %(name)s"),),
    "entries_imported": (gettext_noop("%(who)s imported entries from a list (%(entries)s)"),),
    "round_robin_made": (
        gettext_noop("%(who)s drafted a round robin of %(rounds)s rounds, %(stage)s"),
    ),
    "stage_made": (
        gettext_noop("%(who)s made the stage %(stage)s, with so many entries: %(entries)s"),
        gettext_noop("%(who)s began a stage seated by hand, %(stage)s"),
    ),
    "stage_closed": (gettext_noop("%(who)s closed the stage %(stage)s"),),
    "stage_reopened": (
        gettext_noop("%(who)s opened the stage %(stage)s again, because: %(reason)s"),
    ),
    "stage_discarded": (gettext_noop("%(who)s threw away the drafts of %(stage)s"),),
    "round_seated": (gettext_noop("%(who)s seated round %(round)s of %(stage)s"),),
    "round_published": (gettext_noop("%(who)s published round %(round)s of %(stage)s"),),
    "table_rules": (
        gettext_noop("%(who)s set the rules of table %(table)s in round %(round)s of %(stage)s"),
    ),
    "event_imported": (gettext_noop("%(who)s imported the event from a file"),),
    "event_restored": (
        gettext_noop("%(who)s put the event back to what a file says; what it replaced is kept"),
    ),
    "tie_breaks_changed": (
        gettext_noop("%(who)s chose what decides the places of %(stage)s: %(tie_breaks)s"),
    ),
    "result": (
        gettext_noop("%(who)s closed table %(table)s in round %(round)s of %(stage)s: %(score)s"),
        gettext_noop("%(who)s closed table %(table)s in round %(round)s of %(stage)s"),
    ),
    "walkover": (
        gettext_noop(
            "%(who)s closed table %(table)s in round %(round)s of %(stage)s: entry "
            "%(disqualified)s is disqualified"
        ),
        gettext_noop(
            "%(who)s closed table %(table)s in round %(round)s of %(stage)s: absent were "
            "%(absent)s, card: %(card)s"
        ),
        gettext_noop(
            "%(who)s closed table %(table)s in round %(round)s of %(stage)s: absent were %(absent)s"
        ),
        gettext_noop(
            "%(who)s closed table %(table)s in round %(round)s of %(stage)s: somebody was absent"
        ),
    ),
    "seats_emptied": (
        gettext_noop(
            "%(who)s let table %(table)s in round %(round)s of %(stage)s be played without the "
            "absent %(absent)s, card: %(card)s"
        ),
        gettext_noop(
            "%(who)s let table %(table)s in round %(round)s of %(stage)s be played without the "
            "absent %(absent)s"
        ),
    ),
    "match_reopened": (
        gettext_noop("%(who)s opened table %(table)s in round %(round)s of %(stage)s again"),
        gettext_noop("%(who)s gave the reason for opening a table again: %(reason)s"),
    ),
    "table_left": (
        gettext_noop(
            "%(who)s closed table %(table)s in round %(round)s of %(stage)s: left by %(left)s, "
            "%(reason)s"
        ),
    ),
    "result_reported": (
        gettext_noop(
            "%(who)s reported table %(table)s in round %(round)s of %(stage)s; a second person "
            "checks it"
        ),
    ),
    "report_rejected": (
        gettext_noop(
            "%(who)s rejected the report of table %(table)s in round %(round)s of %(stage)s"
        ),
    ),
    "second_check_on": (gettext_noop("%(who)s asked for a second check of typed scores"),),
    "second_check_off": (gettext_noop("%(who)s let typed scores count at once"),),
    "round_remade": (
        gettext_noop(
            "%(who)s drew the published round %(round)s of %(stage)s anew, tables: %(tables)s, "
            "byes: %(byes)s, because: %(reason)s"
        ),
    ),
    "result_rules_changed": (gettext_noop("%(who)s changed how results count"),),
    "result_corrected": (
        gettext_noop(
            "%(who)s corrected table %(table)s in round %(round)s of %(stage)s to %(score)s: "
            "%(reason)s"
        ),
    ),
    "all_lose": (
        gettext_noop(
            "%(who)s let everybody lose at table %(table)s in round %(round)s of %(stage)s: "
            "%(reason)s"
        ),
    ),
    "result_put_back": (
        gettext_noop(
            "%(who)s let the earlier result of table %(table)s in round %(round)s of %(stage)s "
            "count again"
        ),
    ),
    "seats_swapped": (
        gettext_noop(
            "%(who)s exchanged the seats of %(name)s and %(other_name)s, tables %(table)s and "
            "%(other_table)s in round %(round)s of %(stage)s: %(reason)s"
        ),
    ),
    "meeting_decided": (
        gettext_noop(
            "%(who)s let entry %(entry)s, %(name)s, go on from table %(table)s in round %(round)s "
            "of %(stage)s, which both sides lost: %(reason)s"
        ),
        gettext_noop(
            "%(who)s let nobody go on from table %(table)s in round %(round)s of %(stage)s: "
            "%(reason)s"
        ),
    ),
    "match_replayed": (
        gettext_noop(
            "%(who)s let table %(table)s in round %(round)s of %(stage)s be played again: "
            "%(reason)s"
        ),
    ),
    "entry_disqualified": (
        gettext_noop("%(who)s disqualified entry %(entry)s, %(name)s: %(reason)s"),
    ),
    "clock_set": (
        gettext_noop(
            "%(who)s set the clock of round %(round)s of %(stage)s to %(minutes)s minutes"
        ),
    ),
    "clock_stopped": (gettext_noop("%(who)s stopped the clock of round %(round)s of %(stage)s"),),
    "extra_time": (
        gettext_noop(
            "%(who)s set the extra time of table %(table)s in round %(round)s of %(stage)s to "
            "%(seconds)s seconds: %(reason)s"
        ),
    ),
    "entry_registered_itself": (
        gettext_noop("Entry %(entry)s, %(name)s, was made by its players"),
    ),
    "entry_moved_up": (gettext_noop("Entry %(entry)s, %(name)s, moved up from the waiting list"),),
    "entry_joined_late": (
        gettext_noop(
            "%(who)s let entry %(entry)s, %(name)s, play in %(stage)s from round %(round)s on"
        ),
    ),
    "entries_withdrawn": (
        gettext_noop("%(who)s withdrew %(count)s entries that had not come: %(entries)s"),
    ),
    "registration_changed": (gettext_noop("%(who)s changed how players enter"),),
    "policies_changed": (
        gettext_noop(
            "%(who)s changed what byes and absences are worth and who can enter late: %(reason)s"
        ),
        gettext_noop("%(who)s changed what byes and absences are worth and who can enter late"),
    ),
    "fee_paid": (gettext_noop("%(who)s noted that entry %(entry)s, %(name)s, has paid"),),
    "fee_not_paid": (gettext_noop("%(who)s noted that entry %(entry)s, %(name)s, has not paid"),),
    "checked_in": (gettext_noop("%(who)s checked in entry %(entry)s, %(name)s"),),
    "check_in_undone": (gettext_noop("%(who)s took back that entry %(entry)s, %(name)s, is here"),),
    "absence_noted": (
        gettext_noop(
            "%(who)s noted that entry %(entry)s, %(name)s, misses round %(round)s of %(stage)s"
        ),
    ),
    "absence_taken_back": (
        gettext_noop(
            "%(who)s noted that entry %(entry)s, %(name)s, is there for round %(round)s of "
            "%(stage)s"
        ),
    ),
    "substitute_added": (
        gettext_noop("%(who)s put %(player)s on the bench of entry %(entry)s, %(name)s"),
    ),
    "substitute_removed": (
        gettext_noop("%(who)s took %(player)s off the bench of entry %(entry)s, %(name)s"),
    ),
    "substituted": (
        gettext_noop(
            "%(who)s let %(into)s play for %(out)s in entry %(entry)s, %(name)s, from round "
            "%(round)s on"
        ),
    ),
    "players_merged": (gettext_noop("%(who)s made one player of %(name)s and %(alias)s"),),
    "undone": (gettext_noop("%(who)s took back: %(sentence)s"),),
    "match_closed_early": (
        gettext_noop("%(who)s closed a table before its end, because: %(reason)s"),
    ),
}
_SHOWN_OF_A_LIST: Final = 8


@dataclass(frozen=True, slots=True)
class LogLine:
    """Who did what, in a sentence, and when."""

    at: datetime
    text: str
    entry: LogEntry
    part_of: int | None = None
    """The key of the line it was written with, and with which it is taken back."""


def log_lines(entries: Iterable[LogEntry]) -> tuple[LogLine, ...]:
    """Return log entries in the reader's language."""
    return tuple(
        LogLine(one.at, _said(one), one, (one.details.get("way_back") or {}).get("part_of"))
        for one in entries
    )


@dataclass(frozen=True, slots=True)
class LineOfLog:
    """A line of the log as a marked sentence, to stand alone or inside another one."""

    entry: LogEntry

    @property
    def text(self) -> str:
        """The first sentence of its act that its details can fill."""
        params = self.params
        for text in SENTENCES.get(self.entry.act, ()):
            with suppress(KeyError):
                text % params
                return text
        return "%(who)s: %(act)s"

    @property
    def params(self) -> Mapping[str, object]:
        entry = self.entry
        params = {name: _filling(name, value) for name, value in entry.details.items()}
        params |= {"who": _who(entry), "act": entry.act.replace("_", " ")}
        if entry.details.get("stage_system") in Stage.System.values:
            params["stage"] = Stage.System(entry.details["stage_system"]).label
        if entry.act == "undone":
            params["sentence"] = LineOfLog(entry.undoes) if hasattr(entry, "undoes") else "–"
        return params


def _said(entry: LogEntry) -> str:
    return explain(LineOfLog(entry))


def _who(entry: LogEntry) -> str:
    if entry.by is None:
        if table := entry.details.get("by_table"):
            return gettext("The table link of table %(table)s") % {"table": table}
        # An imported event knows its people by name only.
        return str(entry.details.get("by_name") or gettext("Somebody who left"))
    return entry.by.get_full_name() or entry.by.username


def _filling(name: str, value: object) -> object:
    if name == "duty" and value in Official.Duty.values:
        return Official.Duty(value).label
    if name == "worth" and value in Bye.Worth.values:
        return Bye.Worth(value).label
    if name == "state" and value in Appeal.State.values:
        return Appeal.State(value).label
    if name == "effect" and value in Appeal.Effect.values:
        return Appeal.Effect(value).label
    if name == "severity" and value in SEVERITY_LABELS:
        return gettext(SEVERITY_LABELS[str(value)])
    if name == "screen_view" and value in Screen.Shows.values:
        return Screen.Shows(value).label
    if name == "print_kind" and value in PRINTS:
        return PRINTS[str(value)].label
    if name == "score":
        return local_digits(value)
    if name == "tie_breaks" and isinstance(value, list):
        return [tie_break_label(one) for one in value]
    if isinstance(value, list) and len(value) > _SHOWN_OF_A_LIST:
        return [*value[:_SHOWN_OF_A_LIST], "…"]
    return value

"""What taking back a decision changes, in sentences of its own, and the words of settings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from django.utils.translation import gettext_noop

from engine.profiles import PROFILES, Rules
from tournaments.words import (
    hidden,
    log_calls,
    log_cards,
    log_links,
    log_prints,
    log_screens,
    log_signing,
)


@dataclass(frozen=True, slots=True)
class Phrase:
    """A marked phrase with what fills it, for errors.explain."""

    text: str
    params: Mapping[str, object] = field(default_factory=dict)


def profile_phrase(rules: Rules) -> Phrase:
    """Name rules by their book and their target."""
    return Phrase(
        gettext_noop("%(profile)s, to %(target)s points"),
        {"profile": Phrase(PROFILES[rules.profile].name), "target": rules.target},
    )


POLICY_NAMES: Final[Mapping[str, str]] = {
    "bye": gettext_noop("Points of a bye"),
    "absences": gettext_noop("Points of an absence"),
    "most_excused": gettext_noop("Most excused absences"),
    "late_entry": gettext_noop("Last round for a late entry"),
    "categories": gettext_noop("Categories"),
    "appeal_minutes": gettext_noop("Minutes for an appeal"),
    "second_check": gettext_noop("Second check of typed scores"),
    "left_at_table": gettext_noop("What those left at a table get"),
    "level_results": gettext_noop("Level results"),
    "after_fine": gettext_noop("Who wins where penalty points cost the match"),
    "most_substitutes": gettext_noop("Most substitutes of an entry"),
    "cards": gettext_noop("What makes the next card"),
    "table_links": gettext_noop("Who may record a table"),
    "cards_shown": gettext_noop("Who sees the cards"),
    "hidden_from": gettext_noop("First round with hidden results"),
}

POLICY_WORDS: Final[Mapping[str, str]] = {
    "half": gettext_noop("half of the rounds"),
    "target": gettext_noop("the whole target"),
    "walkover": gettext_noop("half the target"),
    "absent": gettext_noop("absent"),
    "excused": gettext_noop("excused"),
    "late": gettext_noop("not entered yet"),
    "nobody": gettext_noop("nobody wins"),
    "rivals": gettext_noop("the other pair wins"),
}

# What is changed is more than columns say, or simpler.
OWN: Final[Mapping[str, str]] = {
    **hidden.OWN,
    **log_cards.OWN,
    **log_links.OWN,
    **log_screens.OWN,
    "registration_opened": gettext_noop(
        "Registration is open now; afterwards the event is in preparation again, and only its "
        "officials see it."
    ),
    "started": gettext_noop(
        "Registration is closed now; afterwards it is as it was before the start, and rounds "
        "cannot be drawn."
    ),
    "finished": gettext_noop(
        "The event is over now; afterwards it runs again, with the stages open that were open "
        "before."
    ),
    "entry_reinstated": gettext_noop(
        "Entry %(entry)s, “%(name)s”, is in the event now; afterwards it is out of it again."
    ),
    "entry_joined_late": gettext_noop("“%(name)s” plays in %(stage)s now; afterwards it does not."),
    "substitute_added": gettext_noop(
        "%(player)s is on the bench of “%(name)s” now; afterwards not any more."
    ),
    "substitute_removed": gettext_noop(
        "%(player)s is not on the bench of “%(name)s” now; afterwards there again."
    ),
    "substituted": gettext_noop(
        "%(into)s plays for “%(name)s” now; afterwards %(out)s plays again, at the tables that "
        "were changed, too."
    ),
    "players_merged": gettext_noop(
        "%(name)s and %(alias)s are one player now; afterwards they are two again, each with "
        "their own entries, tables and rating."
    ),
    "stage_closed": gettext_noop(
        "Stage %(stage)s is closed now; afterwards it is open again, with the drafts it had."
    ),
    "stage_reopened": gettext_noop("Stage %(stage)s is open now; afterwards it is closed again."),
    "round_drawn": gettext_noop(
        "Round %(round)s of %(stage)s is drawn as a draft now; afterwards it is not drawn."
    ),
    "round_seated": gettext_noop(
        "Round %(round)s of %(stage)s is seated as a draft now; afterwards it is as it was before."
    ),
    "draft_discarded": gettext_noop(
        "Round %(round)s of %(stage)s has no draft now; afterwards the draft is there again, with "
        "every change by hand."
    ),
    "result_reported": gettext_noop(
        "A report of table %(table)s in round %(round)s waits for its second check now; "
        "afterwards it does not."
    ),
    "report_rejected": gettext_noop(
        "The report of table %(table)s in round %(round)s is rejected now; afterwards it waits "
        "for its second check again."
    ),
    "match_reopened": gettext_noop(
        "Table %(table)s in round %(round)s is open now; afterwards its earlier result counts "
        "again."
    ),
    "match_replayed": gettext_noop(
        "Table %(table)s in round %(round)s waits to be played again now; afterwards what was "
        "played first counts again."
    ),
    "appeal_panel": gettext_noop(
        "Appeal %(appeal)s has the panel %(panel)s now; afterwards the one it had before, or none."
    ),
    "meeting_forbidden": gettext_noop(
        "%(one)s and %(other)s may not meet now; afterwards they may."
    ),
    "meeting_allowed": gettext_noop("%(one)s and %(other)s may meet now; afterwards they may not."),
    "bye_asked": gettext_noop(
        "“%(name)s” has the bye asked for in round %(round)s of %(stage)s now; afterwards it is as "
        "it was before."
    ),
    "entry_plays": gettext_noop(
        "“%(name)s” plays in round %(round)s of %(stage)s now; afterwards it is as it was before."
    ),
}

# Why some lines have no way back, and what to do instead: the one table of them.
NO_WAY_BACK: Final[Mapping[str, str]] = {
    **log_calls.NO_WAY_BACK,
    **log_cards.NO_WAY_BACK,
    **log_links.NO_WAY_BACK,
    **log_prints.NO_WAY_BACK,
    **log_screens.NO_WAY_BACK,
    **log_signing.NO_WAY_BACK,
    "created": gettext_noop(
        "The event begins with this line: before it there was nothing to go back to. Keep the "
        "event in preparation, or ask the administrator of the site to delete it."
    ),
    "event_imported": gettext_noop(
        "The event begins with this line: it came from a file. Ask the administrator of the site "
        "to delete it, and import another file."
    ),
    "event_restored": gettext_noop(
        "The event was put back to what a file says. What that replaced is kept: restore it under "
        "“Files” on the desk."
    ),
    "undone": gettext_noop(
        "This line took another one back. To have that again, do it once more where it was done."
    ),
    "result_put_back": gettext_noop(
        "This result came back because a correction was taken back. Correct the table again if "
        "the correction was right after all."
    ),
    "round_not_drawn": gettext_noop(
        "Nothing was changed by this: the draw did not succeed. Look at the page of the draw for "
        "the reason, and draw again."
    ),
    "round_change_taken_back": gettext_noop(
        "This line took a change by hand back. Make that change again on the page of the round."
    ),
    "match_closed_early": gettext_noop(
        "This line gives the reason why a table was closed before its end. Take back the line "
        "with its result."
    ),
}

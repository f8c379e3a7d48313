"""What the log says of table links, holders, confirmed rounds and referee calls."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from django.utils.translation import gettext_noop

SENTENCES: Final[Mapping[str, tuple[str, ...]]] = {
    "link_rules_changed": (
        gettext_noop("%(who)s changed who may record a table and how rounds are confirmed"),
    ),
    "link_made": (
        gettext_noop(
            "%(who)s made a link for table %(table)s in round %(round)s of %(stage)s: %(scope)s"
        ),
    ),
    "links_made": (
        gettext_noop(
            "%(who)s made links for the tables of round %(round)s of %(stage)s: %(scope)s"
        ),
    ),
    "link_revoked": (
        gettext_noop("%(who)s revoked a link of table %(table)s in round %(round)s of %(stage)s"),
    ),
    "links_revoked": (
        gettext_noop("%(who)s revoked all table links of round %(round)s of %(stage)s"),
    ),
    "table_taken_over": (
        gettext_noop(
            "%(who)s took over the record of table %(table)s in round %(round)s of %(stage)s with "
            "another device"
        ),
    ),
    "round_confirmed": (
        gettext_noop(
            "%(name)s confirmed what was played at table %(table)s in round %(round)s of "
            "%(stage)s: round %(played)s of the match"
        ),
    ),
    "round_disputed": (
        gettext_noop(
            "%(name)s disputed what was played at table %(table)s in round %(round)s of %(stage)s, "
            "round %(played)s of the match: %(word)s"
        ),
    ),
    "dispute_settled": (
        gettext_noop(
            "%(who)s settled a dispute at table %(table)s in round %(round)s of %(stage)s, round "
            "%(played)s of the match: %(settlement)s"
        ),
    ),
    "record_went_back": (
        gettext_noop(
            "%(who)s took the record of table %(table)s in round %(round)s of %(stage)s back to "
            "round %(played)s of the match; rounds that fell away: %(rounds)s"
        ),
    ),
    "score_set": (
        gettext_noop(
            "%(who)s set the score of table %(table)s in round %(round)s of %(stage)s: from "
            "%(before)s to %(after)s. Reason: %(reason)s"
        ),
    ),
    "referee_called": (
        gettext_noop("Table %(table)s called a referee in round %(round)s of %(stage)s: %(kind)s"),
    ),
    "call_claimed": (gettext_noop("%(who)s goes to table %(table)s, which called a referee"),),
    "call_escalated": (
        gettext_noop("%(who)s passed the call of table %(table)s on to the director"),
    ),
    "call_closed": (gettext_noop("%(who)s closed the call of table %(table)s: %(outcome)s"),),
}

OWN: Final[Mapping[str, str]] = {
    "link_rules_changed": gettext_noop(
        "Tables are recorded and rounds confirmed by the present settings now; afterwards by those "
        "before."
    ),
}

_LINK = gettext_noop(
    "Only the digest of a link is kept. Make another one, or revoke it, under “Table links”."
)
_SAID = gettext_noop(
    "What a side said of a round stays. Let the side say it again: the later word stands."
)
_CALL = gettext_noop("A call has been heard. The table can call again.")

NO_WAY_BACK: Final[Mapping[str, str]] = {
    "link_made": _LINK,
    "links_made": _LINK,
    "link_revoked": _LINK,
    "links_revoked": _LINK,
    "table_taken_over": gettext_noop(
        "Which device keeps a record is changed at the table: take it over there with the other."
    ),
    "round_confirmed": _SAID,
    "round_disputed": _SAID,
    "dispute_settled": _SAID,
    "record_went_back": gettext_noop(
        "What fell away stays in the log of the record. Record again what was played at the table."
    ),
    "score_set": gettext_noop(
        "The score was set by rounds from a score sheet. Undo those at the table."
    ),
    "referee_called": _CALL,
    "call_claimed": _CALL,
    "call_escalated": _CALL,
    "call_closed": _CALL,
}

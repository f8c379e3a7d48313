"""What the log says of appeals; what they are about stays on their own pages."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from django.utils.translation import gettext_noop

SENTENCES: Final[Mapping[str, tuple[str, ...]]] = {
    "appeal_filed": (
        gettext_noop(
            "%(who)s filed appeal %(appeal)s of %(name)s about table %(table)s in round %(round)s "
            "of %(stage)s after its time, because: %(reason)s"
        ),
        gettext_noop(
            "%(who)s filed appeal %(appeal)s of %(name)s about table %(table)s in round %(round)s "
            "of %(stage)s"
        ),
    ),
    "appeal_withdrawn": (
        gettext_noop(
            "%(who)s withdrew appeal %(appeal)s of %(name)s about table %(table)s in round "
            "%(round)s of %(stage)s"
        ),
    ),
    "appeal_panel": (
        gettext_noop(
            "%(who)s named the panel of appeal %(appeal)s about table %(table)s in round %(round)s "
            "of %(stage)s: %(panel)s"
        ),
    ),
    "appeal_decided": (
        gettext_noop(
            "%(who)s wrote down the decision on appeal %(appeal)s about table %(table)s in round "
            "%(round)s of %(stage)s: %(state)s, %(effect)s"
        ),
    ),
    "appeal_time_set": (
        gettext_noop("%(who)s set the time for appeals to %(minutes)s minutes after a result"),
        gettext_noop("%(who)s set no limit to the time for appeals"),
    ),
}

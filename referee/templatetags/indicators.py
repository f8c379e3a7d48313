"""Numbers of the indicators as a reader's language writes them."""

from __future__ import annotations

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext

from referee import permissions_indicators
from referee.indicators import Pauses
from referee.queries import indicators as queries
from tournaments.digits import local_digits
from tournaments.models import Tournament
from tournaments.permissions import Visitor

register = template.Library()


@register.filter
def seconds(number: float | None) -> SafeString:
    """Write seconds."""
    return format_html('<bdi dir="ltr">{}</bdi>', queries.seconds(number))


@register.filter
def few(pauses: Pauses) -> str:
    """Say that there are too few pauses for anything to be said."""
    return queries.few(pauses)


@register.simple_tag
def apart(pauses: Pauses, difference: float | None) -> SafeString:
    """Say how far a median is from the field's, and out of how many; or that they are too few."""
    if difference is None:
        return format_html('<span class="muted small">{}</span>', queries.few(pauses))
    said = gettext("%(apart)s of %(count)s") % {
        "apart": f"\u2066{queries.seconds(difference, sign=True)}\u2069",
        "count": local_digits(pauses.count),
    }
    return format_html("<span>{}</span>", said)


@register.simple_tag
def may_read_indicators(user: Visitor, tournament: Tournament) -> bool:
    """Say whether somebody may read the counts of an event."""
    return permissions_indicators.may_read_indicators(user, tournament)


@register.filter
def share(part: float | None) -> str:
    """Write a share as per cent."""
    if part is None:
        return "–"
    return gettext("%(share)s %%") % {"share": local_digits(round(100 * part))}

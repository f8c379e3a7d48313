"""How names stand on paper."""

from __future__ import annotations

from django import template
from django.utils.html import format_html_join
from django.utils.safestring import SafeString

from tournaments.queries.prints import length_of

register = template.Library()

register.filter("length_class", length_of)

_BETWEEN = " / "


@register.filter
def isolated(name: str) -> SafeString:
    """Set the names of an entry each by itself, so that none turns around its partner's."""
    return format_html_join(_BETWEEN, "<bdi>{}</bdi>", ((one,) for one in name.split(_BETWEEN)))

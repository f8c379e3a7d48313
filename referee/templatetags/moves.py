"""A match move by move, drawn by the server."""

from __future__ import annotations

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

from referee import curve
from referee.moves import RoundShown
from tournaments import drawing
from tournaments.templatetags.domino import DESK, PHONE

register = template.Library()


@register.simple_tag
def there(since: int, until: int | None, at: int) -> SafeString:
    """Return the attributes of what is there from one step to before another."""
    return drawing.steps(since, until, at)


@register.simple_tag
def growing_line(shown: RoundShown) -> SafeString:
    """Draw the line of play of a round as it grows, for phone and desk."""
    if not shown.layout:
        return mark_safe("")
    return format_html(
        '<div class="on-phone">{}</div><div class="on-desk">{}</div>',
        *(
            drawing.growing_line_svg(shown.layout, shown.since, at=shown.at, width=width)
            for width in (PHONE, DESK)
        ),
    )


@register.simple_tag
def face_down() -> SafeString:
    """Draw a tile of which nobody can say what it is."""
    return mark_safe(
        '<svg class="tile small face-down" viewBox="-41 -21 82 42" aria-hidden="true">'
        '<rect class="face" x="-39" y="-19" width="78" height="38" rx="7"/>'
        '<path class="weave" d="M-26-10L-16 0L-26 10M0-10L10 0L0 10M26-10L36 0L26 10"/></svg>'
    )


@register.simple_tag
def curve_key(side: int) -> SafeString:
    """Draw the sign of a side in the curve of the score."""
    return curve.key_svg(side)

"""Codes that phones read."""

from __future__ import annotations

import segno
from django.utils.safestring import SafeString, mark_safe

_SIZE = 4


def qr_of(address: str) -> SafeString:
    """Draw an address of ours as SVG."""
    drawn = segno.make_qr(address, error="m").svg_inline(scale=_SIZE, light="#fff", omitsize=True)
    return mark_safe(drawn)  # noqa: S308 - drawn by segno from an address of ours

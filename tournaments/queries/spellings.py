"""Other spellings of names, as far as the public finds people by them."""

from __future__ import annotations

from django.db.models import QuerySet

from tournaments.models import PlayerSpelling


def publicly_spelled(wanted: str) -> QuerySet[PlayerSpelling]:
    """Return the spellings that hold a folded text; those of minors find nobody in public."""
    return PlayerSpelling.objects.filter(folded_name__contains=wanted, player__full_name="")

"""Who may read the indicators of an event: its directors and the committee that decides appeals."""

from __future__ import annotations

from django.core.exceptions import PermissionDenied
from django.utils.translation import gettext

from tournaments.models import Appeal, PanelMember, Tournament
from tournaments.permissions import Visitor, is_director, is_official


def may_read_indicators(user: Visitor, tournament: Tournament) -> bool:
    """Whether `user` directs the event, or is an official of it and on the panel of an appeal."""
    if is_director(user, tournament):
        return True
    # An account that lost its duties is not on a panel any more.
    if not is_official(user, tournament):
        return False
    on_panel = PanelMember.objects.filter(user=user.pk, appeal__tournament=tournament)
    return on_panel.exclude(appeal__state=Appeal.State.WITHDRAWN).exists()


def require_may_read_indicators(user: Visitor, tournament: Tournament) -> None:
    """Raise PermissionDenied unless `user` may read the indicators."""
    if not may_read_indicators(user, tournament):
        raise PermissionDenied(
            gettext("Only directors and members of an appeals panel may read the indicators.")
        )

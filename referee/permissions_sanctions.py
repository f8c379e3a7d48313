"""Who may sanction: a referee at the tables, a director anywhere, players nobody."""

from __future__ import annotations

from django.core.exceptions import PermissionDenied
from django.utils.translation import gettext

from referee.models import Sanction
from tournaments.models import Match, Tournament
from tournaments.permissions import Visitor, is_director, is_referee, may_see_tournament
from tournaments.policies_cards import cards_are_public


def may_read_ledger(user: Visitor, tournament: Tournament) -> bool:
    """Whether `user` may read the whole ledger, proposals and notes included."""
    return is_referee(user, tournament)


def may_see_cards(user: Visitor, tournament: Tournament) -> bool:
    """Whether `user` may see the cards that are confirmed, as the event's setting allows."""
    if not may_see_tournament(user, tournament):
        return False
    return cards_are_public(tournament) or may_read_ledger(user, tournament)


def may_sanction(user: Visitor, tournament: Tournament, match: Match | int | None) -> bool:
    """Whether `user` may decide about a sanction at a table, or away from every table."""
    return is_director(user, tournament) if match is None else is_referee(user, tournament)


def require_may_sanction(user: Visitor, tournament: Tournament, match: Match | int | None) -> None:
    """Raise PermissionDenied unless `user` may sanction there."""
    if not may_sanction(user, tournament, match):
        raise PermissionDenied(
            gettext(
                "Only a referee may sanction at a table, and only a director away from the tables."
            )
        )


def require_may_decide_sanction(user: Visitor, sanction: Sanction) -> None:
    """Raise PermissionDenied unless `user` may confirm or drop this sanction."""
    require_may_sanction(user, sanction.tournament, sanction.match_id)

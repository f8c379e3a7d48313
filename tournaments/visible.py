"""Finds what an address names, for those who may see it; a draft is not there for a stranger."""

from __future__ import annotations

from django.http import Http404
from django.shortcuts import get_object_or_404

from tournaments import permissions, publication
from tournaments.models import PairingRound, Stage, Tournament
from tournaments.permissions import Visitor


def tournament_at(slug: str, *, user: Visitor) -> Tournament:
    """Return the tournament at an address; a draft is there for its officials only."""
    return get_object_or_404(permissions.visible_tournaments(user), slug=slug)


def round_at(slug: str, stage: int, number: int, *, user: Visitor) -> PairingRound:
    """Return a pairing round; a draft is there for the directors only."""
    found: PairingRound = get_object_or_404(
        PairingRound.objects.select_related("stage__tournament").defer("draw", "standings"),
        stage__tournament__slug=slug,
        stage__number=stage,
        number=number,
    )
    if not permissions.may_see_round(user, found):
        raise Http404
    return found


def proved_round_at(slug: str, stage: int, number: int, *, user: Visitor) -> PairingRound:
    """Return a published round whose draw `user` may check; a draft has no proof for anybody.

    The request of a draw holds the results before it: while those are hidden, so is its proof.
    """
    found = round_at(slug, stage, number, user=user)
    hidden = publication.withheld(found.stage.tournament, user).stands_on(found)
    if found.state == PairingRound.State.DRAFT or hidden:
        raise Http404
    return found


def stage_at(tournament: Tournament, number: str) -> Stage | None:
    """Return the published stage of that number, None when no number is given."""
    if not number:
        return None
    if not (number.isdecimal() and number.isascii() and len(number) <= 4):
        raise Http404
    published = PairingRound.objects.exclude(state=PairingRound.State.DRAFT)
    stages = Stage.objects.filter(tournament=tournament, rounds__in=published).distinct()
    return get_object_or_404(stages, number=int(number))

"""What the picture of a match shows: the sides, the score, and the line of play at one moment."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import AnonymousUser

from referee.moves import match_moves
from referee.queries.screens import FeaturedSide, featured
from tournaments.models import Match
from tournaments.queries.appeals import is_protested


@dataclass(frozen=True, slots=True)
class SideShown:
    """A side with what it has; at a move of a round what it had when that round began."""

    names: tuple[str, ...]
    total: int | None
    is_winner: bool


def match_picture(match: Match, said: Mapping[str, str]) -> dict[str, Any]:
    """Return what everybody may see of a match, at the move an address names or as it stands."""
    pairing_round = match.pairing_round
    common = {
        "match": match,
        "tournament": pairing_round.stage.tournament,
        "is_protested": is_protested(match),
    }
    if said.get("move") or said.get("round"):
        return common | _at_move(match, said)
    now = featured(pairing_round, match.table)
    assert now is not None
    return common | {
        "sides": [_side(side) for side in now.sides],
        "layout": now.layout,
        "deal": now.deal,
    }


def _side(side: FeaturedSide) -> SideShown:
    return SideShown(tuple(seat.name for seat in side.seats), side.total, side.is_winner)


def _at_move(match: Match, said: Mapping[str, str]) -> dict[str, Any]:
    shown = match_moves(match, AnonymousUser(), said)
    one = shown.round
    before = shown.before
    sides = [
        SideShown(side.names, (before.totals[index] if before else 0) if one else side.total, False)
        for index, side in enumerate(shown.sides)
    ]
    if one is None:
        return {"sides": sides, "layout": ()}
    laid = zip(one.layout, one.since, strict=True)
    return {
        "sides": sides,
        "layout": tuple(tile for tile, since in laid if since <= one.at),
        "deal": one.number,
        "move": one.at,
        "last": one.last,
        "sentence": one.move.sentence if one.move else one.opening,
    }

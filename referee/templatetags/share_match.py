"""How a match is shown elsewhere by its link."""

from __future__ import annotations

from django import template
from django.contrib.auth.models import AnonymousUser
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import get_language, gettext

from referee.moves import MatchMoves
from referee.sheets import Sheet
from tournaments.digits import local_digits
from tournaments.models import Match
from tournaments.permissions import may_see_match
from tournaments.publication import may_see_play
from tournaments.words import share as words

register = template.Library()


@register.simple_tag
def picture_of_match(match: Match, shown: MatchMoves | None = None) -> str:
    """Return the address of the picture of a match or of one of its moves; none of a hidden one."""
    if not (may_see_match(AnonymousUser(), match) and may_see_play(AnonymousUser(), match)):
        return ""
    asked = {"lang": get_language() or ""}
    if shown is not None and shown.round is not None:
        asked |= {"round": str(shown.round.number), "move": str(shown.round.at)}
    return f"{reverse('referee:share_match', args=[match.pk])}?{urlencode(asked)}"


@register.simple_tag
def said_of_sheet(sheet: Sheet) -> str:
    """Say who plays and how it stands."""
    sides = [
        (" / ".join(player.name for player in side.players), side.total) for side in sheet.sides
    ]
    return words.table(sheet.tournament.name, sheet.pairing_round.number, sides)


@register.simple_tag
def said_of_moves(shown: MatchMoves) -> str:
    """Say who plays, and what the move did that is looked at."""
    pairing_round = shown.match.pairing_round
    sides = [(" / ".join(side.names), None) for side in shown.sides]
    said = words.table(pairing_round.stage.tournament.name, pairing_round.number, sides)
    one = shown.round
    if one is None:
        return said
    told = gettext("Round %(round)s, move %(move)s of %(last)s.") % {
        "round": one.number,
        "move": one.at,
        "last": one.last,
    }
    sentence = one.move.sentence if one.move else one.opening
    return local_digits(f"{said} {told} {sentence}")

"""What is new at an event, and the tables of a player, as feeds for readers and other sites."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from django.contrib.syndication.views import Feed
from django.http import HttpRequest
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.feedgenerator import Atom1Feed
from django.utils.translation import get_language, gettext, gettext_noop

from tournaments.digits import local_digits
from tournaments.models import PairingRound, Player, Tournament
from tournaments.permissions import Visitor
from tournaments.publication import withheld
from tournaments.queries.players import require_seen
from tournaments.queries.players_tables import OwnTable, own_tables
from tournaments.visible import tournament_at

SHOWN = 50
_NEWS = {
    PairingRound.State.PUBLISHED: gettext_noop("%(stage)s, round %(number)s: pairings"),
    PairingRound.State.PLAYING: gettext_noop("%(stage)s, round %(number)s: pairings"),
    PairingRound.State.FINISHED: gettext_noop("%(stage)s, round %(number)s: results"),
}


@dataclass(frozen=True, slots=True)
class _OfPlayer:
    player: Player
    reader: Visitor


if TYPE_CHECKING:
    _Rounds = Feed[PairingRound, Tournament]
    _Tables = Feed[OwnTable, _OfPlayer]
else:
    # Django's feeds name their types to the checker alone.
    _Rounds = _Tables = Feed


class EventFeed(_Rounds):
    """The published rounds of an event, the latest first; a finished one leads to its results.

    One with results that are hidden from the reader is told as if it were still being played.
    """

    feed_type = Atom1Feed

    def get_object(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Tournament:
        return tournament_at(kwargs["slug"], user=request.user)

    def title(self, obj: Tournament) -> str:
        return obj.name

    def link(self, obj: Tournament) -> str:
        return reverse("tournaments:tournament", args=[obj.slug])

    def items(self, obj: Tournament) -> Iterable[PairingRound]:
        public = PairingRound.objects.exclude(state=PairingRound.State.DRAFT)
        rounds = public.filter(stage__tournament=obj).select_related("stage__tournament")
        rounds = rounds.defer("draw", "standings")
        return rounds.order_by("-published_at", "-stage__number", "-number")[:SHOWN]

    def item_title(self, item: PairingRound) -> str:
        said = {"stage": item.stage.title, "number": local_digits(item.number, get_language())}
        return gettext(_NEWS[_told_state(item)]) % said

    def item_description(self, item: PairingRound) -> str:
        return ""

    def item_link(self, item: PairingRound) -> str:
        slug = item.stage.tournament.slug
        return reverse("tournaments:pairings", args=[slug, item.stage.number, item.number])

    def item_guid(self, item: PairingRound) -> str:
        # A round that is over is news once more.
        over = "-over" if _told_state(item) == PairingRound.State.FINISHED else ""
        return f"urn:domino:round:{item.pk}{over}"

    item_guid_is_permalink = False

    def item_pubdate(self, item: PairingRound) -> datetime | None:
        return item.published_at

    def item_updateddate(self, item: PairingRound) -> datetime | None:
        return item.published_at


def _told_state(item: PairingRound) -> PairingRound.State:
    if withheld(item.stage.tournament).has(item):
        return PairingRound.State.PLAYING
    return PairingRound.State(item.state)


class PlayerFeed(_Tables):
    """The tables of a player, the latest first."""

    feed_type = Atom1Feed

    def get_object(self, request: HttpRequest, *args: Any, **kwargs: Any) -> _OfPlayer:
        found = get_object_or_404(Player, pk=kwargs["pk"])
        # Who is in no event the reader may know of has no page and no feed.
        require_seen(found, user=request.user)
        return _OfPlayer(found, request.user)

    def title(self, obj: _OfPlayer) -> str:
        return obj.player.name

    def link(self, obj: _OfPlayer) -> str:
        return reverse("tournaments:player", args=[obj.player.pk])

    def items(self, obj: _OfPlayer) -> Iterable[OwnTable]:
        return own_tables(obj.player, user=obj.reader)[:SHOWN]

    def item_title(self, item: OwnTable) -> str:
        return gettext("Table %(table)s, round %(round)s: %(event)s") % {
            "table": local_digits(item.match.table, get_language()),
            "round": local_digits(item.pairing_round.number, get_language()),
            "event": item.tournament.name,
        }

    def item_description(self, item: OwnTable) -> str:
        return ", ".join(one.name for one in (*item.partners, *item.opponents))

    def item_link(self, item: OwnTable) -> str:
        return reverse("referee:match_sheet", args=[item.match.pk])

    def item_guid(self, item: OwnTable) -> str:
        return f"urn:domino:match:{item.match.pk}"

    item_guid_is_permalink = False

    def item_pubdate(self, item: OwnTable) -> datetime | None:
        return item.pairing_round.published_at

    def item_updateddate(self, item: OwnTable) -> datetime | None:
        return item.match.changed_at

"""The API of table links, holders, confirmed rounds and referee calls."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.http import Http404
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.translation import get_language, gettext
from drf_spectacular.utils import extend_schema
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import Serializer

from referee.api.records import REFUSED, ChangeView, TableView, device_in
from referee.models import RoundConfirmation, TableCall, TableLink
from referee.queries import links as queries_links
from referee.queries import records as queries
from referee.serializers.links import (
    CallSerializer,
    LinkRulesSerializer,
    LinkSerializer,
    NewCallSerializer,
    NewLinksSerializer,
    OutcomeSerializer,
    SaySerializer,
    SettlementSerializer,
    WordSerializer,
)
from referee.serializers.records import StateSerializer
from referee.services import calls, confirming, holders, links
from referee.services.links import Made
from tournaments import permissions
from tournaments.api.desk import REFUSALS, DeskView
from tournaments.api.fields import read_as
from tournaments.api.guard import GuardedView
from tournaments.models import LONG_IN_ROUND, Match, Tournament
from tournaments.permissions import TableGuest
from tournaments.policies_links import LinkRules, link_rules


def _read(shape: type[Serializer[Any]], request: Request) -> dict[str, Any]:
    return read_as(shape(), request.data)


class HolderView(ChangeView):
    """Take the record of a table over with the device that asks; the others read along."""

    @extend_schema(
        operation_id="take_over_table",
        request=None,
        responses={201: StateSerializer, 409: REFUSED},
    )
    def post(self, request: Request, pk: int) -> Response:
        match = self.match()
        user = request.user
        assert isinstance(user, User | TableGuest)
        holders.take_over(match, device_in(request), by=user)
        fresh = get_object_or_404(queries.matches(), pk=pk)
        return Response(queries.state(fresh, user), status=201)


class ConfirmView(TableView):
    """What the sides of a table say of its finished rounds."""

    def require_may(self, match: Match) -> None:
        user = self.request.user
        if not (confirming.may_confirm(user, match) or permissions.may_record(user, match)):
            raise PermissionDenied(
                gettext("Only the side itself, by its own link, or a referee may say this.")
            )

    @extend_schema(operation_id="list_confirmations", responses={200: WordSerializer(many=True)})
    def get(self, request: Request, pk: int) -> Response:
        return Response(self._said())

    @extend_schema(
        operation_id="confirm_round",
        summary="Say that a finished round is right, or what is wrong with it",
        request=SaySerializer,
        responses={200: WordSerializer(many=True), **REFUSALS},
    )
    def post(self, request: Request, pk: int) -> Response:
        said = _read(SaySerializer, request)
        confirming.say_of_round(self.match(), **said, by=request.user)
        return Response(self._said())

    def _said(self) -> list[dict[str, Any]]:
        recorded = queries.read(self.match())
        words = confirming.words_on(recorded)
        return [queries_links.word_json(one, recorded) for one in words]


class CallView(TableView):
    """Call a referee to a table; called again while the call is open, it is the same one."""

    def require_may(self, match: Match) -> None:
        if not calls.may_call(self.request.user, match):
            raise PermissionDenied(gettext("Only those at this table may call a referee to it."))

    @extend_schema(
        operation_id="call_referee",
        request=NewCallSerializer,
        responses={201: CallSerializer, **REFUSALS},
    )
    def post(self, request: Request, pk: int) -> Response:
        said = _read(NewCallSerializer, request)
        language = get_language() or "en"
        call = calls.call_referee(self.match(), **said, language=language, by=request.user)
        return Response(queries_links.call_json(call), status=201)


class _RefereesView(GuardedView):
    """Something about one row of an event, for its referees."""

    permission_classes = [IsAuthenticated]

    @property
    def user(self) -> User:
        user = self.request.user
        if not isinstance(user, User):
            raise Http404
        return user

    def of(self, match: Match) -> None:
        """Refuse whoever may not see the match, or is no referee of its event."""
        if not permissions.may_see_match(self.request.user, match):
            raise Http404
        permissions.require_referee(self.user, match.pairing_round.stage.tournament)


class SettleView(_RefereesView):
    """Settle what a side disputes."""

    def require_there(self) -> None:
        self.said()

    def said(self) -> RoundConfirmation:
        with_event = RoundConfirmation.objects.select_related(
            "match__pairing_round__stage__tournament"
        )
        found = get_object_or_404(with_event, pk=self.kwargs["pk"])
        if not permissions.may_see_match(self.request.user, found.match):
            raise Http404
        return found

    @extend_schema(
        operation_id="settle_dispute",
        request=SettlementSerializer,
        responses={200: WordSerializer(many=True), **REFUSALS},
    )
    def post(self, request: Request, pk: int) -> Response:
        said = self.said()
        self.of(said.match)
        confirming.settle(said, **_read(SettlementSerializer, request), by=self.user)
        recorded = queries.read(said.match)
        words = confirming.words_on(recorded)
        return Response([queries_links.word_json(one, recorded) for one in words])


class CallChange(_RefereesView):
    """Claim a call, pass it on to the director, or close it."""

    def require_there(self) -> None:
        self.call()

    def call(self) -> TableCall:
        with_event = TableCall.objects.select_related("match__pairing_round__stage__tournament")
        found = get_object_or_404(with_event, pk=self.kwargs["pk"])
        if not permissions.may_see_match(self.request.user, found.match):
            raise Http404
        return found

    @extend_schema(
        operation_id="change_call",
        request=OutcomeSerializer,
        responses={200: CallSerializer, **REFUSALS},
    )
    def post(self, request: Request, pk: str, act: str) -> Response:
        call = self.call()
        self.of(call.match)
        if act == "claim":
            changed = calls.claim(call, by=self.user)
        elif act == "escalate":
            changed = calls.escalate(call, by=self.user)
        else:
            changed = calls.close(call, **_read(OutcomeSerializer, request), by=self.user)
        return Response(queries_links.call_json(changed))


class _RefereesDesk(DeskView):
    """An act of any referee of the event."""

    def require_may(self, tournament: Tournament) -> None:
        permissions.require_referee(self.user, tournament)


class Calls(_RefereesDesk):
    """The calls of an event that nobody has closed, those passed on to the director first."""

    @extend_schema(
        operation_id="list_calls", responses={200: CallSerializer(many=True), **REFUSALS}
    )
    def get(self, request: Request, slug: str) -> Response:
        waiting = queries_links.open_calls(self.tournament(slug))
        return Response([queries_links.call_json(one) for one in waiting])


class Links(_RefereesDesk):
    """The links of an event that were not taken back, and new ones."""

    @extend_schema(
        operation_id="list_links", responses={200: LinkSerializer(many=True), **REFUSALS}
    )
    def get(self, request: Request, slug: str) -> Response:
        own = links.links_of(self.tournament(slug)).filter(revoked_at=None)
        return Response([_link_json(one) for one in own])

    @extend_schema(
        operation_id="make_links",
        request=NewLinksSerializer,
        responses={201: LinkSerializer(many=True), **REFUSALS},
    )
    def post(self, request: Request, slug: str) -> Response:
        """Their addresses are told once, here."""
        tournament = self.tournament(slug)
        said = _read(NewLinksSerializer, request)
        match, pairing_round = said.pop("match"), said.pop("pairing_round")
        if match is not None:
            tables = Match.objects.select_related("pairing_round__stage__tournament")
            own = tables.defer(*LONG_IN_ROUND).filter(pairing_round__stage__tournament=tournament)
            made = [links.make_link(get_object_or_404(own, pk=match), **said, by=self.user)]
        else:
            rounds = queries_links.published_rounds(tournament)
            said.pop("side")
            shown = get_object_or_404(rounds, pk=pairing_round)
            made = links.make_round_links(shown, **said, by=self.user)
        return Response([_made_json(request, one) for one in made], status=201)


def _link_json(link: TableLink) -> dict[str, Any]:
    return {
        "id": link.pk,
        "match": link.match_id,
        "table": link.match.table,
        "scope": link.scope,
        "side": link.side,
        "for_players": link.for_players,
        "made_at": link.made_at.isoformat(),
        "expires_at": link.expires_at.isoformat(),
        "used_at": link.used_at.isoformat() if link.used_at else None,
        "works": links.works(link),
    }


def _made_json(request: Request, made: Made) -> dict[str, Any]:
    address = request.build_absolute_uri(reverse("referee:scan", args=[made.token]))
    return {**_link_json(made.link), "address": address}


class Revoke(_RefereesDesk):
    """Take a link back."""

    @extend_schema(
        operation_id="revoke_link", request=None, responses={200: LinkSerializer, **REFUSALS}
    )
    def post(self, request: Request, slug: str, pk: int) -> Response:
        own = links.links_of(self.tournament(slug))
        link = get_object_or_404(own, pk=pk)
        revoked = links.revoke_link(link, by=self.user)
        revoked.match = link.match
        return Response(_link_json(revoked))


class Rules(DeskView):
    """Who may record a table, and how rounds are confirmed; a director's setting."""

    @extend_schema(operation_id="get_link_rules", responses={200: LinkRulesSerializer, **REFUSALS})
    def get(self, request: Request, slug: str) -> Response:
        return Response(asdict(link_rules(self.tournament(slug))))

    @extend_schema(
        operation_id="set_link_rules",
        summary="Set who may record a table, and how rounds are confirmed",
        request=LinkRulesSerializer,
        responses={200: LinkRulesSerializer, **REFUSALS},
    )
    def put(self, request: Request, slug: str) -> Response:
        given = LinkRules(**self.read(LinkRulesSerializer))
        changed = links.set_link_rules(self.tournament(slug), given, by=self.user)
        return Response(asdict(link_rules(changed)))

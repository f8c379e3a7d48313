"""The API of the ledger of cards: read, give, confirm, drop, carry out, and its rules."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.http import Http404
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import Serializer

from engine.own_penalties import own_json
from referee.models import Sanction
from referee.permissions_sanctions import may_read_ledger, require_may_decide_sanction
from referee.queries import sanctions as queries
from referee.serializers.sanctions import (
    CardRulesSerializer,
    CarriedOutSerializer,
    DropSerializer,
    InStepSerializer,
    NewSanctionSerializer,
    OwnPenaltiesSerializer,
    SanctionSerializer,
    line_json,
)
from referee.services import card_rules, sanction_effects
from referee.services import sanctions as service
from tournaments import permissions
from tournaments.api.desk import REFUSALS, DeskView
from tournaments.api.fields import read_as
from tournaments.api.guard import GuardedView
from tournaments.models import Match, Player, Tournament
from tournaments.policies_cards import TO_EVERYBODY, TO_OFFICIALS
from tournaments.rules import rules_of
from tournaments.services.own_penalties import set_own_penalties


class _RefereesView(DeskView):
    """Something about the ledger, for referees and directors."""

    def require_may(self, tournament: Tournament) -> None:
        permissions.require_referee(self.user, tournament)


class Ledger(_RefereesView):
    """The ledger of an event, the newest first; a sanction by hand."""

    @extend_schema(
        operation_id="list_sanctions",
        responses={200: SanctionSerializer(many=True), **REFUSALS},
    )
    def get(self, request: Request, slug: str) -> Response:
        tournament = self.tournament(slug)
        rows = queries.sanctions().filter(tournament=tournament).order_by("-given_at", "-pk")
        lines = queries.lines_of(tournament, list(rows[: queries.MOST_SHOWN]), self.user)
        return Response(line_json(lines))

    @extend_schema(
        operation_id="give_sanction",
        summary="Give a sanction by hand",
        request=NewSanctionSerializer,
        responses={201: SanctionSerializer, **REFUSALS},
    )
    def post(self, request: Request, slug: str) -> Response:
        tournament = self.tournament(slug)
        given = self.read(NewSanctionSerializer)
        player, match = given["player"], given["match"]
        of_event = Match.objects.filter(pairing_round__stage__tournament=tournament)
        given["player"] = None if player is None else get_object_or_404(Player, pk=player)
        given["match"] = None if match is None else get_object_or_404(of_event, pk=match)
        made = service.give(tournament, **given, by=self.user)
        return Response(_line(made.pk, self.user), status=status.HTTP_201_CREATED)


class InStepView(_RefereesView):
    """Bring the ledger in step with the records now."""

    http_method_names = ["post", "options"]

    @extend_schema(
        operation_id="sanctions_in_step",
        request=None,
        responses={200: InStepSerializer, **REFUSALS},
    )
    def post(self, request: Request, slug: str) -> Response:
        done = service.synchronise(self.tournament(slug), by=self.user)
        return Response(asdict(done))


class CardRulesView(DeskView):
    """What makes the next card, and who sees the cards; a director's setting."""

    @extend_schema(operation_id="get_card_rules", responses={200: CardRulesSerializer, **REFUSALS})
    def get(self, request: Request, slug: str) -> Response:
        return Response(_card_rules(self.tournament(slug)))

    @extend_schema(
        operation_id="set_card_rules",
        summary="Set what makes the next card, and who sees the cards",
        request=CardRulesSerializer,
        responses={200: CardRulesSerializer, **REFUSALS},
    )
    def put(self, request: Request, slug: str) -> Response:
        given = self.read(CardRulesSerializer)
        changed = card_rules.set_card_rules(self.tournament(slug), **given, by=self.user)
        return Response(_card_rules(changed))


class OwnPenalties(DeskView):
    """The event's own kinds and numbers, before its first round is published."""

    @extend_schema(
        operation_id="get_own_penalties", responses={200: OwnPenaltiesSerializer, **REFUSALS}
    )
    def get(self, request: Request, slug: str) -> Response:
        return Response({"penalties": own_json(rules_of(self.tournament(slug)).own)})

    @extend_schema(
        operation_id="set_own_penalties",
        summary="Set the event's own kinds and numbers",
        request=OwnPenaltiesSerializer,
        responses={200: OwnPenaltiesSerializer, **REFUSALS},
    )
    def put(self, request: Request, slug: str) -> Response:
        given = self.read(OwnPenaltiesSerializer)
        changed = set_own_penalties(self.tournament(slug), **given, by=self.user)
        return Response({"penalties": own_json(rules_of(changed).own)})


class One(GuardedView):
    """One sanction, for the referees and directors of its event."""

    permission_classes = (IsAuthenticated,)

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        self.require_there()
        self.require_allowed()

    def sanction(self) -> Sanction:
        """Return the sanction; of a hidden event the reader may know nothing."""
        found: Sanction = get_object_or_404(queries.sanctions(), pk=self.kwargs["pk"])
        if not permissions.may_see_tournament(self.request.user, found.tournament):
            raise Http404
        return found

    def require_there(self) -> None:
        self.sanction()

    def require_allowed(self) -> None:
        """Raise `PermissionDenied` unless the reader may do this."""
        if not may_read_ledger(self.user, self.sanction().tournament):
            raise PermissionDenied

    @property
    def user(self) -> User:
        user = self.request.user
        if not isinstance(user, User):
            raise Http404
        return user

    def read(self, shape: type[Serializer[Any]]) -> dict[str, Any]:
        return read_as(shape(), self.request.data)

    @extend_schema(operation_id="get_sanction", responses={200: SanctionSerializer, **REFUSALS})
    def get(self, request: Request, pk: int) -> Response:
        return Response(_line(pk, self.user))


class _Decision(One):
    http_method_names = ["post", "options"]

    def require_allowed(self) -> None:
        require_may_decide_sanction(self.user, self.sanction())


class Confirm(_Decision):
    """Confirm a card, or keep one whose infraction is gone."""

    @extend_schema(
        operation_id="confirm_sanction",
        request=None,
        responses={200: SanctionSerializer, **REFUSALS},
    )
    def post(self, request: Request, pk: int) -> Response:
        service.confirm(self.sanction(), by=self.user)
        return Response(_line(pk, self.user))


class Drop(_Decision):
    """Decide that a card is not given, and why."""

    @extend_schema(
        operation_id="drop_sanction",
        request=DropSerializer,
        responses={200: SanctionSerializer, **REFUSALS},
    )
    def post(self, request: Request, pk: int) -> Response:
        service.drop(self.sanction(), **self.read(DropSerializer), by=self.user)
        return Response(_line(pk, self.user))


class Preview(_Decision):
    """What a card would change; nothing is changed."""

    def require_allowed(self) -> None:
        permissions.require_director(self.user, self.sanction().tournament)

    @extend_schema(
        operation_id="preview_sanction",
        request=None,
        responses={200: CarriedOutSerializer, **REFUSALS},
    )
    def post(self, request: Request, pk: int) -> Response:
        would = sanction_effects.preview(self.sanction(), by=self.user)
        return Response(CarriedOutSerializer(would).data)


class CarryOut(Preview):
    """Let a confirmed card have its effect; a director's act."""

    @extend_schema(
        operation_id="carry_out_sanction",
        request=None,
        responses={200: CarriedOutSerializer, **REFUSALS},
    )
    def post(self, request: Request, pk: int) -> Response:
        done = sanction_effects.carry_out(self.sanction(), by=self.user)
        return Response(CarriedOutSerializer(done).data)


def _line(pk: int, user: User) -> dict[str, Any]:
    found = queries.sanctions().get(pk=pk)
    (line,) = line_json(queries.lines_of(found.tournament, [found], user))
    return line


def _card_rules(tournament: Tournament) -> dict[str, Any]:
    said = queries.card_rules_of(tournament)
    shown = TO_EVERYBODY if said.is_public else TO_OFFICIALS
    return {"numbers": asdict(said.numbers), "shown": shown}

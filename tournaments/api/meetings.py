"""The API of what no rule book decides: who goes on when both lost, and how results count."""

from __future__ import annotations

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.api.desk import REFUSALS, DeskView
from tournaments.api.results import entry_of
from tournaments.models import PairingRound
from tournaments.serializers.desk import ClosedTableSerializer, SeatedRoundSerializer
from tournaments.serializers.results import (
    DeskReasonSerializer,
    MeetingSerializer,
    ResultRulesSerializer,
)
from tournaments.services import meetings, remaking
from tournaments.services.result_rules import ResultRules, result_rules, set_result_rules


class Meeting(DeskView):
    """Say who goes on from a table of a bracket that both sides lost; its result stays."""

    @extend_schema(
        operation_id="desk_decide_meeting",
        request=MeetingSerializer,
        responses={200: ClosedTableSerializer, **REFUSALS},
    )
    def post(self, request: Request, slug: str, pk: int) -> Response:
        match = self.table(slug, pk)
        given = self.read(MeetingSerializer)
        number = given["winner"]
        winner = None if number is None else entry_of(self.directed(slug), number)
        found = meetings.decide_meeting(match, winner=winner, reason=given["reason"], by=self.user)
        return Response(ClosedTableSerializer(found).data)


class ResultRulesView(DeskView):
    """How results count where the rule book says nothing, or events differ."""

    @extend_schema(
        operation_id="desk_get_result_rules", responses={200: ResultRulesSerializer, **REFUSALS}
    )
    def get(self, request: Request, slug: str) -> Response:
        """What the event has set."""
        return Response(ResultRulesSerializer(result_rules(self.directed(slug))).data)

    @extend_schema(
        operation_id="desk_set_result_rules",
        request=ResultRulesSerializer,
        responses={200: ResultRulesSerializer, **REFUSALS},
    )
    def put(self, request: Request, slug: str) -> Response:
        """Set it; results stored before stay."""
        tournament = self.directed(slug)
        given = ResultRules(**self.read(ResultRulesSerializer))
        changed = set_result_rules(tournament, given, by=self.user)
        return Response(ResultRulesSerializer(result_rules(changed)).data)


class Remake(DeskView):
    """Draw a published round that nobody has begun anew; the new draw is a draft."""

    @extend_schema(
        operation_id="desk_remake_round",
        request=DeskReasonSerializer,
        responses={200: SeatedRoundSerializer, **REFUSALS},
    )
    def post(self, request: Request, slug: str, stage: int, number: int) -> Response:
        found = get_object_or_404(
            PairingRound.objects.select_related("stage__tournament"),
            stage__tournament=self.directed(slug),
            stage__number=stage,
            number=number,
        )
        given = self.read(DeskReasonSerializer)
        drawn = remaking.remake_round(found, reason=given["reason"], by=self.user)
        return Response(SeatedRoundSerializer(drawn).data)

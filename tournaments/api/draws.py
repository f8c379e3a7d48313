"""The API of draws: draw a round, change it by hand, and its proof for everybody."""

from __future__ import annotations

from typing import Any

from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from tournaments.api.desk import REFUSALS, DeskView
from tournaments.competition.changes import Act, Change
from tournaments.models import PairingRound
from tournaments.queries.proofs import stored_draw
from tournaments.serializers.desk import SeatedRoundSerializer
from tournaments.serializers.numbers import NumberField
from tournaments.serializers.public import RefusalSerializer
from tournaments.services import adjusting, draws
from tournaments.visible import proved_round_at


class NewDrawSerializer(serializers.Serializer[Any]):
    """A draw that is asked for; the reason is needed while the round before is open."""

    reason = serializers.CharField(default="", allow_blank=True, max_length=200)
    provisional = serializers.BooleanField(
        default=False,
        help_text="Let results count that wait for their second check, for this draw alone.",
    )


class ChangeSerializer(serializers.Serializer[Any]):
    """A change by hand; `seen` is what its preview answered."""

    act = serializers.ChoiceField([str(one) for one in Act])
    entries = serializers.ListField(child=NumberField(min_value=1), default=list, max_length=4)
    table = NumberField(default=0, min_value=0)
    number = NumberField(default=0, min_value=0)
    seen = serializers.CharField(default="", allow_blank=True, max_length=16)


class BlemishSerializer(serializers.Serializer[Any]):
    """Something a draw would rather not have."""

    kind = serializers.CharField()
    entries = serializers.ListField(child=serializers.CharField())
    amount = serializers.IntegerField()
    gravity = serializers.IntegerField(help_text="1 slight, 2 grave, 3 forbidden.")


class ChangeCostSerializer(serializers.Serializer[Any]):
    """What a change would cost, and what to send with it."""

    worse = BlemishSerializer(many=True, source="cost.worse")
    better = BlemishSerializer(many=True, source="cost.better")
    gravity = serializers.IntegerField(source="cost.gravity")
    seen = serializers.CharField()


class ProofSerializer(serializers.Serializer[Any]):
    """A stored draw, as `python -m tournaments.competition verify` reads it.

    `provisional` lists the results it counted that were not confirmed then.
    """

    request = serializers.DictField()
    answer = serializers.DictField()
    seed = serializers.IntegerField(allow_null=True)
    version = serializers.IntegerField(allow_null=True)
    seated = serializers.DictField(required=False)
    provisional = serializers.ListField(child=serializers.DictField())
    changes = serializers.ListField(child=serializers.DictField())


class DrawView(DeskView):
    """Something about one round of a stage."""

    def round(self, slug: str, stage: int, number: int) -> PairingRound:
        """Return a round of an event the reader directs, drafts too."""
        found = PairingRound.objects.filter(
            stage__tournament=self.directed(slug), stage__number=stage, number=number
        )
        first = found.select_related("stage__tournament").first()
        if first is None:
            raise Http404
        return first

    def change(self) -> tuple[Change, str]:
        given = self.read(ChangeSerializer)
        entries = tuple(map(str, given["entries"]))
        change = Change(Act(given["act"]), entries, table=given["table"], number=given["number"])
        return change, given["seen"]


class Draw(DrawView):
    """Draw a round, once however often it is asked; throw its draft away."""

    @extend_schema(
        operation_id="desk_draw_round",
        request=NewDrawSerializer,
        responses={200: SeatedRoundSerializer, **REFUSALS},
    )
    def post(self, request: Request, slug: str, stage: int, number: int) -> Response:
        """Draw a round as a draft, once however often it is asked."""
        stages = self.directed(slug).stages.select_related("tournament")
        found = stages.filter(number=stage).first()
        if found is None:
            raise Http404
        drawn = draws.draw_round(found, number=number, **self.read(NewDrawSerializer), by=self.user)
        return Response(SeatedRoundSerializer(drawn).data)

    @extend_schema(operation_id="desk_discard_draft", responses={204: None, **REFUSALS})
    def delete(self, request: Request, slug: str, stage: int, number: int) -> Response:
        """Throw the draft of a round away; locked tables stay."""
        draws.discard_draft(self.round(slug, stage, number), by=self.user)
        return Response(status=status.HTTP_204_NO_CONTENT)


class Preview(DrawView):
    """Say what a change by hand would cost, changing nothing."""

    @extend_schema(
        operation_id="desk_preview_change",
        request=ChangeSerializer,
        responses={200: ChangeCostSerializer, **REFUSALS},
    )
    def post(self, request: Request, slug: str, stage: int, number: int) -> Response:
        """Say what a change by hand would cost."""
        found = self.round(slug, stage, number)
        change, _ = self.change()
        cost = adjusting.preview(found, change, by=self.user)
        return Response(ChangeCostSerializer(cost).data)


class Changes(DrawView):
    """Make a change by hand, or go back to the draw's answer."""

    @extend_schema(
        operation_id="desk_change_round",
        request=ChangeSerializer,
        responses={200: SeatedRoundSerializer, **REFUSALS},
    )
    def post(self, request: Request, slug: str, stage: int, number: int) -> Response:
        """Make a change by hand that was looked at before."""
        found = self.round(slug, stage, number)
        change, seen = self.change()
        adjusting.change_seats(found, change, seen=seen, by=self.user)
        return Response(SeatedRoundSerializer(found).data)

    @extend_schema(
        operation_id="desk_restore_draw", responses={200: SeatedRoundSerializer, **REFUSALS}
    )
    def delete(self, request: Request, slug: str, stage: int, number: int) -> Response:
        """Seat a round as its draw answered."""
        found = self.round(slug, stage, number)
        adjusting.restore_answer(found, by=self.user)
        return Response(SeatedRoundSerializer(found).data)


class Proof(APIView):
    """The proof of a published draw: request, answer, seed, version, changes by hand."""

    @extend_schema(
        operation_id="get_proof", responses={200: ProofSerializer, 404: RefusalSerializer}
    )
    def get(self, request: Request, slug: str, stage: int, number: int) -> Response:
        """How a published round was drawn, to be replayed."""
        found = proved_round_at(slug, stage, number, user=request.user)
        stored = stored_draw(found)
        if stored is None:
            raise Http404
        return Response(ProofSerializer(stored).data)

"""The API of signed sheets: a side signs at the table, the desk sets PINs, anyone checks a code."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import PermissionDenied
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from engine.errors import DominoError
from referee.api.records import REFUSED, ChangeView, TableView, _asked, _user
from referee.errors.signing import PinsByDesk
from referee.models.signing import LONGEST_REASON
from referee.queries.signing import CheckedSheet, checked
from referee.serializers.records import StateSerializer
from referee.services import signing
from referee.services.own_pins import choose_pin
from referee.services.signing import Seen
from tournaments.api.desk import REFUSALS, DeskView
from tournaments.errors.base import explain
from tournaments.models import Match, Tournament
from tournaments.permissions import TableGuest, require_referee
from tournaments.serializers.numbers import NumberField


class SeenSerializer(serializers.Serializer[Any]):
    """How far the record had come, and the score, when the side looked at it."""

    rounds = NumberField()
    events = NumberField()
    totals = serializers.DictField(child=serializers.IntegerField())


class NewSignatureSerializer(serializers.Serializer[Any]):
    """What a side says of the sheet: `how` is drawn, pin or refused."""

    side = serializers.CharField(max_length=10)
    how = serializers.CharField(max_length=10)
    pin = serializers.CharField(max_length=20, required=False, default="", allow_blank=True)
    strokes = serializers.JSONField(required=False, default=None)
    reason = serializers.CharField(
        max_length=LONGEST_REASON, required=False, default="", allow_blank=True
    )
    seen = SeenSerializer(required=False, default=None, allow_null=True)


class NewPinSerializer(serializers.Serializer[Any]):
    """The digits by which an entry signs."""

    entry = NumberField(min_value=1)
    pin = serializers.CharField(max_length=20)


class CheckedSeatSerializer(serializers.Serializer[Any]):
    """What a seat left with."""

    seat = serializers.CharField()
    player = serializers.CharField(source="player.name")
    outcome = serializers.CharField()
    points_for = serializers.IntegerField(allow_null=True)
    points_against = serializers.IntegerField(allow_null=True)


class CheckedSheetSerializer(serializers.Serializer[CheckedSheet]):
    """What a control code says; without a match where the reader may not see it."""

    code = serializers.CharField()
    fits = serializers.BooleanField()
    match = serializers.IntegerField(source="match.pk", allow_null=True, default=None)
    state = serializers.CharField(source="match.state", allow_null=True, default=None)
    result = CheckedSeatSerializer(many=True)


class SignView(ChangeView):
    """One side accepts the sheet of a match that is over, or refuses with a reason."""

    @extend_schema(
        operation_id="sign_sheet",
        request=NewSignatureSerializer,
        responses={201: StateSerializer, 409: REFUSED},
    )
    def post(self, request: Request, pk: int) -> Response:
        said = _asked(NewSignatureSerializer, request)
        if said["seen"] is not None:
            said["seen"] = Seen(**said["seen"])
        return self.change(
            request, pk, lambda match: signing.sign(match, **said, by=_user(request))
        )


class ChosenPinSerializer(serializers.Serializer[Any]):
    """The digits by which the entry at a seat signs."""

    seat = serializers.CharField(max_length=10)
    pin = serializers.CharField(max_length=20)


class OwnPinView(TableView):
    """Players choose the PIN of their entry by a link of their table, once."""

    def require_may(self, match: Match) -> None:
        """Raise `PermissionDenied` for whoever did not come by a link of the table."""
        if not isinstance(self.request.user, TableGuest):
            raise PermissionDenied(explain(PinsByDesk()))

    @extend_schema(
        operation_id="choose_pin",
        request=ChosenPinSerializer,
        responses={204: None, 409: REFUSED},
    )
    def post(self, request: Request, pk: int) -> Response:
        match = self.match()
        said = _asked(ChosenPinSerializer, request)
        try:
            choose_pin(match, **said, by=request.user)
        except DominoError as error:
            return Response({"code": error.code, "message": explain(error)}, status=409)
        return Response(status=204)


class Pins(DeskView):
    """Set the PIN of an entry; for referees and directors."""

    def require_may(self, tournament: Tournament) -> None:
        require_referee(self.user, tournament)

    @extend_schema(
        operation_id="set_pin", request=NewPinSerializer, responses={204: None, **REFUSALS}
    )
    def post(self, request: Request, slug: str) -> Response:
        given = self.read(NewPinSerializer)
        entry = get_object_or_404(self.tournament(slug).entries, number=given["entry"])
        signing.set_pin(entry, pin=given["pin"], by=self.user)
        return Response(status=204)


class CheckView(APIView):
    """Whether a control code fits a stored sheet; for anyone who holds the paper."""

    @extend_schema(operation_id="check_code", responses={200: CheckedSheetSerializer, **REFUSALS})
    def get(self, request: Request, code: str) -> Response:
        try:
            found = checked(code, request.user)
        except DominoError as error:
            return Response({"code": error.code, "message": explain(error)}, status=404)
        return Response(CheckedSheetSerializer(found).data)

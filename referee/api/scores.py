"""The API by which the score of a table is set to what its paper says."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from referee.api.records import REFUSED, ChangeView, _user
from referee.serializers.records import StateSerializer
from referee.services.score_setting import set_score
from tournaments.api.fields import read_as
from tournaments.serializers.numbers import NumberField


class NewScoreSerializer(serializers.Serializer[Any]):
    """The points of each side, as the record names it, and why they are set."""

    totals = serializers.DictField(child=NumberField(), allow_empty=False)
    reason = serializers.CharField(required=False, default="", allow_blank=True)


class ScoreView(ChangeView):
    """Set the score of a table: what is missing is recorded as rounds from a score sheet."""

    @extend_schema(
        operation_id="set_score",
        request=NewScoreSerializer,
        responses={201: StateSerializer, 409: REFUSED},
    )
    def post(self, request: Request, pk: int) -> Response:
        said = read_as(NewScoreSerializer(), request.data)
        return self.change(request, pk, lambda match: set_score(match, **said, by=_user(request)))

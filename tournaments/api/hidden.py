"""The API of results that are hidden until the prize-giving."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.api.desk import REFUSALS, DeskView
from tournaments.models import Tournament
from tournaments.publication import hidden
from tournaments.serializers.numbers import NumberField
from tournaments.services.hidden_results import hide_results, show_results


class HiddenFromSerializer(serializers.Serializer[Any]):
    """The first round with hidden results, by the number of its stage and its own."""

    stage = NumberField(min_value=1)
    round = NumberField(min_value=1)


class HiddenResultsSerializer(serializers.Serializer[Any]):
    """From where on results are hidden; null where all are shown."""

    hidden_from = HiddenFromSerializer(allow_null=True)


class HiddenResults(DeskView):
    """Which results the public does not see until the prize-giving."""

    @extend_schema(
        operation_id="desk_get_hidden_results",
        responses={200: HiddenResultsSerializer, **REFUSALS},
    )
    def get(self, request: Request, slug: str) -> Response:
        """What is hidden now."""
        return _answer(self.directed(slug))

    @extend_schema(
        operation_id="desk_hide_results",
        request=HiddenFromSerializer,
        responses={200: HiddenResultsSerializer, **REFUSALS},
    )
    def put(self, request: Request, slug: str) -> Response:
        """Hide the results of a round and of all that follow."""
        tournament = self.directed(slug)
        return _answer(hide_results(tournament, **self.read(HiddenFromSerializer), by=self.user))

    @extend_schema(
        operation_id="desk_show_results",
        request=None,
        responses={200: HiddenResultsSerializer, **REFUSALS},
    )
    def delete(self, request: Request, slug: str) -> Response:
        """Show all results to everybody."""
        return _answer(show_results(self.directed(slug), by=self.user))


def _answer(tournament: Tournament) -> Response:
    since = hidden(tournament).since
    told = None if since is None else {"stage": since[0], "round": since[1]}
    return Response({"hidden_from": told})

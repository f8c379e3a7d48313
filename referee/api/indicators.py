"""The API of the indicators, for directors and the committee alone."""

from __future__ import annotations

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from referee.permissions_indicators import require_may_read_indicators
from referee.queries.indicators import ORDERS, Asked, indicators_page
from referee.serializers.indicators import IndicatorsSerializer, page_json
from tournaments.api.desk import REFUSALS, DeskView
from tournaments.models import Tournament


class IndicatorsView(DeskView):
    """Counts from the records, by player or by pair: never findings."""

    http_method_names = ["get", "head", "options"]

    def require_may(self, tournament: Tournament) -> None:
        require_may_read_indicators(self.user, tournament)

    @extend_schema(
        operation_id="list_indicators",
        parameters=[
            OpenApiParameter("what", str, enum=["players", "pairs"]),
            OpenApiParameter("q", str, description="A part of a player's name."),
            OpenApiParameter("club", str, description="The name of a club."),
            OpenApiParameter("order", str, enum=list(ORDERS)),
        ],
        responses={200: IndicatorsSerializer, **REFUSALS},
    )
    def get(self, request: Request, slug: str) -> Response:
        asked = Asked.read(request.query_params)
        page = indicators_page(self.tournament(slug), asked)
        return Response(page_json(page), headers={"Cache-Control": "private, no-store"})

"""Finding players, clubs and events through the API."""

from __future__ import annotations

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from tournaments.queries import search as queries
from tournaments.serializers.search import FoundSerializer

LONGEST = 80


class Search(APIView):
    """What of a name the reader may know of, the likeliest first; in any script and spelling."""

    @extend_schema(
        operation_id="search",
        parameters=[
            OpenApiParameter("q", str, description="A name or part of it; 80 signs count.")
        ],
        responses=FoundSerializer,
    )
    def get(self, request: Request) -> Response:
        typed = request.query_params.get("q", "")[:LONGEST].strip()
        return Response(FoundSerializer(queries.search(typed, user=request.user)).data)

"""The API of meetings that both sides of a bracket's table have lost."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.api.desk import REFUSALS, DeskView
from tournaments.api.results import entry_of
from tournaments.serializers.desk import ClosedTableSerializer
from tournaments.serializers.results import MeetingSerializer
from tournaments.services import meetings


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

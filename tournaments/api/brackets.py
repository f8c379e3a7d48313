"""Brackets and groups in the API: the same as on the pages."""

from __future__ import annotations

from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from tournaments.models import Stage
from tournaments.queries.brackets import bracket_page
from tournaments.queries.groups import groups_page
from tournaments.serializers.brackets import BracketSerializer, GroupsSerializer
from tournaments.serializers.public import RefusalSerializer
from tournaments.services.brackets import BRACKETS
from tournaments.visible import stage_at, tournament_at


class Bracket(APIView):
    """The bracket of a stage: who meets whom, and the places so far."""

    @extend_schema(
        operation_id="get_bracket", responses={200: BracketSerializer, 404: RefusalSerializer}
    )
    def get(self, request: Request, slug: str, stage: int) -> Response:
        page = bracket_page(_stage(request, slug, stage, BRACKETS))
        if page is None:
            raise Http404
        return Response(BracketSerializer(page).data)


class Groups(APIView):
    """The groups of a stage: the standings and the cross-table of each."""

    @extend_schema(
        operation_id="get_groups", responses={200: GroupsSerializer, 404: RefusalSerializer}
    )
    def get(self, request: Request, slug: str, stage: int) -> Response:
        found = _stage(request, slug, stage, (Stage.System.GROUPS,))
        return Response(GroupsSerializer(groups_page(found)).data)


def _stage(request: Request, slug: str, number: int, systems: tuple[Stage.System, ...]) -> Stage:
    found = stage_at(tournament_at(slug, user=request.user), str(number))
    if found is None or found.system not in systems:
        raise Http404
    return found

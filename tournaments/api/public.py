"""The API anybody may read: tournaments, entries, rounds, standings, rules."""

from __future__ import annotations

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.pagination import LimitOffsetPagination
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from tournaments import permissions
from tournaments.models import Official
from tournaments.queries import events as queries
from tournaments.queries.standings import standings_after
from tournaments.serializers.public import (
    EntrySerializer,
    PairingsSerializer,
    RefusalSerializer,
    RulesSerializer,
    StageSerializer,
    StandingsSerializer,
    TournamentPageSerializer,
    TournamentSerializer,
)
from tournaments.visible import round_at, stage_at, tournament_at


class TournamentPages(LimitOffsetPagination):
    default_limit = 50
    max_limit = 200


class Tournaments(APIView):
    """The tournaments the reader may know of, the newest first."""

    @extend_schema(
        operation_id="list_tournaments",
        parameters=[OpenApiParameter("limit", int), OpenApiParameter("offset", int)],
        responses=TournamentPageSerializer,
    )
    def get(self, request: Request) -> Response:
        pages = TournamentPages()
        seen = permissions.visible_tournaments(request.user).order_by("-starts_on", "name", "pk")
        page = pages.paginate_queryset(seen, request, view=self) or []
        lines = queries.tournament_lines(page)
        return pages.get_paginated_response(TournamentSerializer(lines, many=True).data)


class OneTournament(APIView):
    """A tournament with its figures."""

    @extend_schema(
        operation_id="get_tournament",
        responses={200: TournamentSerializer, 404: RefusalSerializer},
    )
    def get(self, request: Request, slug: str) -> Response:
        found = tournament_at(slug, user=request.user)
        return Response(TournamentSerializer(queries.tournament_lines([found])[0]).data)


class Entries(APIView):
    """The entries of a tournament by number, the withdrawn ones too."""

    @extend_schema(
        operation_id="list_entries",
        responses={200: EntrySerializer(many=True), 404: RefusalSerializer},
    )
    def get(self, request: Request, slug: str) -> Response:
        found = tournament_at(slug, user=request.user)
        return Response(EntrySerializer(queries.entry_lines(found), many=True).data)


class Stages(APIView):
    """The stages of a tournament with their pairing rounds."""

    @extend_schema(
        operation_id="list_stages",
        responses={200: StageSerializer(many=True), 404: RefusalSerializer},
    )
    def get(self, request: Request, slug: str) -> Response:
        found = tournament_at(slug, user=request.user)
        drafts = Official.Duty.DIRECTOR in permissions.duties(request.user, found)
        lines = queries.stage_lines(found, drafts=drafts)
        return Response(StageSerializer(lines, many=True).data)


class Pairings(APIView):
    """A pairing round: its tables, who sits where, the score, and the byes."""

    @extend_schema(
        operation_id="get_pairing_round",
        responses={200: PairingsSerializer, 404: RefusalSerializer},
    )
    def get(self, request: Request, slug: str, stage: int, number: int) -> Response:
        found = round_at(slug, stage, number, user=request.user)
        page = queries.pairings_page(found, drafts=False)
        return Response(PairingsSerializer(page, context={"request": request}).data)


class Standings(APIView):
    """The standings of a stage, the latest unless `stage` names another."""

    @extend_schema(
        operation_id="get_standings",
        parameters=[
            OpenApiParameter("stage", int, description="Number of the stage."),
            OpenApiParameter("after", int, description="As they were when this round ended."),
        ],
        responses={200: StandingsSerializer, 404: RefusalSerializer},
    )
    def get(self, request: Request, slug: str) -> Response:
        found = tournament_at(slug, user=request.user)
        page = queries.standings_page(
            found, stage=stage_at(found, request.query_params.get("stage", ""))
        )
        if number := request.query_params.get("after"):
            page = standings_after(page.stage, number).page
        return Response(StandingsSerializer(page).data)


class RulesInWords(APIView):
    """The rules a tournament is played by."""

    @extend_schema(
        operation_id="get_rules", responses={200: RulesSerializer, 404: RefusalSerializer}
    )
    def get(self, request: Request, slug: str) -> Response:
        found = tournament_at(slug, user=request.user)
        return Response(RulesSerializer(queries.rules_page(found)).data)

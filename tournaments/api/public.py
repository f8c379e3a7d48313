"""API views; how errors leave the API.

400 names the fields; 403, 404 and 409 carry `code` for programs and `message` for people, in the
reader's language.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import Http404
from django.utils.translation import gettext
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import exceptions
from rest_framework.pagination import LimitOffsetPagination
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView, exception_handler, set_rollback

from engine.errors import BadRecord, DominoError
from tournaments import permissions
from tournaments.api.parsers import Unreadable
from tournaments.errors.base import explain
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


def refusal_response(error: Exception, context: Mapping[str, Any]) -> Response | None:
    """Return the answer to an error of an API view; None leaves a bug to be a bug."""
    if isinstance(error, DominoError):
        set_rollback()
        return Response(refusal(error), status=400 if isinstance(error, BadRecord) else 409)
    answer = exception_handler(error, dict(context))
    if answer is None or isinstance(error, exceptions.ValidationError):
        return answer
    answer.data = {"code": _code(error), "message": _message(error, context)}
    return answer


def refusal(error: DominoError) -> dict[str, object]:
    """Return what a refused request is told; `path` where a record could not be read."""
    told: dict[str, object] = {"code": error.code, "message": explain(error)}
    if isinstance(error, BadRecord):
        told["path"] = error.path
    return told


def _code(error: Exception) -> str:
    match error:
        case PermissionDenied():
            return "permission_denied"
        case Http404():
            return "not_found"
        case exceptions.APIException():
            return str(error.get_codes())
        case _:
            return "refused"


def _message(error: Exception, context: Mapping[str, Any]) -> str:
    match error:
        case exceptions.APIException():
            return _said_of(error, context)
        case PermissionDenied() if str(error):
            return str(error)
        case PermissionDenied():
            return gettext("You may not do this. Ask a director of the tournament.")
        case Http404():
            return _nothing_here()
        case _:
            return str(error)


def _said_of(error: exceptions.APIException, context: Mapping[str, Any]) -> str:
    """Return our sentence for what the framework refuses; its own are half translated."""
    match error:
        case Unreadable():
            return str(error.detail)
        case exceptions.ParseError():
            return gettext("What was sent cannot be read. Send it as its Content-Type says.")
        case exceptions.MethodNotAllowed():
            said = gettext(
                "%(method)s does nothing at this address. Use one of these: %(allowed)s."
            )
            allowed = ", ".join(context["view"].allowed_methods)
            return said % {"method": context["request"].method, "allowed": allowed}
        case exceptions.UnsupportedMediaType():
            kinds = ", ".join(one.media_type for one in context["view"].parser_classes)
            said = gettext("This kind of content is not read here. Send one of these: %(kinds)s.")
            return said % {"kinds": kinds}
        case exceptions.NotAcceptable():
            return gettext("The answers here are JSON. Ask for application/json.")
        case exceptions.AuthenticationFailed():
            return gettext("The user name or the password is wrong. Correct it and send it again.")
        case exceptions.NotAuthenticated():
            return gettext("Sign in first: only officials of the tournament may do this.")
        case exceptions.NotFound():
            return _nothing_here()
        case exceptions.PermissionDenied():
            # Who may do what is asked in the services; this is a missing token.
            return gettext(
                "The request carries no valid token of this site. Load the page again, or sign in"
                " with user name and password."
            )
        case _:
            return str(error.detail)


def _nothing_here() -> str:
    return gettext("There is nothing at this address, or it is not published yet.")

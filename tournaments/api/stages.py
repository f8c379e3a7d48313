"""The director's API about stages: the same acts as on the pages."""

from __future__ import annotations

from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.api.desk import REFUSALS, DeskView
from tournaments.models import Stage, Tournament
from tournaments.queries import events as queries
from tournaments.serializers.desk import ClosedTableSerializer
from tournaments.serializers.public import StageSerializer
from tournaments.serializers.stages import (
    NewStageSerializer,
    QualifierSerializer,
    ReasonSerializer,
    TakesSerializer,
    plan_of,
    takes_of,
)
from tournaments.services import pairings, stages
from tournaments.services.expulsions import expel_both


class NewStage(DeskView):
    """Make a stage of any system; without a source everybody in the event plays in it.

    A round robin and rounds by hand of the whole event are there at once.
    """

    @extend_schema(
        operation_id="desk_make_stage",
        request=NewStageSerializer,
        responses={200: StageSerializer, **REFUSALS},
    )
    def post(self, request: Request, slug: str) -> Response:
        given = self.read(NewStageSerializer)
        plan = plan_of(given)
        tournament = self.tournament(slug)
        source = _source(tournament, given.get("source"))
        if source is None and plan.system == Stage.System.ROUND_ROBIN:
            legs = given.get("legs", 1)
            made = pairings.make_round_robin(tournament, name=plan.name, legs=legs, by=self.user)
        elif source is None and plan.system == Stage.System.MANUAL:
            made = pairings.make_manual_stage(tournament, name=plan.name, by=self.user)
        else:
            made = stages.make_stage(tournament, plan, source=source, by=self.user)
        return _told(made)


class Qualifiers(DeskView):
    """Say who would go on from a closed stage, making nothing."""

    @extend_schema(
        operation_id="desk_preview_qualifiers",
        request=TakesSerializer,
        responses={200: QualifierSerializer(many=True), **REFUSALS},
    )
    def post(self, request: Request, slug: str, stage: int) -> Response:
        found = _stage(self.directed(slug), stage)
        ahead = stages.preview_qualifiers(found, takes_of(self.read(TakesSerializer)))
        lines = [{"entry": entry, "group": group, "place": place} for entry, group, place in ahead]
        return Response(QualifierSerializer(lines, many=True).data)


class CloseStage(DeskView):
    """Close a stage: its standings change no more, and its best can go on."""

    @extend_schema(
        operation_id="desk_close_stage", request=None, responses={200: StageSerializer, **REFUSALS}
    )
    def post(self, request: Request, slug: str, stage: int) -> Response:
        return _told(stages.close_stage(_stage(self.directed(slug), stage), by=self.user))


class ReopenStage(DeskView):
    """Open a closed stage again, as long as nobody has gone on from it."""

    @extend_schema(
        operation_id="desk_reopen_stage",
        request=ReasonSerializer,
        responses={200: StageSerializer, **REFUSALS},
    )
    def post(self, request: Request, slug: str, stage: int) -> Response:
        found = _stage(self.directed(slug), stage)
        reason = self.read(ReasonSerializer)["reason"]
        return _told(stages.reopen_stage(found, reason=reason, by=self.user))


class Expel(DeskView):
    """Put both sides of a table out of the event; nobody goes on from a meeting of a bracket."""

    @extend_schema(
        operation_id="desk_expel_both",
        request=ReasonSerializer,
        responses={200: ClosedTableSerializer, **REFUSALS},
    )
    def post(self, request: Request, slug: str, pk: int) -> Response:
        match = self.table(slug, pk)
        reason = self.read(ReasonSerializer)["reason"]
        closed = expel_both(match, reason=reason, by=self.user)
        return Response(ClosedTableSerializer(closed).data, status=status.HTTP_200_OK)


def _source(tournament: Tournament, number: int | None) -> Stage | None:
    return None if number is None else _stage(tournament, number)


def _stage(tournament: Tournament, number: int) -> Stage:
    found: Stage | None = (
        tournament.stages.select_related("tournament").filter(number=number).first()
    )
    if found is None:
        raise Http404
    return found


def _told(stage: Stage) -> Response:
    lines = queries.stage_lines(stage.tournament, drafts=True)
    (line,) = (one for one in lines if one.stage == stage)
    return Response(StageSerializer(line).data)

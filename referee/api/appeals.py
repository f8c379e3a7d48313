"""The API of appeals: file, read, name the panel, preview, decide, withdraw."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.http import Http404
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import Serializer

from referee.queries import records as queries
from referee.services import appeals as service
from tournaments import permissions
from tournaments.api.desk import REFUSALS, DeskView
from tournaments.api.fields import read_as
from tournaments.api.guard import GuardedView
from tournaments.api.results import entry_of
from tournaments.models import Appeal, Match, Tournament
from tournaments.policies import appeal_minutes
from tournaments.queries.appeals import appeals_page, readable_appeals
from tournaments.serializers.appeals import (
    AppealLineSerializer,
    AppealSerializer,
    AppealTimeSerializer,
    NewAppealSerializer,
    PanelSerializer,
    VerdictSerializer,
)
from tournaments.services.appeal_decisions import Verdict
from tournaments.services.appeals import name_panel, set_appeal_time, withdraw_appeal


class Appeals(DeskView):
    """The appeals of an event, those not decided first; for its referees and directors."""

    def require_may(self, tournament: Tournament) -> None:
        permissions.require_referee(self.user, tournament)

    @extend_schema(
        operation_id="list_appeals", responses={200: AppealLineSerializer(many=True), **REFUSALS}
    )
    def get(self, request: Request, slug: str) -> Response:
        page = appeals_page(self.tournament(slug))
        lines = [*page.undecided, *page.decided]
        return Response(AppealLineSerializer(lines, many=True).data)


class AppealTime(DeskView):
    """For how long after a result appeals are taken; a director's setting."""

    @extend_schema(
        operation_id="set_appeal_time",
        request=AppealTimeSerializer,
        responses={200: AppealTimeSerializer, **REFUSALS},
    )
    def put(self, request: Request, slug: str) -> Response:
        given = self.read(AppealTimeSerializer)
        changed = set_appeal_time(self.tournament(slug), **given, by=self.user)
        return Response({"minutes": appeal_minutes(changed)})


class _AppealView(GuardedView):
    """Something about appeals; who may not is refused before what was sent is read."""

    permission_classes = (IsAuthenticated,)

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        self.require_there()
        self.require_allowed()

    def require_allowed(self) -> None:
        """Raise `PermissionDenied` unless the reader may do this."""
        raise NotImplementedError

    @property
    def user(self) -> User:
        user = self.request.user
        if not isinstance(user, User):
            raise Http404
        return user

    def read(self, shape: type[Serializer[Any]]) -> dict[str, Any]:
        return read_as(shape(), self.request.data)


class Filed(_AppealView):
    """File an appeal about a match; its result is under protest from then on."""

    def match(self) -> Match:
        """Return the match; what the reader may not see is not there."""
        found: Match = get_object_or_404(queries.matches(), pk=self.kwargs["pk"])
        if not permissions.may_see_match(self.request.user, found):
            raise Http404
        return found

    def require_there(self) -> None:
        self.match()

    def require_allowed(self) -> None:
        permissions.require_referee(self.user, self.match().pairing_round.stage.tournament)

    @extend_schema(
        operation_id="file_appeal",
        request=NewAppealSerializer,
        responses={201: AppealSerializer, **REFUSALS},
    )
    def post(self, request: Request, pk: int) -> Response:
        match = self.match()
        given = self.read(NewAppealSerializer)
        entry = entry_of(match.pairing_round.stage.tournament, given.pop("entry"))
        filed = service.file_appeal(match, entry=entry, **given, by=self.user)
        return Response(AppealSerializer(filed).data, status=status.HTTP_201_CREATED)


class OneAppeal(_AppealView):
    """An appeal with its evidence, for referees, directors and its panel."""

    def appeal(self) -> Appeal:
        """Return the appeal; of a hidden event the reader may know nothing."""
        found: Appeal = get_object_or_404(readable_appeals(), pk=self.kwargs["pk"])
        if not permissions.may_see_tournament(self.request.user, found.tournament):
            raise Http404
        return found

    def require_there(self) -> None:
        self.appeal()

    def require_allowed(self) -> None:
        if not permissions.may_read_appeal(self.user, self.appeal()):
            raise PermissionDenied

    @extend_schema(operation_id="get_appeal", responses={200: AppealSerializer, **REFUSALS})
    def get(self, request: Request, pk: int) -> Response:
        return Response(AppealSerializer(self.appeal()).data)


class _Change(OneAppeal):
    http_method_names = ["post", "put", "options"]


class Panel(_Change):
    """Name who decides; a director's act."""

    def require_allowed(self) -> None:
        permissions.require_director(self.user, self.appeal().tournament)

    @extend_schema(
        operation_id="name_appeal_panel",
        request=PanelSerializer,
        responses={200: AppealSerializer, **REFUSALS},
    )
    def put(self, request: Request, pk: int) -> Response:
        changed = name_panel(self.appeal(), **self.read(PanelSerializer), by=self.user)
        return Response(AppealSerializer(changed).data)


class Withdraw(_Change):
    """Withdraw an appeal for the side that made it."""

    def require_allowed(self) -> None:
        permissions.require_referee(self.user, self.appeal().tournament)

    @extend_schema(
        operation_id="withdraw_appeal", request=None, responses={200: AppealSerializer, **REFUSALS}
    )
    def post(self, request: Request, pk: int) -> Response:
        return Response(AppealSerializer(withdraw_appeal(self.appeal(), by=self.user)).data)


class Decide(_Change):
    """Decide an appeal and carry out what that does to the result."""

    def require_allowed(self) -> None:
        permissions.require_may_decide(self.user, self.appeal())

    @extend_schema(
        operation_id="decide_appeal",
        request=VerdictSerializer,
        responses={200: AppealSerializer, **REFUSALS},
    )
    def post(self, request: Request, pk: int) -> Response:
        found = self.appeal()
        done = service.decide_appeal(found, self.verdict(found), by=self.user)
        return Response(AppealSerializer(done).data)

    def verdict(self, found: Appeal) -> Verdict:
        """Return what was sent; an entry that is not there is refused."""
        given = self.read(VerdictSerializer)
        absent = [entry_of(found.tournament, number) for number in given["absent"]]
        return Verdict(**given | {"absent": absent})


class Preview(Decide):
    """What a decision would change; nothing is changed."""

    @extend_schema(
        operation_id="preview_appeal",
        request=VerdictSerializer,
        responses={200: AppealSerializer, **REFUSALS},
    )
    def post(self, request: Request, pk: int) -> Response:
        found = self.appeal()
        would = service.preview(found, self.verdict(found), by=self.user)
        return Response(AppealSerializer(would).data)

"""The API of the table: the state of a match, and every change the pages can make."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from datetime import timedelta
from functools import cache
from typing import Any
from uuid import uuid4

from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import APIException
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import Serializer
from rest_framework.views import APIView

from engine.errors import DominoError
from engine.events import Event
from engine.seats import Seat
from referee import guests, states
from referee.errors.links import TableHeld
from referee.errors.records import RecordMovedOn
from referee.models import RoundRecord
from referee.proposals import proposals_for
from referee.queries import going_back as back_queries
from referee.queries import records as queries
from referee.recorded import Recorded
from referee.serializers.records import (
    BackSerializer,
    NewEventSerializer,
    NewRoundSerializer,
    ProposalsSerializer,
    ReasonSerializer,
    RefusalSerializer,
    ReopeningSerializer,
    SeatsSerializer,
    StateSerializer,
    StoredEventSerializer,
    WantedBackSerializer,
    WantedProposalsSerializer,
)
from referee.services import going_back, holders, replays
from referee.services import records as services
from tournaments import freshness
from tournaments.api.fields import read_as
from tournaments.api.guard import GuardedView
from tournaments.errors.base import explain
from tournaments.errors.hidden import ResultsHidden
from tournaments.models import Match
from tournaments.permissions import (
    Keeper,
    TableGuest,
    may_see_match,
    require_director,
    require_may_record,
)
from tournaments.publication import may_see_play

# A guest of the table comes first: whoever may do it under their own name is none.
AUTHENTICATION: list[type[BaseAuthentication]] = [
    guests.TableLinkAuthentication,
    *APIView.authentication_classes,
]
REFUSED = OpenApiResponse(RefusalSerializer, description="Refused, with the state as it is.")


def _user(request: Request) -> Keeper:
    assert isinstance(request.user, User | TableGuest)
    return request.user


def _account(request: Request) -> User:
    assert isinstance(request.user, User)
    return request.user


def device_in(request: Request) -> str:
    """Return the key of the device that asks; "" where it has none."""
    return holders.device_named(request.headers.get(holders.HEADER, ""))


def _visible(request: Request, pk: int) -> Match:
    match = get_object_or_404(queries.matches(), pk=pk)
    if not may_see_match(request.user, match):
        raise Http404
    if not may_see_play(request.user, match):
        raise ResultsHidden(round=match.pairing_round.number)
    return match


@cache
def _form(kind: type[Serializer[Any]]) -> Serializer[Any]:
    # Making a serializer copies all its fields; reading with it leaves no trace in it.
    return kind()


def _asked(kind: type[Serializer[Any]], request: Request) -> dict[str, Any]:
    return read_as(_form(kind), request.data)


def refused(
    error: DominoError, match_pk: int, *, round_pk: int | None = None, **asked: Any
) -> Response:
    """Answer a refusal with its reason and the match as it is now."""
    match = get_object_or_404(queries.matches(), pk=match_pk)
    recorded = queries.read(match, round_pk=round_pk)
    event: Event | None = asked.get("event")
    seat = getattr(event, "seat", None)
    kind = getattr(error, "as_infraction", None) if seat is not None else None
    answer: dict[str, Any] = {
        "code": error.code,
        "message": explain(error),
        "as_infraction": kind,
        "state": queries.with_signing(states.live(recorded), match, recorded),
        "record": states.written_record(recorded),
    }
    if kind is not None and isinstance(seat, Seat):
        answer["proposals"] = proposals_for(recorded, seat, kind)["proposals"]
    if isinstance(error, TableHeld):
        answer["holder"] = holders.holder_json(match)
    if isinstance(error, RecordMovedOn) and recorded.stored and recorded.round:
        told = states.events_of(recorded, recorded.stored, recorded.round)
        answer["since"] = told[asked.get("number", 0) :]
    return Response(answer, status=409)


class MatchView(APIView):
    """A match as it stands: who sits where, the rules, the score, the round in play."""

    authentication_classes = AUTHENTICATION

    @extend_schema(operation_id="get_match", responses={200: StateSerializer})
    def get(self, request: Request, pk: int) -> HttpResponse:
        match = _visible(request, pk)
        etag = freshness.etag_of(request._request, match.pk, match.state, match.changed_at)
        if device := request.headers.get(holders.HEADER, ""):
            holders.note_seen(match, device)
        if (answer := freshness.unchanged(request._request, etag)) is not None:
            return answer
        state = queries.state(match, request.user)
        return freshness.kept(Response(state), etag)


class RecordView(APIView):
    """The record of a match as a document that any program can replay."""

    @extend_schema(operation_id="get_record", responses={200: OpenApiTypes.OBJECT})
    def get(self, request: Request, pk: int) -> Response:
        match = _visible(request, pk)
        headers = {"Content-Disposition": f'attachment; filename="match-{match.pk}.json"'}
        return Response(queries.document(match, request.user), headers=headers)


class LinesView(APIView):
    """The record of a match in notation, one event a line."""

    @extend_schema(operation_id="get_lines", responses={(200, "text/plain"): OpenApiTypes.STR})
    def get(self, request: Request, pk: int) -> HttpResponse:
        match = _visible(request, pk)
        return HttpResponse(
            queries.lines(match, request.user), content_type="text/plain; charset=utf-8"
        )


class TableView(GuardedView):
    """Something about a match that only those who record it may ask or change."""

    authentication_classes = AUTHENTICATION
    permission_classes = [guests.SignedInOrGuest]
    _found: Match | None = None

    def require_there(self) -> None:
        self.match()

    def match(self) -> Match:
        """Return the match of the address, looked up once a request."""
        if self._found is None:
            self._found = _visible(self.request, self.kwargs["pk"])
        return self._found

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        self.require_may(self.match())

    def require_may(self, match: Match) -> None:
        """Raise `PermissionDenied` unless the reader may do this at the table."""
        require_may_record(self.request.user, match)


class ChangeView(TableView):
    """What the changes of a match have in common."""

    def change(
        self, request: Request, pk: int, act: Callable[[Match], object], status: int = 201
    ) -> Response:
        """Do `act` to the match and answer with its state; or say why it is refused."""
        match = self.match()
        try:
            with self.holding(match):
                act(match)
        except DominoError as error:
            return refused(error, match.pk)
        fresh = get_object_or_404(queries.matches(), pk=pk)
        return Response(queries.state(fresh, request.user), status=status)

    def holding(self, match: Match) -> AbstractContextManager[None]:
        """Make the change as the device that holds the table."""
        return holders.holding(match, device_in(self.request), by=_user(self.request))


class DirectorsChangeView(ChangeView):
    """A change that only a director makes, whatever device holds the table."""

    permission_classes = [IsAuthenticated]

    def holding(self, match: Match) -> AbstractContextManager[None]:
        return nullcontext()

    def require_may(self, match: Match) -> None:
        require_director(self.request.user, match.pairing_round.stage.tournament)


class OpenView(ChangeView):
    """Open a table: its record may be kept from then on."""

    @extend_schema(
        operation_id="open_match", request=None, responses={201: StateSerializer, 409: REFUSED}
    )
    def post(self, request: Request, pk: int) -> Response:
        return self.change(request, pk, lambda match: services.open_match(match, by=_user(request)))


class SeatsView(ChangeView):
    """Seat the players as they really sit, before the first round."""

    @extend_schema(
        operation_id="confirm_seats",
        request=SeatsSerializer,
        responses={201: StateSerializer, 409: REFUSED},
    )
    def post(self, request: Request, pk: int) -> Response:
        order = _asked(SeatsSerializer, request)
        return self.change(
            request,
            pk,
            lambda match: services.confirm_seats(match, order=order, by=_user(request)),
        )


class RoundsView(ChangeView):
    """Start a round; with `result` the whole round is recorded from a score sheet."""

    @extend_schema(
        operation_id="open_round",
        request=NewRoundSerializer,
        responses={201: StateSerializer, 409: REFUSED},
    )
    def post(self, request: Request, pk: int) -> Response:
        said = _asked(NewRoundSerializer, request)
        sheet, key = said.pop("result"), said.pop("client_key")
        user = _user(request)

        def act(match: Match) -> object:
            if sheet is None:
                return services.open_round(match, by=user, **said)
            return services.record_sheet(
                match, number=said["number"], sheet=sheet, client_key=key, by=user
            )

        return self.change(request, pk, act)


class EventsView(GuardedView):
    """Store one event of a round.

    It is sent at every move, so who may is asked with the lock alone, and beforehand only where
    it is refused anyway.
    """

    authentication_classes = AUTHENTICATION
    permission_classes = [guests.SignedInOrGuest]
    table_by = "record"

    def require_there(self) -> None:
        self.match()

    def match(self) -> Match:
        """Return the match of the round, for whoever may see it."""
        found = get_object_or_404(RoundRecord, pk=self.kwargs["pk"])
        return _visible(self.request, found.match_id)

    def asked(self, request: Request) -> dict[str, Any]:
        """Return what was sent; whoever may not send it is told that first."""
        try:
            return _asked(NewEventSerializer, request)
        except APIException:
            require_may_record(request.user, self.match())
            raise

    @extend_schema(
        operation_id="append_event",
        request=NewEventSerializer,
        responses={201: StoredEventSerializer, 409: REFUSED},
    )
    def post(self, request: Request, pk: int) -> Response:
        said = self.asked(request)
        key = said["client_key"] or uuid4()
        try:
            recorded = services.append_events(
                pk,
                number=said["number"],
                events=[said["event"]],
                client_keys=[key],
                device=device_in(request),
                age=timedelta(milliseconds=said["age"]),
                by=_user(request),
            )
        except RoundRecord.DoesNotExist:
            raise Http404 from None
        except PermissionDenied:
            self.require_there()
            raise
        except DominoError as error:
            match_pk = RoundRecord.objects.values_list("match_id", flat=True).get(pk=pk)
            return refused(error, match_pk, round_pk=pk, **said)
        changes = states.changes(recorded, said["number"])
        if changes["over"]:
            match = queries.matches().get(pk=recorded.match.pk)
            changes = queries.with_signing(changes, match, recorded)
        return Response({"number": said["number"], "changes": changes}, status=201)


class BackView(ChangeView):
    """Going back to any event of the match; without `round` the events to choose from."""

    @extend_schema(
        operation_id="preview_back",
        summary="What going back to an event of the match would lose; nothing is changed",
        parameters=[OpenApiParameter("round", int), OpenApiParameter("event", int)],
        responses={200: OpenApiTypes.OBJECT, 409: REFUSED},
    )
    def get(self, request: Request, pk: int) -> Response:
        said = read_as(WantedBackSerializer(), request.query_params.dict())
        match = self.match()
        recorded = queries.read(match)
        if said["round"] is None:
            return Response(back_queries.choice(recorded))
        try:
            told = back_queries.preview(recorded, number=said["round"], event=said["event"])
        except DominoError as error:
            return refused(error, match.pk)
        return Response(told)

    @extend_schema(
        operation_id="go_back",
        request=BackSerializer,
        responses={201: StateSerializer, 409: REFUSED},
    )
    def post(self, request: Request, pk: int) -> Response:
        said = _asked(BackSerializer, request)
        return self.change(
            request,
            pk,
            lambda match: going_back.go_back(
                match,
                number=said["round"],
                event=said["event"],
                seen=(said["rounds"], said["events"]),
                client_key=said["client_key"],
                by=_user(request),
            ),
        )


class CloseView(ChangeView):
    """Close a match: what every seat leaves with is written."""

    @extend_schema(
        operation_id="close_match",
        request=ReasonSerializer,
        responses={201: StateSerializer, 409: REFUSED},
    )
    def post(self, request: Request, pk: int) -> Response:
        reason = _asked(ReasonSerializer, request)["reason"]
        return self.change(
            request,
            pk,
            lambda match: services.close_match(match, reason=reason, by=_user(request)),
        )


class ReopenView(DirectorsChangeView):
    """Open a closed match for a correction; for directors."""

    @extend_schema(
        operation_id="reopen_match",
        request=ReopeningSerializer,
        responses={201: StateSerializer, 409: REFUSED},
    )
    def post(self, request: Request, pk: int) -> Response:
        said = _asked(ReopeningSerializer, request)
        return self.change(
            request, pk, lambda match: services.reopen_match(match, by=_account(request), **said)
        )


class ReplayView(DirectorsChangeView):
    """Let a match be played again from the start; for directors."""

    @extend_schema(
        operation_id="replay_match",
        request=ReasonSerializer,
        responses={201: StateSerializer, 409: REFUSED},
    )
    def post(self, request: Request, pk: int) -> Response:
        said = _asked(ReasonSerializer, request)
        return self.change(
            request, pk, lambda match: replays.replay_match(match, by=_account(request), **said)
        )


class ProposalsView(TableView):
    """The measures to offer for an infraction: the schedule's step first."""

    @extend_schema(
        operation_id="get_proposals",
        parameters=[
            OpenApiParameter("seat", str, required=True),
            OpenApiParameter("kind", str, required=True),
            OpenApiParameter("deliberate", bool),
        ],
        responses={200: ProposalsSerializer},
    )
    def get(self, request: Request, pk: int) -> Response:
        said = read_as(WantedProposalsSerializer(), request.query_params.dict())
        recorded: Recorded = queries.read(self.match())
        return Response(
            proposals_for(recorded, Seat(said["seat"]), said["kind"], deliberate=said["deliberate"])
        )

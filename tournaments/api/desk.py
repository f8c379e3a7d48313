"""The director's API: every act of the desk, through the same services as its pages."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

from django.contrib.auth.models import User
from django.http import Http404
from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework import status
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import Serializer

from tournaments import permissions
from tournaments.api.fields import read_as
from tournaments.api.guard import EventView
from tournaments.errors import tables as table_errors
from tournaments.models import LONG_IN_ROUND, Match, Official, PairingRound, Tournament
from tournaments.queries import desk
from tournaments.serializers.desk import (
    AbsentSerializer,
    AccountSerializer,
    ChangedTournamentSerializer,
    ClosedTableSerializer,
    DetailsSerializer,
    NewAccountSerializer,
    NewDutySerializer,
    NewRoundSerializer,
    NewRulesSerializer,
    NewTournamentSerializer,
    OfficialSerializer,
    PublishSerializer,
    SeatedRoundSerializer,
    TableRulesSerializer,
)
from tournaments.serializers.public import RefusalSerializer, TournamentSerializer
from tournaments.services import accounts, lifecycle, pairings, results
from tournaments.services.table_rules import set_table_rules

REFUSALS = {403: RefusalSerializer, 404: RefusalSerializer, 409: RefusalSerializer}


class DeskView(EventView):
    """An act of an official of one event: of a director, unless `require_may` says otherwise.

    Who may not is refused before what was sent is read; the services ask once more, with the lock.
    """

    permission_classes = (IsAuthenticated,)

    def require_allowed(self) -> None:
        if "slug" in self.kwargs:
            self.require_may(self.tournament(self.kwargs["slug"]))

    def require_may(self, tournament: Tournament) -> None:
        """Raise `PermissionDenied` unless the reader has the duty this needs."""
        permissions.require_director(self.user, tournament)

    def directed(self, slug: str) -> Tournament:
        """Return the event for reading what only directors see."""
        found = self.tournament(slug)
        permissions.require_director(self.user, found)
        return found

    def table(self, slug: str, pk: int) -> Match:
        """Return a table of the event, for one of its directors."""
        of_event = Match.objects.filter(pairing_round__stage__tournament=self.directed(slug))
        with_event = of_event.select_related("pairing_round__stage__tournament")
        found = with_event.defer(*LONG_IN_ROUND).filter(pk=pk).first()
        if found is None:
            raise Http404
        return found

    @property
    def user(self) -> User:
        user = self.request.user
        if not isinstance(user, User):
            raise Http404
        return user

    def read(self, shape: type[Serializer[Any]], **settings: Any) -> dict[str, Any]:
        """Return what was sent, or answer 400 with each field that cannot be read."""
        return read_as(shape(**settings), self.request.data)


class Desk(DeskView):
    """The events of one director: the list, and a new one."""

    @extend_schema(operation_id="desk_list", responses=TournamentSerializer(many=True))
    def get(self, request: Request) -> Response:
        """The events the reader has a duty in."""
        lines = [one.line for one in desk.desk_page(self.user).lines]
        return Response(TournamentSerializer(lines, many=True).data)

    @extend_schema(
        operation_id="desk_create",
        request=NewTournamentSerializer,
        responses={201: ChangedTournamentSerializer, **REFUSALS},
    )
    def post(self, request: Request) -> Response:
        """Set up an event under frozen rules."""
        permissions.require_may_create_tournament(self.user)
        made = lifecycle.create_tournament(**self.read(NewTournamentSerializer), by=self.user)
        return Response(ChangedTournamentSerializer(made).data, status=status.HTTP_201_CREATED)


class Details(DeskView):
    """Correct where and when an event is played."""

    @extend_schema(
        operation_id="desk_change_details",
        request=DetailsSerializer,
        responses={200: ChangedTournamentSerializer, **REFUSALS},
    )
    def put(self, request: Request, slug: str) -> Response:
        given = self.read(DetailsSerializer)
        found = lifecycle.change_details(self.tournament(slug), **given, by=self.user)
        return Response(ChangedTournamentSerializer(found).data)


class EventRules(DeskView):
    """Change the rules, as long as no round is published."""

    @extend_schema(
        operation_id="desk_change_rules",
        request=NewRulesSerializer,
        responses={200: ChangedTournamentSerializer, **REFUSALS},
    )
    def put(self, request: Request, slug: str) -> Response:
        given = self.read(NewRulesSerializer)
        found = lifecycle.change_rules(self.tournament(slug), **given, by=self.user)
        return Response(ChangedTournamentSerializer(found).data)


class _Act(DeskView):
    """A step of an event; asked twice, it is taken once."""

    act: ClassVar[Callable[..., Tournament]]

    def post(self, request: Request, slug: str) -> Response:
        found = type(self).act(self.tournament(slug), by=self.user)
        return Response(ChangedTournamentSerializer(found).data)


def _step(operation: str) -> Callable[[type[_Act]], type[_Act]]:
    return extend_schema_view(
        post=extend_schema(
            operation_id=operation,
            request=None,
            responses={200: ChangedTournamentSerializer, **REFUSALS},
        )
    )


@_step("desk_open")
class OpenRegistration(_Act):
    """Show the event to everybody and take entries."""

    act = staticmethod(lifecycle.open_registration)


@_step("desk_start")
class Start(_Act):
    """Close registration; from now on rounds can be paired."""

    act = staticmethod(lifecycle.start)


@_step("desk_finish")
class Finish(_Act):
    """End the event once every published table is closed."""

    act = staticmethod(lifecycle.finish)


class Officials(DeskView):
    """The officials of an event."""

    @extend_schema(
        operation_id="desk_list_officials",
        responses={200: OfficialSerializer(many=True), **REFUSALS},
    )
    def get(self, request: Request, slug: str) -> Response:
        """Who has a duty at the event."""
        found = self.directed(slug).officials.select_related("user").order_by("duty", "pk")
        return Response(OfficialSerializer(found, many=True).data)

    @extend_schema(
        operation_id="desk_add_official",
        request=NewDutySerializer,
        responses={200: OfficialSerializer, **REFUSALS},
    )
    def post(self, request: Request, slug: str) -> Response:
        """Give a duty to somebody who has an account."""
        given = self.read(NewDutySerializer)
        made = lifecycle.add_official(self.tournament(slug), **given, by=self.user)
        return Response(OfficialSerializer(made).data)


class OneOfficial(DeskView):
    """Take a duty away."""

    @extend_schema(operation_id="desk_remove_official", responses={204: None, **REFUSALS})
    def delete(self, request: Request, slug: str, pk: int) -> Response:
        found = Official.objects.filter(tournament=self.directed(slug), pk=pk).first()
        if found is not None:
            lifecycle.remove_official(found, by=self.user)
        return Response(status=status.HTTP_204_NO_CONTENT)


class Accounts(DeskView):
    """Make an account for an official who has none."""

    @extend_schema(
        operation_id="desk_create_account",
        request=NewAccountSerializer,
        responses={201: AccountSerializer, **REFUSALS},
    )
    def post(self, request: Request, slug: str) -> Response:
        given = self.read(NewAccountSerializer)
        official, password = accounts.create_official_account(
            self.tournament(slug), **given, by=self.user
        )
        told = OfficialSerializer(official).data | {"password": password}
        return Response(told, status=status.HTTP_201_CREATED)


class OneStage(DeskView):
    """Throw away a stage nothing of which has been published."""

    @extend_schema(operation_id="desk_discard_stage", responses={204: None, **REFUSALS})
    def delete(self, request: Request, slug: str, stage: int) -> Response:
        found = self.directed(slug).stages.filter(number=stage).first()
        if found is not None:
            pairings.discard_stage(found, by=self.user)
        return Response(status=status.HTTP_204_NO_CONTENT)


class ManualRound(DeskView):
    """Seat a draft round by hand."""

    @extend_schema(
        operation_id="desk_seat_round",
        request=NewRoundSerializer,
        responses={200: SeatedRoundSerializer, **REFUSALS},
    )
    def put(self, request: Request, slug: str, stage: int, number: int) -> Response:
        found = self.directed(slug).stages.select_related("tournament").filter(number=stage).first()
        if found is None:
            raise Http404
        given = self.read(NewRoundSerializer)
        made = pairings.save_manual_round(found, number=number, **given, by=self.user)
        return Response(SeatedRoundSerializer(made).data)


class TableRules(DeskView):
    """Let one table play by other rules than its event, or by the event's again."""

    @extend_schema(
        operation_id="desk_set_table_rules",
        request=TableRulesSerializer,
        responses={204: None, **REFUSALS},
    )
    def put(self, request: Request, slug: str, pk: int) -> Response:
        match = self.table(slug, pk)
        set_table_rules(match, **self.read(TableRulesSerializer), by=self.user)
        return Response(status=status.HTTP_204_NO_CONTENT)


class Walkover(DeskView):
    """Close a table nobody could play at, because somebody did not appear."""

    @extend_schema(
        operation_id="desk_walkover",
        request=AbsentSerializer,
        responses={200: ClosedTableSerializer, **REFUSALS},
    )
    def post(self, request: Request, slug: str, pk: int) -> Response:
        match = self.table(slug, pk)
        numbers = self.read(AbsentSerializer)["absent"]
        entries = match.pairing_round.stage.tournament.entries.filter(number__in=numbers)
        unknown = sorted(set(numbers) - {one.number for one in entries})
        if unknown:
            raise table_errors.UnknownEntry(
                tournament=match.pairing_round.stage.tournament.name, number=unknown[0]
            )
        closed = results.record_walkover(match, absent=entries, by=self.user)
        return Response(ClosedTableSerializer(closed).data)


class Publish(DeskView):
    """Show a draft round to everybody."""

    @extend_schema(
        operation_id="desk_publish",
        request=PublishSerializer,
        responses={200: SeatedRoundSerializer, **REFUSALS},
    )
    def post(self, request: Request, slug: str, stage: int, number: int) -> Response:
        found = (
            PairingRound.objects.filter(
                stage__tournament=self.directed(slug), stage__number=stage, number=number
            )
            .select_related("stage__tournament")
            .first()
        )
        if found is None:
            raise Http404
        published = pairings.publish(found, **self.read(PublishSerializer), by=self.user)
        return Response(SeatedRoundSerializer(published).data)

"""The director's API: every act of the desk, through the same services as its pages."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

from django.contrib.auth.models import User
from django.http import Http404
from django.utils.translation import gettext_noop
from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework import status
from rest_framework.parsers import FormParser, JSONParser, MultiPartParser
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import Serializer
from rest_framework.views import APIView

from engine.errors import DominoError
from tournaments import desk, permissions, queries, uploads
from tournaments.models import Entry, Official, PairingRound, Stage, Tournament
from tournaments.serializers import RefusalSerializer, StageSerializer, TournamentSerializer
from tournaments.serializers_desk import (
    AccountSerializer,
    ChangedEntrySerializer,
    ChangedTournamentSerializer,
    ConfirmedListSerializer,
    DetailsSerializer,
    EntryChangeSerializer,
    ImportedSerializer,
    NewAccountSerializer,
    NewDutySerializer,
    NewEntrySerializer,
    NewListSerializer,
    NewRoundSerializer,
    NewRulesSerializer,
    NewStageSerializer,
    NewTournamentSerializer,
    OfficialSerializer,
    PreviewSerializer,
    PublishSerializer,
    SeatedRoundSerializer,
)
from tournaments.services import accounts, entries, lifecycle, pairings
from tournaments.sheets import MAX_BYTES, FileTooLarge
from tournaments.uploads import Upload
from tournaments.visible import tournament_at

REFUSALS = {403: RefusalSerializer, 404: RefusalSerializer, 409: RefusalSerializer}


class ListMissing(DominoError):
    code = "list_missing"
    text = gettext_noop("There is no list. Send a file as “file” or the list itself as “text”.")


class DeskView(APIView):
    """An act of a director of one event; the services ask whether it is theirs."""

    permission_classes = (IsAuthenticated,)

    def tournament(self, slug: str) -> Tournament:
        return tournament_at(slug, user=self.user)

    def directed(self, slug: str) -> Tournament:
        """Return the event for reading what only directors see."""
        found = self.tournament(slug)
        permissions.require_director(self.user, found)
        return found

    @property
    def user(self) -> User:
        user = self.request.user
        if not isinstance(user, User):
            raise Http404
        return user

    def read(self, shape: type[Serializer[Any]], **settings: Any) -> dict[str, Any]:
        """Return what was sent, or answer 400 naming the fields."""
        sent = shape(data=self.request.data, **settings)
        sent.is_valid(raise_exception=True)
        found: dict[str, Any] = sent.validated_data
        return found


class Desk(DeskView):
    """The events the reader has a duty in."""

    @extend_schema(operation_id="desk_list", responses=TournamentSerializer(many=True))
    def get(self, request: Request) -> Response:
        lines = [one.line for one in desk.desk_page(self.user).lines]
        return Response(TournamentSerializer(lines, many=True).data)

    @extend_schema(
        operation_id="desk_create",
        request=NewTournamentSerializer,
        responses={201: ChangedTournamentSerializer, **REFUSALS},
    )
    def post(self, request: Request) -> Response:
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


class NewEntry(DeskView):
    """Register an entry."""

    @extend_schema(
        operation_id="desk_register",
        request=NewEntrySerializer,
        responses={201: ChangedEntrySerializer, **REFUSALS},
    )
    def post(self, request: Request, slug: str) -> Response:
        given = self.read(NewEntrySerializer)
        made = entries.register(self.tournament(slug), **given, by=self.user)
        return Response(ChangedEntrySerializer(made).data, status=status.HTTP_201_CREATED)


class OneEntry(DeskView):
    """Correct an entry, or remove one that was a mistake."""

    @extend_schema(
        operation_id="desk_change_entry",
        request=EntryChangeSerializer,
        responses={200: ChangedEntrySerializer, **REFUSALS},
    )
    def patch(self, request: Request, slug: str, number: int) -> Response:
        given = self.read(EntryChangeSerializer)
        found = entries.change_entry(self.entry(slug, number), **given, by=self.user)
        return Response(ChangedEntrySerializer(found).data)

    @extend_schema(operation_id="desk_remove_entry", responses={204: None, **REFUSALS})
    def delete(self, request: Request, slug: str, number: int) -> Response:
        entries.remove_entry(self.entry(slug, number), by=self.user)
        return Response(status=status.HTTP_204_NO_CONTENT)

    def entry(self, slug: str, number: int) -> Entry:
        found = (
            self.directed(slug)
            .entries.select_related("tournament", "club")
            .filter(number=number)
            .first()
        )
        if found is None:
            raise Http404
        return found


class Withdraw(OneEntry):
    """Take an entry out of later rounds."""

    http_method_names = ("post", "options")

    @extend_schema(
        operation_id="desk_withdraw",
        request=None,
        responses={200: ChangedEntrySerializer, **REFUSALS},
    )
    def post(self, request: Request, slug: str, number: int) -> Response:
        found = entries.withdraw(self.entry(slug, number), by=self.user)
        return Response(ChangedEntrySerializer(found).data)


class Reinstate(OneEntry):
    """Let a withdrawn entry return."""

    http_method_names = ("post", "options")

    @extend_schema(
        operation_id="desk_reinstate",
        request=None,
        responses={200: ChangedEntrySerializer, **REFUSALS},
    )
    def post(self, request: Request, slug: str, number: int) -> Response:
        found = entries.reinstate(self.entry(slug, number), by=self.user)
        return Response(ChangedEntrySerializer(found).data)


class ImportPreview(DeskView):
    """Look at a list of entries. Nothing is stored."""

    parser_classes = (MultiPartParser, FormParser, JSONParser)

    @extend_schema(
        operation_id="desk_preview_import",
        request={"multipart/form-data": NewListSerializer, "application/json": NewListSerializer},
        responses={200: PreviewSerializer, **REFUSALS},
    )
    def post(self, request: Request, slug: str) -> Response:
        tournament = self.directed(slug)
        given = self.read(NewListSerializer)
        upload = _upload(given)
        preview = uploads.checked(
            tournament,
            upload,
            encoding=given["encoding"],
            fields=given["columns"],
            by=self.user,
        )
        shown = {"list": uploads.sealed(tournament, upload), "preview": preview}
        return Response(PreviewSerializer(shown).data)


def _upload(given: dict[str, Any]) -> Upload:
    file = given.get("file")
    if file is not None:
        if file.size > MAX_BYTES:
            raise FileTooLarge(size=file.size // 1000, limit=MAX_BYTES // 1000)
        return Upload(file.read(), file.name)
    if not given.get("text"):
        raise ListMissing
    return Upload.of_text(given["text"])


class Import(DeskView):
    """Import the list of a preview; imported twice, it enters nobody twice."""

    @extend_schema(
        operation_id="desk_import",
        request=ConfirmedListSerializer,
        responses={200: ImportedSerializer, **REFUSALS},
    )
    def post(self, request: Request, slug: str) -> Response:
        tournament = self.directed(slug)
        given = self.read(ConfirmedListSerializer)
        done = uploads.confirmed(
            tournament,
            uploads.unsealed(tournament, given["list"]),
            encoding=given["encoding"],
            fields=given["columns"],
            leave_out=given["leave_out"],
            by=self.user,
        )
        return Response(ImportedSerializer(done).data)


class Officials(DeskView):
    """Who has a duty at the event."""

    @extend_schema(
        operation_id="desk_list_officials",
        responses={200: OfficialSerializer(many=True), **REFUSALS},
    )
    def get(self, request: Request, slug: str) -> Response:
        found = self.directed(slug).officials.select_related("user").order_by("duty", "pk")
        return Response(OfficialSerializer(found, many=True).data)

    @extend_schema(
        operation_id="desk_add_official",
        request=NewDutySerializer,
        responses={200: OfficialSerializer, **REFUSALS},
    )
    def post(self, request: Request, slug: str) -> Response:
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


class NewStage(DeskView):
    """Make a round robin with all its rounds as drafts, or a stage seated by hand."""

    @extend_schema(
        operation_id="desk_make_stage",
        request=NewStageSerializer,
        responses={200: StageSerializer, **REFUSALS},
    )
    def post(self, request: Request, slug: str) -> Response:
        given = self.read(NewStageSerializer)
        tournament = self.tournament(slug)
        if given["system"] == Stage.System.ROUND_ROBIN:
            made = pairings.make_round_robin(
                tournament, name=given["name"], legs=given["legs"], by=self.user
            )
        else:
            made = pairings.make_manual_stage(tournament, name=given["name"], by=self.user)
        lines = queries.stage_lines(tournament, drafts=True)
        (line,) = (one for one in lines if one.stage == made)
        return Response(StageSerializer(line).data)


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
        given = self.read(NewRoundSerializer)
        found = self.directed(slug).stages.select_related("tournament").filter(number=stage).first()
        if found is None:
            raise Http404
        made = pairings.save_manual_round(found, number=number, **given, by=self.user)
        return Response(SeatedRoundSerializer(made).data)


class Publish(DeskView):
    """Show a draft round to everybody."""

    @extend_schema(
        operation_id="desk_publish",
        request=PublishSerializer,
        responses={200: SeatedRoundSerializer, **REFUSALS},
    )
    def post(self, request: Request, slug: str, stage: int, number: int) -> Response:
        given = self.read(PublishSerializer)
        found = (
            PairingRound.objects.filter(
                stage__tournament=self.directed(slug), stage__number=stage, number=number
            )
            .select_related("stage__tournament")
            .first()
        )
        if found is None:
            raise Http404
        published = pairings.publish(found, **given, by=self.user)
        return Response(SeatedRoundSerializer(published).data)

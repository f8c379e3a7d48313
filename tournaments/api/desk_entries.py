"""The director's API for entries: register, correct, withdraw, import a list."""

from __future__ import annotations

from typing import Any

from django.http import Http404
from django.utils.translation import gettext_noop
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.parsers import FormParser, MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response

from engine.errors import DominoError
from tournaments.api.desk import REFUSALS, DeskView
from tournaments.api.parsers import PlainJSONParser
from tournaments.lists import uploads
from tournaments.lists.sheets import MAX_BYTES, FileTooLarge
from tournaments.lists.uploads import Upload
from tournaments.models import Entry, Player
from tournaments.serializers.desk import (
    ChangedEntrySerializer,
    ConfirmedListSerializer,
    EntryChangeSerializer,
    ImportedSerializer,
    NewEntrySerializer,
    NewListSerializer,
    PreviewSerializer,
)
from tournaments.serializers.people import CorrectedPlayerSerializer
from tournaments.serializers.public import PlayerSerializer
from tournaments.services import entries, leaving
from tournaments.services.people import PlayerData
from tournaments.services.players import correct_player


class ListMissing(DominoError):
    code = "list_missing"
    text = gettext_noop("There is no list. Send a file as “file” or the list itself as “text”.")


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
        """Correct the name, club or seed of an entry."""
        entry = self.entry(slug, number)
        found = entries.change_entry(entry, **self.read(EntryChangeSerializer), by=self.user)
        return Response(ChangedEntrySerializer(found).data)

    @extend_schema(operation_id="desk_remove_entry", responses={204: None, **REFUSALS})
    def delete(self, request: Request, slug: str, number: int) -> Response:
        """Remove an entry that was a mistake."""
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
        found = leaving.withdraw(self.entry(slug, number), by=self.user)
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
        found = leaving.reinstate(self.entry(slug, number), by=self.user)
        return Response(ChangedEntrySerializer(found).data)


class OnePlayer(DeskView):
    """Correct the names, club, country and number of a player who is entered."""

    @extend_schema(
        operation_id="desk_correct_player",
        request=CorrectedPlayerSerializer,
        responses={200: PlayerSerializer, **REFUSALS},
    )
    def put(self, request: Request, slug: str, pk: int) -> Response:
        tournament = self.directed(slug)
        found = Player.objects.filter(memberships__tournament=tournament, pk=pk).first()
        if found is None:
            raise Http404
        given = self.read(CorrectedPlayerSerializer)
        spellings = given.pop("spellings", None)
        given.setdefault("is_minor", found.is_minor)
        corrected = correct_player(
            tournament, found, written=PlayerData(**given), spellings=spellings, by=self.user
        )
        return Response(PlayerSerializer(corrected).data)


class ImportPreview(DeskView):
    """Look at a list of entries. Nothing is stored."""

    parser_classes = (MultiPartParser, FormParser, PlainJSONParser)

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

"""The API of calling players to their table, and of the documents of an event."""

from __future__ import annotations

import base64
import binascii
from typing import Any

from django.urls import reverse
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments import permissions
from tournaments.api.desk import REFUSALS, DeskView
from tournaments.api.results import TableView
from tournaments.errors.documents import DocumentIsNoPdf
from tournaments.models import EventDocument, MatchSeat, Tournament
from tournaments.models.documents import LARGEST_FILE, LONGEST_LINK, LONGEST_TITLE
from tournaments.serializers.numbers import NumberField
from tournaments.services import documents, player_calls


class SeatsToCallSerializer(serializers.Serializer[Any]):
    """Which seats; none for all of the table."""

    seats = serializers.ListField(
        child=serializers.CharField(max_length=8), max_length=4, required=False, default=list
    )


class CalledSeatSerializer(serializers.Serializer[Any]):
    seat = serializers.CharField()
    player = serializers.CharField(source="player.name")
    called_at = serializers.DateTimeField()


class PlayersCalled(TableView):
    """Who is called to a table that waits."""

    def require_may(self, tournament: Tournament) -> None:
        permissions.require_referee(self.user, tournament)

    @extend_schema(
        operation_id="desk_call_players",
        request=SeatsToCallSerializer,
        responses={200: CalledSeatSerializer(many=True), **REFUSALS},
    )
    def put(self, request: Request, slug: str, pk: int) -> Response:
        """Call players to their table."""
        match = self.official_table(slug, pk)
        return _called(
            player_calls.call_players(match, **self.read(SeatsToCallSerializer), by=self.user)
        )

    @extend_schema(
        operation_id="desk_clear_calls",
        request=None,
        responses={200: CalledSeatSerializer(many=True), **REFUSALS},
    )
    def delete(self, request: Request, slug: str, pk: int) -> Response:
        """Take the calls to a table back."""
        return _called(player_calls.clear_calls(self.official_table(slug, pk), by=self.user))


def _called(seats: list[MatchSeat]) -> Response:
    return Response(CalledSeatSerializer(seats, many=True).data)


class DocumentSerializer(serializers.Serializer[Any]):
    """A document: `address` leads to it."""

    id = NumberField(source="pk")
    title = serializers.CharField()
    size = NumberField()
    address = serializers.SerializerMethodField()

    def get_address(self, found: EventDocument) -> str:
        return found.link or reverse("tournaments:document", args=[found.tournament.slug, found.pk])


class NewDocumentSerializer(serializers.Serializer[Any]):
    """A title, and a link or a PDF file in base64."""

    title = serializers.CharField(max_length=LONGEST_TITLE)
    link = serializers.CharField(max_length=LONGEST_LINK, required=False, default="")
    pdf = serializers.CharField(max_length=LARGEST_FILE * 2, required=False, default="")


class RemovedDocumentSerializer(serializers.Serializer[Any]):
    document = NumberField(min_value=1)


class Documents(DeskView):
    """The documents of an event."""

    @extend_schema(
        operation_id="desk_list_documents",
        responses={200: DocumentSerializer(many=True), **REFUSALS},
    )
    def get(self, request: Request, slug: str) -> Response:
        """Every document."""
        return _all(self.directed(slug))

    @extend_schema(
        operation_id="desk_add_document",
        request=NewDocumentSerializer,
        responses={200: DocumentSerializer(many=True), **REFUSALS},
    )
    def post(self, request: Request, slug: str) -> Response:
        """Add one."""
        tournament = self.directed(slug)
        given = self.read(NewDocumentSerializer)
        try:
            content = base64.b64decode(given.pop("pdf"), validate=True)
        except (binascii.Error, ValueError) as error:
            raise DocumentIsNoPdf from error
        documents.add_document(tournament, **given, content=content, by=self.user)
        return _all(tournament)

    @extend_schema(
        operation_id="desk_remove_document",
        request=RemovedDocumentSerializer,
        responses={200: DocumentSerializer(many=True), **REFUSALS},
    )
    def put(self, request: Request, slug: str) -> Response:
        """Remove one."""
        tournament = self.directed(slug)
        documents.remove_document(tournament, **self.read(RemovedDocumentSerializer), by=self.user)
        return _all(tournament)


def _all(tournament: Tournament) -> Response:
    found = tournament.documents.defer("content").select_related("tournament")
    return Response(DocumentSerializer(found, many=True).data)

"""The API of whole events as files: saved, imported, kept, restored."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

from django.http import Http404, HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from referee.event_file import exported, imported
from referee.models import KeptFile
from referee.services.event_restoring import (
    Restoring,
    content_of,
    copied,
    event_of,
    keep_sent,
    preview,
    restore,
)
from tournaments import permissions
from tournaments.api.desk import REFUSALS, DeskView
from tournaments.serializers.desk import ChangedTournamentSerializer


class KeptFileSerializer(serializers.ModelSerializer[KeptFile]):
    """A file kept with an event; `digest` is the SHA-256 of the file."""

    by = serializers.CharField(source="by.username", default="", read_only=True)

    class Meta:
        model = KeptFile
        fields = ("id", "why", "made_at", "by", "digest", "size")


class RestoringSerializer(serializers.Serializer[Any]):
    """What restoring a kept file would replace, and what was looked at."""

    file = KeptFileSerializer()
    seen = serializers.CharField()
    is_same = serializers.BooleanField()
    replaced = serializers.JSONField()


class ConfirmSerializer(serializers.Serializer[Any]):
    """The address of the event, typed, and what the preview was of."""

    confirm = serializers.CharField(max_length=100)
    seen = serializers.CharField(max_length=64)


def _shown(ahead: Restoring) -> dict[str, Any]:
    told = {
        "file": ahead.file,
        "seen": ahead.seen,
        "is_same": not ahead.replaced,
        "replaced": asdict(ahead.replaced),
    }
    return dict(RestoringSerializer(told).data)


def _content(request: Request) -> bytes:
    return json.dumps(request.data, ensure_ascii=False).encode()


class Import(DeskView):
    """Events by their files."""

    def require_allowed(self) -> None:
        permissions.require_may_create_tournament(self.user)

    @extend_schema(
        operation_id="import_event",
        request=OpenApiTypes.OBJECT,
        responses={201: ChangedTournamentSerializer, **REFUSALS},
    )
    def post(self, request: Request) -> Response:
        """Store the event of the file that is the body; one that is here already stays as it is.

        With `?copy=…` it becomes a new event, once for each such text.
        """
        copy = request.query_params.get("copy", "")[:100]
        content = _content(request)
        here = None if copy else event_of(content)
        if here is not None and not permissions.is_director(self.user, here):
            raise Http404
        made = here or imported(content, copy=copy, by=self.user)
        code = status.HTTP_200_OK if here is not None else status.HTTP_201_CREATED
        return Response(ChangedTournamentSerializer(made).data, status=code)


class Saved(DeskView):
    """A whole event as one file."""

    @extend_schema(operation_id="desk_event_file", responses={200: OpenApiTypes.OBJECT, **REFUSALS})
    def get(self, request: Request, slug: str) -> HttpResponse:
        """The file of docs/event-file.md."""
        return _file(exported(self.directed(slug)))


class Kept(DeskView):
    """The files kept with an event."""

    @extend_schema(
        operation_id="desk_kept_files", responses={200: KeptFileSerializer(many=True), **REFUSALS}
    )
    def get(self, request: Request, slug: str) -> Response:
        """Files sent to restore the event, and what restores replaced."""
        files = KeptFile.objects.filter(tournament=self.directed(slug))
        found = files.defer("content").select_related("by")
        return Response(KeptFileSerializer(found, many=True).data)

    @extend_schema(
        operation_id="desk_keep_file",
        request=OpenApiTypes.OBJECT,
        responses={201: RestoringSerializer, **REFUSALS},
    )
    def post(self, request: Request, slug: str) -> Response:
        """Keep the file that is the body, and tell what restoring it would replace."""
        kept = keep_sent(self.tournament(slug), _content(request), by=self.user)
        return Response(_shown(preview(kept, by=self.user)), status=status.HTTP_201_CREATED)


class _OfOneFile(DeskView):
    """Something about one file kept with an event."""

    def _kept(self, slug: str, pk: int) -> KeptFile:
        files = KeptFile.objects.filter(tournament=self.directed(slug))
        found = files.select_related("tournament", "by").filter(pk=pk).first()
        if found is None:
            raise Http404
        return found


class OneKept(_OfOneFile):
    """One file kept with an event."""

    @extend_schema(operation_id="desk_kept_file", responses={200: RestoringSerializer, **REFUSALS})
    def get(self, request: Request, slug: str, pk: int) -> HttpResponse:
        """What restoring the file would replace; with `?file` the file itself."""
        kept = self._kept(slug, pk)
        if "file" in request.query_params:
            return _file(content_of(kept))
        return Response(_shown(preview(kept, by=self.user)))


class Restore(_OfOneFile):
    """Putting an event back to what a kept file says."""

    @extend_schema(
        operation_id="desk_restore",
        request=ConfirmSerializer,
        responses={200: ChangedTournamentSerializer, **REFUSALS},
    )
    def post(self, request: Request, slug: str, pk: int) -> Response:
        """Replace the event; `confirm` is its address, `seen` what was looked at."""
        kept = self._kept(slug, pk)
        given = self.read(ConfirmSerializer)
        restored = restore(kept, **given, by=self.user)
        return Response(ChangedTournamentSerializer(restored).data)

    @extend_schema(
        operation_id="desk_copy_file",
        request=None,
        responses={201: ChangedTournamentSerializer, **REFUSALS},
    )
    def put(self, request: Request, slug: str, pk: int) -> Response:
        """Store the file as a new event beside this one."""
        made = copied(self._kept(slug, pk), by=self.user)
        return Response(ChangedTournamentSerializer(made).data, status=status.HTTP_201_CREATED)


def _file(content: bytes) -> HttpResponse:
    response = HttpResponse(content, content_type="application/json")
    response.headers["Cache-Control"] = "private, no-store"
    return response

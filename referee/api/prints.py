"""What can be printed of a table, with the addresses of page and PDF file."""

from __future__ import annotations

from django.http import Http404
from django.shortcuts import get_object_or_404
from django.urls import reverse
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from referee.queries import records as queries
from referee.words.prints import MATCH_KINDS
from tournaments.api.prints import offered
from tournaments.permissions import may_see_match
from tournaments.publication import may_see_play
from tournaments.serializers.prints import PrintsSerializer
from tournaments.serializers.public import RefusalSerializer
from tournaments.views.papers import FORMS


class MatchPrints(APIView):
    """The prints of a table; none while its play is hidden from the reader."""

    @extend_schema(
        operation_id="list_match_prints",
        responses={200: PrintsSerializer, 404: RefusalSerializer},
    )
    def get(self, request: Request, pk: int) -> Response:
        match = get_object_or_404(queries.matches(), pk=pk)
        if not may_see_match(request.user, match):
            raise Http404
        prints: list[dict[str, object]] = []
        for kind in MATCH_KINDS if may_see_play(request.user, match) else ():
            page, pdf = (
                request.build_absolute_uri(reverse(f"referee:print_{kind.kind}", args=[pk, form]))
                for form in FORMS
            )
            told = {"kind": kind.kind, "label": str(kind.label), "text": str(kind.text)}
            prints.append({**told, "round": None, "page": page, "pdf": pdf})
        return Response(offered(prints))

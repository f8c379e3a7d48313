"""What can be printed of an event, with the addresses of page and PDF file."""

from __future__ import annotations

from urllib.parse import urlencode

from django.conf import settings
from django.urls import reverse
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from tournaments.models import PairingRound
from tournaments.printable import newest_round, printable, round_asked
from tournaments.serializers.prints import PrintsSerializer
from tournaments.serializers.public import RefusalSerializer
from tournaments.views.papers import FORMS, PAPERS
from tournaments.visible import tournament_at
from tournaments.words.prints import PrintKind


class Prints(APIView):
    """The prints of a tournament that the reader may have; those of a round, of `round`."""

    @extend_schema(
        operation_id="list_prints",
        parameters=[
            OpenApiParameter(
                "round",
                str,
                description="`stage.number`; without it the round being played, or the last.",
            )
        ],
        responses={200: PrintsSerializer, 404: RefusalSerializer},
    )
    def get(self, request: Request, slug: str) -> Response:
        tournament = tournament_at(slug, user=request.user)
        written = request.query_params.get("round", "")
        if written:
            found: PairingRound | None = round_asked(tournament, written, user=request.user)
        else:
            found = newest_round(tournament)
        prints = [
            _told(request, slug, one, found)
            for one in printable(request.user, tournament)
            if found is not None or not one.of_round
        ]
        return Response(offered(prints))


def offered(prints: list[dict[str, object]]) -> dict[str, object]:
    """Return prints with the papers and languages they come in."""
    languages = [code for code, _ in settings.LANGUAGES]
    told = {"papers": PAPERS, "languages": languages, "prints": prints}
    return dict(PrintsSerializer(told).data)


def _told(
    request: Request, slug: str, kind: PrintKind, pairing_round: PairingRound | None
) -> dict[str, object]:
    of = None
    if kind.of_round and pairing_round is not None:
        of = f"{pairing_round.stage.number}.{pairing_round.number}"
    query = f"?{urlencode({'round': of})}" if of else ""
    page, pdf = (
        request.build_absolute_uri(
            reverse("tournaments:print", args=[slug, kind.kind, form]) + query
        )
        for form in FORMS
    )
    told = {"kind": kind.kind, "label": str(kind.label), "text": str(kind.text)}
    return {**told, "round": of, "page": page, "pdf": pdf}

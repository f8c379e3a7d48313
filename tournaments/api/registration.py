"""The API about entering an event: how one can, and entering oneself."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.api.fields import read_as
from tournaments.api.guard import EventView
from tournaments.entry_limit import count_entry
from tournaments.models import Entry, Tournament
from tournaments.policies import categories_of, late_limit
from tournaments.serializers.people import (
    OwnEntrySerializer,
    RegistrationStateSerializer,
    SelfEntrySerializer,
)
from tournaments.serializers.public import RefusalSerializer
from tournaments.services import attendance, registration, waiting_list
from tournaments.words import entries as entry_words


class HowToEnter(EventView):
    """How players enter an event."""

    @extend_schema(
        operation_id="get_registration",
        responses={200: RegistrationStateSerializer, 404: RefusalSerializer},
    )
    def get(self, request: Request, slug: str) -> Response:
        """Hours, places, and until which round somebody can enter late."""
        return Response(registration_state(self.tournament(slug)))

    @extend_schema(
        operation_id="enter_oneself",
        request=SelfEntrySerializer,
        responses={
            201: OwnEntrySerializer,
            403: RefusalSerializer,
            404: RefusalSerializer,
            409: RefusalSerializer,
        },
    )
    def post(self, request: Request, slug: str) -> Response:
        """Enter with an account; without one, the page does it."""
        found = self.tournament(slug)
        given = read_as(SelfEntrySerializer(), request.data)
        registration.require_window_open(found)
        count_entry(request, found)
        made = registration.enter_oneself(found, **given, by=request.user)
        place = waiting_list.place_in_line(made) if made.state == Entry.State.WAITING else None
        answer = OwnEntrySerializer(made).data | {"place_in_line": place}
        return Response(answer, status=status.HTTP_201_CREATED)


def registration_state(tournament: Tournament) -> dict[str, Any]:
    """Return how players enter, and until which round, by number, they can enter late."""
    state = {
        "opens_at": tournament.entries_open_at,
        "closes_at": tournament.entries_close_at,
        "most_entries": tournament.most_entries,
        "categories": categories_of(tournament),
        "is_private": tournament.is_private,
        "window": registration.window_of(tournament).value,
        "sentence": entry_words.window_words(tournament),
        "free_places": waiting_list.free_places(tournament),
        "waiting": tournament.entries.filter(state=Entry.State.WAITING).count(),
        "late": [
            {
                "stage": stage.number,
                "is_open": attendance.takes_late_entries(stage),
                "last_round": late_limit(stage),
                "next_round": attendance.first_for_newcomer(stage),
                "sentence": entry_words.late_words(stage),
            }
            for stage in attendance.running_stages(tournament)
        ],
    }
    found: dict[str, Any] = RegistrationStateSerializer(state).data
    return found

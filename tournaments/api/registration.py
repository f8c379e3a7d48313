"""The API about entering an event: how one can, and entering oneself."""

from __future__ import annotations

from typing import Any

from django.http import Http404
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments import permissions
from tournaments.api.fields import read_as
from tournaments.api.guard import EventView, GuardedView
from tournaments.entry_limit import count_entry
from tournaments.models import Entry, Tournament
from tournaments.policies import categories_of, late_limit
from tournaments.serializers.people import (
    OwnEntrySerializer,
    RegistrationStateSerializer,
    SelfEntrySerializer,
)
from tournaments.serializers.public import RefusalSerializer
from tournaments.services import attendance, leaving, registration, waiting_list
from tournaments.words import entries as entry_words


class HowToEnter(EventView):
    """How players enter an event."""

    @extend_schema(
        operation_id="get_registration",
        responses={200: RegistrationStateSerializer, 404: RefusalSerializer},
    )
    def get(self, request: Request, slug: str) -> Response:
        """Hours, places, and until which round somebody can enter late."""
        found = self.tournament(slug)
        drafts = permissions.is_director(request.user, found)
        return Response(registration_state(found, drafts=drafts))

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
        return Response(_own(made), status=status.HTTP_201_CREATED)


class OwnEntry(GuardedView):
    """An entry, for its players, who know its code."""

    def require_there(self) -> None:
        self.entry()

    def entry(self) -> Entry:
        found = Entry.objects.select_related("tournament").exclude(check_in_code="")
        entry = get_object_or_404(found, check_in_code=self.kwargs["code"])
        if not permissions.may_see_tournament(self.request.user, entry.tournament):
            raise Http404
        return entry

    @extend_schema(
        operation_id="get_own_entry",
        responses={200: OwnEntrySerializer, 404: RefusalSerializer},
    )
    def get(self, request: Request, code: str) -> Response:
        """How the entry stands."""
        return Response(_own(self.entry()))

    @extend_schema(
        operation_id="withdraw_oneself",
        responses={
            200: OwnEntrySerializer,
            403: RefusalSerializer,
            404: RefusalSerializer,
            409: RefusalSerializer,
        },
    )
    def delete(self, request: Request, code: str) -> Response:
        """Withdraw the entry with an account, before play starts; without one, the page does it."""
        return Response(_own(leaving.withdraw_oneself(self.entry(), code=code)))


def _own(entry: Entry) -> dict[str, Any]:
    place = waiting_list.place_in_line(entry) if entry.state == Entry.State.WAITING else None
    return OwnEntrySerializer(entry).data | {"place_in_line": place}


def registration_state(tournament: Tournament, *, drafts: bool) -> dict[str, Any]:
    """Return how players enter, and until which round, by number, they can enter late."""
    stages = attendance.stages_to_enter(tournament, drafts=drafts)
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
                "next_round": attendance.first_for_newcomer(stage, drafts=drafts),
                "sentence": entry_words.late_words(stage),
            }
            for stage in stages
        ],
    }
    found: dict[str, Any] = RegistrationStateSerializer(state).data
    return found

"""The desk's API of the screens of a hall, for a panel of buttons as well as for programs."""

from __future__ import annotations

from typing import Any

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.api.desk import REFUSALS, DeskView
from tournaments.models import Screen, Tournament
from tournaments.serializers.screens import (
    ScreenSerializer,
    ScreenSettingsSerializer,
    SwitchSerializer,
)
from tournaments.services import screens
from tournaments.services.screens import ScreenSettings


class _ScreensView(DeskView):
    def screen(self, slug: str, pk: int) -> Screen:
        found = Screen.objects.select_related("tournament", "stage")
        return get_object_or_404(found, tournament=self.directed(slug), pk=pk)

    def wanted(self) -> ScreenSettings:
        return ScreenSettings(**self.read(ScreenSettingsSerializer))

    def switch(self, tournament: Tournament) -> dict[str, Any]:
        """Return what is to be shown, with its stage by its number."""
        given = self.read(SwitchSerializer)
        number = given["stage"]
        stages = tournament.stages.all()
        return given | {"stage": number and get_object_or_404(stages, number=number)}


class Screens(_ScreensView):
    """The screens of an event."""

    @extend_schema(
        operation_id="desk_screens", responses={200: ScreenSerializer(many=True), **REFUSALS}
    )
    def get(self, request: Request, slug: str) -> Response:
        """What each screen shows, and its address."""
        found = self.directed(slug).screens.select_related("stage")
        return Response(ScreenSerializer(found, many=True).data)

    @extend_schema(
        operation_id="desk_make_screen",
        request=ScreenSettingsSerializer,
        responses={201: ScreenSerializer, **REFUSALS},
    )
    def post(self, request: Request, slug: str) -> Response:
        """Set up another screen."""
        tournament = self.directed(slug)
        made = screens.make_screen(tournament, wanted=self.wanted(), by=self.user)
        return Response(ScreenSerializer(made).data, status=status.HTTP_201_CREATED)


class OneScreen(_ScreensView):
    """One screen."""

    @extend_schema(
        operation_id="desk_change_screen",
        request=ScreenSettingsSerializer,
        responses={200: ScreenSerializer, **REFUSALS},
    )
    def put(self, request: Request, slug: str, pk: int) -> Response:
        """Change its name, its languages, and how it turns its pages."""
        found = self.screen(slug, pk)
        changed = screens.change_screen(found, wanted=self.wanted(), by=self.user)
        return Response(ScreenSerializer(changed).data)

    @extend_schema(operation_id="desk_remove_screen", responses={204: None, **REFUSALS})
    def delete(self, request: Request, slug: str, pk: int) -> Response:
        """Take a screen away; its address opens nothing then."""
        screens.remove_screen(self.screen(slug, pk), by=self.user)
        return Response(status=status.HTTP_204_NO_CONTENT)


class SwitchScreen(_ScreensView):
    """What one screen shows."""

    @extend_schema(
        operation_id="desk_switch_screen",
        request=SwitchSerializer,
        responses={200: ScreenSerializer, **REFUSALS},
    )
    def post(self, request: Request, slug: str, pk: int) -> Response:
        """Let a screen show something else."""
        found = self.screen(slug, pk)
        given = self.switch(found.tournament)
        return Response(ScreenSerializer(screens.switch_screen(found, **given, by=self.user)).data)


class SwitchScreens(_ScreensView):
    """What all screens show."""

    @extend_schema(
        operation_id="desk_switch_screens",
        request=SwitchSerializer,
        responses={200: ScreenSerializer(many=True), **REFUSALS},
    )
    def post(self, request: Request, slug: str) -> Response:
        """Let every screen of the event show the same."""
        tournament = self.directed(slug)
        found = screens.switch_all(tournament, **self.switch(tournament), by=self.user)
        return Response(ScreenSerializer(found, many=True).data)


class ScreenKey(_ScreensView):
    """The address of a screen."""

    @extend_schema(
        operation_id="desk_renew_screen_key",
        request=None,
        responses={200: ScreenSerializer, **REFUSALS},
    )
    def post(self, request: Request, slug: str, pk: int) -> Response:
        """Revoke the address of a screen and give it another one."""
        return Response(
            ScreenSerializer(screens.renew_key(self.screen(slug, pk), by=self.user)).data
        )

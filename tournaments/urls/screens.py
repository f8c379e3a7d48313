"""Addresses of the desk of the screens."""

from __future__ import annotations

from django.urls import path

from tournaments.api import screens as api
from tournaments.views import director_screens

_SCREENS = "desk/<slug:slug>/screens/"
_API = f"api/{_SCREENS}"

urlpatterns = [
    path(_SCREENS, director_screens.screens, name="director_screens"),
    path(_SCREENS + "<int:pk>/", director_screens.screen, name="director_screen"),
    path(_API, api.Screens.as_view(), name="api_desk_screens"),
    path(_API + "switch/", api.SwitchScreens.as_view(), name="api_desk_switch_screens"),
    path(_API + "<int:pk>/", api.OneScreen.as_view(), name="api_desk_screen"),
    path(_API + "<int:pk>/switch/", api.SwitchScreen.as_view(), name="api_desk_switch_screen"),
    path(_API + "<int:pk>/key/", api.ScreenKey.as_view(), name="api_desk_screen_key"),
]

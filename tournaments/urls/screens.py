"""Addresses of the desk of the screens."""

from __future__ import annotations

from django.urls import path

from tournaments.views import director_screens

_SCREENS = "desk/<slug:slug>/screens/"

urlpatterns = [
    path(_SCREENS, director_screens.screens, name="director_screens"),
    path(_SCREENS + "<int:pk>/", director_screens.screen, name="director_screen"),
]

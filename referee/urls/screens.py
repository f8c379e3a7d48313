"""Addresses of the screens of a hall. Whoever has the key of one sees it."""

from __future__ import annotations

from django.urls import path

from referee.views import screens

urlpatterns = [
    path("screen/<slug:key>/", screens.screen, name="screen"),
    path("screen/<slug:key>/now/", screens.screen_now, name="screen_now"),
    path("screen/<slug:key>/overlay/", screens.overlay, name="overlay"),
    path("screen/<slug:key>/overlay/now/", screens.overlay_now, name="overlay_now"),
]

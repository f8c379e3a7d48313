"""Addresses of a match move by move: on the site, inside another one, and as a picture."""

from __future__ import annotations

from django.urls import path

from referee.views import moves as views
from referee.views import share

urlpatterns = [
    path("matches/<int:pk>/moves/", views.moves, name="moves"),
    path("matches/<int:pk>/share.png", share.match, name="share_match"),
    path("embed/matches/<int:pk>/", views.embedded, name="embedded_moves"),
]

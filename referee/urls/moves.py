"""Addresses of a match move by move: on the site, and inside a page of another site."""

from __future__ import annotations

from django.urls import path

from referee.views import moves as views

urlpatterns = [
    path("matches/<int:pk>/moves/", views.moves, name="moves"),
    path("embed/matches/<int:pk>/", views.embedded, name="embedded_moves"),
]

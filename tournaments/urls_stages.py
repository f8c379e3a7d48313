"""Addresses of the desk about stages: making, closing and opening them, expelling both sides."""

from __future__ import annotations

from django.urls import path

from tournaments.views import director_expel, director_stages

EVENT = "desk/<slug:slug>/"
STAGE = EVENT + "pairings/<int:stage>/"

urlpatterns = [
    path(EVENT + "pairings/add/", director_stages.add_stage, name="director_stage"),
    path(STAGE + "close/", director_stages.close_stage, name="director_stage_close"),
    path(STAGE + "reopen/", director_stages.reopen_stage, name="director_stage_reopen"),
    path(EVENT + "tables/<int:pk>/expel/", director_expel.expel, name="director_expel"),
]

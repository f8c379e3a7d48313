"""Addresses of the desk about stages: making, closing and opening them, expelling both sides."""

from __future__ import annotations

from django.urls import path

from tournaments.api import stages as api_stages
from tournaments.views import director_expel, director_stages

EVENT = "desk/<slug:slug>/"
STAGE = EVENT + "pairings/<int:stage>/"
API = "api/desk/<slug:slug>/"
API_STAGE = API + "stages/<int:stage>/"

urlpatterns = [
    path(EVENT + "pairings/add/", director_stages.add_stage, name="director_stage"),
    path(STAGE + "close/", director_stages.close_stage, name="director_stage_close"),
    path(STAGE + "reopen/", director_stages.reopen_stage, name="director_stage_reopen"),
    path(EVENT + "tables/<int:pk>/expel/", director_expel.expel, name="director_expel"),
    path(API + "stages/", api_stages.NewStage.as_view(), name="api_desk_stages"),
    path(API_STAGE + "qualifiers/", api_stages.Qualifiers.as_view(), name="api_desk_qualifiers"),
    path(API_STAGE + "close/", api_stages.CloseStage.as_view(), name="api_desk_close_stage"),
    path(API_STAGE + "reopen/", api_stages.ReopenStage.as_view(), name="api_desk_reopen_stage"),
    path(API + "tables/<int:pk>/expel/", api_stages.Expel.as_view(), name="api_desk_expel"),
]

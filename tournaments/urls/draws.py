"""Addresses of draws: at the desk, changed by hand, and their proofs for everybody."""

from __future__ import annotations

from django.urls import path

from tournaments.api import draws as api_draws
from tournaments.views import director_adjust, director_draw, proofs

EVENT = "desk/<slug:slug>/"
ROUND = EVENT + "pairings/<int:stage>/<int:number>/"
API_ROUND = "api/desk/<slug:slug>/stages/<int:stage>/rounds/<int:number>/"
PUBLIC = "t/<slug:slug>/rounds/<int:stage>/<int:number>/proof/"

urlpatterns = [
    path(ROUND + "draw/", director_draw.next_draw, name="director_draw"),
    path(ROUND + "draw/now/", director_draw.draw, name="director_draw_now"),
    path(ROUND + "draw/discard/", director_draw.discard, name="director_draw_discard"),
    path(ROUND + "adjust/", director_adjust.adjust, name="director_adjust"),
    path(ROUND + "adjust/change/", director_adjust.change, name="director_adjust_change"),
    path(ROUND + "adjust/act/", director_adjust.act, name="director_adjust_act"),
    path(EVENT + "rooms/", director_draw.room_list, name="director_rooms"),
    path(EVENT + "rooms/<int:pk>/remove/", director_draw.remove_room, name="director_room_remove"),
    path(API_ROUND + "draw/", api_draws.Draw.as_view(), name="api_desk_draw"),
    path(API_ROUND + "preview/", api_draws.Preview.as_view(), name="api_desk_change_preview"),
    path(API_ROUND + "changes/", api_draws.Changes.as_view(), name="api_desk_changes"),
]

public_patterns = [
    path(PUBLIC, proofs.proof, name="proof"),
    path(PUBLIC + "<slug:part>.json", proofs.proof_file, name="proof_file"),
    path("api/" + PUBLIC, api_draws.Proof.as_view(), name="api_proof"),
]

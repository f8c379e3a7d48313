"""Addresses of pages and API."""

from __future__ import annotations

from django.urls import URLPattern, URLResolver, path

from tournaments import api, api_brackets, urls_desk
from tournaments.views import brackets, public

app_name = "tournaments"

public_patterns: list[URLPattern | URLResolver] = [
    path("", public.index, name="index"),
    path("t/<slug:slug>/", public.tournament, name="tournament"),
    path("t/<slug:slug>/rounds/", public.latest_pairings, name="latest_pairings"),
    path("t/<slug:slug>/rounds/<int:stage>/<int:number>/", public.pairings, name="pairings"),
    path("t/<slug:slug>/bracket/<int:stage>/", brackets.bracket, name="bracket"),
    path("t/<slug:slug>/groups/<int:stage>/", brackets.groups, name="groups"),
    path("t/<slug:slug>/standings/", public.standings, name="standings"),
    path("t/<slug:slug>/entries/", public.entries, name="entries"),
    path("t/<slug:slug>/rules/", public.rules, name="rules"),
]

# The director's desk.
desk_patterns: list[URLPattern | URLResolver] = [*urls_desk.urlpatterns]

api_patterns: list[URLPattern | URLResolver] = [
    path("api/t/", api.Tournaments.as_view(), name="api_tournaments"),
    path("api/t/<slug:slug>/", api.OneTournament.as_view(), name="api_tournament"),
    path("api/t/<slug:slug>/entries/", api.Entries.as_view(), name="api_entries"),
    path("api/t/<slug:slug>/rounds/", api.Stages.as_view(), name="api_stages"),
    path(
        "api/t/<slug:slug>/rounds/<int:stage>/<int:number>/",
        api.Pairings.as_view(),
        name="api_pairings",
    ),
    path(
        "api/t/<slug:slug>/bracket/<int:stage>/",
        api_brackets.Bracket.as_view(),
        name="api_bracket",
    ),
    path(
        "api/t/<slug:slug>/groups/<int:stage>/", api_brackets.Groups.as_view(), name="api_groups"
    ),
    path("api/t/<slug:slug>/standings/", api.Standings.as_view(), name="api_standings"),
    path("api/t/<slug:slug>/rules/", api.RulesInWords.as_view(), name="api_rules"),
]

urlpatterns = [*public_patterns, *desk_patterns, *api_patterns]

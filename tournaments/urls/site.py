"""Addresses of pages and API."""

from __future__ import annotations

from django.urls import URLPattern, URLResolver, path

from tournaments import feeds
from tournaments.api import brackets as api_brackets
from tournaments.api import calls as api_calls
from tournaments.api import public as api
from tournaments.api import search as api_search
from tournaments.urls import desk as urls_desk
from tournaments.urls import draws as urls_draw
from tournaments.urls import people as urls_people
from tournaments.urls import prints as urls_prints
from tournaments.views import (
    brackets,
    director_tie_breaks,
    documents,
    exports,
    players,
    public,
    search,
    share,
    standings,
)

app_name = "tournaments"

public_patterns: list[URLPattern | URLResolver] = [
    path("", public.index, name="index"),
    path("t/<slug:slug>/", public.tournament, name="tournament"),
    path("share.png", share.site, name="share_site"),
    path("t/<slug:slug>/share.png", share.event, name="share"),
    path("t/<slug:slug>/rounds/", public.latest_pairings, name="latest_pairings"),
    path("t/<slug:slug>/rounds/<int:stage>/<int:number>/", public.pairings, name="pairings"),
    path("t/<slug:slug>/bracket/<int:stage>/", brackets.bracket, name="bracket"),
    path("t/<slug:slug>/groups/<int:stage>/", brackets.groups, name="groups"),
    path("t/<slug:slug>/standings/", standings.standings, name="standings"),
    path(
        "t/<slug:slug>/standings/after/<int:number>/",
        standings.after_round,
        name="standings_after",
    ),
    path("t/<slug:slug>/standings/places/", standings.places, name="standings_places"),
    path("t/<slug:slug>/entries/<int:number>/", players.entry, name="entry"),
    path("t/<slug:slug>/files/", exports.files, name="files"),
    path("t/<slug:slug>/files/<slug:kind>.<slug:form>", exports.export, name="export"),
    path("t/<slug:slug>/documents/<int:pk>/", documents.document, name="document"),
    path("search/", search.search, name="search"),
    path("clubs/<int:pk>/", search.club, name="club"),
    path("players/<int:pk>/", players.player, name="player"),
    path("players/<int:pk>/tables.ics", players.calendar, name="player_calendar"),
    path("players/<int:pk>/tables.atom", feeds.PlayerFeed(), name="player_feed"),
    path("t/<slug:slug>/news.atom", feeds.EventFeed(), name="event_feed"),
    path("ratings/", players.ratings, name="ratings"),
    path("t/<slug:slug>/entries/", public.entries, name="entries"),
    path("t/<slug:slug>/rules/", public.rules, name="rules"),
    *urls_people.public_patterns,
    *urls_draw.public_patterns,
]

# The director's desk.
desk_patterns: list[URLPattern | URLResolver] = [
    *urls_desk.urlpatterns,
    *urls_people.urlpatterns,
    *urls_prints.urlpatterns,
    path("desk/<slug:slug>/documents/", documents.documents, name="director_documents"),
    path("desk/<slug:slug>/files/", exports.desk_files, name="director_files"),
    path(
        "desk/<slug:slug>/files/<slug:kind>.<slug:form>",
        exports.desk_export,
        name="director_export",
    ),
    path(
        "desk/<slug:slug>/stages/<int:stage>/order/",
        director_tie_breaks.tie_breaks,
        name="director_tie_breaks",
    ),
]

api_patterns: list[URLPattern | URLResolver] = [
    path(
        "api/desk/<slug:slug>/documents/",
        api_calls.Documents.as_view(),
        name="api_desk_documents",
    ),
    path("api/search/", api_search.Search.as_view(), name="api_search"),
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
    path("api/t/<slug:slug>/groups/<int:stage>/", api_brackets.Groups.as_view(), name="api_groups"),
    path("api/t/<slug:slug>/standings/", api.Standings.as_view(), name="api_standings"),
    path("api/t/<slug:slug>/rules/", api.RulesInWords.as_view(), name="api_rules"),
]

urlpatterns = [*public_patterns, *desk_patterns, *api_patterns]

"""Addresses of the director's pages and of the API beside them."""

from __future__ import annotations

from django.urls import path

from tournaments.api import desk as api_desk
from tournaments.api import desk_entries as api_desk_entries
from tournaments.urls import draws as urls_draw
from tournaments.urls import results as urls_results
from tournaments.urls import screens as urls_screens
from tournaments.urls import stages as urls_stages
from tournaments.views import (
    director,
    director_entries,
    director_import,
    director_officials,
    director_pairings,
)

EVENT = "desk/<slug:slug>/"
API = "api/desk/<slug:slug>/"
ROUND = API + "stages/<int:stage>/rounds/<int:number>/"

urlpatterns = [
    path("desk/", director.desk, name="desk"),
    path("desk/new/", director.create, name="director_create"),
    path(EVENT, director.director, name="director"),
    path(EVENT + "details/", director.details, name="director_details"),
    path(EVENT + "rules/", director.rules, name="director_rules"),
    path(EVENT + "open/", director.open_registration, name="director_open"),
    path(EVENT + "start/", director.start, name="director_start"),
    path(EVENT + "finish/", director.finish, name="director_finish"),
    path(EVENT + "entries/", director_entries.entries, name="director_entries"),
    path(EVENT + "entries/import/", director_import.import_entries, name="director_import"),
    path(EVENT + "entries/<int:number>/", director_entries.entry, name="director_entry"),
    path(
        EVENT + "entries/<int:number>/withdraw/",
        director_entries.withdraw,
        name="director_withdraw",
    ),
    path(
        EVENT + "entries/<int:number>/reinstate/",
        director_entries.reinstate,
        name="director_reinstate",
    ),
    path(EVENT + "entries/<int:number>/remove/", director_entries.remove, name="director_remove"),
    path(EVENT + "players/<int:pk>/", director_entries.player, name="director_entry_player"),
    path(EVENT + "officials/", director_officials.officials, name="director_officials"),
    path(EVENT + "officials/account/", director_officials.account, name="director_account"),
    path(
        EVENT + "officials/<int:pk>/remove/",
        director_officials.remove_official,
        name="director_official_remove",
    ),
    path(EVENT + "pairings/", director_pairings.pairings, name="director_pairings"),
    path(
        EVENT + "pairings/round-robin/",
        director_pairings.make_round_robin,
        name="director_round_robin",
    ),
    *urls_stages.urlpatterns,
    path(EVENT + "pairings/by-hand/", director_pairings.make_manual_stage, name="director_by_hand"),
    path(EVENT + "pairings/<int:stage>/seat/", director_pairings.seat_round, name="director_seat"),
    path(
        EVENT + "pairings/<int:stage>/discard/",
        director_pairings.discard_stage,
        name="director_discard",
    ),
    path(
        EVENT + "pairings/<int:stage>/<int:number>/",
        director_pairings.pairing_round,
        name="director_round",
    ),
    path(
        EVENT + "pairings/<int:stage>/<int:number>/seat/",
        director_pairings.seat_round,
        name="director_seat_round",
    ),
    path(
        EVENT + "pairings/<int:stage>/<int:number>/publish/",
        director_pairings.publish,
        name="director_publish",
    ),
    path(EVENT + "tables/", director_pairings.tables, name="director_tables"),
    path(
        EVENT + "tables/<int:pk>/rules/",
        director_pairings.table_rules,
        name="director_table_rules",
    ),
    path(
        EVENT + "tables/<int:pk>/absent/",
        director_pairings.walkover,
        name="director_table_absent",
    ),
    *urls_results.urlpatterns,
    *urls_draw.urlpatterns,
    *urls_screens.urlpatterns,
    path("api/desk/", api_desk.Desk.as_view(), name="api_desk"),
    path(API + "details/", api_desk.Details.as_view(), name="api_desk_details"),
    path(API + "rules/", api_desk.EventRules.as_view(), name="api_desk_rules"),
    path(API + "open/", api_desk.OpenRegistration.as_view(), name="api_desk_open"),
    path(API + "start/", api_desk.Start.as_view(), name="api_desk_start"),
    path(API + "finish/", api_desk.Finish.as_view(), name="api_desk_finish"),
    path(API + "entries/", api_desk_entries.NewEntry.as_view(), name="api_desk_entries"),
    path(API + "entries/<int:number>/", api_desk_entries.OneEntry.as_view(), name="api_desk_entry"),
    path(
        API + "entries/<int:number>/withdraw/",
        api_desk_entries.Withdraw.as_view(),
        name="api_desk_withdraw",
    ),
    path(
        API + "entries/<int:number>/reinstate/",
        api_desk_entries.Reinstate.as_view(),
        name="api_desk_reinstate",
    ),
    path(API + "players/<int:pk>/", api_desk_entries.OnePlayer.as_view(), name="api_desk_player"),
    path(
        API + "import/preview/", api_desk_entries.ImportPreview.as_view(), name="api_desk_preview"
    ),
    path(API + "import/", api_desk_entries.Import.as_view(), name="api_desk_import"),
    path(API + "officials/", api_desk.Officials.as_view(), name="api_desk_officials"),
    path(API + "officials/<int:pk>/", api_desk.OneOfficial.as_view(), name="api_desk_official"),
    path(API + "accounts/", api_desk.Accounts.as_view(), name="api_desk_accounts"),
    path(API + "stages/<int:stage>/", api_desk.OneStage.as_view(), name="api_desk_stage"),
    path(
        API + "tables/<int:pk>/rules/", api_desk.TableRules.as_view(), name="api_desk_table_rules"
    ),
    path(API + "tables/<int:pk>/walkover/", api_desk.Walkover.as_view(), name="api_desk_walkover"),
    path(ROUND, api_desk.ManualRound.as_view(), name="api_desk_round"),
    path(ROUND + "publish/", api_desk.Publish.as_view(), name="api_desk_publish"),
]

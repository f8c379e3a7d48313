"""Addresses of the referee's pages and API."""

from __future__ import annotations

from django.urls import path

from referee import offline
from referee.api import appeals as api_appeals
from referee.api import event_files as api_event_file
from referee.api import records as api
from referee.api import sanctions as api_sanctions
from referee.api import signing as api_signing
from referee.urls import committee as urls_committee
from referee.urls import links as urls_links
from referee.urls import moves as urls_moves
from referee.urls import prints as urls_prints
from referee.urls import screens as urls_screens
from referee.views import appeals as views_appeals
from referee.views import event_files as views_event_file
from referee.views import going_back as views_back
from referee.views import own_penalties as views_own_penalties
from referee.views import own_pins as views_own_pins
from referee.views import records as views
from referee.views import sanctions as views_sanctions
from referee.views import signing as views_signing
from referee.views import statistics as views_statistics

app_name = "referee"

urlpatterns = [
    path("sw.js", offline.worker, name="worker"),
    path("manifest.webmanifest", offline.manifest, name="manifest"),
    path("offline/", offline.offline, name="offline"),
    path("tables/<slug:slug>/", views.tables, name="tables"),
    path("files/import/", views_event_file.import_event, name="import_event"),
    path("files/<slug:slug>/event.json", views_event_file.event_file, name="event_file"),
    path(
        "files/<slug:slug>/<slug:kind>.<slug:form>",
        views_event_file.record_list,
        name="record_list",
    ),
    path("files/<slug:slug>/kept/", views_event_file.kept_files, name="kept_files"),
    path("files/<slug:slug>/kept/<int:pk>.json", views_event_file.kept_file, name="kept_file"),
    path("files/<slug:slug>/kept/<int:pk>/", views_event_file.restore_event, name="restore"),
    path("files/<slug:slug>/kept/<int:pk>/copy/", views_event_file.copy_event, name="copy_event"),
    path("api/files/import/", api_event_file.Import.as_view(), name="api_import_event"),
    path("api/desk/<slug:slug>/event.json", api_event_file.Saved.as_view(), name="api_event_file"),
    path("api/desk/<slug:slug>/kept/", api_event_file.Kept.as_view(), name="api_kept_files"),
    path(
        "api/desk/<slug:slug>/kept/<int:pk>/",
        api_event_file.OneKept.as_view(),
        name="api_kept_file",
    ),
    path(
        "api/desk/<slug:slug>/kept/<int:pk>/restore/",
        api_event_file.Restore.as_view(),
        name="api_restore",
    ),
    path("t/<slug:slug>/statistics/", views_statistics.statistics, name="statistics"),
    path("matches/<int:pk>/", views.match_sheet, name="match_sheet"),
    path("matches/<int:pk>/record/", views.record, name="record"),
    path("matches/<int:pk>/open/", views.open_match, name="open_match"),
    path("matches/<int:pk>/seats/", views.seats, name="seats"),
    path("matches/<int:pk>/rounds/", views.open_round, name="open_round"),
    path("matches/<int:pk>/back/", views_back.back, name="back"),
    path("matches/<int:pk>/close/", views.close_match, name="close_match"),
    path("matches/<int:pk>/sign/", views_signing.sign, name="sign"),
    path("matches/<int:pk>/plays/", views_signing.plays, name="plays"),
    path("matches/<int:pk>/pin/", views_own_pins.own_pin, name="own_pin"),
    path("pins/<slug:slug>/", views_signing.pins, name="pins"),
    path("check/", views_signing.check, name="check"),
    path("check/<str:code>/", views_signing.check, name="check_code"),
    path("matches/<int:pk>/reopen/", views.reopen_match, name="reopen_match"),
    path("matches/<int:pk>/replay/", views.replay_match, name="replay_match"),
    path("matches/<int:pk>/appeal/", views_appeals.file_appeal, name="file_appeal"),
    path("appeals/<int:pk>/", views_appeals.appeal, name="appeal"),
    path("appeals/<int:pk>/panel/", views_appeals.panel, name="appeal_panel"),
    path("appeals/<int:pk>/withdraw/", views_appeals.withdraw, name="appeal_withdraw"),
    path("appeals/<int:pk>/decide/", views_appeals.decide, name="appeal_decide"),
    path("cards/<slug:slug>/", views_sanctions.sanctions, name="sanctions"),
    path("cards/<slug:slug>/give/", views_sanctions.give, name="sanctions_give"),
    path("cards/<slug:slug>/in-step/", views_sanctions.in_step, name="sanctions_in_step"),
    path("cards/<slug:slug>/confirm/", views_sanctions.confirm_all, name="sanctions_confirm_all"),
    path("cards/<slug:slug>/rules/", views_sanctions.rules, name="sanctions_rules"),
    path("cards/<slug:slug>/penalties/", views_own_penalties.own_penalties, name="own_penalties"),
    path(
        "cards/<slug:slug>/penalties/new/",
        views_own_penalties.own_penalty,
        name="own_penalty_new",
    ),
    path(
        "cards/<slug:slug>/penalties/kind/<slug:kind>/",
        views_own_penalties.own_penalty,
        name="own_penalty",
    ),
    path(
        "cards/<slug:slug>/penalties/kind/<slug:kind>/forget/",
        views_own_penalties.forget_penalty,
        name="own_penalty_forget",
    ),
    path("sanctions/<int:pk>/", views_sanctions.sanction, name="sanction"),
    path("sanctions/<int:pk>/confirm/", views_sanctions.confirm, name="sanction_confirm"),
    path("rounds/<int:pk>/events/", views.append_event, name="append_event"),
    path("rounds/<int:pk>/infraction/", views.infraction, name="infraction"),
    path("api/matches/<int:pk>/", api.MatchView.as_view(), name="api_match"),
    path("api/matches/<int:pk>/record/", api.RecordView.as_view(), name="api_record"),
    path("api/matches/<int:pk>/lines/", api.LinesView.as_view(), name="api_lines"),
    path("api/matches/<int:pk>/open/", api.OpenView.as_view(), name="api_open"),
    path("api/matches/<int:pk>/seats/", api.SeatsView.as_view(), name="api_seats"),
    path("api/matches/<int:pk>/rounds/", api.RoundsView.as_view(), name="api_rounds"),
    path("api/matches/<int:pk>/back/", api.BackView.as_view(), name="api_back"),
    path("api/matches/<int:pk>/close/", api.CloseView.as_view(), name="api_close"),
    path("api/matches/<int:pk>/sign/", api_signing.SignView.as_view(), name="api_sign"),
    path("api/matches/<int:pk>/pin/", api_signing.OwnPinView.as_view(), name="api_own_pin"),
    path("api/desk/<slug:slug>/pins/", api_signing.Pins.as_view(), name="api_pins"),
    path("api/check/<str:code>/", api_signing.CheckView.as_view(), name="api_check"),
    path("api/matches/<int:pk>/reopen/", api.ReopenView.as_view(), name="api_reopen"),
    path("api/matches/<int:pk>/replay/", api.ReplayView.as_view(), name="api_replay"),
    path("api/matches/<int:pk>/proposals/", api.ProposalsView.as_view(), name="api_proposals"),
    path("api/matches/<int:pk>/appeals/", api_appeals.Filed.as_view(), name="api_appeals"),
    path("api/appeals/<int:pk>/", api_appeals.OneAppeal.as_view(), name="api_appeal"),
    path("api/appeals/<int:pk>/panel/", api_appeals.Panel.as_view(), name="api_appeal_panel"),
    path(
        "api/appeals/<int:pk>/withdraw/", api_appeals.Withdraw.as_view(), name="api_appeal_withdraw"
    ),
    path("api/appeals/<int:pk>/preview/", api_appeals.Preview.as_view(), name="api_appeal_preview"),
    path("api/appeals/<int:pk>/decide/", api_appeals.Decide.as_view(), name="api_appeal_decide"),
    path("api/desk/<slug:slug>/appeals/", api_appeals.Appeals.as_view(), name="api_desk_appeals"),
    path(
        "api/desk/<slug:slug>/appeal-time/",
        api_appeals.AppealTime.as_view(),
        name="api_desk_appeal_time",
    ),
    path("api/desk/<slug:slug>/cards/", api_sanctions.Ledger.as_view(), name="api_sanctions"),
    path(
        "api/desk/<slug:slug>/cards/in-step/",
        api_sanctions.InStepView.as_view(),
        name="api_sanctions_in_step",
    ),
    path(
        "api/desk/<slug:slug>/cards/rules/",
        api_sanctions.CardRulesView.as_view(),
        name="api_sanctions_rules",
    ),
    path(
        "api/desk/<slug:slug>/penalties/",
        api_sanctions.OwnPenalties.as_view(),
        name="api_own_penalties",
    ),
    path("api/sanctions/<int:pk>/", api_sanctions.One.as_view(), name="api_sanction"),
    path(
        "api/sanctions/<int:pk>/confirm/",
        api_sanctions.Confirm.as_view(),
        name="api_sanction_confirm",
    ),
    path("api/sanctions/<int:pk>/drop/", api_sanctions.Drop.as_view(), name="api_sanction_drop"),
    path(
        "api/sanctions/<int:pk>/preview/",
        api_sanctions.Preview.as_view(),
        name="api_sanction_preview",
    ),
    path(
        "api/sanctions/<int:pk>/carry-out/",
        api_sanctions.CarryOut.as_view(),
        name="api_sanction_carry_out",
    ),
    path("api/rounds/<int:pk>/events/", api.EventsView.as_view(), name="api_events"),
    *urls_links.urlpatterns,
    *urls_moves.urlpatterns,
    *urls_committee.urlpatterns,
    *urls_prints.urlpatterns,
    *urls_screens.urlpatterns,
]

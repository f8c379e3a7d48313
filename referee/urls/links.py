"""Addresses of table links, holders, confirmed rounds, referee calls and scores set."""

from __future__ import annotations

from django.urls import path, re_path

from referee.api import links as api_links
from referee.api import scores as api_scores
from referee.views import calls as views_calls
from referee.views import links as views_links
from referee.views import scores as views_scores

_CALL = "calls/(?P<pk>[0-9]{1,18})"

urlpatterns = [
    path("l/<str:token>/", views_links.scan, name="scan"),
    path("links/<slug:slug>/", views_links.table_links, name="links"),
    path("links/<slug:slug>/rules/", views_links.rules, name="links_rules"),
    path("links/<slug:slug>/<int:pk>/", views_links.table_links, name="links_of_round"),
    path("links/<slug:slug>/<int:pk>/make/", views_links.make_links, name="links_make"),
    path("links/<slug:slug>/<int:pk>/revoke/", views_links.revoke, name="links_revoke"),
    path("matches/<int:pk>/confirm/", views_links.confirm, name="confirm"),
    path("matches/<int:pk>/holder/", views_links.take_over, name="take_over"),
    path("matches/<int:pk>/call/", views_calls.call, name="call"),
    path("matches/<int:pk>/score/", views_scores.score, name="score"),
    path("confirmations/<int:pk>/settle/", views_links.settle, name="settle"),
    path("calls/<slug:slug>/", views_calls.open_calls, name="calls"),
    re_path(rf"^{_CALL}/(?P<act>claim|escalate)/$", views_calls.change, name="call_change"),
    re_path(rf"^{_CALL}/close/$", views_calls.close, name="call_close"),
    path("api/matches/<int:pk>/holder/", api_links.HolderView.as_view(), name="api_holder"),
    path("api/matches/<int:pk>/confirm/", api_links.ConfirmView.as_view(), name="api_confirm"),
    path("api/matches/<int:pk>/call/", api_links.CallView.as_view(), name="api_call"),
    path("api/matches/<int:pk>/score/", api_scores.ScoreView.as_view(), name="api_score"),
    path("api/confirmations/<int:pk>/settle/", api_links.SettleView.as_view(), name="api_settle"),
    path("api/desk/<slug:slug>/links/", api_links.Links.as_view(), name="api_links"),
    path("api/desk/<slug:slug>/links/rules/", api_links.Rules.as_view(), name="api_link_rules"),
    path(
        "api/desk/<slug:slug>/links/<int:pk>/revoke/",
        api_links.Revoke.as_view(),
        name="api_link_revoke",
    ),
    path("api/desk/<slug:slug>/calls/", api_links.Calls.as_view(), name="api_calls"),
    re_path(
        rf"^api/{_CALL}/(?P<act>claim|escalate|close)/$",
        api_links.CallChange.as_view(),
        name="api_call_change",
    ),
]

"""Addresses of the indicators for the committee."""

from __future__ import annotations

from django.urls import path

from referee.api import indicators as api
from referee.views import indicators as views

urlpatterns = [
    path("indicators/<slug:slug>/", views.indicators, name="indicators"),
    path("indicators/<slug:slug>/file.<slug:form>", views.indicators_file, name="indicators_file"),
    path("api/desk/<slug:slug>/indicators/", api.IndicatorsView.as_view(), name="api_indicators"),
]

"""Addresses of the prints of a match."""

from __future__ import annotations

from django.urls import path

from referee.api import prints as api_prints
from referee.views import prints

urlpatterns = [
    path("api/matches/<int:pk>/prints/", api_prints.MatchPrints.as_view(), name="api_match_prints"),
    path("matches/<int:pk>/print/plays.<slug:form>", prints.plays, name="print_plays"),
    path("matches/<int:pk>/print/sheet.<slug:form>", prints.sheet, name="print_sheet"),
]

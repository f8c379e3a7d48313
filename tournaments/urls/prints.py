"""Addresses of the prints of an event."""

from __future__ import annotations

from django.urls import path

from tournaments.api import prints as api_prints
from tournaments.views import prints

EVENT = "desk/<slug:slug>/prints/"

urlpatterns = [
    path("t/<slug:slug>/prints/<slug:kind>.<slug:form>", prints.event_print, name="print"),
    path("api/t/<slug:slug>/prints/", api_prints.Prints.as_view(), name="api_prints"),
    path(EVENT, prints.prints, name="director_prints"),
    path(EVENT + "codes/", prints.give_codes, name="director_prints_codes"),
    path(EVENT + "<slug:kind>/printed/", prints.mark_printed, name="mark_printed"),
]

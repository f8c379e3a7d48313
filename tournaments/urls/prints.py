"""Addresses of the prints of an event."""

from __future__ import annotations

from django.urls import path, re_path

from tournaments.views import prints
from tournaments.words.prints import BY_KIND

_KINDS = "|".join(BY_KIND)

urlpatterns = [
    re_path(
        rf"^t/(?P<slug>[-\w]+)/prints/(?P<kind>{_KINDS})\.(?P<form>html|pdf)$",
        prints.event_print,
        name="print",
    ),
    re_path(
        rf"^desk/(?P<slug>[-\w]+)/prints/(?P<kind>{_KINDS})/printed/$",
        prints.mark_printed,
        name="mark_printed",
    ),
    path("desk/<slug:slug>/prints/", prints.prints, name="director_prints"),
    path("desk/<slug:slug>/prints/codes/", prints.give_codes, name="director_prints_codes"),
]

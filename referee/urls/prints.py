"""Addresses of the prints of a match."""

from __future__ import annotations

from django.urls import re_path

from referee.views import prints

_MATCH = "^matches/(?P<pk>[0-9]{1,18})/print"

urlpatterns = [
    re_path(rf"{_MATCH}/plays\.(?P<form>html|pdf)$", prints.plays, name="print_plays"),
    re_path(rf"{_MATCH}/sheet\.(?P<form>html|pdf)$", prints.sheet, name="print_sheet"),
]

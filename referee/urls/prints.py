"""Addresses of the prints of a match."""

from __future__ import annotations

from django.urls import path

from referee.views import prints

urlpatterns = [
    path("matches/<int:pk>/print/plays.<slug:form>", prints.plays, name="print_plays"),
    path("matches/<int:pk>/print/sheet.<slug:form>", prints.sheet, name="print_sheet"),
]

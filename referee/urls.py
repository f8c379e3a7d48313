"""Addresses of pages and API."""

from __future__ import annotations

from django.urls import URLPattern, URLResolver

app_name = "referee"

urlpatterns: list[URLPattern | URLResolver] = []

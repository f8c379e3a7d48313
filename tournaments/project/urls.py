"""Root addresses."""

from __future__ import annotations

from django.contrib import admin
from django.contrib.auth.views import LogoutView
from django.urls import include, path, re_path
from django.views.decorators.csrf import csrf_exempt
from django.views.i18n import set_language
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerSplitView

from tournaments.api.refusals import NothingHere
from tournaments.views.access import SignIn

urlpatterns = [
    path("", include("tournaments.urls.site")),
    path("", include("referee.urls.site")),
    path("login/", SignIn.as_view(), name="login"),
    path("logout/", LogoutView.as_view(), name="logout"),
    # Only changes the reader's language: without a token in it, public pages can be cached.
    path("i18n/setlang/", csrf_exempt(set_language), name="set_language"),
    path("admin/", admin.site.urls),
    path("api/schema/", SpectacularAPIView.as_view(), name="schema"),
    path("api/docs/", SpectacularSwaggerSplitView.as_view(url_name="schema"), name="api_docs"),
    # An address without its last slash still finds the one with it.
    re_path(r"^api/(?:.*/)?$", NothingHere.as_view()),
]

"""Who reaches the director's pages, and the request of somebody signed in."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.contrib.auth.views import LoginView
from django.http import Http404, HttpRequest
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from tournaments import permissions
from tournaments.forms.access import SignInForm
from tournaments.models import Tournament
from tournaments.permissions import Visitor

# A page that is one form: looked at, or sent.
form_page = require_http_methods(["GET", "HEAD", "POST"])


class SignedInRequest(HttpRequest):
    """A request behind `login_required`."""

    user: User


class SignIn(LoginView):
    """Sign in; whoever did not come from a page is led to where their work is."""

    redirect_authenticated_user = True
    authentication_form = SignInForm

    def get_default_redirect_url(self) -> str:
        return place_of_work(self.request.user)


def place_of_work(user: Visitor) -> str:
    """Return the desk, the tables of the one event somebody keeps records at, or the events."""
    if permissions.has_desk(user):
        return reverse("tournaments:desk")
    if user.is_authenticated:
        under_way = Tournament.objects.exclude(state=Tournament.State.FINISHED)
        own = under_way.filter(officials__user=user).values_list("slug", flat=True).distinct()
        slugs = list(own.order_by()[:2])
        if len(slugs) == 1:
            return reverse("referee:tables", args=slugs)
    return reverse("tournaments:index")


def directed(request: SignedInRequest, slug: str) -> Tournament:
    """Return the tournament for one of its directors; a draft does not exist for strangers."""
    tournament = get_object_or_404(Tournament, slug=slug)
    if not permissions.may_see_tournament(request.user, tournament):
        raise Http404
    permissions.require_director(request.user, tournament)
    return tournament

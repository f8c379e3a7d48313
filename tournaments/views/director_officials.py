"""Who does what at an event: duties by user name, and accounts for those who have none."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.views.decorators.http import require_POST

from engine.errors import DominoError
from tournaments.errors.base import explain
from tournaments.forms.events import refuse
from tournaments.forms.people import AccountForm, DutyForm
from tournaments.models import Tournament
from tournaments.services import accounts, lifecycle
from tournaments.views.access import SignedInRequest, directed, form_page

NEW_ACCOUNT = "new_account"


@login_required
@form_page
def officials(request: SignedInRequest, slug: str) -> HttpResponse:
    """List the officials; give somebody who has an account a duty."""
    tournament = directed(request, slug)
    form = DutyForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            official = lifecycle.add_official(tournament, **form.cleaned_data, by=request.user)
        except DominoError as error:
            refuse(form, error)
        else:
            done = gettext("%(username)s has the duty now.")
            messages.success(request, done % {"username": official.user.username})
            return redirect("tournaments:director_officials", slug)
    return _page(request, tournament, form=form)


@login_required
@require_POST
def account(request: SignedInRequest, slug: str) -> HttpResponse:
    """Make an account. Its password is shown once, on the page after."""
    tournament = directed(request, slug)
    form = AccountForm(request.POST, auto_id="account_%s")
    if form.is_valid():
        kept = request.session.get(NEW_ACCOUNT)
        if kept and kept["username"] == form.cleaned_data["username"]:
            return redirect("tournaments:director_officials", slug)  # sent twice
        try:
            official, password = accounts.create_official_account(
                tournament, **form.cleaned_data, by=request.user
            )
        except DominoError as error:
            refuse(form, error)
        else:
            request.session[NEW_ACCOUNT] = {
                "username": official.user.username,
                "password": password,
            }
            return redirect("tournaments:director_officials", slug)
    return _page(request, tournament, account_form=form)


@login_required
@require_POST
def remove_official(request: SignedInRequest, slug: str, pk: int) -> HttpResponse:
    tournament = directed(request, slug)
    official = tournament.officials.filter(pk=pk).first()
    if official is not None:
        try:
            lifecycle.remove_official(official, by=request.user)
        except DominoError as error:
            return _page(request, tournament, refusal=explain(error))
        messages.success(request, gettext("The duty is taken away."))
    return redirect("tournaments:director_officials", slug)


def _page(
    request: SignedInRequest,
    tournament: Tournament,
    *,
    form: DutyForm | None = None,
    account_form: AccountForm | None = None,
    refusal: str = "",
) -> HttpResponse:
    shows_password = request.method == "GET"
    context = {
        "tournament": tournament,
        "officials": tournament.officials.select_related("user").order_by("duty", "user__username"),
        "form": form or DutyForm(),
        "account_form": account_form or AccountForm(auto_id="account_%s"),
        "account_is_open": account_form is not None,
        "refusal": refusal,
        "new_account": request.session.pop(NEW_ACCOUNT, None) if shows_password else None,
    }
    refused = refusal or (form and form.errors) or (account_form and account_form.errors)
    status = 422 if refused else 200
    return render(request, "tournaments/director_officials.html", context, status=status)

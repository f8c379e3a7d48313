"""The ledger of cards in the browser: read, confirmed, dropped, given, carried out, its rules."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext, ngettext
from django.views.decorators.http import require_POST, require_safe

from engine.errors import DominoError
from referee.forms.sanctions import CardRulesForm, DropForm, GiveForm, kind_choices
from referee.models import Sanction
from referee.permissions_sanctions import (
    may_read_ledger,
    may_sanction,
    may_see_cards,
    require_may_decide_sanction,
)
from referee.queries import sanctions as queries
from referee.services import card_rules, sanction_effects
from referee.services import sanctions as service
from tournaments import permissions
from tournaments.digits import local_digits
from tournaments.errors.base import explain
from tournaments.models import LONG_IN_ROUND, Match, PairingRound, Player, Tournament
from tournaments.rules import rules_of
from tournaments.views.access import SignedInRequest, directed, form_page
from tournaments.visible import tournament_at


@require_safe
def sanctions(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the ledger to its referees; to others the cards, where the event shows them."""
    tournament = tournament_at(slug, user=request.user)
    if not may_see_cards(request.user, tournament):
        raise Http404
    context = _around(request, tournament)
    if not may_read_ledger(request.user, tournament):
        context |= {"lines": queries.public_lines(tournament), "tab": "cards"}
        return render(request, "referee/sanctions_public.html", context)
    context["page"] = queries.ledger_page(tournament, request.user)
    context["book"] = queries.book_of(tournament)
    return render(request, "referee/sanctions.html", context)


@login_required
@require_POST
def in_step(request: SignedInRequest, slug: str) -> HttpResponse:
    """Bring the ledger in step with the records now."""
    tournament = _refereed(request, slug)
    try:
        service.synchronise(tournament, by=request.user)
    except DominoError as error:
        messages.error(request, explain(error))
    else:
        messages.success(request, gettext("The ledger says what the records say."))
    return redirect("referee:sanctions", slug)


@login_required
@require_POST
def confirm(request: SignedInRequest, pk: int) -> HttpResponse:
    """Confirm a card, or keep one whose infraction is gone."""
    found = _readable(request, pk)
    try:
        service.confirm(found, by=request.user)
    except DominoError as error:
        messages.error(request, explain(error))
    else:
        messages.success(request, gettext("The card is confirmed."))
    return redirect("referee:sanctions", found.tournament.slug)


@login_required
@require_POST
def confirm_all(request: SignedInRequest, slug: str) -> HttpResponse:
    """Confirm what the page showed as rulings of the records."""
    tournament = _refereed(request, slug)
    seen = {int(one) for one in request.POST.getlist("seen") if one.isdecimal() and len(one) < 19}
    try:
        count = service.confirm_all(tournament, seen, by=request.user)
    except DominoError as error:
        messages.error(request, explain(error))
    else:
        said = ngettext("%(count)s card is confirmed.", "%(count)s cards are confirmed.", count)
        messages.success(request, said % {"count": local_digits(count)})
    return redirect("referee:sanctions", slug)


@login_required
@form_page
def sanction(request: SignedInRequest, pk: int) -> HttpResponse:
    """Show one card with what it would change; drop it, or carry its effect out."""
    found = _readable(request, pk)
    form = DropForm(request.POST if request.POST.get("step") == "drop" else None)
    context: dict[str, Any] = _around(request, found.tournament)
    refusal = None
    if request.method == "POST":
        try:
            if request.POST.get("step") == "carry_out":
                sanction_effects.carry_out(found, by=request.user)
                messages.success(request, gettext("The effect of the card is carried out."))
                return redirect("referee:sanctions", found.tournament.slug)
            if form.is_valid():
                service.drop(found, reason=form.cleaned_data["reason"], by=request.user)
                messages.success(request, gettext("The card is dropped."))
                return redirect("referee:sanctions", found.tournament.slug)
        except DominoError as error:
            refusal = explain(error)
    (line,) = queries.lines_of(found.tournament, [found], request.user)
    context |= {"line": line, "form": form, "refusal": refusal}
    if line.is_due and found.state == Sanction.State.CONFIRMED and context["is_director"]:
        try:
            context["would"] = sanction_effects.preview(found, by=request.user)
        except DominoError as error:
            context["no_effect"] = explain(error)
    status = 422 if request.method == "POST" else 200
    return render(request, "referee/sanctions_one.html", context, status=status)


@login_required
@form_page
def give(request: SignedInRequest, slug: str) -> HttpResponse:
    """Sanction somebody by hand; sent twice, it is given once."""
    tournament = _refereed(request, slug)
    tables = _tables(tournament)
    asked = request.GET.get("match", "")
    form = GiveForm(
        request.POST or None,
        players=queries.accredited_players(tournament),
        kinds=kind_choices(rules_of(tournament)),
        tables=tables,
        initial={"match": int(asked) if asked.isdecimal() and len(asked) < 19 else None},
    )
    if request.method == "POST" and form.is_valid():
        said = form.cleaned_data
        match = next((one for one in tables if one.pk == said["match"]), None)
        if not may_sanction(request.user, tournament, match):
            form.add_error(
                "match", gettext("Choose the table: only a director sanctions away from them.")
            )
        else:
            player = Player.objects.filter(pk=said["player"] or 0).first()
            try:
                service.give(
                    tournament, **{**said, "match": match, "player": player}, by=request.user
                )
            except DominoError as error:
                form.add_error(None, explain(error))
            else:
                messages.success(request, gettext("The sanction is on the ledger."))
                return redirect("referee:sanctions", slug)
    context = _around(request, tournament) | {"form": form}
    status = 422 if request.method == "POST" else 200
    return render(request, "referee/sanctions_give.html", context, status=status)


@login_required
@form_page
def rules(request: SignedInRequest, slug: str) -> HttpResponse:
    """Set what makes the next card, and who sees the cards."""
    tournament = directed(request, slug)
    page = queries.card_rules_of(tournament)
    initial = CardRulesForm.of(page.numbers, is_public=page.is_public)
    form = CardRulesForm(request.POST or None, initial=initial)
    if request.method == "POST" and form.is_valid():
        try:
            card_rules.set_card_rules(
                tournament,
                numbers=form.numbers(),
                shown=form.cleaned_data["shown"],
                by=request.user,
            )
        except DominoError as error:
            form.add_error(None, explain(error))
        else:
            messages.success(request, gettext("The rules of the cards are set."))
            return redirect("referee:sanctions", slug)
    context = _around(request, tournament) | {"form": form, "book": queries.book_of(tournament)}
    status = 422 if request.method == "POST" else 200
    return render(request, "referee/sanctions_rules.html", context, status=status)


def _around(request: HttpRequest, tournament: Tournament) -> dict[str, Any]:
    return {
        "tournament": tournament,
        "is_director": permissions.is_director(request.user, tournament),
        "is_official": permissions.is_official(request.user, tournament),
    }


def _refereed(request: SignedInRequest, slug: str) -> Tournament:
    tournament = tournament_at(slug, user=request.user)
    permissions.require_referee(request.user, tournament)
    return tournament


def _readable(request: SignedInRequest, pk: int) -> Sanction:
    """Return a sanction the reader may decide about; of a hidden event they know nothing."""
    found: Sanction = get_object_or_404(queries.sanctions(), pk=pk)
    if not permissions.may_see_tournament(request.user, found.tournament):
        raise Http404
    if not may_read_ledger(request.user, found.tournament):
        raise PermissionDenied(gettext("Only referees and directors may read the ledger of cards."))
    if request.method == "POST":
        require_may_decide_sanction(request.user, found)
    return found


def _tables(tournament: Tournament) -> list[Match]:
    """Return the tables of published rounds, the newest round first."""
    found = (
        Match.objects.filter(pairing_round__stage__tournament=tournament)
        .exclude(pairing_round__state=PairingRound.State.DRAFT)
        .select_related("pairing_round__stage__tournament")
        .defer(*LONG_IN_ROUND)
    )
    return list(found.order_by("-pairing_round__stage__number", "-pairing_round__number", "table"))

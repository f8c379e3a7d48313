"""Pages of table links: the codes and what they open, the rounds a side confirms."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any
from uuid import uuid4

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from engine.errors import DominoError
from referee import guests, states
from referee.errors.links import LinkUnknown, TooManyLinks
from referee.forms.links import ConfirmForm, LinkRulesForm, LinksForm, SettleForm
from referee.models import RoundConfirmation, TableLink
from referee.queries import links as queries_links
from referee.queries import records as queries
from referee.services import confirming, holders, links
from referee.services.links import Made
from referee.views.prints import link_scores
from tournaments import freshness, permissions
from tournaments.errors.base import explain
from tournaments.models import LONG_IN_ROUND, Match, PairingRound, Tournament
from tournaments.policies_links import link_rules
from tournaments.qr import qr_of
from tournaments.views.access import SignedInRequest, directed, form_page
from tournaments.visible import tournament_at

Scope = TableLink.Scope


@require_safe
@never_cache
def scan(request: HttpRequest, token: str) -> HttpResponse:
    """Open the table of a code, for as long as the code works."""
    try:
        link = links.exchange(token)
    except LinkUnknown as error:
        try:
            guests.count_guess(request)
        except TooManyLinks as too_many:
            return guests.refused(request, too_many)
        return guests.refused(request, error)
    except DominoError as error:
        return guests.refused(request, error)
    page = {Scope.RECORD: "record", Scope.CONFIRM: "confirm", Scope.READ: "match_sheet"}
    answer = redirect(f"referee:{page[Scope(link.scope)]}", link.match_id)
    guests.keep_link(request, answer, link)
    # The address is a secret: no page that is reached from here is told it.
    answer.headers["Referrer-Policy"] = "no-referrer"
    return answer


def refereed(request: SignedInRequest, slug: str) -> Tournament:
    """Return the event for one of its referees or directors."""
    tournament = tournament_at(slug, user=request.user)
    permissions.require_referee(request.user, tournament)
    return tournament


def _round(tournament: Tournament, pk: int | None) -> PairingRound | None:
    """Return the round of that number, or the latest, None where none is published."""
    published = queries_links.published_rounds(tournament)
    return published.first() if pk is None else get_object_or_404(published, pk=pk)


@login_required
@require_safe
def table_links(request: SignedInRequest, slug: str, pk: int | None = None) -> HttpResponse:
    """Show the tables of a round with the links they have, and make others."""
    tournament = refereed(request, slug)
    return _links_page(request, tournament, _round(tournament, pk))


def _links_page(
    request: SignedInRequest, tournament: Tournament, shown: PairingRound | None, **more: Any
) -> HttpResponse:
    context = {
        "tournament": tournament,
        "rounds": list(queries_links.published_rounds(tournament)),
        "shown": shown,
        "tables": queries_links.tables_with_links(shown) if shown else [],
        "form": LinksForm(initial={"client_key": uuid4(), "scope": "read"}),
        "rules": link_rules(tournament),
        "is_director": permissions.is_director(request.user, tournament),
        **more,
    }
    status = 422 if more else 200
    return render(request, "referee/links.html", context, status=status)


@login_required
@require_POST
def make_links(request: SignedInRequest, slug: str, pk: int) -> HttpResponse:
    """Make the links of one table or of a whole round, and show their codes to print."""
    tournament = refereed(request, slug)
    shown = _round(tournament, pk)
    assert shown is not None
    form = LinksForm(request.POST)
    if not form.is_valid():
        return _links_page(request, tournament, shown, form=form)
    wanted, table = form.wanted(), form.cleaned_data["match"]
    try:
        if table is None:
            made = links.make_round_links(shown, **wanted, by=request.user)
        else:
            match = _table_of(shown, table)
            side = form.cleaned_data["side"]
            made = [links.make_link(match, side=side, **wanted, by=request.user)]
    except DominoError as error:
        form.add_error(None, explain(error))
        return _links_page(request, tournament, shown, form=form)
    if form.cleaned_data["on_sheets"]:
        return link_scores(request, shown, made)
    codes = [_code(request, one) for one in made]
    context = {"tournament": tournament, "shown": shown, "codes": codes}
    response = render(request, "referee/links_print.html", context)
    # These codes are told once; no copy of them stays with the browser.
    response.headers["Cache-Control"] = "no-store"
    return response


def _table_of(shown: PairingRound, pk: int) -> Match:
    with_event = shown.matches.select_related("pairing_round__stage__tournament")
    found: Match = get_object_or_404(with_event.defer(*LONG_IN_ROUND), pk=pk)
    return found


def _code(request: HttpRequest, made: Made) -> dict[str, Any]:
    address = request.build_absolute_uri(reverse("referee:scan", args=[made.token]))
    link = made.link
    sides = dict(queries_links.side_names(link.match))
    return {
        "link": link,
        "table": link.match.table,
        "sides": [sides[link.side]] if link.side else list(sides.values()),
        "address": address,
        "qr": qr_of(address),
    }


@login_required
@require_POST
def revoke(request: SignedInRequest, slug: str, pk: int) -> HttpResponse:
    """Take one link back, or all of a round."""
    tournament = refereed(request, slug)
    shown = _round(tournament, pk)
    assert shown is not None
    if wanted := request.POST.get("link", ""):
        own = TableLink.objects.select_related("match__pairing_round__stage__tournament")
        own = own.filter(match__pairing_round=shown)
        if not (wanted.isdecimal() and wanted.isascii() and len(wanted) < 18):
            raise Http404
        links.revoke_link(get_object_or_404(own, pk=wanted), by=request.user)
        messages.success(request, gettext("The link is taken back: its code opens nothing now."))
    else:
        links.revoke_round(shown, by=request.user)
        messages.success(request, gettext("All links of the round are taken back."))
    return redirect("referee:links_of_round", slug, shown.pk)


@login_required
@form_page
def rules(request: SignedInRequest, slug: str) -> HttpResponse:
    """Show who may record a table and how rounds are confirmed, and change it."""
    tournament = directed(request, slug)
    form = LinkRulesForm(request.POST or None, initial=asdict(link_rules(tournament)))
    if request.method == "POST" and form.is_valid():
        try:
            links.set_link_rules(tournament, form.rules(), by=request.user)
        except DominoError as error:
            form.add_error(None, explain(error))
        else:
            messages.success(request, gettext("From now on tables are recorded like this."))
            return redirect("referee:links", slug)
    context = {"tournament": tournament, "form": form}
    status = 422 if form.errors else 200
    return render(request, "referee/links_rules.html", context, status=status)


# --- a side confirms -------------------------------------------------------------------------


def _confirmed_match(request: HttpRequest, pk: int) -> Match:
    match = get_object_or_404(queries.matches(), pk=pk)
    if not permissions.may_see_match(request.user, match):
        raise Http404
    if not (
        confirming.may_confirm(request.user, match) or permissions.may_record(request.user, match)
    ):
        raise Http404
    return match


@form_page
@guests.at_the_table()
def confirm(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the finished rounds of a match to a side, which says whether they are right."""
    match = _confirmed_match(request, pk)
    form = ConfirmForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            confirming.say_of_round(match, **form.cleaned_data, by=request.user)
        except DominoError as error:
            form.add_error(None, explain(error))
        else:
            messages.success(request, gettext("It is noted. Thank you."))
            return redirect("referee:confirm", pk)
    if request.method == "POST":
        return _confirm_page(request, match, form=form)
    seen = freshness.of_match(match, drafts=False)
    etag = freshness.part_tag(request, seen)
    return freshness.answered(
        request, seen, lambda: _confirm_page(request, match, form=form, etag=etag)
    )


def _confirm_page(request: HttpRequest, match: Match, **more: Any) -> HttpResponse:
    recorded = queries.read(match)
    told = states.live(recorded)["rounds"]
    user = request.user
    own_side = user.side if isinstance(user, permissions.TableGuest) else ""
    tournament = match.pairing_round.stage.tournament
    context = {
        "match": match,
        "tournament": tournament,
        "rounds": queries_links.rounds_said(recorded, told),
        "own_side": own_side,
        "own_name": recorded.side_name(own_side) if own_side in recorded.sides else "",
        "may_confirm": confirming.may_confirm(user, match),
        "may_settle": permissions.is_referee(user, tournament),
        "form": None,
        **more,
    }
    form = more.get("form")
    rounds: list[queries_links.RoundSaid] = context["rounds"]
    context["wrong"] = _wrong(request, rounds)
    if context["may_settle"]:
        wanted = more.get("settling_pk") or request.GET.get("settle", "")
        own = RoundConfirmation.objects.filter(match=match, agrees=False, settled_at=None)
        context["settling"] = own.filter(pk=wanted).first() if str(wanted).isdecimal() else None
    return render(
        request,
        "referee/links_confirm.html",
        context,
        status=422 if form is not None and form.errors else 200,
    )


def _wrong(request: HttpRequest, rounds: list[queries_links.RoundSaid]) -> dict[str, Any] | None:
    """Return the round somebody is about to dispute, or just tried to."""
    asked = request.POST if request.method == "POST" else request.GET
    number = asked.get("wrong", "") or asked.get("number", "")
    if asked.get("agrees"):
        return None
    for one in rounds:
        if str(one.number) == number and any(
            word["side"] == asked.get("side") for word in one.words
        ):
            return {
                "number": one.number,
                "sentence": one.sentence,
                "head": one.head,
                "side": asked["side"],
            }
    return None


@login_required
@require_POST
def settle(request: SignedInRequest, pk: int) -> HttpResponse:
    """Settle what a side disputes; a referee's act."""
    with_match = RoundConfirmation.objects.select_related("match__pairing_round__stage__tournament")
    said = get_object_or_404(with_match, pk=pk)
    if not permissions.may_see_match(request.user, said.match):
        raise Http404
    permissions.require_referee(request.user, said.match.pairing_round.stage.tournament)
    form = SettleForm(request.POST)
    if form.is_valid():
        try:
            confirming.settle(said, **form.cleaned_data, by=request.user)
        except DominoError as error:
            form.add_error(None, explain(error))
        else:
            messages.success(request, gettext("The dispute is settled."))
            return redirect("referee:confirm", said.match_id)
    return _confirm_page(request, said.match, form=form, settling_pk=said.pk)


# --- who holds the table ---------------------------------------------------------------------


@require_POST
@guests.at_the_table()
def take_over(request: HttpRequest, pk: int) -> HttpResponse:
    """Set a table free from a page without a script, so that it can be recorded here."""
    match = get_object_or_404(queries.matches(), pk=pk)
    user = request.user
    if not permissions.may_see_match(user, match):
        raise Http404
    permissions.require_may_record(user, match)
    assert not user.is_anonymous or isinstance(user, permissions.TableGuest)
    holders.take_over(match, "", by=user)
    return redirect("referee:record", pk)

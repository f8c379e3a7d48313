"""Documents of an event: at the desk, and for whoever reads them."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.http import content_disposition_header
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from engine.errors import DominoError
from tournaments import freshness
from tournaments.errors.base import explain
from tournaments.forms.calls import DocumentForm
from tournaments.services import documents as services
from tournaments.views.access import SignedInRequest, directed, form_page
from tournaments.visible import tournament_at


@login_required
@form_page
def documents(request: SignedInRequest, slug: str) -> HttpResponse:
    """Show the documents at the desk; add one, or remove one."""
    tournament = directed(request, slug)
    act = request.POST.get("act", "") if request.method == "POST" else ""
    adds = request.method == "POST" and act != "remove"
    form = DocumentForm(*((request.POST, request.FILES) if adds else ()))
    try:
        if act == "remove":
            number = request.POST.get("document", "")
            if number.isdecimal() and number.isascii() and len(number) < 19:
                services.remove_document(tournament, document=int(number), by=request.user)
            messages.success(request, gettext("The document is removed."))
            return redirect("tournaments:director_documents", slug)
        if adds and form.is_valid():
            services.add_document(tournament, **form.given(), by=request.user)  # type: ignore[arg-type]
            messages.success(request, gettext("The document is on the page of the event now."))
            return redirect("tournaments:director_documents", slug)
    except DominoError as error:
        form.add_error(None, explain(error))
    context = {
        "tournament": tournament,
        "form": form,
        "documents": tournament.documents.defer("content"),
    }
    status = 422 if request.method == "POST" else 200
    return render(request, "tournaments/director_documents.html", context, status=status)


@require_safe
def document(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Give a PDF file to whoever may see the event, as a file and nothing else."""
    tournament = tournament_at(slug, user=request.user)
    found = tournament.documents.defer("content").filter(pk=pk, link="").first()
    if found is None:
        raise Http404
    etag = f'"{found.digest}"'
    if (same := freshness.unchanged(request, etag)) is not None:
        return same
    answer = HttpResponse(bytes(found.content or b""), content_type="application/pdf")
    name = f"{found.title}.pdf"
    answer.headers["Content-Disposition"] = content_disposition_header(True, name) or "attachment"
    answer.headers["X-Content-Type-Options"] = "nosniff"
    answer.headers["Content-Security-Policy"] = "default-src 'none'; sandbox"
    return freshness.kept(answer, etag)

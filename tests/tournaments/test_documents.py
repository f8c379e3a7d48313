"""Documents of an event: PDF files that are kept, links, who adds them and how they are served."""

from __future__ import annotations

import base64
import json

import pytest
from django.core.exceptions import PermissionDenied
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from rest_framework.test import APIClient

from referee.event_file import exported
from tests.factories import OrganizerFactory, TournamentFactory, UserFactory
from tournaments.competition.types import BadRequest
from tournaments.errors import documents as errors
from tournaments.errors.base import TextTooLong, explain
from tournaments.models import EventDocument, LogEntry, Tournament
from tournaments.models.documents import LARGEST_FILE
from tournaments.services.documents import MOST_DOCUMENTS, add_document, remove_document
from tournaments.services.event_documents import store_documents

pytestmark = pytest.mark.django_db

PDF = b"%PDF-1.7\n1 0 obj\n%%EOF"


@pytest.fixture
def director():
    return OrganizerFactory.create()


@pytest.fixture
def event(director) -> Tournament:
    return TournamentFactory.create(slug="nile", state=Tournament.State.OPEN, created_by=director)


def test_a_file_is_kept_once_and_named_on_the_page_of_the_event(event, director, client):
    added = add_document(event, title="  Timetable ", content=PDF, by=director)
    assert add_document(event, title="Timetable", content=PDF, by=director) == added
    assert LogEntry.objects.filter(act="document_added").count() == 1
    page = client.get("/t/nile/").content.decode()
    assert "Timetable" in page
    assert reverse("tournaments:document", args=["nile", added.pk]) in page


def test_a_file_is_given_as_a_file_and_nothing_else(event, director, client):
    added = add_document(event, title='جدول "1"\r\nX: y', content=PDF, by=director)
    address = reverse("tournaments:document", args=["nile", added.pk])
    answer = client.get(address)
    assert answer.content == PDF
    assert answer["Content-Type"] == "application/pdf"
    assert answer["Content-Disposition"].startswith("attachment; filename")
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert answer["Content-Security-Policy"] == "default-src 'none'; sandbox"
    assert "X" not in answer
    again = client.get(address, headers={"If-None-Match": answer["ETag"]})
    assert (again.status_code, again.content) == (304, b"")


@pytest.mark.parametrize(
    "hidden", [{"is_private": True}, {"state": Tournament.State.DRAFT}], ids=["private", "draft"]
)
def test_of_a_hidden_event_no_stranger_gets_a_document(event, director, client, hidden):
    added = add_document(event, title="Timetable", content=PDF, by=director)
    Tournament.objects.update(**hidden)
    address = reverse("tournaments:document", args=["nile", added.pk])
    assert client.get(address).status_code == 404
    client.force_login(director)
    assert client.get(address).status_code == 200


def test_a_document_of_another_event_is_not_there(event, director, client):
    other = TournamentFactory.create(slug="other", created_by=director)
    added = add_document(other, title="Map", content=PDF, by=director)
    assert client.get(f"/t/nile/documents/{added.pk}/").status_code == 404
    remove_document(event, document=added.pk, by=director)
    assert EventDocument.objects.filter(pk=added.pk).exists()


def test_a_link_leads_elsewhere_and_tells_nothing_of_where_it_was(event, director, client):
    added = add_document(event, title="Map", link="https://example.org/map", by=director)
    page = client.get("/t/nile/").content.decode()
    assert '<a href="https://example.org/map" rel="noopener nofollow">' in page
    assert client.get(f"/t/nile/documents/{added.pk}/").status_code == 404


@pytest.mark.parametrize(
    ("given", "refusal"),
    [
        ({"title": " ", "content": PDF}, errors.DocumentTitleMissing),
        ({"title": "x" * 121, "content": PDF}, TextTooLong),
        ({"title": "Map"}, errors.DocumentIsNothing),
        ({"title": "Map", "content": PDF, "link": "https://a.org/"}, errors.DocumentIsBoth),
        ({"title": "Map", "content": b"<html>"}, errors.DocumentIsNoPdf),
        ({"title": "Map", "content": PDF + b"0" * LARGEST_FILE}, errors.DocumentTooLarge),
        ({"title": "Map", "link": "javascript:alert(1)"}, errors.DocumentLinkBad),
        ({"title": "Map", "link": "//example.org/"}, errors.DocumentLinkBad),
        ({"title": "Map", "link": "ftp://example.org/"}, errors.DocumentLinkBad),
    ],
)
def test_what_cannot_be_a_document_is_refused_with_what_to_do(event, director, given, refusal):
    with pytest.raises(refusal) as refused:
        add_document(event, **given, by=director)
    assert explain(refused.value).count(". ") >= 1
    assert not EventDocument.objects.exists()


def test_another_document_of_the_same_title_is_refused(event, director):
    add_document(event, title="Map", content=PDF, by=director)
    with pytest.raises(errors.DocumentTitleTaken, match="Map"):
        add_document(event, title="Map", link="https://example.org/", by=director)


def test_there_is_a_most(event, director):
    for number in range(MOST_DOCUMENTS):
        add_document(event, title=f"Map {number}", content=PDF, by=director)
    with pytest.raises(errors.TooManyDocuments, match="20"):
        add_document(event, title="One more", content=PDF, by=director)


def test_removed_twice_it_is_gone_once(event, director):
    added = add_document(event, title="Map", content=PDF, by=director)
    remove_document(event, document=added.pk, by=director)
    remove_document(event, document=added.pk, by=director)
    assert not EventDocument.objects.exists()
    assert LogEntry.objects.filter(act="document_removed").count() == 1


def test_only_a_director_adds_or_removes(event, client):
    stranger = UserFactory.create()
    with pytest.raises(PermissionDenied):
        add_document(event, title="Map", content=PDF, by=stranger)
    with pytest.raises(PermissionDenied):
        remove_document(event, document=1, by=stranger)
    client.force_login(stranger)
    assert client.get("/desk/nile/documents/").status_code == 403


def test_the_desk_adds_and_removes_on_its_page(event, director, client):
    client.force_login(director)
    address = "/desk/nile/documents/"
    file = SimpleUploadedFile("plan.pdf", PDF, "application/pdf")
    sent = client.post(address, {"title": "Plan", "file": file, "act": "add"}, follow=True)
    assert "The document is on the page of the event now." in sent.content.decode()
    added = EventDocument.objects.get()
    assert (added.title, bytes(added.content or b"")) == ("Plan", PDF)
    large = SimpleUploadedFile("plan.pdf", PDF + b"0" * LARGEST_FILE, "application/pdf")
    refused = client.post(address, {"title": "Large", "file": large, "act": "add"})
    assert refused.status_code == 422
    assert "Make it smaller, or give a link to it." in refused.content.decode()
    client.post(address, {"document": str(added.pk), "act": "remove"})
    assert not EventDocument.objects.exists()
    for odd in ("", "x", "9" * 40):
        assert client.post(address, {"document": odd, "act": "remove"}).status_code == 302


def test_the_api_does_the_same(event, director):
    api = APIClient()
    api.force_authenticate(director)
    address = reverse("tournaments:api_desk_documents", args=["nile"])
    told = api.post(address, {"title": "Plan", "pdf": base64.b64encode(PDF).decode()}).json()
    assert [one["title"] for one in told] == ["Plan"]
    assert APIClient().get(told[0]["address"]).content == PDF
    refused = api.post(address, {"title": "Bad", "pdf": "no base64!"})
    assert (refused.status_code, refused.json()["code"]) == (409, "document_is_no_pdf")
    assert api.put(address, {"document": told[0]["id"]}).json() == []


def test_the_file_of_an_event_brings_its_documents_to_another_site(event, director, client):
    add_document(event, title="Plan", content=PDF, by=director)
    add_document(event, title="Map", link="https://example.org/", by=director)
    document = json.loads(exported(event))
    EventDocument.objects.all().delete()
    other = TournamentFactory.create(created_by=director)
    store_documents(other, document)
    told = {one.title: (one.link, bytes(one.content or b"")) for one in other.documents.all()}
    assert told == {"Plan": ("", PDF), "Map": ("https://example.org/", b"")}
    del document["documents"]
    store_documents(other, document)
    assert other.documents.count() == 2


@pytest.mark.parametrize(
    "given",
    [
        [{"title": "Plan", "link": "", "pdf": "%%%"}],
        [{"title": "Plan", "link": "", "pdf": base64.b64encode(b"<html>").decode()}],
        [{"title": "Plan", "link": "javascript:x", "pdf": ""}],
        [{"title": 7, "link": "", "pdf": ""}],
        [{"title": "Plan", "link": "https://a.org/", "pdf": ""}] * 2,
        [7],
        {},
    ],
)
def test_what_is_no_document_in_a_file_is_refused_with_its_place(event, given):
    with pytest.raises(BadRequest) as refused:
        store_documents(event, {"documents": given})
    assert "documents" in str(refused.value)

"""Importing a list of entries through the page: looked at first, stored whole or not at all."""

from __future__ import annotations

import io

import openpyxl
import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from tests.factories import TournamentFactory, UserFactory
from tournaments.models import Club, Entry, Player, Tournament

pytestmark = pytest.mark.django_db

LIST = (
    "م;اللاعب 1;اللاعب 2;النادي;الدولة\n"
    "1;أحمد علي;محمد حسن;نادي النيل;مصر\n"
    "2;عمر سعيد;خالد رضا;مقهى الفيشاوي;مصر\n"
    "3;مها عادل;هدى كريم;نادي القلعة;الأردن\n"
)
ADDRESS = "/desk/nile/entries/import/"


@pytest.fixture
def send(client, event):
    """Post to the import page."""

    def post(**given):
        return client.post(ADDRESS, given)

    return post


def upload(content: bytes, name: str = "pairs.csv") -> SimpleUploadedFile:
    return SimpleUploadedFile(name, content)


def import_list(send, content: bytes, name: str = "pairs.csv", **more):
    """Look at a list and confirm it, as a browser does."""
    preview = send(file=upload(content, name), step="read")
    assert preview.status_code == 200
    return send(list=preview.context["list"], step="import", **more)


def test_an_arabic_list_in_windows_1256_is_imported_after_its_preview(send, event, text):
    preview = send(file=upload(LIST.encode("cp1256")), step="read")
    assert "أحمد علي" in text(preview)
    assert preview.context["preview"].encoding == "windows-1256"
    assert not Entry.objects.exists()
    assert send(list=preview.context["list"], step="import").status_code == 302
    assert [entry.name for entry in event.entries.all()] == [
        "أحمد علي / محمد حسن",
        "عمر سعيد / خالد رضا",
        "مها عادل / هدى كريم",
    ]
    assert Player.objects.get(name="مها عادل").country == "JO"
    assert Club.objects.filter(name="نادي النيل").count() == 1


def test_the_same_list_again_changes_nothing(send, event, client, text):
    import_list(send, LIST.encode("cp1256"))
    preview = send(file=upload(LIST.encode("utf-16")), step="read")
    assert "Everybody on this list is entered already." in text(preview)
    response = client.post(
        ADDRESS, {"list": preview.context["list"], "step": "import"}, follow=True
    )
    assert "3 were entered already and did not change." in text(response)
    assert (Entry.objects.count(), Player.objects.count()) == (3, 6)


def test_the_same_people_in_another_spelling_are_entered_once(send, event):
    import_list(send, LIST.encode())
    other = LIST.replace("أحمد علي", "احمد على").replace("هدى كريم", "هدي كريم")
    import_list(send, other.encode())
    assert (Entry.objects.count(), Player.objects.count()) == (3, 6)


def test_a_confirmation_sent_twice_enters_once(send, event):
    preview = send(file=upload(LIST.encode()), step="read")
    for _ in range(2):
        assert send(list=preview.context["list"], step="import").status_code == 302
    assert Entry.objects.count() == 3


def test_a_spreadsheet_is_imported(send, event):
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    for row in (["Player 1", "Player 2", "Seed"], ["Rosa Paz", "Ana Ruiz", 2]):
        sheet.append(row)
    written = io.BytesIO()
    book.save(written)
    assert import_list(send, written.getvalue(), "pairs.xlsx").status_code == 302
    assert Entry.objects.get().seed == 2


def test_a_pasted_list_is_imported(send, event):
    preview = send(text="Rosa Paz / Ana Ruiz\nEva Gil / Pia Roa", step="read")
    send(list=preview.context["list"], step="import")
    assert Entry.objects.count() == 2


def test_with_one_wrong_line_nothing_is_imported_unless_it_is_left_out(send, event, text):
    wrong = LIST + "4;طارق نور;;نادي القلعة;\n"
    preview = send(file=upload(wrong.encode("cp1256")), step="read")
    assert "Line 5 names only طارق نور." in text(preview)
    kept = preview.context["list"]
    refused = send(list=kept, step="import")
    assert refused.status_code == 422
    assert "Nothing was imported: lines of the list are wrong (1 in all" in text(refused)
    assert refused.context["list"]
    assert not Entry.objects.exists()
    send(list=kept, step="import", leave_out="on")
    assert Entry.objects.count() == 3


def test_a_wrong_line_can_be_corrected_on_the_page(send, event):
    preview = send(text="Player 1,Player 2\nRosa Paz,", step="read")
    assert preview.context["preview"].wrong
    corrected = send(
        list=preview.context["list"], text="Player 1\tPlayer 2\nRosa Paz\tAna Ruiz", step="text"
    )
    assert not corrected.context["preview"].wrong
    send(list=corrected.context["list"], step="import")
    assert Entry.objects.get().name == "Rosa Paz / Ana Ruiz"


def test_a_player_of_another_entry_is_named_with_that_entry(send, event, text):
    import_list(send, b"Player 1,Player 2\nRosa Paz,Ana Ruiz")
    preview = send(file=upload(b"Player 1,Player 2\nRosa Paz,Eva Gil"), step="read")
    assert "Line 2: Rosa Paz is already registered, in entry 1, “Rosa Paz / Ana Ruiz”." in text(
        preview
    )


def test_the_reader_chooses_another_encoding(send, event):
    content = "Player 1,Player 2\nJosé,Ana".encode("cp1252")
    preview = send(file=upload(content), step="read")
    again = send(list=preview.context["list"], encoding="windows-1256", step="read")
    assert again.context["preview"].encoding == "windows-1256"
    send(list=again.context["list"], encoding="windows-1252", step="import")
    assert Player.objects.filter(name="José").exists()


def test_the_reader_says_what_the_columns_hold(send, event):
    preview = send(text="Ana Ruiz;Club Sol;Rosa Paz", step="read")
    columns = {"column_0": "player2", "column_1": "club", "column_2": "player1"}
    send(list=preview.context["list"], step="import", **columns)
    entry = Entry.objects.get()
    assert (entry.name, entry.club and entry.club.name) == ("Rosa Paz / Ana Ruiz", "Club Sol")


def test_two_columns_that_hold_the_same_are_refused(send, event, text):
    preview = send(text="Ana Ruiz;Rosa Paz", step="read")
    columns = {"column_0": "player1", "column_1": "player1"}
    response = send(list=preview.context["list"], step="import", **columns)
    assert response.status_code == 422
    assert "are set to hold the same. Keep one of them." in text(response)
    assert not Entry.objects.exists()


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({}, "Choose a file, or paste the list into the field."),
        ({"text": "  "}, "Choose a file, or paste the list into the field."),
        ({"list": "forged"}, "The list of this preview can no longer be read"),
    ],
)
def test_nothing_given_is_said(send, event, given, sentence, text):
    response = send(step="read", **given)
    assert response.status_code == 422
    assert sentence in text(response)


def test_a_list_of_another_event_cannot_be_confirmed_here(send, event, client):
    other = TournamentFactory.create(created_by=event.created_by, slug="delta")
    preview = client.post("/desk/delta/entries/import/", {"text": "Rosa / Ana", "step": "read"})
    assert send(list=preview.context["list"], step="import").status_code == 422
    assert not other.entries.exists()
    assert not event.entries.exists()


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"x" * 1_100_000, "This file has 1100 kB; at most 1000 kB can be read."),
        (b"", "There is no line with text in this list."),
        (b"%PDF-1.7", "“pairs.csv” is not a list that can be read."),
        (b"PK\x03\x04 broken", "“pairs.csv” is not a list that can be read."),
        (b"a,b\n" * 5001, "The list has more than 5000 lines."),
    ],
)
def test_what_is_no_list_is_refused_with_the_remedy(send, event, content, sentence, text):
    response = send(file=upload(content), step="read")
    assert response.status_code == 422
    assert sentence in text(response)


def test_after_the_start_no_list_is_taken(send, event, text):
    event.state = Tournament.State.RUNNING
    event.save()
    response = send(text="Rosa / Ana", step="read")
    assert response.status_code == 422
    assert "Registration for Nile Cup is closed" in text(response)
    assert "Rosa / Ana" in text(response)


def test_a_stranger_imports_nothing(client, event):
    client.force_login(UserFactory.create())
    assert client.post(ADDRESS, {"text": "Rosa / Ana", "step": "read"}).status_code == 403
    client.logout()
    assert client.post(ADDRESS, {"text": "Rosa / Ana", "step": "read"}).status_code == 302
    assert not Entry.objects.exists()

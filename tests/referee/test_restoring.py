"""A backup restored over the event it was saved of: shown, confirmed, kept, and taken back."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.core.management import call_command
from django.test import Client
from django.urls import reverse
from rest_framework.test import APIClient

from referee.event_file import exported
from referee.models import KeptFile
from referee.services.event_restoring import copied, keep_sent, preview, restore
from tests.factories import OfficialFactory, OrganizerFactory
from tests.referee.test_event_file import comparable, event, play, standings
from tournaments.errors.event_files import (
    EventHasChanged,
    FileOfAnotherEvent,
    RestoreNotConfirmed,
)
from tournaments.models import Entry, Match, Official, PairingRound, Tournament
from tournaments.services import leaving
from tournaments.services.event_import import BadEventFile
from tournaments.services.standings import rebuild_standings

__all__ = ["event"]
pytestmark = pytest.mark.django_db


def play_on(tournament: Tournament) -> None:
    """What happens after the backup: the final is played and an entry leaves."""
    final = tournament.stages.get(number=2)
    play(final.rounds.get(number=2), tournament.created_by, random.Random(3))
    rebuild_standings(final)
    leaving.withdraw(tournament.entries.get(number=9), by=tournament.created_by)


def accounts() -> list[Any]:
    """Everything that decides who gets in, and to do what."""
    users = User.objects.order_by("pk")
    rights = [sorted(one.get_all_permissions()) for one in users]
    duties = Official.objects.order_by("pk").values_list(
        "pk", "tournament", "user", "duty", "table"
    )
    return [list(users.values()), rights, list(duties)]


def test_situation_51_saturdays_backup_restored_on_sunday_leaves_accounts_alone(event):
    saturday = exported(event)
    before = standings()
    play_on(event)
    by = event.created_by
    by.set_password("another one since Saturday")
    by.save()
    OfficialFactory.create(tournament=event, user__username="engaged on sunday")
    sunday, kept_accounts = exported(event), accounts()

    ahead = preview(keep_sent(event, saturday, by=by), by=by)
    # What is newer here is listed before anything happens.
    assert [(one.stage, one.number) for one in ahead.replaced.rounds] == [(2, 2)]
    assert {(one.stage, one.round, one.table) for one in ahead.replaced.results} == {(2, 2, 1)}
    assert [one.number for one in ahead.replaced.entries] == [9]
    assert "entry_withdrawn" in {one.act for one in ahead.replaced.log}
    assert exported(event) == sunday

    restored = restore(ahead.file, confirm="nile", seen=ahead.seen, by=by)
    assert (restored.pk, restored.slug) == (event.pk, "nile")
    assert standings() == before
    assert comparable(exported(restored))["entries"] == json.loads(saturday)["entries"]
    # Passwords, rights and duties are those of Sunday.
    assert accounts() == kept_accounts
    assert User.objects.get(pk=by.pk).check_password("another one since Saturday")
    last = restored.log.first()
    assert last is not None
    assert (last.act, last.by) == ("event_restored", by)

    # And the way back: what was replaced has been kept, and is restored like any file.
    replaced = KeptFile.objects.get(why="replaced")
    back = preview(replaced, by=by)
    restore(replaced, confirm="nile", seen=back.seen, by=by)
    assert event.entries.get(number=9).state == Entry.State.WITHDRAWN
    assert PairingRound.objects.get(stage__number=2, number=2).state == "finished"
    assert accounts() == kept_accounts


def test_restored_twice_at_once_it_is_restored_once(event):
    saturday = exported(event)
    play_on(event)
    by = event.created_by
    ahead = preview(keep_sent(event, saturday, by=by), by=by)
    for _ in range(2):
        restore(ahead.file, confirm="nile", seen=ahead.seen, by=by)
    assert event.log.filter(act="event_restored").count() == 1
    assert KeptFile.objects.filter(why="replaced").count() == 1


def test_the_address_must_be_typed_to_replace_anything(event):
    ahead = preview(keep_sent(event, exported(event), by=event.created_by), by=event.created_by)
    with pytest.raises(RestoreNotConfirmed, match="type the address of the event, nile"):
        restore(ahead.file, confirm="elbe", seen=ahead.seen, by=event.created_by)


def test_what_came_after_the_preview_is_not_replaced_unseen(event):
    by = event.created_by
    ahead = preview(keep_sent(event, exported(event), by=by), by=by)
    play_on(event)
    with pytest.raises(EventHasChanged, match="has changed since you looked"):
        restore(ahead.file, confirm="nile", seen=ahead.seen, by=by)
    assert event.entries.get(number=9).state == Entry.State.WITHDRAWN


def test_only_directors_of_the_event_restore_it(event):
    file = keep_sent(event, exported(event), by=event.created_by)
    for user in (OrganizerFactory.create(), Official.objects.get(user__first_name="Omar").user):
        with pytest.raises(PermissionDenied):
            keep_sent(event, exported(event), by=user)
        with pytest.raises(PermissionDenied):
            preview(file, by=user)
        with pytest.raises(PermissionDenied):
            restore(file, confirm="nile", seen="", by=user)


def test_the_file_of_another_event_is_refused(event):
    other = json.loads(exported(event)) | {"key": "0123456789abcdef"}
    with pytest.raises(FileOfAnotherEvent, match="“Nile Cup”"):
        keep_sent(event, json.dumps(other).encode(), by=event.created_by)


def test_a_bad_file_replaces_nothing(event):
    bad = json.loads(exported(event))
    bad["stages"][0]["rounds"][0]["matches"][0]["seats"][0]["points_for"] = "many"
    by = event.created_by
    ahead = preview(keep_sent(event, json.dumps(bad).encode(), by=by), by=by)
    now = exported(event)
    with pytest.raises(BadEventFile, match="points_for"):
        restore(ahead.file, confirm="nile", seen=ahead.seen, by=by)
    assert exported(event) == now


def test_printed_check_in_codes_still_open_their_entry(event):
    saturday = exported(event)
    play_on(event)
    by = event.created_by
    ahead = preview(keep_sent(event, saturday, by=by), by=by)
    restore(ahead.file, confirm="nile", seen=ahead.seen, by=by)
    assert event.entries.get(number=1).check_in_code == "secret-code"


def test_a_kept_file_becomes_a_new_event_once(event):
    by = OrganizerFactory.create()
    OfficialFactory.create(tournament=event, user=by, duty="director")
    file = keep_sent(event, exported(event), by=by)
    made = copied(file, by=by)
    assert copied(file, by=by) == made != event
    assert (made.slug, made.name) == ("nile-2", "Nile Cup")
    assert Match.objects.filter(pairing_round__stage__tournament=made).count() == (
        Match.objects.filter(pairing_round__stage__tournament=event).count()
    )


def test_the_pages_lead_from_the_file_to_the_restored_event_and_back(
    client: Client, event, tmp_path: Path
):
    by = OrganizerFactory.create()
    OfficialFactory.create(tournament=event, user=by, duty="director")
    client.force_login(by)
    path = tmp_path / "saturday.json"
    path.write_bytes(exported(event))
    play_on(event)
    with path.open("rb") as file:
        sent = client.post(reverse("referee:import_event"), {"file": file})
    kept = KeptFile.objects.get()
    address = reverse("referee:restore", args=["nile", kept.pk])
    assert sent.headers["Location"] == address
    page = client.get(address)
    shown = page.content.decode()
    assert "Stage 2, round 2" in shown
    assert "withdrew entry 9" in shown
    refused = client.post(address, {"confirm": "elbe", "seen": page.context["seen"]})
    assert refused.status_code == 422
    assert "elbe" in refused.content.decode()
    done = client.post(address, {"confirm": "nile", "seen": page.context["seen"]})
    assert done.headers["Location"] == reverse("referee:kept_files", args=["nile"])
    listed = client.get(done.headers["Location"]).content.decode()
    replaced = KeptFile.objects.get(why="replaced")
    saved = reverse("referee:kept_file", args=["nile", replaced.pk])
    assert saved in listed
    assert json.loads(client.get(saved).content)["format"] == "domino-event"
    assert event.entries.get(number=9).state == Entry.State.REGISTERED
    copy = client.post(reverse("referee:copy_event", args=["nile", kept.pk]))
    assert copy.headers["Location"] == reverse("tournaments:director", args=["nile-2"])


def test_the_api_previews_restores_and_copies(event):
    by = OrganizerFactory.create()
    OfficialFactory.create(tournament=event, user=by, duty="director")
    client = APIClient()
    client.force_authenticate(by)
    saved = client.get(reverse("referee:api_event_file", args=["nile"]))
    document = json.loads(saved.content)
    play_on(event)
    sent = client.post(reverse("referee:api_kept_files", args=["nile"]), document, format="json")
    assert sent.status_code == 201
    assert sent.data["replaced"]["entries"][0]["number"] == 9
    kept = sent.data["file"]["id"]
    address = reverse("referee:api_restore", args=["nile", kept])
    wrong = client.post(address, {"confirm": "elbe", "seen": sent.data["seen"]}, format="json")
    assert (wrong.status_code, wrong.data["code"]) == (409, "restore_not_confirmed")
    done = client.post(address, {"confirm": "nile", "seen": sent.data["seen"]}, format="json")
    assert (done.status_code, done.data["slug"]) == (200, "nile")
    assert event.entries.get(number=9).state == Entry.State.REGISTERED
    listed = client.get(reverse("referee:api_kept_files", args=["nile"])).data
    assert [one["why"] for one in listed] == ["replaced", "sent"]
    assert client.put(address).data["slug"] == "nile-2"
    again = client.post(reverse("referee:api_import_event"), document, format="json")
    assert (again.status_code, again.data["slug"]) == (200, "nile")


def test_the_command_shows_what_it_replaces_and_replaces_it_when_confirmed(
    event, tmp_path: Path, capsys
):
    path = tmp_path / "saturday.json"
    path.write_bytes(exported(event))
    play_on(event)
    name = event.created_by.username
    call_command("import_event", str(path), director=name, replace=True)
    told = capsys.readouterr().out
    assert "stage 2, round 2: here Finished, in the file Draft" in told
    assert "withdrew entry 9" in told
    assert "entry_withdrawn" not in told
    assert "add --confirm nile" in told
    assert event.entries.get(number=9).state == Entry.State.WITHDRAWN
    call_command("import_event", str(path), director=name, replace=True, confirm="nile")
    assert "is kept under “Files”" in capsys.readouterr().out
    assert event.entries.get(number=9).state == Entry.State.REGISTERED

"""Restores an event from a file of it: what it replaces is shown first and kept afterwards."""

from __future__ import annotations

import gzip
import json
from dataclasses import dataclass
from hashlib import sha256

from django.contrib.auth.models import User
from django.db import transaction

from referee.event_file import DOORS, exported, imported
from referee.models import KeptFile
from referee.services.signing import pins_by_entry, put_pins_back
from tournaments import permissions
from tournaments.errors.event_files import EventHasChanged, RestoreNotConfirmed
from tournaments.models import Tournament
from tournaments.services import log
from tournaments.services.event_import import document_of, known_event
from tournaments.services.event_replacing import (
    Replaced,
    replace_event,
    replaced,
    require_same_event,
)
from tournaments.services.lifecycle import locked


@dataclass(frozen=True, slots=True)
class Restoring:
    """What restoring a file would replace. `seen` is what was looked at, for `restore`."""

    file: KeptFile
    replaced: Replaced
    seen: str


def event_of(content: bytes) -> Tournament | None:
    """Return the event of a file where it is here already; raises BadEventFile."""
    return known_event(document_of(content))


@transaction.atomic
def keep_sent(tournament: Tournament, content: bytes, *, by: User) -> KeptFile:
    """Keep a file that was sent to restore an event; the same one again is kept once."""
    permissions.require_director(by, tournament)
    tournament = locked(tournament)
    require_same_event(tournament, document_of(content))
    sent = KeptFile.objects.filter(tournament=tournament, why=KeptFile.Why.SENT)
    return sent.filter(digest=_digest(content)).first() or _keep(
        tournament, content, KeptFile.Why.SENT, by
    )


def content_of(file: KeptFile) -> bytes:
    """Return a kept file as it was saved."""
    return gzip.decompress(bytes(file.content))


def preview(file: KeptFile, *, by: User) -> Restoring:
    """Return what restoring a kept file would replace, changing nothing."""
    permissions.require_director(by, file.tournament)
    now = exported(file.tournament)
    document = document_of(content_of(file))
    return Restoring(file, replaced(json.loads(now), document), _digest(now))


@transaction.atomic
def restore(file: KeptFile, *, confirm: str, seen: str, by: User) -> Tournament:
    """Make the event what a kept file says, once; what it replaces is kept as a file.

    `confirm` is the address of the event, typed; `seen` says what the preview was of. Accounts,
    passwords and duties stay as they are here.
    """
    permissions.require_director(by, file.tournament)
    tournament = locked(file.tournament)
    if confirm.strip() != tournament.slug:
        raise RestoreNotConfirmed(expected=tournament.slug, found=confirm.strip()[:40])
    last = tournament.log.order_by("-pk").first()
    told = {"file": file.digest, "seen": seen}
    if last is not None and last.act == "event_restored" and told.items() <= last.details.items():
        return tournament
    now = exported(tournament)
    if _digest(now) != seen:
        raise EventHasChanged(event=tournament.name)
    before = _keep(tournament, now, KeptFile.Why.REPLACED, by)
    pins = pins_by_entry(tournament)
    restored = replace_event(tournament, document_of(content_of(file)), DOORS, by=by)
    put_pins_back(restored, pins)
    log.write(
        restored, "event_restored", by=by, saved_at=file.made_at.isoformat(), kept=before.pk, **told
    )
    return restored


def copied(file: KeptFile, *, by: User) -> Tournament:
    """Store a kept file as a new event of its own, once for each file."""
    permissions.require_director(by, file.tournament)
    return imported(content_of(file), copy=file.digest, by=by)


def _keep(tournament: Tournament, content: bytes, why: str, by: User) -> KeptFile:
    return KeptFile.objects.create(
        tournament=tournament,
        why=why,
        by=by,
        content=gzip.compress(content, 6),
        digest=_digest(content),
        size=len(content),
    )


def _digest(content: bytes) -> str:
    return sha256(content).hexdigest()

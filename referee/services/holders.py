"""One device keeps the record of a table; the others read along, or take it over."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any, Final

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext

from referee.errors.links import NoDevice, TableHeld
from referee.models import TableHolder
from referee.models.links import LONGEST_DEVICE
from referee.recorded import Facts
from tournaments.models import Match, Tournament
from tournaments.permissions import Keeper, TableGuest, require_may_record
from tournaments.policies_links import link_rules
from tournaments.services import results

HEADER: Final = "X-Domino-Device"
# Devices name themselves: a name others may know, a dot, a secret.
_DEVICE: Final = re.compile(
    rf"(?=.{{18,{LONGEST_DEVICE}}}\Z)[A-Za-z0-9-]{{1,20}}\.[A-Za-z0-9-]{{16,}}"
)
# A device that reads its own table again is noted as there, but not every few seconds.
_SEEN_AGAIN: Final = timedelta(minutes=1)


def device_named(text: str) -> str:
    """Return the key of a device as it was sent; none is no device."""
    if text and not _DEVICE.fullmatch(text):
        raise NoDevice(found=text[:LONGEST_DEVICE], most=LONGEST_DEVICE)
    return text


def name_of(device: str) -> str:
    """Return the part of a device's key that others may know."""
    return device.partition(".")[0]


def keep_hold(match: Facts, device: str | None, *, by: Keeper) -> None:
    """Refuse a change by a device that does not hold the table; an unheld table is taken.

    The match is locked by the caller, who read what holds it with its facts. `device` is "" where
    one that has no key sent the change, None where it comes from no device at all.
    """
    _keep_hold(match.pk, match.table, match.holder, device, by=by)


def _keep_hold(
    match: int, table: int, holder: str | None, device: str | None, *, by: Keeper
) -> None:
    if device is None or holder == device or (holder is None and not device):
        return
    tournament = Tournament.objects.only("policies").get(stages__rounds__matches=match)
    if not link_rules(tournament).one_holder:
        return
    if holder is not None:
        raise TableHeld(table=table)
    _hold(match, device, by=by)


def _hold(match: int, device: str, *, by: Keeper) -> None:
    now = timezone.now()
    holding = {
        "device": device,
        "user": by if isinstance(by, User) else None,
        "link_id": by.link if isinstance(by, TableGuest) else None,
        "since": now,
        "seen_at": now,
    }
    TableHolder.objects.update_or_create(match_id=match, defaults=holding)


@contextmanager
def holding(match: Match, device: str | None, *, by: Keeper) -> Iterator[None]:
    """Make a change of a table as the device that holds it: locked, and refused for others."""
    with transaction.atomic():
        require_may_record(by, match)
        Match.objects.select_for_update(of=("self",)).only("pk").get(pk=match.pk)
        _keep_hold(match.pk, match.table, device_of(match), device, by=by)
        yield


def device_of(match: Match) -> str | None:
    """Return the key of the device that holds a table, as it is stored now."""
    held = TableHolder.objects.filter(match=match.pk)
    return held.values_list("device", flat=True).first()


@transaction.atomic
def take_over(match: Match, device: str, *, by: Keeper) -> Match:
    """Let `device` keep the record from now on; what held it before reads along.

    A device without a key, "", cannot hold a table: taking over, it sets the table free. Asked
    twice, it holds the table already.
    """
    require_may_record(by, match)
    match = results.locked_match(match)
    before = device_of(match)
    if before == device or (before is None and not device):
        return match
    if device:
        _hold(match.pk, device, by=by)
    else:
        TableHolder.objects.filter(match=match.pk).delete()
    match.save(update_fields=["changed_at"])
    if before is not None:
        devices = {"before": name_of(before), "device": name_of(device)}
        results.write_log(match, "table_taken_over", by=by, **devices)
    return match


def holder_json(match: Match) -> dict[str, Any] | None:
    """Return which device keeps the record, since when and whose; None where none does.

    For those who keep the record themselves. The match comes with its event and its holder.
    """
    held: TableHolder | None = getattr(match, "holder", None)
    if held is None or not link_rules(match.pairing_round.stage.tournament).one_holder:
        return None
    if held.user is not None:
        who = held.user.get_full_name() or held.user.username
    else:
        who = gettext("the table link of table %(table)s") % {"table": match.table}
    return {
        "device": name_of(held.device),
        "since": held.since.isoformat(),
        "seen_at": held.seen_at.isoformat(),
        "who": who,
    }


def note_seen(match: Match, device: str) -> None:
    """Note that the device which holds a table is still there."""
    now = timezone.now()
    late = TableHolder.objects.filter(match=match.pk, device=device, seen_at__lt=now - _SEEN_AGAIN)
    late.update(seen_at=now)

"""No address of the site tells strangers of a hidden round, nor what a minor is called in full."""

from __future__ import annotations

import re

import pytest
from django.test import TestCase

from tests.addresses import told_at
from tests.hidden_event import (
    FAMILY,
    HIDDEN,
    SUMS,
    HiddenEvent,
    addresses,
    hidden_event,
    number,
    signed_in,
    stranger,
)
from tournaments.services.hidden_results import hide_results, show_results

pytestmark = pytest.mark.django_db

SECRET = (*HIDDEN.values(), *SUMS)


@pytest.fixture
def event() -> HiddenEvent:
    return hidden_event()


def hide(event: HiddenEvent) -> None:
    """Hide the second round and all later ones; what follows in the background is done."""
    with TestCase.captureOnCommitCallbacks(execute=True):
        hide_results(event.tournament, stage=1, round=2, by=event.tournament.created_by)


def telling(event: HiddenEvent, client, *, language: str = "en") -> dict[str, list[str]]:
    """Return what each address tells of the hidden round, and of the minor's name."""
    wanted = number(*SECRET, language=language)
    own = {event.hidden.pk, event.recorded.pk}
    assert not own & set(SECRET)
    found = {}
    for name, address in addresses(event):
        told = told_at(client, address, **{"Accept-Language": language})
        if seen := [*wanted.findall(told), *re.findall(FAMILY, told, re.IGNORECASE)]:
            found[f"{name} {address}"] = seen
    return found


@pytest.mark.parametrize(
    ("reader", "language"), [(stranger, "en"), (signed_in, "en"), (stranger, "ar")]
)
def test_no_address_tells_a_stranger_of_a_hidden_round_or_a_minor(event, reader, language):
    hide(event)
    assert telling(event, reader(), language=language) == {}


def test_shown_at_the_prize_giving_they_are_everywhere(event):
    hide(event)
    client = stranger()
    assert telling(event, client) == {}
    with TestCase.captureOnCommitCallbacks(execute=True):
        show_results(event.tournament, by=event.tournament.created_by)
    found = telling(event, client)
    assert FAMILY.casefold() not in str(found).casefold()
    names = {told.split()[0] for told in found}
    assert names >= {
        *("pairings", "standings", "standings_after", "match_sheet", "export", "print", "player"),
        *("api_pairings", "api_standings", "entry", "screen", "player_calendar", "print_sheet"),
    }


def test_directors_and_referees_see_all_of_it(event, client):
    hide(event)
    client.force_login(event.tournament.created_by)
    found = telling(event, client)
    names = {told.split()[0] for told in found}
    assert names >= {"pairings", "standings", "match_sheet", "api_pairings", "entry"}
    in_full = {told.split()[0] for told, seen in found.items() if FAMILY in seen}
    assert in_full >= {"pairings", "standings", "entries", "entry", "director_entries"}
    # What leaves the desk for the wall, and the screens of the hall, are for everybody.
    assert not in_full & {"screen", "screen_now", "overlay", "player_calendar", "search"}

"""Several people at the ledger at one moment: every card is there, and decided, once."""

from __future__ import annotations

from uuid import uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from referee.models import RoundRecord, Sanction
from referee.queries.sanctions import behind, ledger_page
from referee.services import records as services
from referee.services import sanctions
from tests.referee.conftest import director_of, referee_of, sheet, tournament_of, write
from tests.referee.test_at_once import at_once, codes
from tests.referee.test_sanctions import again, played, the
from tournaments.models import LogEntry

pytestmark = pytest.mark.django_db(transaction=True)


def ready_to_close(match, by, *lines):
    services.open_match(match, by=by)
    sheet(match, 0, "AC", 100, by)
    write(RoundRecord.objects.get(match=match), lines, by)


def test_two_tables_of_one_player_closed_at_once_make_one_yellow_card(match):
    by, second = referee_of(match), again(match)
    for one in (match, second):
        ready_to_close(one, by, "B! delay")
    answers = at_once(
        *[lambda one=one: services.close_match(one, by=by) for one in (match, second)]
    )
    assert codes(answers) == []
    assert sorted(Sanction.objects.values_list("severity", flat=True)) == [
        "warning",
        "warning",
        "yellow",
    ]


def test_a_ledger_brought_in_step_by_four_at_once_has_every_line_once(match):
    by = referee_of(match)
    played(match, "B! delay", "A! touch -> card yellow")
    Sanction.objects.all().delete()
    event = tournament_of(match)
    assert codes(at_once(*[lambda: sanctions.synchronise(event, by=by)] * 4)) == []
    assert Sanction.objects.count() == 2


def test_confirmed_by_one_and_dropped_by_another_it_is_one_of_both(match):
    by = referee_of(match)
    played(match, "B! delay")
    card = the(match)
    at_once(
        lambda: sanctions.confirm(card, by=by),
        lambda: sanctions.drop(card, reason="No", by=by),
    )
    told = LogEntry.objects.filter(act__in=["card_confirmed", "card_dropped"])
    last = told.order_by("-pk").first()
    assert last is not None
    assert last.act == f"card_{the(match).state}"


def test_one_sanction_sent_by_four_at_once_is_given_once(match):
    by, key, event = director_of(match), uuid4(), tournament_of(match)

    def send():
        return sanctions.give(
            event, severity="red", note="Abuse", name="Nadia", function="coach",
            client_key=key, by=by,
        ).pk  # fmt: skip

    assert len(set(at_once(*[send] * 4))) == 1
    assert Sanction.objects.count() == 1


def test_the_ledger_costs_the_same_however_many_tables_and_lines_it_has(match):
    by, counts = director_of(match), []
    played(match, "B! delay", "A! touch -> card yellow")
    second = again(match)
    event = tournament_of(match)
    for more in (None, second):
        if more is not None:
            played(more, "B! delay", "A! delay", "C! delay", "D! delay")
        with CaptureQueriesContext(
            connection,
        ) as asked:
            ledger_page(event, by)
            behind(event)
        counts.append(len(asked))
    assert counts[0] == counts[1]

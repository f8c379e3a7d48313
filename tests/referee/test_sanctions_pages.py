"""The ledger of cards through both doors: pages and API, permissions, privacy, own penalties."""

from __future__ import annotations

from html import unescape
from typing import Any

import pytest
from django.urls import reverse

from referee.models import RoundRecord, Sanction
from referee.queries import records as queries
from referee.queries.sanctions import so_far
from referee.services import card_rules, sanctions
from referee.services import records as services
from tests import factories
from tests.referee.conftest import director_of, referee_of, sheet, tournament_of, write
from tests.referee.test_sanctions import again, in_step, played, rows, the
from tournaments.models import LogEntry, PairingRound, Tournament
from tournaments.permissions import TableGuest
from tournaments.rules import rules_of
from tournaments.services import lifecycle, undoing
from tournaments.services.own_penalties import set_own_penalties
from tournaments.services.table_rules import set_table_rules

pytestmark = pytest.mark.django_db

PHONE: dict[str, Any] = {
    "phone": {
        "offences": [["warning"], [{"percent": 30}]],
        "names": {"en": "Phone in the hall", "ar": "هاتف في القاعة"},
        "ladder": "discipline",
    }
}


def page(client, view, /, *args, **data):
    address = reverse(f"referee:{view}", args=args)
    response = client.post(address, data) if data else client.get(address)
    text = unescape(response.content.decode()).replace("\u2068", "").replace("\u2069", "")
    return response, text


def api(client, method, name, *args, data=None):
    send = getattr(client, method)
    address = reverse(f"referee:api_{name}", args=args)
    return send(address, data, content_type="application/json") if data else send(address)


def set_up():
    """An event of which no round has been published yet."""
    return factories.TournamentFactory.create(state=Tournament.State.OPEN)


def test_the_ledger_shows_what_is_proposed_and_its_article(client, make_match):
    match = make_match("femundo")
    played(match, "B! delay", "B! exposed_tile 5-1")
    client.force_login(referee_of(match))
    _, text = page(client, "sanctions", tournament_of(match).slug)
    assert "Yellow card" in text
    assert "Made of: Warning + Warning" in text
    assert "femundo 29" in text


def test_everything_of_the_records_is_confirmed_with_one_button(client, match):
    played(match, "B! delay", "A! delay")
    client.force_login(referee_of(match))
    seen = list(Sanction.objects.values_list("pk", flat=True))
    response, _ = page(client, "sanctions_confirm_all", tournament_of(match).slug, seen=seen)
    assert response.status_code == 302
    assert {state for _, _, state in rows(match)} == {"confirmed"}


def test_a_page_behind_the_records_says_so_and_catches_up(client, match):
    by = referee_of(match)
    services.open_match(match, by=by)
    sheet(match, 0, "AC", 100, by)
    write(RoundRecord.objects.get(match=match), ["B! delay"], by)
    services.close_match(match, by=by)
    client.force_login(by)
    slug = tournament_of(match).slug
    assert "1 entry is not on the ledger" in page(client, "sanctions", slug)[1]
    page(client, "sanctions_in_step", slug, go=1)
    assert "not on the ledger" not in page(client, "sanctions", slug)[1]
    assert len(rows(match)) == 1


def test_a_card_is_dropped_with_a_reason_and_refused_without(client, match):
    played(match, "B! delay")
    client.force_login(referee_of(match))
    refused, text = page(client, "sanction", the(match).pk, step="drop", reason="")
    assert (refused.status_code, "The reason is missing" in text) == (422, True)
    page(client, "sanction", the(match).pk, step="drop", reason="Settled")
    assert rows(match) == [("Lin", "warning", "dropped")]


def test_the_effect_is_shown_before_it_is_carried_out(client, make_match):
    match = make_match("femundo")
    played(match, "A! disobedience")
    sanctions.confirm(the(match), by=director_of(match))
    client.force_login(director_of(match))
    _, text = page(client, "sanction", the(match).pk)
    assert "is out of the event" in text
    response, _ = page(client, "sanction", the(match).pk, step="carry_out")
    assert response.status_code == 302
    assert LogEntry.objects.filter(act="entry_disqualified").exists()


def test_anyone_is_sanctioned_on_the_page_and_what_was_typed_stays(client, match):
    client.force_login(director_of(match))
    slug = tournament_of(match).slug
    said = {
        "client_key": "0d9a2f0e-2f5a-4a51-9f37-2f2a0c1b8b11",
        "name": "Nadia",
        "function": "spectator",
        "severity": "yellow",
    }
    refused, text = page(client, "sanctions_give", slug, **said, note="")
    assert (refused.status_code, 'value="Nadia"' in text) == (422, True)
    for _ in range(2):
        page(client, "sanctions_give", slug, **said, note="Shouted")
    assert rows(match) == [("Nadia", "yellow", "confirmed")]


def test_a_referee_away_from_every_table_is_told_to_choose_one(client, match):
    client.force_login(referee_of(match))
    said = {
        "client_key": "0d9a2f0e-2f5a-4a51-9f37-2f2a0c1b8b11",
        "name": "Nadia",
        "function": "spectator",
        "severity": "yellow",
        "note": "Shouted",
    }
    refused, text = page(client, "sanctions_give", tournament_of(match).slug, **said)
    assert (refused.status_code, "only a director sanctions away" in text) == (422, True)


@pytest.mark.parametrize("name", ["sanctions_give", "sanctions_rules", "own_penalties"])
def test_players_reach_nothing(client, match, stranger, name):
    client.force_login(stranger)
    assert page(client, name, tournament_of(match).slug)[0].status_code == 403


def test_a_scorer_decides_nothing(client, match):
    played(match, "B! delay")
    scorer = factories.OfficialFactory.create(
        tournament=tournament_of(match), duty="scorer", table=match.table
    ).user
    client.force_login(scorer)
    assert page(client, "sanction_confirm", the(match).pk, go=1)[0].status_code == 403
    assert api(client, "post", "sanction_confirm", the(match).pk).status_code == 403
    assert page(client, "sanctions", tournament_of(match).slug)[0].status_code == 404


def test_nobody_else_sees_cards_unless_the_event_says_so(client, match):
    played(match, "B! delay -> card yellow", "A! touch -> card yellow")
    lin = Sanction.objects.get(player__name="Lin")
    sanctions.confirm(lin, by=referee_of(match))
    event = tournament_of(match)
    assert page(client, "sanctions", event.slug)[0].status_code == 404
    card_rules.set_card_rules(event, numbers={}, shown="everybody", by=director_of(match))
    _, text = page(client, "sanctions", event.slug)
    assert "Lin" in text
    assert "Rosa" not in text


def test_a_private_event_shows_no_cards_to_strangers(client, match):
    event = tournament_of(match)
    card_rules.set_card_rules(event, numbers={}, shown="everybody", by=director_of(match))
    Tournament.objects.filter(pk=event.pk).update(is_private=True)
    assert page(client, "sanctions", event.slug)[0].status_code == 404


def test_the_numbers_of_the_ladder_are_the_directors(client, match):
    played(match, "B! delay", "B! misplay -> warning", "B! touch -> warning")
    director = director_of(match)
    client.force_login(director)
    event = tournament_of(match)
    card_rules.set_card_rules(event, numbers={"warnings": 0}, shown="officials", by=director)
    said = {"warnings": "3", "yellows": "2", "infractions": "0", "shown": "officials"}
    response, _ = page(client, "sanctions_rules", event.slug, **said)
    assert response.status_code == 302
    assert Tournament.objects.get().policies["cards"] == {
        "warnings": 3,
        "red_and_yellow": False,
        "apart": False,
    }
    assert rows(match, source="ladder")[-1] == ("Lin", "yellow", "proposed")


@pytest.mark.parametrize("number", ["1", "-1", "21", "x", ""])
def test_a_number_that_makes_no_sense_is_refused_and_stays_on_the_page(client, match, number):
    client.force_login(director_of(match))
    said = {"warnings": number, "yellows": "2", "infractions": "0", "shown": "officials"}
    response, text = page(client, "sanctions_rules", tournament_of(match).slug, **said)
    assert response.status_code == 422
    assert f'value="{number}"' in text or not number
    assert Tournament.objects.get().policies == {}


def test_changed_numbers_are_taken_back_in_the_log(match):
    event, by = tournament_of(match), director_of(match)
    played(match, "B! delay", "B! misplay -> warning")
    before = list(Sanction.objects.values())
    card_rules.set_card_rules(event, numbers={"warnings": 0}, shown="everybody", by=by)
    undoing.undo(LogEntry.objects.get(act="card_rules_changed"), by=by)
    assert Tournament.objects.get().policies == {}
    assert list(Sanction.objects.values()) == before


# --- the event's own penalties --------------------------------------------------------------


def test_a_director_adds_a_kind_changes_one_and_lets_the_book_count_again(client):
    event = set_up()
    client.force_login(event.created_by)
    said = {"kind": "phone", "name_en": "Phone", "offences": "warning\npercent 30, card yellow"}
    assert page(client, "own_penalty_new", event.slug, **said)[0].status_code == 302
    page(
        client, "own_penalty", event.slug, "touch", offences="1. points 5", deliberate="lose_match"
    )
    rules = rules_of(Tournament.objects.get(pk=event.pk))
    assert [one.kind for one in rules.own] == ["phone", "touch"]
    assert [str(one) for one in rules.schedule.step("touch", 1, True) or ()] == ["lose_match"]
    _, text = page(client, "own_penalties", event.slug)
    assert "Phone" in text
    page(client, "own_penalty_forget", event.slug, "touch", go=1)
    rules = rules_of(Tournament.objects.get(pk=event.pk))
    assert [one.kind for one in rules.own] == ["phone"]


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ({"kind": "Phone!", "offences": "warning", "name_en": "x"}, "Use small letters"),
        ({"kind": "phone", "offences": "warning"}, "needs a name"),
        ({"kind": "phone", "name_en": "x", "offences": ""}, "The measures are missing"),
        ({"kind": "phone", "name_en": "x", "offences": "dance"}, "dance"),
        ({"kind": "phone", "name_en": "x", "offences": "percent 999"}, "100"),
        (
            {"kind": "touch", "name_en": "x", "offences": "warning"},
            "There is a kind with this code",
        ),
    ],
)
def test_a_kind_that_cannot_be_is_refused_and_nothing_typed_is_lost(client, said, told):
    event = set_up()
    client.force_login(event.created_by)
    response, text = page(client, "own_penalty_new", event.slug, **said)
    assert response.status_code == 422
    assert told in text
    assert said["offences"] in text
    assert not rules_of(Tournament.objects.get(pk=event.pk)).own


def test_once_a_round_is_published_the_penalties_are_frozen(client, match):
    client.force_login(director_of(match))
    event = tournament_of(match)
    response, text = page(client, "own_penalty", event.slug, "touch", offences="warning")
    assert response.status_code == 422
    assert "published" in text
    answer = api(client, "put", "own_penalties", event.slug, data={"penalties": PHONE})
    assert (answer.status_code, answer.json()["code"]) == (409, "rules_are_frozen")


def test_own_penalties_through_the_api_are_read_back_and_refused_with_their_path(client):
    event = set_up()
    client.force_login(event.created_by)
    answer = api(client, "put", "own_penalties", event.slug, data={"penalties": PHONE})
    assert answer.json() == {"penalties": PHONE}
    assert api(client, "get", "own_penalties", event.slug).json() == {"penalties": PHONE}
    for wrong in ({"phone": 1}, [1], {"phone": {"offences": [["dance"]], "names": {"en": "x"}}}):
        answer = api(client, "put", "own_penalties", event.slug, data={"penalties": wrong})
        assert answer.status_code == 400
        assert "penalties" in answer.json()["message"]


def test_own_penalties_are_taken_back_in_the_log():
    event = set_up()
    before = event.rules
    set_own_penalties(event, penalties=PHONE, by=event.created_by)
    undoing.undo(LogEntry.objects.get(act="card_kinds_changed"), by=event.created_by)
    assert Tournament.objects.get(pk=event.pk).rules == before


def with_phone(make_match):
    """A table of an event that has its own kind; its round is published."""
    match = make_match()
    PairingRound.objects.update(state=PairingRound.State.DRAFT)
    set_own_penalties(tournament_of(match), penalties=PHONE, by=director_of(match))
    PairingRound.objects.update(state=PairingRound.State.PUBLISHED)
    return queries.matches().get(pk=match.pk)


def test_the_events_own_kind_is_ruled_on_at_the_table_by_its_name(make_match, client):
    match = with_phone(make_match)
    played(match, "B! phone", "B! phone")
    match = queries.matches().get(pk=match.pk)
    state = queries.state(match, referee_of(match))
    kind = state["table"]["kinds"][-1]
    assert (kind["kind"], kind["label"], kind["own"]) == ("phone", "Phone in the hall", True)
    assert "Phone in the hall" in state["live"]["infractions"][0]["sentence"]
    assert state["live"]["deductions"]["B"] == 30
    assert the(match).ladder == "discipline"


def test_the_document_of_such_a_match_writes_its_measures_out(make_match):
    match = with_phone(make_match)
    played(match, "B! phone")
    match = queries.matches().get(pk=match.pk)
    document = queries.document(match, referee_of(match))
    assert document["rules"] == {"profile": "wdf", "target": 100}
    assert document["rounds"][0]["events"][-1]["measures"] == ["warning"]


def test_the_pages_own_rules_take_the_events_schedule(make_match):
    match = with_phone(make_match)
    state = queries.state(match, referee_of(match))
    assert state["table"]["rules"]["schedule"]["phone"] == {
        "offences": PHONE["phone"]["offences"],
        "deliberate": [],
    }


def test_the_public_rules_name_the_events_own_kind_in_the_readers_language(make_match, client):
    match = with_phone(make_match)
    address = reverse("tournaments:rules", args=[tournament_of(match).slug])
    answer = client.get(address, headers={"Accept-Language": "ar"})
    assert "هاتف في القاعة" in answer.content.decode()


def test_other_rules_for_the_event_or_for_a_table_keep_its_own_penalties(make_match):
    event = set_up()
    set_own_penalties(event, penalties=PHONE, by=event.created_by)
    changed = lifecycle.change_rules(event, profile="domna", by=event.created_by)
    assert changed.rules["penalties"] == PHONE
    match = with_phone(make_match)
    other = set_table_rules(match, profile="domna", by=director_of(match))
    assert other.rules is not None
    assert other.rules["penalties"] == PHONE


def test_drafted_tables_with_rules_of_their_own_follow_the_events_penalties(make_match):
    match = make_match()
    set_table_rules(match, profile="wdf", target=50, by=director_of(match))
    PairingRound.objects.update(state=PairingRound.State.DRAFT)
    set_own_penalties(tournament_of(match), penalties=PHONE, by=director_of(match))
    match.refresh_from_db()
    assert match.rules is not None
    assert (match.rules["target"], match.rules["penalties"]) == (50, PHONE)
    undoing.undo(LogEntry.objects.get(act="card_kinds_changed"), by=director_of(match))
    match.refresh_from_db()
    assert "penalties" not in (match.rules or {})


# --- beside the infraction sheet ------------------------------------------------------------


def test_the_table_knows_what_each_player_has_from_other_tables(match):
    played(match, "B! delay", "A! touch -> card yellow")
    second = again(match)
    lin, rosa = (str(match.seats.get(player__name=name).player_id) for name in ("Lin", "Rosa"))
    state = queries.state(queries.matches().get(pk=second.pk), referee_of(match))
    assert state["table"]["sanctions"] == {
        lin: {"play": {"warning": 1}},
        rosa: {"play": {"yellow": 1}},
    }
    here = queries.state(queries.matches().get(pk=match.pk), referee_of(match))
    assert here["table"]["sanctions"] == {}


def test_who_does_not_keep_the_record_learns_of_no_cards(match, stranger):
    played(match, "B! delay")
    second = queries.matches().get(pk=again(match).pk)
    assert queries.state(second, stranger)["table"]["sanctions"] is None


def test_players_who_keep_their_own_record_by_a_link_learn_of_no_cards(match):
    played(match, "B! delay")
    second = queries.matches().get(pk=again(match).pk)
    guest = TableGuest(link=1, match=second.pk, table=second.table, records=True, rules=False)
    table = queries.state(second, guest)["table"]
    assert (table["may"]["record"], table["sanctions"]) == (True, None)


def test_warnings_that_came_to_a_given_card_count_in_it_alone(match):
    played(match, "B! delay", "B! misplay -> warning")
    lin = match.seats.get(player__name="Lin").player_id
    event = tournament_of(match)
    assert so_far(event, [lin], but=0) == {str(lin): {"play": {"warning": 2}}}
    sanctions.confirm(the(match, source="ladder"), by=referee_of(match))
    assert so_far(event, [lin], but=0) == {str(lin): {"play": {"yellow": 1}}}


# --- the API --------------------------------------------------------------------------------


def test_a_card_through_the_api_from_proposal_to_effect(client, make_match):
    match = make_match("femundo")
    played(match, "A! disobedience")
    client.force_login(director_of(match))
    slug = tournament_of(match).slug
    (line,) = api(client, "get", "sanctions", slug).json()
    assert (line["name"], line["severity"], line["state"]) == ("Rosa", "black", "proposed")
    assert api(client, "post", "sanction_confirm", line["id"]).json()["effect_due"] is True
    would = api(client, "post", "sanction_preview", line["id"]).json()
    assert would["entry_out"] is not None
    assert api(client, "post", "sanction_carry_out", line["id"]).json()["entry_out"]
    assert api(client, "get", "sanction", line["id"]).json()["effect_done"] is True


def test_a_sanction_by_hand_and_its_drop_through_the_api(client, match):
    client.force_login(director_of(match))
    slug = tournament_of(match).slug
    said = {"name": "Nadia", "function": "coach", "severity": "red", "note": "Abuse"}
    made = api(client, "post", "sanctions", slug, data=said)
    assert (made.status_code, made.json()["function"]) == (201, "coach")
    dropped = api(client, "post", "sanction_drop", made.json()["id"], data={"reason": "Mistaken"})
    assert dropped.json()["state"] == "dropped"
    wrong = api(client, "post", "sanctions", slug, data={**said, "severity": "blue"})
    assert wrong.status_code == 400


def test_card_rules_and_keeping_in_step_through_the_api(client, match):
    played(match, "B! delay")
    client.force_login(director_of(match))
    slug = tournament_of(match).slug
    said = {"numbers": {"warnings": 3}, "shown": "everybody"}
    answer = api(client, "put", "sanctions_rules", slug, data=said)
    assert answer.json()["numbers"]["warnings"] == 3
    wrong = {"numbers": {"warnings": 1}, "shown": "everybody"}
    assert api(client, "put", "sanctions_rules", slug, data=wrong).status_code == 409
    assert api(client, "post", "sanctions_in_step", slug).json() == {
        "proposed": 0,
        "dropped": 0,
        "asking": 0,
    }
    assert not in_step(match)

"""The ledger of warnings and cards: in step with the records, confirmed, dropped, given."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest
from django.core.exceptions import PermissionDenied

from referee.errors import sanctions as errors
from referee.models import RoundRecord, Sanction
from referee.services import records as services
from referee.services import replays, sanctions
from tests import factories
from tests.referee.conftest import director_of, referee_of, sheet, tournament_of, write
from tournaments.errors.base import explain
from tournaments.models import LogEntry, MatchSeat
from tournaments.services import results, undoing
from tournaments.words.cards import REPEATED

pytestmark = pytest.mark.django_db


def played(match, *lines, by=None, winner="AC"):
    """Record a match from one sheet with these infractions, close it, read it into the ledger."""
    by = by or referee_of(match)
    target = 200 if tournament_of(match).rules["profile"] == "femundo" else 100
    services.open_match(match, by=by)
    sheet(match, 0, winner, target, by)
    record = RoundRecord.objects.get(match=match, number=0)
    if lines:
        write(record, lines, by)
    services.close_match(match, by=by)
    return in_step(match)


def in_step(match):
    return sanctions.synchronise(tournament_of(match), by=None)


def rows(match, **wanted):
    found = Sanction.objects.filter(tournament=tournament_of(match), **wanted)
    return [
        (one.player.name if one.player else one.name, one.severity, one.state)
        for one in found.order_by("pk")
    ]


def the(match, **wanted):
    return Sanction.objects.select_related("tournament").get(
        tournament=tournament_of(match), **wanted
    )


def again(match, number=2):
    """Seat the same players at a table of the next round."""
    last = match.pairing_round
    following = factories.PairingRoundFactory.create(
        stage=last.stage, number=last.number + number - 1, state=last.state
    )
    entries = list({one.entry: 1 for one in match.seats.order_by("seat")})
    return factories.MatchFactory.create(pairing_round=following, entries=entries)


def test_what_a_record_rules_is_proposed_once(match):
    assert played(match, "B! delay", "A! touch -> card yellow").proposed == 2
    assert rows(match) == [("Lin", "warning", "proposed"), ("Rosa", "yellow", "proposed")]
    assert not in_step(match)
    assert len(rows(match)) == 2


def test_points_alone_are_no_card(match):
    assert not played(match, "B! delay -> percent 10")


def test_one_infraction_leaves_the_gravest_of_its_measures(match):
    played(match, "B! delay -> warning, card yellow")
    assert rows(match) == [("Lin", "yellow", "proposed")]


def test_a_match_in_play_is_not_on_the_ledger(match):
    by = referee_of(match)
    services.open_match(match, by=by)
    sheet(match, 0, "AC", 10, by)
    write(RoundRecord.objects.get(match=match), ["B! delay"], by)
    assert not in_step(match)


def test_two_warnings_propose_a_yellow_card(match):
    played(match, "B! delay", "B! misplay -> warning")
    yellow = the(match, source="ladder")
    assert (yellow.severity, yellow.state, yellow.ladder) == ("yellow", "proposed", "play")
    assert yellow.made_of.count() == 2


def test_warnings_of_play_and_of_conduct_are_counted_apart(match):
    played(match, "B! delay", "B! table_talk")
    assert rows(match, source="ladder") == []


def test_warnings_accumulate_over_the_event_and_not_over_two_events(make_match):
    first = make_match()
    played(first, "B! delay")
    second = again(first)
    played(second, "B! delay")
    played(make_match(), "B! delay")
    assert rows(first, source="ladder") == [("Lin", "yellow", "proposed")]


def test_a_proposed_card_makes_no_red_before_it_is_confirmed(match):
    played(match, "B! delay", "B! misplay -> warning", "B! touch -> card yellow")
    assert rows(match, source="ladder", severity="red") == []
    sanctions.confirm(the(match, source="ladder"), by=referee_of(match))
    assert rows(match, severity="red") == [("Lin", "red", "proposed")]


def test_an_undone_infraction_is_dropped_with_its_reason_and_its_card_too(match):
    played(match, "B! delay", "B! misplay -> warning")
    services.reopen_match(match, reason="wrong", by=director_of(match))
    record = RoundRecord.objects.get(match=match)
    write(record, ["undo 1"], referee_of(match))
    services.close_match(match, by=referee_of(match))
    told = in_step(match)
    assert (told.dropped, told.proposed) == (2, 0)
    assert rows(match, state="proposed") == [("Lin", "warning", "proposed")]
    assert {one.reason for one in Sanction.objects.filter(state="dropped")} == {
        "source_gone",
        "made_of_gone",
    }


def test_a_table_edited_and_closed_again_never_counts_twice(match):
    played(match, "B! delay -> card yellow")
    for _ in range(3):
        services.reopen_match(match, reason="look", by=director_of(match))
        in_step(match)
        services.close_match(match, by=referee_of(match))
        in_step(match)
    assert rows(match) == [("Lin", "yellow", "proposed")]


def test_a_confirmed_card_whose_infraction_is_gone_asks(match):
    played(match, "B! delay -> card yellow")
    sanctions.confirm(the(match), by=referee_of(match))
    services.reopen_match(match, reason="wrong", by=director_of(match))
    write(RoundRecord.objects.get(match=match), ["undo 1"], referee_of(match))
    assert in_step(match).asking == 1
    card = the(match)
    assert (card.state, card.asks) == ("confirmed", True)
    sanctions.confirm(card, by=referee_of(match))
    assert not in_step(match)
    card.refresh_from_db()
    assert (card.state, card.asks, card.stands) == ("confirmed", False, True)


def test_a_replayed_match_begins_without_cards_and_an_equal_infraction_is_a_new_one(match):
    played(match, "B! delay")
    replays.replay_match(match, reason="clock", by=director_of(match))
    assert rows(match) == [("Lin", "warning", "dropped")]
    assert not in_step(match)
    played(match, "B! delay")
    assert rows(match) == [("Lin", "warning", "dropped"), ("Lin", "warning", "proposed")]


def test_a_replay_taken_back_brings_the_first_card_back(match):
    played(match, "B! delay")
    replays.replay_match(match, reason="clock", by=director_of(match))
    in_step(match)
    undoing.undo(LogEntry.objects.get(act="match_replayed"), by=director_of(match))
    in_step(match)
    assert rows(match) == [("Lin", "warning", "proposed")]


def test_closing_a_table_brings_the_ledger_in_step(match, django_capture_on_commit_callbacks):
    by = referee_of(match)
    services.open_match(match, by=by)
    sheet(match, 0, "AC", 100, by)
    write(RoundRecord.objects.get(match=match), ["B! delay"], by)
    with django_capture_on_commit_callbacks(execute=True):
        services.close_match(match, by=by)
    assert rows(match) == [("Lin", "warning", "proposed")]


def test_who_did_not_appear_gets_the_card_of_the_book(make_match):
    match = make_match("femundo", entry_kind="single")
    gone = MatchSeat.objects.get(match=match, seat="C").entry
    results.record_walkover(match, absent=[gone], by=referee_of(match))
    in_step(match)
    assert rows(match) == [("Omar", "yellow", "proposed")]


@pytest.mark.parametrize(
    ("profile", "entry_kind", "kind", "hit"),
    [
        ("femundo", "pair", "signaling", {"Rosa", "Omar"}),
        ("femundo", "pair", "coaching", {"Rosa", "Omar"}),
        ("femundo", "pair", "misplay", {"Rosa"}),
        ("femundo", "single", "coaching", {"Rosa"}),
        ("femundo", "single", "signaling", {"Rosa", "Omar"}),
        ("wdf", "single", "signaling", {"Rosa"}),
        ("wdf", "pair", "signaling", {"Rosa", "Omar"}),
    ],
)
def test_situation_41_a_card_falls_on_whom_it_is_for(make_match, profile, entry_kind, kind, hit):
    match = make_match(profile, entry_kind=entry_kind)
    played(match, f"A! {kind} -> card yellow")
    assert {name for name, _, _ in rows(match)} == hit


def test_two_punished_infractions_of_one_match_propose_to_lose_it_under_the_federations_book(
    make_match,
):
    match = make_match("femundo")
    played(match, "B! delay", "B! delay", "B! wrong_opener")
    lost = the(match, kind=REPEATED)
    assert (lost.player.name, lost.severity, lost.event) == ("Lin", "match", 3)


def test_other_books_do_not_count_infractions_of_one_match(match):
    played(match, "B! delay -> percent 10", "B! delay -> percent 10")
    assert rows(match) == []


def test_confirming_twice_is_confirming_once(match):
    played(match, "B! delay")
    by = referee_of(match)
    first = sanctions.confirm(the(match), by=by)
    assert sanctions.confirm(the(match), by=by).decided_at == first.decided_at
    assert LogEntry.objects.filter(act="card_confirmed").count() == 1


def test_a_dropped_card_needs_a_reason_and_is_not_proposed_again(match):
    played(match, "B! delay", "B! misplay -> warning")
    by = referee_of(match)
    with pytest.raises(errors.SanctionReasonMissing) as refused:
        sanctions.drop(the(match, source="ladder"), reason=" ", by=by)
    assert "Write in a sentence why" in explain(refused.value)
    sanctions.drop(the(match, source="ladder"), reason="Settled on the spot", by=by)
    in_step(match)
    assert rows(match, source="ladder") == [("Lin", "yellow", "dropped")]
    with pytest.raises(errors.SanctionDroppedAlready):
        sanctions.confirm(the(match, source="ladder"), by=by)


def test_everything_a_referee_saw_is_confirmed_at_once(match):
    played(match, "B! delay", "A! delay")
    seen = list(Sanction.objects.values_list("pk", flat=True))
    assert sanctions.confirm_all(tournament_of(match), seen, by=referee_of(match)) == 2
    assert sanctions.confirm_all(tournament_of(match), seen, by=referee_of(match)) == 0


@pytest.mark.parametrize("function", ["official", "captain", "coach", "spectator", "other"])
def test_anyone_accredited_is_sanctioned_by_name(match, function):
    given = sanctions.give(
        tournament_of(match),
        severity="yellow",
        note="Shouted",
        name="Nadia",
        function=function,
        by=director_of(match),
    )
    assert (given.name, given.state, given.ladder) == ("Nadia", "confirmed", "discipline")


def test_somebody_without_an_account_climbs_the_ladder_too(match):
    for note in ("Shouted", "Shouted again"):
        sanctions.give(
            tournament_of(match),
            severity="yellow",
            note=note,
            name="Nadia",
            function="coach",
            by=director_of(match),
        )
    assert rows(match, source="ladder") == [("Nadia", "red", "proposed")]


def test_the_same_key_sanctions_once(match):
    key, by = uuid4(), director_of(match)

    def send(note="Shouted"):
        return sanctions.give(
            tournament_of(match), severity="red", note=note, name="Nadia", function="coach",
            client_key=key, by=by,
        )  # fmt: skip

    assert send().pk == send().pk
    with pytest.raises(errors.SanctionedTwice):
        send("Something else")


@pytest.mark.parametrize(
    ("given", "refusal"),
    [
        ({"severity": "blue"}, errors.UnknownSanction),
        ({"function": "player"}, errors.UnknownSanction),
        ({"kind": "nonsense"}, errors.UnknownSanction),
        ({"ladder": "up"}, errors.UnknownSanction),
        ({"name": " "}, errors.NobodySanctioned),
        ({"note": ""}, errors.SanctionNoteMissing),
        ({"note": "x" * 501}, errors.SanctionTextTooLong),
    ],
)
def test_what_cannot_be_given_is_refused_in_a_sentence(match, given, refusal):
    usual = {"severity": "yellow", "note": "Shouted", "name": "Nadia", "function": "coach"}
    with pytest.raises(refusal) as refused:
        sanctions.give(tournament_of(match), **{**usual, **given}, by=director_of(match))
    assert explain(refused.value).endswith(".")
    assert not Sanction.objects.exists()


def test_a_player_of_another_event_is_refused(match):
    stranger = factories.PlayerFactory.create(name="Zed")
    with pytest.raises(errors.NotOfThisEvent) as refused:
        sanctions.give(
            tournament_of(match), severity="red", note="x", player=stranger, by=director_of(match)
        )
    assert "Zed plays for no entry" in explain(refused.value)


def test_a_referee_sanctions_at_tables_and_a_director_anywhere(match, stranger):
    said: dict[str, Any] = {"severity": "yellow", "note": "Shouted", "name": "Nadia"}
    said["function"], event = "coach", tournament_of(match)
    with pytest.raises(PermissionDenied):
        sanctions.give(event, **said, by=referee_of(match))
    sanctions.give(event, **said, match=match, by=referee_of(match))
    with pytest.raises(PermissionDenied):
        sanctions.give(event, **said, match=match, by=stranger)


def test_players_and_scorers_decide_nothing(match, stranger):
    played(match, "B! delay")
    scorer = factories.OfficialFactory.create(
        tournament=tournament_of(match), duty="scorer", table=match.table
    ).user
    for user in (stranger, scorer):
        with pytest.raises(PermissionDenied):
            sanctions.confirm(the(match), by=user)
        with pytest.raises(PermissionDenied):
            sanctions.drop(the(match), reason="No", by=user)


def snapshot():
    return list(Sanction.objects.order_by("pk").values())


@pytest.mark.parametrize("act", ["card_confirmed", "card_dropped", "card_given", "cards_confirmed"])
def test_what_was_decided_is_taken_back_in_the_log(match, act):
    played(match, "B! delay", "B! misplay -> warning", "B! touch -> card yellow")
    before, by = snapshot(), director_of(match)
    if act == "card_confirmed":
        sanctions.confirm(the(match, source="ladder"), by=by)
    elif act == "card_dropped":
        sanctions.drop(the(match, source="ladder"), reason="No", by=by)
    elif act == "cards_confirmed":
        sanctions.confirm_all(tournament_of(match), [one["id"] for one in before], by=by)
    else:
        lin = MatchSeat.objects.get(match=match, seat="B").player
        sanctions.give(tournament_of(match), severity="red", note="x", player=lin, by=by)
    assert snapshot() != before
    undone = undoing.undo(LogEntry.objects.get(act=act), by=by)
    assert [explain(one) for one in undone.effects] != []
    assert snapshot() == before

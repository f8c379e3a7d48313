"""Setting up, opening, starting and finishing a tournament, and its officials."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest
from django.core.exceptions import PermissionDenied

from engine.errors import BadRecord
from tests.factories import (
    EntryFactory,
    MatchFactory,
    OfficialFactory,
    OrganizerFactory,
    PairingRoundFactory,
    StageFactory,
    TournamentFactory,
    UserFactory,
)
from tournaments.errors import base as errors
from tournaments.errors import tables as table_errors
from tournaments.errors.base import explain
from tournaments.models import LogEntry, Match, Official, PairingRound, Stage, Tournament
from tournaments.rules import rules_of
from tournaments.services import lifecycle

pytestmark = pytest.mark.django_db

State = Tournament.State
DAY = date(2026, 5, 1)
GIVEN: dict[str, Any] = {"name": "Cairo Open", "starts_on": DAY, "profile": "wdf"}


def create(**changed):
    by = changed.pop("by", None) or OrganizerFactory.create()
    return lifecycle.create_tournament(**(GIVEN | changed), by=by)


def test_a_new_tournament_has_frozen_rules_and_a_director():
    organizer = OrganizerFactory.create()
    tournament = create(target=150, options={"round_to": 5}, time_zone="Africa/Cairo", by=organizer)
    rules = rules_of(Tournament.objects.get(pk=tournament.pk))
    assert (rules.profile, rules.target, rules.round_to) == ("wdf", 150, 5)
    assert tournament.rules["version"] == 1
    assert tournament.state == State.DRAFT
    assert [(one.user, one.duty) for one in tournament.officials.all()] == [
        (organizer, Official.Duty.DIRECTOR)
    ]
    assert [one.act for one in LogEntry.objects.all()] == ["created"]


def test_only_organizers_set_up_tournaments():
    with pytest.raises(PermissionDenied, match="Only organizers may set up a tournament"):
        create(by=UserFactory.create())
    assert not Tournament.objects.exists()


def test_the_address_is_made_from_the_name_and_numbered_when_taken():
    assert create().slug == "cairo-open"
    assert create().slug == "cairo-open-2"
    assert create(name="بطولة القاهرة").slug == "event-2026-05-01"
    assert create(name="New").slug == "new-2"


def test_names_are_stored_without_stray_signs():
    assert create(name="  Cairo\x00\n Open ", venue=" Café ").name == "Cairo Open"
    assert create(name="\u202eCairo\u2066 Open").name == "Cairo Open"
    for unseen in ("\u202e", "\u200b", "\u200e \u200f"):
        with pytest.raises(errors.NameMissing):
            create(name=unseen)


@pytest.mark.parametrize(
    ("changed", "refusal", "sentence"),
    [
        ({"name": "  "}, errors.NameMissing, "The tournament has no name. Enter one."),
        (
            {"name": "x" * 121},
            errors.TextTooLong,
            "“xxxxxxxxxxxxxxxxxxxx…” is too long: 121 characters. Use 120 at most.",
        ),
        ({"slug": "cairo/open"}, errors.BadAddress, "“cairo/open” cannot be an address."),
        ({"slug": "new"}, errors.BadAddress, "“new” cannot be an address."),
        (
            {"time_zone": "Cairo"},
            errors.UnknownTimeZone,
            "“Cairo” is not a time zone. Choose one from the list, for example Africa/Cairo.",
        ),
        (
            {"country": "Egypt"},
            errors.BadCountry,
            "“Egypt” is not the code of a country. Enter its two letters, for example EG.",
        ),
        (
            {"players_per_table": 3},
            errors.WrongTableSize,
            "These rules are not played by 3 at a table. Choose one of these numbers: 2, 4.",
        ),
        (
            {"players_per_table": 2},
            errors.PartnersNeeded,
            "under these rules everybody at a table of 2 plays alone.",
        ),
        (
            {
                "profile": "elimination",
                "options": {"survivors": 2},
                "players_per_table": 2,
                "entry_kind": "single",
            },
            errors.WrongTableSize,
            "Choose one of these numbers: 3, 4.",
        ),
        ({"profile": "elimination"}, errors.PartnersNeeded, "Let single players enter."),
        ({"profile": "bridge"}, BadRecord, "The record cannot be read at rules.profile"),
        ({"target": 0}, BadRecord, "rules.target"),
        ({"options": {"round_to": 7}}, BadRecord, "rules.options.round_to"),
    ],
)
def test_a_tournament_that_could_not_be_played_is_refused(changed, refusal, sentence):
    with pytest.raises(refusal) as caught:
        create(**changed)
    assert sentence in explain(caught.value)
    assert not Tournament.objects.exists()


def test_an_address_that_is_taken_is_refused_with_its_owner():
    create(slug="final")
    with pytest.raises(errors.AddressTaken) as caught:
        create(slug="final", name="Another")
    assert explain(caught.value) == (
        "The address “final” already belongs to the tournament Cairo Open. Choose another one."
    )


def test_registration_opens_once_however_often_it_is_asked():
    tournament = TournamentFactory.create(state=State.DRAFT)
    for _ in range(2):
        tournament = lifecycle.open_registration(tournament, by=tournament.created_by)
    assert tournament.state == State.OPEN
    assert LogEntry.objects.filter(act="registration_opened").count() == 1


def test_registration_cannot_open_again_after_the_start():
    tournament = TournamentFactory.create(state=State.RUNNING)
    with pytest.raises(errors.TournamentHasStarted) as caught:
        lifecycle.open_registration(tournament, by=tournament.created_by)
    assert explain(caught.value) == (
        f"{tournament.name} has already started, so its registration cannot be opened again."
    )


def test_a_start_needs_two_entries_and_happens_once():
    tournament = TournamentFactory.create()
    EntryFactory.create(tournament=tournament)
    with pytest.raises(errors.TooFewEntries) as caught:
        lifecycle.start(tournament, by=tournament.created_by)
    assert explain(caught.value) == (
        f"{tournament.name} has too few entries: 1. Register at least 2."
    )
    EntryFactory.create(tournament=tournament)
    for _ in range(2):
        tournament = lifecycle.start(tournament, by=tournament.created_by)
    assert tournament.state == State.RUNNING
    assert LogEntry.objects.filter(act="started").count() == 1


def test_a_tournament_with_an_open_table_is_not_finished():
    match = MatchFactory.create(table=3)
    tournament = match.pairing_round.stage.tournament
    with pytest.raises(errors.TablesStillOpen) as caught:
        lifecycle.finish(tournament, by=tournament.created_by)
    assert explain(caught.value) == (
        "Not every table is closed (1 open): the first is table 3 in pairing round 1 of Main "
        "stage. Close the tables, then finish the tournament."
    )


def test_finishing_closes_the_stages_and_happens_once():
    match = MatchFactory.create(state=Match.State.CLOSED)
    MatchFactory.create(
        pairing_round=PairingRoundFactory.create(
            stage=match.pairing_round.stage, state=PairingRound.State.DRAFT
        )
    )
    tournament = match.pairing_round.stage.tournament
    for _ in range(2):
        tournament = lifecycle.finish(tournament, by=tournament.created_by)
    assert tournament.state == State.FINISHED
    assert [stage.state for stage in Stage.objects.all()] == [Stage.State.CLOSED]
    assert LogEntry.objects.filter(act="finished").count() == 1


def test_a_tournament_that_has_not_started_cannot_finish():
    tournament = TournamentFactory.create()
    with pytest.raises(errors.TournamentNotStarted, match="its registration is still open"):
        lifecycle.finish(tournament, by=tournament.created_by)


@pytest.mark.parametrize(
    "change",
    [
        lifecycle.open_registration,
        lifecycle.start,
        lambda one, by: lifecycle.change_rules(one, profile="domna", by=by),
        lambda one, by: lifecycle.change_details(one, name="New", starts_on=DAY, by=by),
        lambda one, by: lifecycle.add_official(one, username="x", duty="referee", by=by),
    ],
)
def test_nothing_changes_after_the_end(change):
    tournament = TournamentFactory.create(state=State.FINISHED)
    with pytest.raises(errors.TournamentIsFinished) as caught:
        change(tournament, by=tournament.created_by)
    assert explain(caught.value) == (
        f"{tournament.name} is finished. Nothing in it can be changed any more."
    )


@pytest.mark.parametrize(
    "change",
    [
        lifecycle.open_registration,
        lifecycle.start,
        lifecycle.finish,
        lambda one, by: lifecycle.change_rules(one, profile="domna", by=by),
        lambda one, by: lifecycle.change_details(one, name="New", starts_on=DAY, by=by),
        lambda one, by: lifecycle.add_official(one, username="x", duty="referee", by=by),
        lambda one, by: lifecycle.remove_official(one.officials.get(duty="director"), by=by),
    ],
)
def test_a_referee_or_a_stranger_does_not_direct(change):
    tournament = TournamentFactory.create()
    referee = OfficialFactory.create(tournament=tournament).user
    for somebody in (referee, UserFactory.create(), TournamentFactory.create().created_by):
        with pytest.raises(PermissionDenied, match="Only a director of this tournament"):
            change(tournament, by=somebody)


def test_rules_change_until_the_first_round_is_published():
    tournament = TournamentFactory.create()
    stage = StageFactory.create(tournament=tournament)
    PairingRoundFactory.create(stage=stage, state=PairingRound.State.DRAFT)
    lifecycle.change_rules(tournament, profile="domna", target=150, by=tournament.created_by)
    tournament.refresh_from_db()
    assert (rules_of(tournament).profile, rules_of(tournament).target) == ("domna", 150)
    assert not Stage.objects.exists()


def test_rules_are_frozen_by_the_first_published_round():
    pairing_round = PairingRoundFactory.create(number=2)
    tournament = pairing_round.stage.tournament
    with pytest.raises(errors.RulesAreFrozen) as caught:
        lifecycle.change_rules(tournament, profile="domna", by=tournament.created_by)
    assert explain(caught.value) == (
        f"The rules of {tournament.name} cannot change any more: pairing round 2 of Main stage "
        "has been published under them. Set up another tournament for other rules."
    )


def test_who_enters_cannot_change_once_somebody_has_entered():
    tournament = EntryFactory.create().tournament
    with pytest.raises(errors.EntriesWouldNotFit) as caught:
        lifecycle.change_rules(
            tournament, profile="wdf", entry_kind="single", by=tournament.created_by
        )
    assert explain(caught.value) == (
        "Who enters cannot change any more: 1 entry is registered. Remove it first, or set up "
        "another tournament."
    )


def test_details_are_corrected_and_the_address_stays():
    tournament = TournamentFactory.create(slug="kept")
    lifecycle.change_details(
        tournament, name="Tehran Open", city="Tehran", country="ir", time_zone="Asia/Tehran",
        starts_on=date(2026, 6, 1), by=tournament.created_by,
    )  # fmt: skip
    tournament.refresh_from_db()
    assert (tournament.name, tournament.slug, tournament.country) == ("Tehran Open", "kept", "IR")
    assert tournament.starts_on == date(2026, 6, 1)


def test_an_official_is_added_once():
    tournament = TournamentFactory.create()
    user = UserFactory.create(username="rosa")
    for _ in range(2):
        official = lifecycle.add_official(
            tournament, username=" rosa ", duty="scorer", table=3, by=tournament.created_by
        )
    assert (official.user, official.duty, official.table) == (user, "scorer", 3)
    assert tournament.officials.count() == 2
    assert LogEntry.objects.filter(act="official_added").count() == 1


@pytest.mark.parametrize(
    ("given", "refusal", "sentence"),
    [
        (
            {"username": "nobody", "duty": "referee"},
            errors.UnknownUser,
            "Nobody signs in as “nobody”. Check the spelling, or ask the administrator for an",
        ),
        (
            {"username": "rosa", "duty": "referee", "table": 2},
            errors.TableForScorersOnly,
            "Only a scorer is bound to a table; table 2 was given for another duty.",
        ),
        (
            {"username": "rosa", "duty": "scorer", "table": 0},
            table_errors.BadTableNumber,
            "A table cannot have the number 0. Number the tables from 1 to 9999.",
        ),
    ],
)
def test_an_impossible_official_is_refused(given, refusal, sentence):
    UserFactory.create(username="rosa")
    tournament = TournamentFactory.create()
    with pytest.raises(refusal) as caught:
        lifecycle.add_official(tournament, **given, by=tournament.created_by)
    assert sentence in explain(caught.value)
    assert tournament.officials.count() == 1


def test_a_duty_is_taken_away_but_never_the_last_directors():
    tournament = TournamentFactory.create()
    director = tournament.officials.get()
    with pytest.raises(errors.LastDirector) as caught:
        lifecycle.remove_official(director, by=tournament.created_by)
    assert explain(caught.value) == (
        f"{director.user.username} is the only director of {tournament.name}. Name another "
        "director first."
    )
    other = OfficialFactory.create(tournament=tournament, duty=Official.Duty.DIRECTOR)
    for _ in range(2):
        lifecycle.remove_official(director, by=other.user)
    assert [one.user for one in tournament.officials.all()] == [other.user]
    assert LogEntry.objects.filter(act="official_removed").count() == 1

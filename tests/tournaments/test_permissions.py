"""Who may see and do what."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import AnonymousUser, User

from tests.factories import (
    MatchFactory,
    OfficialFactory,
    OrganizerFactory,
    PairingRoundFactory,
    StageFactory,
    TournamentFactory,
    UserFactory,
)
from tournaments import permissions
from tournaments.models import Match, Official, PairingRound, Tournament

pytestmark = pytest.mark.django_db

Duty = Official.Duty


@pytest.fixture
def match() -> Match:
    return MatchFactory.create(table=3)


def holder(match: Match, duty: str, table: int | None = None) -> User:
    tournament = match.pairing_round.stage.tournament
    return OfficialFactory.create(tournament=tournament, duty=duty, table=table).user


@pytest.mark.parametrize(
    ("duty", "table", "directs", "rules", "records"),
    [
        (Duty.DIRECTOR, None, True, True, True),
        (Duty.REFEREE, None, False, True, True),
        (Duty.SCORER, None, False, False, True),
        (Duty.SCORER, 3, False, False, True),
        (Duty.SCORER, 4, False, False, False),
    ],
)
def test_a_duty_allows_what_it_says_and_only_in_its_tournament(
    match, duty, table, directs, rules, records
):
    tournament = match.pairing_round.stage.tournament
    user = holder(match, duty, table)
    assert permissions.is_director(user, tournament) is directs
    assert permissions.is_referee(user, tournament) is rules
    assert permissions.may_record(user, match) is records
    assert permissions.is_official(user, tournament)
    elsewhere = TournamentFactory.create()
    assert not permissions.is_official(user, elsewhere)
    assert not permissions.is_referee(user, elsewhere)


def test_visitors_strangers_and_closed_accounts_may_do_nothing(match):
    tournament = match.pairing_round.stage.tournament
    closed = holder(match, Duty.DIRECTOR)
    closed.is_active = False
    for somebody in (AnonymousUser(), UserFactory.create(), closed):
        assert not permissions.is_official(somebody, tournament)
        assert not permissions.may_record(somebody, match)
        assert not permissions.may_create_tournament(somebody)


def test_an_administrator_may_do_everything(match):
    tournament = match.pairing_round.stage.tournament
    administrator = UserFactory.create(is_superuser=True)
    assert permissions.may_create_tournament(administrator)
    assert permissions.is_director(administrator, tournament)
    assert permissions.may_record(administrator, match)


def test_organizers_set_up_tournaments():
    assert permissions.may_create_tournament(OrganizerFactory.create())


def test_a_tournament_in_preparation_is_for_its_officials_only():
    hidden = TournamentFactory.create(state=Tournament.State.DRAFT)
    shown = TournamentFactory.create()
    scorer = OfficialFactory.create(tournament=hidden, duty=Duty.SCORER).user
    for somebody in (AnonymousUser(), UserFactory.create()):
        assert not permissions.may_see_tournament(somebody, hidden)
        assert permissions.may_see_tournament(somebody, shown)
        assert set(permissions.visible_tournaments(somebody)) == {shown}
    for official in (scorer, hidden.created_by, UserFactory.create(is_superuser=True)):
        assert permissions.may_see_tournament(official, hidden)
        assert set(permissions.visible_tournaments(official)) == {shown, hidden}


def test_a_draft_round_and_its_tables_are_for_directors_only():
    stage = StageFactory.create()
    draft = PairingRoundFactory.create(stage=stage, state=PairingRound.State.DRAFT)
    match = MatchFactory.create(pairing_round=draft)
    referee = holder(match, Duty.REFEREE)
    for somebody in (AnonymousUser(), UserFactory.create(), referee):
        assert not permissions.may_see_round(somebody, draft)
        assert not permissions.may_see_match(somebody, match)
    assert permissions.may_see_round(stage.tournament.created_by, draft)
    PairingRound.objects.update(state=PairingRound.State.PUBLISHED)
    draft.refresh_from_db()
    assert permissions.may_see_round(AnonymousUser(), draft)

"""Duties are looked up once a request, and never longer than they hold."""

from __future__ import annotations

import pytest

from tests import factories
from tournaments import permissions
from tournaments.models import Official
from tournaments.services import lifecycle

pytestmark = pytest.mark.django_db


def test_duties_are_asked_once_while_one_request_is_answered(django_assert_num_queries):
    official = factories.OfficialFactory.create(duty=Official.Duty.REFEREE)
    user, tournament = official.user, official.tournament
    with permissions.one_request(), django_assert_num_queries(1):
        assert permissions.is_referee(user, tournament)
        assert permissions.is_official(user, tournament)
        assert not permissions.is_director(user, tournament)
        assert permissions.duties(user, tournament) == {Official.Duty.REFEREE}
    with django_assert_num_queries(2):
        assert permissions.is_referee(user, tournament)
        assert permissions.is_referee(user, tournament)


def test_a_duty_given_or_taken_away_counts_at_once():
    official = factories.OfficialFactory.create(duty=Official.Duty.REFEREE)
    user, tournament = official.user, official.tournament
    with permissions.one_request():
        assert not permissions.is_director(user, tournament)
        by = tournament.created_by
        added = lifecycle.add_official(
            tournament, username=user.username, duty=Official.Duty.DIRECTOR, by=by
        )
        assert permissions.is_director(user, tournament)
        lifecycle.remove_official(added, by=by)
        assert not permissions.is_director(user, tournament)
    other = factories.TournamentFactory.create()
    with permissions.one_request():
        assert permissions.is_referee(user, tournament)
        assert not permissions.is_referee(user, other)

"""The administrator's pages hold set-up data and nothing else."""

from __future__ import annotations

import pytest
from django.contrib import admin
from django.test import Client
from django.urls import reverse

from tests.factories import ClubFactory, PlayerFactory, TournamentFactory, UserFactory
from tournaments.models import Club, Official, Player, Tournament

pytestmark = pytest.mark.django_db


@pytest.fixture
def administrator(client: Client) -> Client:
    client.force_login(UserFactory.create(is_superuser=True, is_staff=True))
    return client


def test_only_set_up_data_is_there():
    ours = {
        model for model in admin.site._registry
        if model._meta.app_label in ("tournaments", "referee")
    }  # fmt: skip
    assert ours == {Club, Player, Tournament}


@pytest.mark.parametrize("factory", [ClubFactory, PlayerFactory, TournamentFactory])
def test_every_list_and_form_opens(administrator, factory):
    thing = factory.create()
    name = thing._meta.model_name
    assert administrator.get(reverse(f"admin:tournaments_{name}_changelist")).status_code == 200
    address = reverse(f"admin:tournaments_{name}_change", args=[thing.pk])
    assert administrator.get(address).status_code == 200


def test_a_tournament_is_set_up_at_the_desk_and_deleted_only_in_preparation(administrator):
    assert administrator.get(reverse("admin:tournaments_tournament_add")).status_code == 403
    for state, status in (("draft", 200), ("open", 403), ("finished", 403)):
        tournament = TournamentFactory.create(state=state)
        address = reverse("admin:tournaments_tournament_delete", args=[tournament.pk])
        assert administrator.get(address).status_code == status


def test_a_name_changed_here_is_found_by_its_new_spelling(administrator):
    club = ClubFactory.create(name="Olive")
    address = reverse("admin:tournaments_club_change", args=[club.pk])
    administrator.post(address, {"name": "الزيتون", "latin_name": "Olive", "country": "EG"})
    club.refresh_from_db()
    assert club.folded_name == "الزیتون"


def test_a_director_is_named_here_when_the_desk_has_none(administrator):
    tournament = TournamentFactory.create()
    tournament.officials.all().delete()
    user = UserFactory.create()
    address = reverse("admin:tournaments_tournament_change", args=[tournament.pk])
    answer = administrator.post(
        address,
        {
            "name": tournament.name, "slug": tournament.slug, "venue": "", "city": "",
            "country": "", "time_zone": "UTC", "starts_on": "2026-05-01",
            "officials-TOTAL_FORMS": "1", "officials-INITIAL_FORMS": "0",
            "officials-0-user": str(user.pk), "officials-0-duty": "director",
            "officials-0-table": "",
        },
    )  # fmt: skip
    assert answer.status_code == 302
    assert Official.objects.get().user == user

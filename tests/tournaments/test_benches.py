"""Who of an entry plays and who waits on the bench: how many, who comes off it, from when on."""

from __future__ import annotations

import pytest
from django.core.exceptions import PermissionDenied
from rest_framework.test import APIClient

from tests.factories import EntryFactory, TournamentFactory, UserFactory
from tests.tournaments.test_attendance import played, swiss
from tournaments.errors import entries as entry_errors
from tournaments.errors.base import explain
from tournaments.models import MatchSeat, Player, Tournament
from tournaments.policies import Policies
from tournaments.services import draws, entries, pairings, registration, substitutes
from tournaments.services.people import PlayerData
from tournaments.services.results import start_match
from tournaments.services.stages import StagePlan, make_stage

pytestmark = pytest.mark.django_db

NAMES = ("Rosa Haddad", "Sami Nasser", "Lina Aziz", "Omar Said", "Mona Adel")


def people(count):
    return tuple(PlayerData(name) for name in NAMES[:count])


def team_event(most=None):
    tournament = TournamentFactory.create(entry_kind="team")
    registration.set_policies(tournament, Policies(most_substitutes=most), by=tournament.created_by)
    tournament.refresh_from_db()
    return tournament


def line_up(entry):
    members = entry.members.select_related("player").order_by("position")
    return [one.player.name for one in members if not one.on_bench]


def added(entry, name, by):
    return substitutes.add_substitute(entry, written=PlayerData(name), by=by).player


# --- how many -------------------------------------------------------------------------------


def test_the_first_two_of_a_team_play_and_the_others_are_its_substitutes():
    tournament = team_event()
    entry = entries.register(tournament, players=people(4), name="Olive", by=tournament.created_by)
    assert line_up(entry) == ["Rosa Haddad", "Sami Nasser"]
    bench = entry.members.filter(on_bench=True).order_by("position")
    assert [one.player.name for one in bench] == ["Lina Aziz", "Omar Said"]


def test_a_third_member_of_a_team_can_be_put_in():
    tournament = team_event()
    by = tournament.created_by
    entry = entries.register(tournament, players=people(3), name="Olive", by=by)
    rosa, lina = (Player.objects.get(name=name) for name in ("Rosa Haddad", "Lina Aziz"))
    substitutes.substitute(entry, out=rosa, into=lina, by=by)
    assert line_up(entry) == ["Lina Aziz", "Sami Nasser"]


def test_more_names_than_the_event_allows_are_refused_when_the_team_enters():
    tournament = team_event(2)
    with pytest.raises(entry_errors.TooManyForTeam) as refused:
        entries.register(tournament, players=people(5), name="Olive", by=tournament.created_by)
    said = explain(refused.value)
    assert "2 players and at most so many substitutes: 2. 5 names were given" in said
    assert "Mona Adel" in said
    assert not tournament.entries.exists()


def test_a_list_read_twice_enters_a_team_once_with_its_substitutes_or_without():
    tournament = team_event()
    by = tournament.created_by
    for count in (4, 4, 2):
        row = entries.EntryRow(1, people(count), "Olive")
        entries.import_entries(tournament, rows=[row], by=by)
    assert tournament.entries.count() == 1
    assert tournament.entries.get().members.count() == 4


def test_the_bench_is_full_at_the_number_the_event_says():
    tournament = TournamentFactory.create()
    by = tournament.created_by
    registration.set_policies(tournament, Policies(most_substitutes=1), by=by)
    tournament.refresh_from_db()
    entry = EntryFactory.create(tournament=tournament)
    added(entry, "Lina Aziz", by)
    with pytest.raises(entry_errors.BenchIsFull) as refused:
        added(entry, "Omar Said", by)
    assert "“Entry 1” has 1 substitute, and no more than 1 may be named." in explain(refused.value)


def test_six_substitutes_are_the_most_where_the_event_says_nothing():
    entry = EntryFactory.create()
    by = entry.tournament.created_by
    for n in range(6):
        added(entry, f"Player of the bench {n}", by)
    with pytest.raises(entry_errors.BenchIsFull):
        added(entry, "One too many", by)


def test_a_number_of_substitutes_nobody_could_mean_is_refused():
    tournament = TournamentFactory.create()
    with pytest.raises(entry_errors.BadBenchLimit, match="from 0 to"):
        registration.set_policies(
            tournament, Policies(most_substitutes=40), by=tournament.created_by
        )


# --- off the bench --------------------------------------------------------------------------


def test_a_substitute_is_taken_off_the_bench_once_however_often_it_is_asked():
    entry = EntryFactory.create()
    by = entry.tournament.created_by
    lina = added(entry, "Lina Aziz", by)
    for _ in range(2):
        substitutes.remove_substitute(entry, player=lina, by=by)
    assert not entry.members.filter(player=lina).exists()
    (line,) = entry.tournament.log.filter(act="substitute_removed")
    assert line.details["player"] == "Lina Aziz"


def test_who_was_taken_off_one_bench_can_play_for_another_entry():
    one, other = EntryFactory.create_batch(2, tournament=TournamentFactory.create())
    by = one.tournament.created_by
    lina = added(one, "Lina Aziz", by)
    substitutes.remove_substitute(one, player=lina, by=by)
    assert added(other, "Lina Aziz", by) == lina


def test_who_has_played_stays_on_the_bench_and_the_sentence_names_the_table():
    stage = swiss(pairs=4)
    by = stage.tournament.created_by
    played(stage, 1)
    entry = stage.tournament.entries.get(number=1)
    rosa = entry.members.get(position=1).player
    lina = added(entry, "Lina Aziz", by)
    substitutes.substitute(entry, out=rosa, into=lina, number=2, by=by)
    with pytest.raises(entry_errors.SubstituteHasPlayed) as refused:
        substitutes.remove_substitute(entry, player=rosa, by=by)
    table = MatchSeat.objects.get(player=rosa).match.table
    assert f"in round 1 of Swiss system, table {table}," in explain(refused.value)
    assert entry.members.filter(player=rosa, on_bench=True).exists()


def test_who_plays_is_not_taken_off_the_bench():
    entry = EntryFactory.create()
    player = entry.members.get(position=1).player
    with pytest.raises(entry_errors.NotOnBench):
        substitutes.remove_substitute(entry, player=player, by=entry.tournament.created_by)


def test_only_a_director_takes_somebody_off_the_bench():
    entry = EntryFactory.create()
    lina = added(entry, "Lina Aziz", entry.tournament.created_by)
    with pytest.raises(PermissionDenied):
        substitutes.remove_substitute(entry, player=lina, by=UserFactory.create())


# --- from which round on --------------------------------------------------------------------


def test_a_substitute_enters_the_next_round_when_the_table_has_begun():
    stage = swiss(pairs=4)
    by = stage.tournament.created_by
    entry = stage.tournament.entries.get(number=1)
    rosa = entry.members.get(position=1).player
    drawn = pairings.publish(draws.draw_round(stage, number=1, by=by), by=by)
    start_match(drawn.matches.filter(seats__entry=entry).distinct().get(), by=by)
    lina = added(entry, "Lina Aziz", by)
    _, changed = substitutes.substitute(entry, out=rosa, into=lina, number=1, by=by)
    assert changed == []
    assert entry.seats.get(pairing_round=drawn, player=rosa)
    assert not entry.seats.filter(player=lina).exists()


def test_a_change_cannot_wait_beyond_the_next_draw():
    stage = swiss(pairs=4)
    by = stage.tournament.created_by
    played(stage, 1)
    entry = stage.tournament.entries.get(number=1)
    rosa = entry.members.get(position=1).player
    lina = added(entry, "Lina Aziz", by)
    with pytest.raises(entry_errors.SubstitutionTooFarAhead) as refused:
        substitutes.substitute(entry, out=rosa, into=lina, number=4, by=by)
    assert "the next draw, of round 2, seats whoever is in the line-up" in explain(refused.value)
    assert entry.members.get(player=rosa).on_bench is False


# --- the doors ------------------------------------------------------------------------------


@pytest.fixture
def desk(client):
    """Return a pair with one substitute, its page, and who sits at the desk."""
    stage = swiss(pairs=4)
    entry = stage.tournament.entries.get(number=1)
    by = stage.tournament.created_by
    client.force_login(by)
    lina = added(entry, "Lina Aziz", by)
    return stage, entry, lina, f"/desk/{stage.tournament.slug}/entries/1/substitutes/"


def test_the_page_takes_a_substitute_off_the_bench(client, desk, text):
    _, entry, lina, url = desk
    done = client.post(f"{url}{lina.pk}/remove/", follow=True)
    assert "Lina Aziz is off the bench." in text(done)
    assert entry.members.count() == 2


def test_the_page_says_from_which_round_and_table_a_substitute_plays(client, desk, text):
    stage, entry, lina, url = desk
    drawn = draws.draw_round(stage, number=1, by=stage.tournament.created_by)
    rosa = entry.members.get(position=1).player
    sent = {"form": "change", "out": rosa.pk, "into": lina.pk, "number": "1"}
    done = text(client.post(url, sent, follow=True))
    table = drawn.matches.filter(seats__entry=entry).distinct().get().table
    assert f"Lina Aziz plays for “{entry.name}” from round 1 on, table {table}." in done


def test_the_page_says_that_a_begun_round_goes_on_as_it_is(client, desk, text):
    stage, entry, lina, url = desk
    by = stage.tournament.created_by
    drawn = pairings.publish(draws.draw_round(stage, number=1, by=by), by=by)
    start_match(drawn.matches.filter(seats__entry=entry).distinct().get(), by=by)
    sent = {"form": "change", "out": entry.members.get(position=1).player_id, "into": lina.pk}
    done = text(client.post(url, sent | {"number": "1"}, follow=True))
    assert "Round 1 has begun" in done
    assert "Lina Aziz plays from round 2 on." in done


def test_the_api_takes_a_substitute_off_the_bench_or_says_why_not(desk):
    stage, entry, lina, _ = desk
    api = APIClient()
    api.force_authenticate(stage.tournament.created_by)
    url = f"/api/desk/{stage.tournament.slug}/entries/1/substitutes/"
    playing = entry.members.get(position=1).player_id
    refused = api.delete(f"{url}{playing}/")
    assert (refused.status_code, refused.json()["code"]) == (409, "not_on_bench")
    for _ in range(2):
        assert api.delete(f"{url}{lina.pk}/").status_code == 204
    assert entry.members.count() == 2


def test_the_setting_is_on_the_page_and_in_the_api(client, desk, text):
    stage, _, _, url = desk
    slug = stage.tournament.slug
    sent = {"form": "policies", "policies-late": "half", "policies-most_substitutes": "3"}
    assert client.post(f"/desk/{slug}/registration/", sent).status_code == 302
    assert Tournament.objects.get(slug=slug).policies["most_substitutes"] == 3
    assert "This event allows 3 substitutes." in text(client.get(url))
    api = APIClient()
    api.force_authenticate(stage.tournament.created_by)
    api.put(f"/api/desk/{slug}/policies/", {"most_substitutes": 1}, format="json")
    assert "This event allows 1 substitute." in text(client.get(url))


def test_the_form_for_a_team_has_a_field_for_each_name_that_is_allowed(client, text):
    tournament = team_event(2)
    client.force_login(tournament.created_by)
    page = text(client.get(f"/desk/{tournament.slug}/entries/"))
    assert "id_player4" in page
    assert "id_player5" not in page


def test_a_stage_of_teams_seats_whoever_plays():
    tournament = team_event()
    by = tournament.created_by
    for n in range(2):
        players = tuple(PlayerData(f"{name} {n}") for name in NAMES[:3])
        entries.register(tournament, players=players, name=f"Team {n}", by=by)
    Tournament.objects.filter(pk=tournament.pk).update(state="running")
    tournament.refresh_from_db()
    stage = make_stage(tournament, StagePlan("swiss", rounds=1), by=by)
    drawn = draws.draw_round(stage, number=1, by=by)
    seated = set(
        MatchSeat.objects.filter(pairing_round=drawn).values_list("player__name", flat=True)
    )
    assert seated == {f"{name} {n}" for name in NAMES[:2] for n in range(2)}

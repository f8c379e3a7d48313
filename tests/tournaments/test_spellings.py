"""Other spellings of a person: kept when two players are made one, and found by everywhere."""

from __future__ import annotations

import pytest
from rest_framework.test import APIClient

from tests.factories import (
    ClubFactory,
    EntryFactory,
    MatchFactory,
    PlayerFactory,
    TournamentFactory,
)
from tests.tournaments.test_merging import entered
from tournaments.errors import base as errors
from tournaments.errors import entries as entry_errors
from tournaments.models import LogEntry, Player, PlayerSpelling, Rating, Tournament
from tournaments.queries import lookup
from tournaments.queries.events import entry_lines
from tournaments.queries.players import rating_lines
from tournaments.services import entries, merging, undoing
from tournaments.services.people import PlayerData
from tournaments.services.players import correct_player

pytestmark = pytest.mark.django_db


@pytest.fixture
def merged():
    """Return an event, a player, and how the player was written before two were made one."""
    here = TournamentFactory.create(slug="nile")
    before = TournamentFactory.create(created_by=here.created_by)
    keep = entered(here, "Rosa Haddad", ClubFactory.create(name="Olive"))
    gone = entered(
        before, "Rosita Hadad", ClubFactory.create(name="Palm"), latin_name="Rozita", number="77"
    )
    merging.merge_players(here, keep=keep, gone=gone, by=here.created_by)
    keep.refresh_from_db()
    return here, keep


def entered_again(name, **more):
    tournament = TournamentFactory.create()
    players = (PlayerData(name, **more), PlayerData("Sami Nasser"))
    entry = entries.register(tournament, players=players, by=tournament.created_by)
    return entry.members.get(position=1).player


def test_both_writings_of_the_one_who_goes_are_kept_with_the_club(merged):
    _, keep = merged
    kept = {(one.name, str(one.club)) for one in keep.spellings.all()}
    assert kept == {("Rosita Hadad", "Palm"), ("Rozita", "Palm")}


def test_the_same_letters_in_the_same_club_are_no_other_spelling():
    here = TournamentFactory.create()
    before = TournamentFactory.create(created_by=here.created_by)
    club = ClubFactory.create()
    keep, gone = entered(here, "علي حسن", club), entered(before, "علی حسن", club)
    merging.merge_players(here, keep=keep, gone=gone, by=here.created_by)
    assert not PlayerSpelling.objects.exists()


@pytest.mark.parametrize(
    "more", [{}, {"club": "Palm"}, {"club": "Olive"}, {"number": "77"}], ids=str
)
def test_a_list_finds_the_person_by_the_other_spelling(merged, more):
    _, keep = merged
    assert entered_again("Rosíta  Hadad", **more) == keep


def test_a_spelling_with_a_third_club_is_somebody_else(merged):
    _, keep = merged
    assert entered_again("Rosita Hadad", club="Cedar") != keep


def test_who_bears_the_name_comes_before_who_is_only_known_by_it(merged):
    _, keep = merged
    namesake = PlayerFactory.create(name="Rosita Hadad", club=None)
    assert entered_again("Rosita Hadad") == namesake
    assert entered_again("Rosita Hadad", club="Palm") == keep


def test_a_number_with_a_name_the_person_never_had_is_still_refused(merged):
    with pytest.raises(errors.NumberBelongsToAnother):
        entered_again("Omar Said", number="77")


def test_whoever_is_in_the_event_under_the_other_spelling_is_not_entered_twice(merged):
    here, _ = merged
    players = (PlayerData("Rosita Hadad"), PlayerData("Sami Nasser"))
    with pytest.raises(errors.AlreadyEntered):
        entries.register(here, players=players, by=here.created_by)


def test_entries_and_ratings_are_found_by_the_other_spelling(merged):
    here, keep = merged
    EntryFactory.create(tournament=here)
    found = lookup.entries_naming(entry_lines(here), "rosita")
    assert [line.players[0] for line in found] == [keep]
    Rating.objects.create(player=keep, mean=30, deviation=2, matches=9)
    assert [line.player for line in rating_lines("rozita")[:5]] == [keep]


def test_where_do_i_sit_is_answered_by_the_other_spelling(merged, client, text):
    here, keep = merged
    Tournament.objects.filter(pk=here.pk).update(state="running")
    entry = keep.memberships.get(tournament=here).entry
    MatchFactory.create(
        pairing_round__stage__tournament=here,
        entries=[entry, EntryFactory.create(tournament=here)],
    )
    assert "Rosa Haddad" in text(client.get("/t/nile/rounds/1/1/?q=Rosita+Hadad"))
    assert "Rosa Haddad" not in text(client.get("/t/nile/rounds/1/1/?q=Rosita+Haddadi"))


def test_a_search_reads_the_spellings_once_however_many_are_listed(
    merged, django_assert_num_queries
):
    here, _ = merged
    EntryFactory.create_batch(5, tournament=here)
    lines = entry_lines(here)
    with django_assert_num_queries(1):
        lookup.entries_naming(lines, "rosita")


def test_spellings_follow_through_a_second_merger(merged):
    here, keep = merged
    later = PlayerFactory.create(name="Rosa Haddad Saleh")
    own = TournamentFactory.create(created_by=here.created_by)
    EntryFactory.create(tournament=own, players=[later])
    merging.merge_players(here, keep=later, gone=keep, by=here.created_by)
    names = set(later.spellings.values_list("name", flat=True))
    assert names == {"Rosa Haddad", "Rosita Hadad", "Rozita"}


def test_a_third_player_is_likely_the_one_known_by_that_spelling(merged):
    here, keep = merged
    third = PlayerFactory.create(name="Rosita Hadad", club=None)
    (likely,) = merging.likely_duplicates(here)
    assert {likely.keep, likely.gone} == {keep, third}
    assert likely.same_spelling


# --- written by hand ------------------------------------------------------------------------


def test_a_director_writes_and_removes_other_spellings_on_the_page(merged, client, text):
    here, keep = merged
    client.force_login(here.created_by)
    url = f"/desk/nile/players/{keep.pk}/"
    page = text(client.get(url))
    assert "Also written" in page
    assert "Rosita Hadad" in page
    sent = {"name": keep.name, "club": "Olive", "number": "77", "country": "EG"}
    client.post(url, sent | {"other_names": "Rosita Hadad\nروزا حداد\n\nrosa haddad"})
    kept = {(one.name, str(one.club)) for one in keep.spellings.all()}
    assert kept == {("Rosita Hadad", "Palm"), ("روزا حداد", "None")}
    assert entered_again("روزا حداد") == keep


def test_the_api_writes_other_spellings_and_leaves_them_where_it_says_nothing(merged):
    here, keep = merged
    api = APIClient()
    api.force_authenticate(here.created_by)
    url = f"/api/desk/nile/players/{keep.pk}/"
    sent = {"name": keep.name, "club": "Olive", "number": "77", "country": "EG"}
    assert api.put(url, sent, format="json").status_code == 200
    assert keep.spellings.count() == 2
    assert api.put(url, sent | {"spellings": ["Rose"]}, format="json").status_code == 200
    assert [one.name for one in keep.spellings.all()] == ["Rose"]


def test_more_spellings_than_anybody_has_are_refused(merged):
    here, keep = merged
    written = PlayerData(keep.name, number="77")
    many = [f"Rosa {n}" for n in range(21)]
    with pytest.raises(entry_errors.TooManySpellings):
        correct_player(here, keep, written=written, spellings=many, by=here.created_by)
    assert keep.spellings.count() == 2


def test_spellings_written_by_hand_are_taken_back_from_the_log(merged):
    here, keep = merged
    written = PlayerData(keep.name, club="Olive", country="EG", number="77")
    correct_player(here, keep, written=written, spellings=["Rose"], by=here.created_by)
    undoing.undo(here.log.get(act="player_corrected"), by=here.created_by)
    assert {one.name for one in keep.spellings.all()} == {"Rosita Hadad", "Rozita"}


def test_taking_a_merger_back_brings_everything_back():
    here = TournamentFactory.create()
    before = TournamentFactory.create(created_by=here.created_by)
    keep = entered(here, "Rosa Haddad", ClubFactory.create(name="Olive"))
    gone = entered(before, "Rosita Hadad", None, number="77", latin_name="Rozita")
    PlayerSpelling.objects.create(player=gone, name="Rose H.")
    match = MatchFactory.create(
        pairing_round__stage__tournament=before,
        entries=[before.entries.get(), EntryFactory.create(tournament=before)],
    )
    Rating.objects.create(player=gone, mean=30, deviation=2, matches=9)
    Rating.objects.create(player=keep, mean=25, deviation=8, matches=1)
    merging.merge_players(here, keep=keep, gone=gone, by=here.created_by)
    undoing.undo(LogEntry.objects.get(tournament=here, act="players_merged"), by=here.created_by)
    back = Player.objects.get(name="Rosita Hadad")
    keep.refresh_from_db()
    assert (back.number, back.latin_name, keep.number, keep.latin_name) == ("77", "Rozita", "", "")
    assert match.seats.get(seat="A").player == back
    assert [one.mean for one in (back.rating, keep.rating)] == [30, 25]
    assert [one.name for one in PlayerSpelling.objects.all()] == ["Rose H."]
    assert back.spellings.count() == 1
    assert before.entries.get(members__player=back).name.startswith("Rosita Hadad / ")

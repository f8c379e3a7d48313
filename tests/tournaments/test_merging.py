"""Two spellings of one person: found, compared, made one."""

from __future__ import annotations

import pytest
from django.core.exceptions import PermissionDenied

from tests.factories import (
    ClubFactory,
    EntryFactory,
    MatchFactory,
    PlayerFactory,
    TournamentFactory,
    UserFactory,
)
from tournaments.errors import entries as entry_errors
from tournaments.errors.base import explain
from tournaments.models import Entry, Player, Rating
from tournaments.names import folded
from tournaments.services import merging

pytestmark = pytest.mark.django_db


@pytest.fixture
def club():
    return ClubFactory.create(name="Olive")


def entered(tournament, name, club=None, **more):
    """Return a player who is entered there with a partner of no club."""
    player = PlayerFactory.create(name=name, club=club, **more)
    partner = PlayerFactory.create(club=None)
    EntryFactory.create(
        tournament=tournament, players=[player, partner], name=f"{name} / {partner.name}"
    )
    return player


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("علي", "علی"),  # two letters yeh
        ("مالك", "مالک"),  # two letters kaf
        ("أحمد إبراهيم آدم", "احمد ابراهیم ادم"),  # hamza above, below, madda
        ("مؤمن رائد", "مومن رايد"),  # hamza on waw and yeh
        ("مُحَمَّد", "محمد"),  # vowel signs
        ("فاطمة", "فاطمه"),
        ("José  Núñez", "jose nunez"),
        ("Al-Sayed O'Hara", "al sayed o hara"),
        ("رضا\u200cپور", "رضاپور"),
    ],
)
def test_spellings_of_one_name_are_folded_into_one(one, other):
    assert folded(one) == folded(other)


def test_likely_duplicates_are_the_same_letters_or_one_off_in_the_same_club(club):
    here, before = TournamentFactory.create_batch(2)
    player = entered(here, "عبد الله يوسف", club)
    same = entered(before, "عبدالله یوسف", None)
    close = PlayerFactory.create(name="عبد اله يوسف", club=club)
    PlayerFactory.create(name="عبد الله يونس رضا", club=club)
    PlayerFactory.create(name="عبد اله يوسف", club=ClubFactory.create(name="Palm"))
    PlayerFactory.create(name="عبد الله يوسف", club=club, country="MA")
    found = merging.likely_duplicates(here)
    assert [{one.keep, one.gone} for one in found] == [{player, same}, {player, close}]
    assert [one.same_spelling for one in found] == [True, False]
    assert [one.same_club for one in found] == [False, True]


def test_a_hamza_left_out_and_latin_letters_are_found_too():
    here = TournamentFactory.create()
    entered(here, "علاء حسن")
    PlayerFactory.create(name="علا حسن", club=None)
    entered(here, "كريم سعيد", latin_name="Karim Said")
    PlayerFactory.create(name="Karim Said", club=None)
    assert len(merging.likely_duplicates(here)) == 2


def test_everything_moves_and_the_other_spelling_stays_in_the_log(club):
    here, before = TournamentFactory.create_batch(2)
    keep = entered(here, "Rosa Haddad", club)
    gone = entered(before, "Rosa Hadad", club, number="77", latin_name="Rosa H.")
    entry = before.entries.get()
    match = MatchFactory.create(
        pairing_round__stage__tournament=before,
        entries=[entry, EntryFactory.create(tournament=before)],
    )
    Rating.objects.create(player=gone, mean=30, deviation=2, matches=9)
    Rating.objects.create(player=keep, mean=25, deviation=8, matches=1)
    moves = merging.preview(here, keep=keep, gone=gone, by=here.created_by)
    assert (moves.events, moves.tables, moves.has_rating) == ((before,), 1, True)
    assert set(moves.learned) == {"number", "latin_name"}
    for _ in range(2):
        merged = merging.merge_players(here, keep=keep, gone=gone, by=here.created_by)
    assert merged.pk == keep.pk
    assert not Player.objects.filter(name="Rosa Hadad").exists()
    keep.refresh_from_db()
    assert (keep.number, keep.latin_name) == ("77", "Rosa H.")
    assert match.seats.get(seat="A").player == keep
    assert keep.memberships.count() == 2
    assert keep.rating.mean == 30
    assert Entry.objects.get(pk=entry.pk).name.startswith("Rosa Haddad / ")
    for tournament in (here, before):
        assert tournament.log.get(act="players_merged").details["alias"] == "Rosa Hadad"


def test_two_people_are_not_made_one(club):
    here, before = TournamentFactory.create_batch(2)
    keep, same_event = entered(here, "Rosa Haddad", club), entered(here, "Rosa Hadad", club)
    by = here.created_by
    with pytest.raises(entry_errors.BothEntered) as refused:
        merging.merge_players(here, keep=keep, gone=same_event, by=by)
    assert f"both entered in {here.name}" in explain(refused.value)
    numbered = entered(before, "Rosa Haddad", number="8")
    Player.objects.filter(pk=keep.pk).update(number="7")
    keep.refresh_from_db()
    with pytest.raises(entry_errors.TwoNumbers, match="two right numbers are two people"):
        merging.preview(here, keep=keep, gone=numbered, by=by)
    accounts = [PlayerFactory.create(user=UserFactory.create()) for _ in range(2)]
    EntryFactory.create(tournament=before, players=[accounts[0], PlayerFactory.create()])
    with pytest.raises(entry_errors.TwoAccounts):
        merging.preview(before, keep=accounts[0], gone=accounts[1], by=before.created_by)
    with pytest.raises(entry_errors.MergedWithItself):
        merging.preview(here, keep=keep, gone=keep, by=by)


def test_nobody_takes_a_stranger_of_another_directors_event_for_one_of_their_own():
    here, theirs = TournamentFactory.create_batch(2)
    keep, gone = entered(here, "Rosa Haddad"), entered(theirs, "Sami Nasser")
    with pytest.raises(PermissionDenied, match="not spelled alike"):
        merging.merge_players(here, keep=keep, gone=gone, by=here.created_by)
    assert Player.objects.filter(pk=gone.pk).exists()


def test_only_a_director_of_an_event_one_of_them_plays_in_makes_them_one():
    here, elsewhere = TournamentFactory.create_batch(2)
    keep, gone = entered(here, "Rosa Haddad"), PlayerFactory.create(name="Rosa Hadad")
    for tournament, by in ((here, elsewhere.created_by), (elsewhere, elsewhere.created_by)):
        with pytest.raises(PermissionDenied):
            merging.merge_players(tournament, keep=keep, gone=gone, by=by)


def test_the_pages_compare_and_make_one(client, text):
    here = TournamentFactory.create(slug="nile")
    keep, gone = entered(here, "Rosa Haddad"), PlayerFactory.create(name="Rosa Hadad", club=None)
    client.force_login(here.created_by)
    address = f"/desk/nile/duplicates/{keep.pk}/{gone.pk}/"
    assert address in text(client.get("/desk/nile/duplicates/"))
    assert "What belongs to “Rosa Hadad” will belong to “Rosa Haddad”" in text(client.get(address))
    assert "are one player now." in text(client.post(address, follow=True))
    assert "are one player already." in text(client.post(address, follow=True))
    assert "No names look like one person" in text(client.get("/desk/nile/duplicates/"))

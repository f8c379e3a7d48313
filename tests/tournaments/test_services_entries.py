"""Registering, importing and withdrawing entries."""

from __future__ import annotations

import pytest
from django.core.exceptions import PermissionDenied

from tests.factories import (
    ClubFactory,
    EntryFactory,
    MatchFactory,
    OfficialFactory,
    PlayerFactory,
    TournamentFactory,
)
from tournaments.errors import base as errors
from tournaments.errors import entries as entry_errors
from tournaments.errors.base import explain
from tournaments.models import Club, Entry, EntryPlayer, LogEntry, Match, Player, Tournament
from tournaments.services import entries, leaving
from tournaments.services.entries import EntryRow, PlayerData

pytestmark = pytest.mark.django_db

ROSA = PlayerData("Rosa Haddad", club="Olive", country="EG")
SAMI = PlayerData("Sami Nasser", club="Olive", country="EG")
OMAR = PlayerData("Omar Said", club="Olive", country="EG")
LINA = PlayerData("Lina Aziz", club="Palm", country="EG")


def register(tournament, *players, **more):
    return entries.register(tournament, players=players, **more, by=tournament.created_by)


def row(line, *players, **more):
    return EntryRow(line, players, **more)


def import_(tournament, *rows):
    return entries.import_entries(tournament, rows=rows, by=tournament.created_by)


def refused(refusal, *arguments, **more):
    """Register and return the sentence of the refusal."""
    with pytest.raises(refusal) as caught:
        register(*arguments, **more)
    return explain(caught.value)


def test_a_pair_is_registered_with_its_players_and_club():
    tournament = TournamentFactory.create()
    entry = register(tournament, ROSA, SAMI)
    assert (entry.number, entry.seed, entry.name) == (1, 1, "Rosa Haddad / Sami Nasser")
    assert entry.club == Club.objects.get(name="Olive", country="EG")
    members = entry.members.order_by("position")
    assert [member.player.name for member in members] == ["Rosa Haddad", "Sami Nasser"]
    assert LogEntry.objects.filter(act="entry_registered").count() == 1


def test_the_next_entry_has_the_next_number_and_may_choose_name_club_and_seed():
    tournament = TournamentFactory.create()
    register(tournament, ROSA, SAMI)
    entry = register(tournament, OMAR, LINA, name="The Owls", club="Palm", seed=9)
    assert (entry.number, entry.seed, entry.name) == (2, 9, "The Owls")
    assert entry.club is not None
    assert entry.club.name == "Palm"


def test_partners_of_two_clubs_play_for_none():
    assert register(TournamentFactory.create(), OMAR, LINA).club is None


def test_a_known_player_is_found_by_another_spelling_of_the_name():
    known = PlayerFactory.create(name="علي كريم", club=ClubFactory.create(name="نادي الزيتون"))
    entry = register(
        TournamentFactory.create(), PlayerData("على کریم", club="نادى الزيتون", country="EG"), SAMI
    )
    assert entry.members.get(position=1).player == known


def test_a_known_player_is_found_by_the_federation_number_whatever_the_club():
    known = PlayerFactory.create(name="Rosa Haddad", number="EG-17")
    entry = register(
        TournamentFactory.create(),
        PlayerData("ROSA  HADDÁD", club="Elsewhere", number="EG-١٧"),
        SAMI,
    )
    assert entry.members.get(position=1).player == known


def test_the_same_name_in_another_club_is_another_person():
    PlayerFactory.create(name="Rosa Haddad", club=ClubFactory.create(name="Palm"))
    register(TournamentFactory.create(), ROSA, SAMI)
    assert Player.objects.filter(name="Rosa Haddad").count() == 2


def test_the_same_name_with_another_number_is_another_person():
    PlayerFactory.create(name="Rosa Haddad", club=ClubFactory.create(name="Olive"), number="1")
    register(TournamentFactory.create(), PlayerData("Rosa Haddad", "", "Olive", "EG", "2"), SAMI)
    numbers = Player.objects.filter(name="Rosa Haddad").values_list("number", flat=True)
    assert sorted(numbers) == ["1", "2"]


def test_a_number_learned_later_is_kept():
    known = PlayerFactory.create(name="Rosa Haddad", club=ClubFactory.create(name="Olive"))
    register(TournamentFactory.create(), PlayerData("Rosa Haddad", "", "Olive", "EG", "2"), SAMI)
    known.refresh_from_db()
    assert known.number == "2"


def test_a_club_of_the_same_name_in_another_country_is_another_club():
    ClubFactory.create(name="Olive", country="ES")
    register(TournamentFactory.create(), ROSA, SAMI)
    assert sorted(Club.objects.values_list("name", "country")) == [("Olive", "EG"), ("Olive", "ES")]


def test_without_a_country_the_only_club_of_the_name_is_meant():
    club = ClubFactory.create(name="Olive", country="ES")
    entry = register(TournamentFactory.create(), PlayerData("A", club="olive"), PlayerData("B"))
    assert entry.members.get(position=1).player.club == club


@pytest.mark.parametrize(
    ("kind", "players", "sentence"),
    [
        ("pair", [ROSA], "so two players are needed; found: 1 (Rosa Haddad). Name both partners"),
        ("pair", [], "so two players are needed; found: 0 (–)."),
        ("pair", [ROSA, SAMI, OMAR], "found: 3 (Rosa Haddad, Sami Nasser, Omar Said)."),
        ("single", [ROSA, SAMI], "so one player is needed; found: 2 (Rosa Haddad, Sami Nasser)."),
        ("team", [ROSA], "so two to eight players are needed; found: 1 (Rosa Haddad)."),
    ],
)
def test_an_entry_of_the_wrong_kind_is_refused(kind, players, sentence):
    tournament = TournamentFactory.create(entry_kind=kind)
    assert sentence in refused(errors.WrongNumberOfPlayers, tournament, *players)


@pytest.mark.parametrize(
    ("players", "more", "refusal", "sentence"),
    [
        (
            [ROSA, PlayerData(" — ")],
            {},
            errors.PlayerNameMissing,
            "Player 2 of the entry has no name. Enter the name.",
        ),
        (
            [ROSA, PlayerData("rosa haddad", club="OLIVE", country="eg")],
            {},
            errors.SamePlayerTwice,
            "Rosa Haddad is named twice in one entry. Name different players.",
        ),
        ([ROSA, PlayerData("x" * 121)], {}, errors.TextTooLong, "is too long: 121 characters."),
        ([ROSA, PlayerData("B", country="Spain")], {}, errors.BadCountry, "“Spain” is not the"),
        (
            [ROSA, SAMI],
            {"seed": 0},
            errors.BadSeed,
            "An entry cannot have the seed 0. Use a whole number from 1 to 100000.",
        ),
        ([ROSA, SAMI], {"name": "x" * 251}, errors.TextTooLong, "is too long: 251 characters."),
    ],
)
def test_what_cannot_be_stored_is_refused_and_leaves_nothing(players, more, refusal, sentence):
    tournament = TournamentFactory.create()
    assert sentence in refused(refusal, tournament, *players, **more)
    assert not Player.objects.exists()
    assert not Club.objects.exists()


def test_a_team_needs_a_name():
    tournament = TournamentFactory.create(entry_kind="team")
    assert refused(errors.TeamNameMissing, tournament, ROSA, SAMI) == (
        "The team has no name. Enter one."
    )
    assert register(tournament, ROSA, SAMI, OMAR, name="Owls").members.count() == 3


def test_a_player_registered_twice_is_refused_with_the_entry_he_is_in():
    tournament = TournamentFactory.create()
    register(tournament, ROSA, SAMI)
    assert refused(errors.AlreadyEntered, tournament, ROSA, OMAR) == (
        "Rosa Haddad is already registered, in entry 1, “Rosa Haddad / Sami Nasser”. Nobody "
        "plays in two entries; name another player or withdraw that entry."
    )
    assert not Player.objects.filter(name="Omar Said").exists()


def test_a_name_alone_means_the_player_entered_under_it():
    tournament = TournamentFactory.create()
    register(tournament, ROSA, SAMI)
    PlayerFactory.create(name="Rosa Haddad", club=None)
    assert refused(errors.AlreadyEntered, tournament, PlayerData("rosa haddad"), OMAR) == (
        "Rosa Haddad is already registered, in entry 1, “Rosa Haddad / Sami Nasser”. Nobody "
        "plays in two entries; name another player or withdraw that entry."
    )


def test_a_list_without_clubs_names_the_same_entries_again():
    tournament = TournamentFactory.create()
    entry = register(tournament, ROSA, SAMI)
    again = row(2, PlayerData("Rosa Haddad"), PlayerData("Sami Nasser"))
    found = entries.preview_entries(tournament, rows=[again], by=tournament.created_by)
    assert [(one.entry, one.is_new, one.error) for one in found] == [(entry, False, None)]
    both = [row(2, OMAR, LINA), row(3, PlayerData("Omar Said"), PlayerData("Lina Aziz"))]
    _, second = entries.preview_entries(tournament, rows=both, by=tournament.created_by)
    assert isinstance(second.error, errors.LineRepeated)


def test_a_name_alone_means_the_only_player_known_by_it():
    known = PlayerFactory.create(name="Rosa Haddad", club=ClubFactory.create(name="Palm"))
    entry = register(TournamentFactory.create(), PlayerData("Rosa Haddad"), SAMI)
    assert entry.members.get(position=1).player == known


def test_a_name_alone_in_another_country_is_another_person():
    tournament = TournamentFactory.create()
    register(tournament, ROSA, SAMI)
    entry = register(tournament, PlayerData("Rosa Haddad", country="ES"), OMAR)
    assert entry.members.get(position=1).player.country == "ES"


def test_a_name_alone_is_refused_when_several_entered_have_it():
    tournament = TournamentFactory.create()
    register(tournament, ROSA, SAMI)
    register(tournament, PlayerData("Rosa Haddad", club="Palm"), LINA)
    assert refused(errors.NamesakesEntered, tournament, PlayerData("Rosa Haddad"), OMAR) == (
        "Several players called Rosa Haddad are entered already (2 found). Give the club or the "
        "federation number of the one who is meant."
    )


def test_a_player_may_play_in_several_tournaments():
    register(TournamentFactory.create(), ROSA, SAMI)
    register(TournamentFactory.create(), ROSA, SAMI)
    assert Player.objects.count() == 2
    assert EntryPlayer.objects.count() == 4


def test_a_withdrawn_player_is_told_to_return():
    tournament = TournamentFactory.create()
    leaving.withdraw(register(tournament, ROSA, SAMI), by=tournament.created_by)
    assert refused(errors.EnteredAndWithdrawn, tournament, ROSA, SAMI) == (
        "Rosa Haddad belongs to entry 1, “Rosa Haddad / Sami Nasser”, which has withdrawn. Let "
        "that entry return instead of registering it again."
    )


def test_a_number_that_belongs_to_somebody_else_is_refused():
    PlayerFactory.create(name="Omar Said", number="17")
    sentence = refused(
        errors.NumberBelongsToAnother,
        TournamentFactory.create(),
        PlayerData("Rosa", number="17"),
        SAMI,
    )
    assert sentence == (
        "Federation number 17 belongs to Omar Said, but Rosa was given with it. Correct the "
        "number or the name."
    )


def test_two_namesakes_in_one_club_need_their_number():
    club = ClubFactory.create(name="Olive")
    PlayerFactory.create(name="Rosa Haddad", club=club, number="1")
    PlayerFactory.create(name="Rosa Haddad", club=club, number="2")
    assert refused(errors.NameIsAmbiguous, TournamentFactory.create(), ROSA, SAMI) == (
        "Several players of the same club are called Rosa Haddad (2 found). Give the federation "
        "number of the one who enters."
    )


def test_registration_is_closed_once_play_has_started():
    tournament = TournamentFactory.create(state=Tournament.State.RUNNING)
    assert refused(entry_errors.EntriesAreClosed, tournament, ROSA, SAMI) == (
        f"Registration for {tournament.name} is closed, because play has started. Enter it late "
        "instead, into a stage that still takes late entries."
    )


@pytest.mark.parametrize(
    "change",
    [
        lambda one, by: entries.register(one.tournament, players=[ROSA, SAMI], by=by),
        lambda one, by: entries.import_entries(one.tournament, rows=[], by=by),
        lambda one, by: entries.preview_entries(one.tournament, rows=[], by=by),
        lambda one, by: entries.change_entry(one, name="Owls", by=by),
        lambda one, by: leaving.withdraw(one, by=by),
        lambda one, by: leaving.reinstate(one, by=by),
        lambda one, by: entries.remove_entry(one, by=by),
    ],
)
def test_only_a_director_changes_entries(change):
    entry = EntryFactory.create()
    with pytest.raises(PermissionDenied, match="Only a director of this tournament"):
        change(entry, by=OfficialFactory.create(tournament=entry.tournament).user)


def test_a_list_is_imported_and_importing_it_again_changes_nothing():
    tournament = TournamentFactory.create()
    rows = [row(2, ROSA, SAMI, seed=4), row(3, OMAR, LINA, name="Owls", club="Palm")]
    assert [one.is_new for one in import_(tournament, *rows)] == [True, True]
    before = list(Entry.objects.order_by("pk").values())
    again = import_(tournament, *rows)
    assert [(one.is_new, one.entry.number) for one in again if one.entry] == [
        (False, 1), (False, 2),
    ]  # fmt: skip
    assert list(Entry.objects.order_by("pk").values()) == before
    assert (Player.objects.count(), Club.objects.count()) == (4, 2)
    assert LogEntry.objects.filter(act="entries_imported").count() == 1


def test_a_longer_list_adds_only_what_is_new():
    tournament = TournamentFactory.create()
    import_(tournament, row(1, ROSA, SAMI))
    import_(tournament, row(1, SAMI, ROSA), row(2, OMAR, LINA))
    assert list(Entry.objects.values_list("name", flat=True)) == [
        "Rosa Haddad / Sami Nasser", "Omar Said / Lina Aziz",
    ]  # fmt: skip


def test_a_list_with_a_wrong_line_imports_nothing_and_names_every_one():
    tournament = TournamentFactory.create()
    register(tournament, OMAR, LINA)
    with pytest.raises(errors.ImportRefused) as caught:
        import_(
            tournament,
            row(2, ROSA, SAMI),
            row(3, SAMI, ROSA),
            row(4, PlayerData("Mona"), OMAR),
            row(5, ROSA, PlayerData("Huda")),
        )
    assert [(line, error.code) for line, error in caught.value.lines] == [
        (3, "line_repeated"), (4, "already_entered"), (5, "already_entered"),
    ]  # fmt: skip
    assert explain(caught.value) == (
        "Nothing was imported, because lines are wrong (3 in all). The first is line 3: Lines 2 "
        "and 3 name the same players. Remove one of them."
    )
    assert Entry.objects.count() == 1
    assert Player.objects.count() == 2


def test_a_preview_says_the_same_and_stores_nothing():
    tournament = TournamentFactory.create()
    register(tournament, OMAR, LINA)
    seen = entries.preview_entries(
        tournament,
        rows=[row(2, ROSA, SAMI), row(3, OMAR, LINA), row(4, ROSA)],
        by=tournament.created_by,
    )
    assert [(one.is_new, one.error and one.error.code) for one in seen] == [
        (True, None), (False, None), (False, "wrong_number_of_players"),
    ]  # fmt: skip
    assert (Entry.objects.count(), Player.objects.count()) == (1, 2)


def test_importing_many_asks_the_database_no_more_than_importing_few(django_assert_max_num_queries):
    tournament = TournamentFactory.create()
    rows = [
        row(n, PlayerData(f"A{n}", club=f"C{n % 9}"), PlayerData(f"B{n}", number=str(n)))
        for n in range(400)
    ]
    with django_assert_max_num_queries(35):
        import_(tournament, *rows)
    assert tournament.entries.count() == 400


def test_an_entry_is_corrected():
    entry = EntryFactory.create(name="Owls", seed=1)
    entries.change_entry(
        entry, name=" The  Owls ", club="Palm", seed=5, by=entry.tournament.created_by
    )
    entry.refresh_from_db()
    assert (entry.name, entry.seed) == ("The Owls", 5)
    assert entry.club is not None
    assert entry.club.name == "Palm"


def test_an_entry_is_removed_only_while_registration_is_open():
    entry = EntryFactory.create()
    by = entry.tournament.created_by
    Tournament.objects.update(state=Tournament.State.RUNNING)
    with pytest.raises(entry_errors.EntriesStay, match=r"Withdraw it instead: its results stay\."):
        entries.remove_entry(entry, by=by)
    Tournament.objects.update(state=Tournament.State.OPEN)
    for _ in range(2):
        entries.remove_entry(entry, by=by)
    assert not Entry.objects.exists()
    assert LogEntry.objects.filter(act="entry_removed").count() == 1


def test_an_entry_withdraws_and_returns_once():
    entry = EntryFactory.create()
    by = entry.tournament.created_by
    for _ in range(2):
        entry = leaving.withdraw(entry, by=by)
    assert entry.state == Entry.State.WITHDRAWN
    for _ in range(2):
        entry = leaving.reinstate(entry, by=by)
    assert entry.state == Entry.State.REGISTERED
    acts = list(LogEntry.objects.order_by("pk").values_list("act", flat=True))
    assert acts == ["entry_withdrawn", "entry_reinstated"]


def test_nobody_withdraws_from_a_table_that_is_being_played():
    match = MatchFactory.create(state=Match.State.PLAYING, table=4)
    entry = match.seats.get(seat="A").entry
    with pytest.raises(errors.EntryIsPlaying) as caught:
        leaving.withdraw(entry, by=entry.tournament.created_by)
    assert explain(caught.value) == (
        f"“{entry.name}” is at table 4 in pairing round 1 of Main stage, which is being played. "
        "Close that table first, then withdraw the entry."
    )


def test_the_published_table_of_a_withdrawn_entry_becomes_a_walkover():
    match = MatchFactory.create()
    entry = match.seats.get(seat="B").entry
    leaving.withdraw(entry, by=entry.tournament.created_by)
    seats = match.seats.order_by("seat").values_list("outcome", "points_for", "points_against")
    assert list(seats) == [
        ("walkover_win", 50, 0), ("walkover_loss", 0, 100),
        ("walkover_win", 50, 0), ("walkover_loss", 0, 100),
    ]  # fmt: skip

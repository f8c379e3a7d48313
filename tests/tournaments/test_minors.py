"""Minors are called by a given name and an initial, but for officials and for themselves."""

from __future__ import annotations

import json

import pytest

from referee.event_file import exported, imported
from tests.factories import (
    EntryFactory,
    MatchFactory,
    OfficialFactory,
    PlayerFactory,
    TournamentFactory,
    UserFactory,
)
from tests.tournaments.test_proofs import published
from tournaments.competition.changes import Act, Change
from tournaments.lists.columns import recognised
from tournaments.lists.lines import Column, LineReader
from tournaments.lists.sheets import read_sheet
from tournaments.models import Entry, Player, PlayerSpelling, Tournament
from tournaments.names import shortened
from tournaments.queries.search import search
from tournaments.services import adjusting, entries, merging, undoing
from tournaments.services.entries import EntryRow, PlayerData
from tournaments.services.players import correct_player

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("name", "short"),
    [
        ("Zenobia Quintanilla", "Zenobia Q."),
        ("Ana María de la Cruz", "Ana C."),
        ("Roa, Ana", "Ana R."),
        ("Ángela Órtiz", "Ángela Ó."),
        ("محمود أحمد الشرقاوي", "محمود ا."),
        ("سارا رضایی", "سارا ر."),
        ("Zico", "Zico"),
        ("Ana (7)", "Ana"),
        ("", ""),
    ],
)
def test_a_name_is_shortened_to_a_given_name_and_an_initial(name, short):
    assert shortened(name) == short


@pytest.fixture
def event() -> Tournament:
    return TournamentFactory.create(slug="cup")


def registered(event: Tournament, *players: PlayerData, **more) -> Entry:
    return entries.register(event, players=players, by=event.created_by, **more)


ZENOBIA = PlayerData("Zenobia Quintanilla", "Zenobia Quintanilla", "Olive", "EG", is_minor=True)
SAMI = PlayerData("Sami Nasser", "", "Olive", "EG")


def test_only_the_short_name_is_stored_where_everybody_reads(event):
    entry = registered(event, ZENOBIA, SAMI)
    minor = Player.objects.get(full_name="Zenobia Quintanilla")
    assert (minor.name, minor.latin_name, minor.folded_name) == ("Zenobia Q.",) * 2 + ("zenobia q",)
    assert "quintanilla" not in minor.sounds
    assert (entry.name, entry.known_name) == (
        "Zenobia Q. / Sami Nasser",
        "Zenobia Quintanilla / Sami Nasser",
    )


def test_a_name_of_the_pair_that_holds_the_full_name_is_shortened_too(event):
    entry = registered(event, ZENOBIA, SAMI, name="Zenobia Quintanilla & friend")
    assert entry.name == "Zenobia Q. & friend"
    assert entry.known_name == "Zenobia Quintanilla & friend"


def test_a_minor_is_found_again_by_the_full_name_and_never_by_the_short_one(event):
    registered(event, ZENOBIA, SAMI)
    other = TournamentFactory.create(created_by=event.created_by)
    known = registered(other, PlayerData("zenobia  QUINTANILLA"), PlayerData("Omar Said"))
    assert Player.objects.filter(folded_name="zenobia q").count() == 1
    assert known.name == "Zenobia Q. / Omar Said"
    third = TournamentFactory.create(created_by=event.created_by)
    registered(third, PlayerData("Zenobia Q.", club="Palm"), PlayerData("Lina Aziz"))
    assert Player.objects.filter(folded_name="zenobia q").count() == 2


def test_whoever_is_known_becomes_a_minor_by_the_word_of_a_director(event):
    entry = registered(event, PlayerData(ZENOBIA.name, "", "Olive", "EG"), SAMI)
    assert entry.name == "Zenobia Quintanilla / Sami Nasser"
    other = TournamentFactory.create(created_by=event.created_by)
    rows = [EntryRow(2, (ZENOBIA, PlayerData("Omar Said")))]
    entries.import_entries(other, rows=rows, by=event.created_by)
    entry.refresh_from_db()
    assert entry.name == "Zenobia Q. / Sami Nasser"
    assert entry.full_name == "Zenobia Quintanilla / Sami Nasser"


def test_nobody_from_outside_shortens_the_name_of_somebody_known(event, client):
    registered(event, PlayerData(ZENOBIA.name, "", "Olive", "EG"), SAMI)
    other = TournamentFactory.create(slug="open", entry_kind="single")
    sent = {"player1": ZENOBIA.name, "club": "Olive", "country": "EG", "minor1": "on"}
    assert client.post("/t/open/register/", sent).status_code == 302
    assert other.entries.get().name == "Zenobia Quintanilla"


def test_players_who_enter_themselves_may_ask_for_the_short_name(client):
    event = TournamentFactory.create(slug="open", entry_kind="single")
    sent = {"player1": "Zenobia Quintanilla", "club": "Olive", "minor1": "on"}
    response = client.post("/t/open/register/", sent, follow=True)
    assert event.entries.get().name == "Zenobia Q."
    assert "Quintanilla" not in response.content.decode()


def test_a_correction_shortens_every_entry_and_can_be_taken_back(event):
    by = event.created_by
    entry = registered(event, PlayerData(ZENOBIA.name, "", "Olive", "EG"), SAMI)
    player = entry.members.get(position=1).player
    correct_player(event, player, written=ZENOBIA, by=by)
    entry.refresh_from_db()
    assert entry.name == "Zenobia Q. / Sami Nasser"
    undoing.undo(event.log.get(act="player_corrected"), by=by)
    entry.refresh_from_db()
    assert (entry.name, entry.full_name) == ("Zenobia Quintanilla / Sami Nasser", "")


def test_search_finds_a_minor_by_the_short_name_alone(event, client):
    entry = registered(event, ZENOBIA, SAMI)
    player = entry.members.get(position=1).player
    PlayerSpelling.objects.create(player=player, name="Zenobia Quintanilla Ruiz")
    assert [one.pk for one in search("zenobia", user=UserFactory.create()).players] == [player.pk]
    assert not search("quintanilla", user=UserFactory.create()).players
    assert "Zenobia Q." not in client.get("/t/cup/entries/?q=quintanilla").content.decode()
    assert "Zenobia Q." in client.get("/t/cup/entries/?q=zenobia").content.decode()


def test_officials_of_the_event_read_the_full_name_and_those_of_others_do_not(event, client):
    entry = registered(event, ZENOBIA, SAMI)
    MatchFactory.create(
        pairing_round__stage__tournament=event, entries=[entry, EntryFactory(tournament=event)]
    )
    referee = OfficialFactory.create(tournament=event).user
    other = OfficialFactory.create().user
    addresses = ("/t/cup/entries/", "/t/cup/rounds/1/1/", "/t/cup/entries/1/")
    for user, reads in ((referee, True), (other, False), (None, False)):
        client.logout()
        if user is not None:
            client.force_login(user)
        for address in addresses:
            shown = client.get(address).content.decode()
            assert ("Quintanilla" in shown) is reads
            assert ("Zenobia Q." in shown) is not reads
    client.force_login(event.created_by)
    for address in ("/desk/cup/entries/", "/desk/cup/check-in/", "/desk/cup/entries/1/"):
        assert "Quintanilla" in client.get(address).content.decode()
    assert "Quintanilla" in client.get("/desk/cup/files/entries.csv").content.decode()
    assert "Quintanilla" in client.get("/t/cup/entries/?q=quintanilla").content.decode()


def test_minors_read_their_own_full_name(event, client):
    entry = registered(event, ZENOBIA, SAMI)
    player = entry.members.get(position=1).player
    player.user = UserFactory.create()
    player.save()
    assert "Quintanilla" not in client.get(f"/players/{player.pk}/").content.decode()
    client.force_login(player.user)
    assert "Quintanilla" in client.get(f"/players/{player.pk}/").content.decode()


def test_a_row_that_was_shown_in_full_is_stored_short(event):
    entry = registered(event, ZENOBIA, SAMI)
    player = entry.members.get(position=1).player
    for row in (entry, player):
        row.show_in_full()
        assert "Quintanilla" in row.name
        row.save()
        row.refresh_from_db()
        assert "Quintanilla" not in row.name


def test_one_of_two_merged_is_a_minor_and_so_is_whoever_is_left(event):
    by = event.created_by
    entry = registered(event, ZENOBIA, SAMI)
    minor = entry.members.get(position=1).player
    keep = PlayerFactory.create(name="Zenobia Quintanila", country="EG", club=minor.club)
    merging.merge_players(event, keep=keep, gone=minor, by=by)
    keep.refresh_from_db()
    entry.refresh_from_db()
    assert (keep.name, keep.full_name) == ("Zenobia Q.", "Zenobia Quintanila")
    assert entry.name == "Zenobia Q. / Sami Nasser"


@pytest.mark.parametrize(
    ("column", "short"), [("yes", True), ("نعم", True), ("no", False), ("", False), ("۰", False)]
)
def test_a_list_may_say_who_is_a_minor(event, column, short):
    text = f"Player 1,Player 2,Minor 1\nZenobia Quintanilla,Sami Nasser,{column}\n"
    sheet = read_sheet(text.encode(), "list.csv")
    fields, _ = recognised(sheet, "pair")
    assert fields == ("player1", "player2", "minor1")
    reader = LineReader([Column("A", "", one) for one in fields], "pair")
    row, problems = reader.read(sheet.lines[1])
    assert problems == ()
    assert [one.is_minor for one in row.players] == [short, False]


def test_a_correction_by_the_api_that_does_not_say_so_keeps_the_name_short(event, client):
    entry = registered(event, ZENOBIA, SAMI)
    player = entry.members.get(position=1).player
    client.force_login(event.created_by)
    given = {"name": "Zenobia Quintanilla", "club": "Olive", "country": "ES"}
    address = f"/api/desk/cup/players/{player.pk}/"
    assert client.put(address, given, content_type="application/json").status_code == 200
    player.refresh_from_db()
    assert (player.name, player.country) == ("Zenobia Q.", "ES")


def test_a_proof_calls_those_who_are_minors_by_now_by_the_short_name(client):
    last = published(9, Entry.Kind.SINGLE, "rotating", 2)
    tournament, by = last.stage.tournament, last.stage.tournament.created_by
    seated = adjusting.seating_of(last)
    one, other = (seated.tables[at].entries[0] for at in (0, 1))
    entry = tournament.entries.get(number=one)
    player = entry.members.get().player
    player.name = entry.name = "Zenobia Quintanilla"
    player.save()
    entry.save()
    change = Change(Act.SWAP, (one, other))
    adjusting.change_seats(last, change, seen=seated.fingerprint(), by=by)
    address = f"/t/nile/rounds/{last.stage.number}/2/proof/"
    assert "Quintanilla" in client.get(address).content.decode()
    correct_player(tournament, player, written=ZENOBIA, by=by)
    shown = client.get(address).content.decode()
    assert "Zenobia Q." in shown
    assert "Quintanilla" not in shown


def test_an_event_file_says_who_is_a_minor(event):
    by = event.created_by
    registered(event, ZENOBIA, SAMI)
    document = json.loads(exported(event))
    (minor,) = [one for one in document["players"] if one["full_name"]]
    assert (minor["name"], minor["full_name"]) == ("Zenobia Q.", "Zenobia Quintanilla")
    known = Player.objects.get(full_name="Zenobia Quintanilla")
    Player.objects.filter(pk=known.pk).update(
        name="Zenobia Quintanilla", folded_name="zenobia quintanilla", full_name="",
        full_latin_name="", folded_full_name="",
    )  # fmt: skip
    document["key"] = "0" * 32
    copy = imported(json.dumps(document).encode(), by=by)
    known.refresh_from_db()
    assert known.name == "Zenobia Q."
    assert copy.entries.get(number=1).name == "Zenobia Q. / Sami Nasser"
    assert copy.entries.get(number=1).full_name == "Zenobia Quintanilla / Sami Nasser"
    assert Player.objects.filter(full_name="Zenobia Quintanilla").count() == 1

"""The indicators as the committee reads them: who may, what stands there, how much it asks."""

from __future__ import annotations

import csv
import io
import re
from datetime import UTC, datetime, timedelta
from html import unescape

import pytest
from django.urls import reverse

from referee.models import RecordedEvent, Sanction
from referee.services import records as services
from tests import factories
from tests.referee.conftest import director_of, referee_of, tournament_of, write
from tests.referee.timed import HANDS, PLAYED, timed
from tournaments.models import LogEntry, Match, Official, PanelMember, Player

pytestmark = pytest.mark.django_db

BEGAN = datetime(2026, 5, 1, 10, 0, tzinfo=UTC)
# The second delay of a player costs a turn by the schedule; this one does not.
AGAIN = PLAYED.replace("D! delay", "D! delay -> warning")


FALSE = """
0  A 6-6
5  B pass
9  C 6-5
12 D 5-4
15 A 4-1
20 B 6-3
"""


def play(
    match: Match,
    text: str = PLAYED,
    number: int = 0,
    began: datetime = BEGAN,
    hands: dict[str, list[str]] | None = HANDS,
) -> None:
    """Store a round with its times, as if a table had recorded it."""
    Match.objects.filter(pk=match.pk).update(state="playing")
    record = factories.RoundRecordFactory.create(
        match=match, number=number, opener="A", hands=hands, started_at=began
    )
    for line, second in zip(*timed(text), strict=True):
        at = began + timedelta(seconds=second)
        factories.RecordedEventFactory.create(round=record, notation=line, recorded_at=at)
    match.save(update_fields=["changed_at"])


@pytest.fixture
def played(match):
    play(match)
    return match


def addresses(match):
    slug = tournament_of(match).slug
    return [
        reverse("referee:indicators", args=[slug]),
        reverse("referee:indicators_file", args=[slug, "csv"]),
        reverse("referee:api_indicators", args=[slug]),
    ]


def text(response):
    plain = unescape(re.sub(r"<[^>]+>", " ", response.content.decode()))
    return re.sub(r"\s+", " ", re.sub("[\u2066\u2068\u2069]", "", plain))


def asked(client, match, **query):
    client.force_login(director_of(match))
    return client.get(addresses(match)[0], query)


# --- who may -----------------------------------------------------------------------------------


def on_panel(match, *, duty=Official.Duty.REFEREE, state="filed", official=True):
    user = factories.UserFactory.create()
    if official:
        factories.OfficialFactory.create(tournament=tournament_of(match), user=user, duty=duty)
    appeal = tournament_of(match).appeals.create(
        match=match, entry=match.seats.get(seat="A").entry, number=1, grounds="The count.",
        evidence_hash="0" * 64, state=state,
    )  # fmt: skip
    PanelMember.objects.create(appeal=appeal, user=user, name="Ana")
    return user


def test_directors_and_members_of_a_panel_read_them(client, played):
    for user in (director_of(played), on_panel(played)):
        client.force_login(user)
        assert [client.get(address).status_code for address in addresses(played)] == [200] * 3


def test_nobody_else_reads_them(client, played):
    scorer = factories.OfficialFactory.create(
        tournament=tournament_of(played), duty=Official.Duty.SCORER
    ).user
    of_another = factories.TournamentFactory.create().created_by
    for user in (referee_of(played), scorer, of_another, factories.UserFactory.create()):
        client.force_login(user)
        assert [client.get(address).status_code for address in addresses(played)] == [403] * 3


def test_a_stranger_is_asked_to_sign_in_and_the_program_is_refused(client, played):
    page, file, api = (client.get(address) for address in addresses(played))
    assert (page.status_code, file.status_code) == (302, 302)
    assert api.status_code in (401, 403)


@pytest.mark.parametrize("hidden", [{"state": "draft"}, {"is_private": True}])
def test_of_a_hidden_event_there_is_nothing_for_others(client, played, hidden):
    tournament = tournament_of(played)
    for name, value in hidden.items():
        setattr(tournament, name, value)
    tournament.save()
    client.force_login(factories.UserFactory.create())
    assert [client.get(address).status_code for address in addresses(played)] == [404] * 3


@pytest.mark.parametrize("how", [{"state": "withdrawn"}, {"official": False}])
def test_a_withdrawn_appeal_or_a_lost_duty_makes_no_committee(client, played, how):
    client.force_login(on_panel(played, **how))
    assert [client.get(address).status_code for address in addresses(played)] == [403] * 3


def test_nothing_public_leads_there_and_no_list_of_files_has_them(client, played):
    tournament = tournament_of(played)
    public = [
        "/", f"/?q={tournament.name}", f"/t/{tournament.slug}/",
        reverse("tournaments:files", args=[tournament.slug]),
        reverse("referee:match_sheet", args=[played.pk]),
        reverse("referee:moves", args=[played.pk]),
        reverse("referee:api_match", args=[played.pk]),
    ]  # fmt: skip
    for address in public:
        response = client.get(address)
        assert response.status_code == 200, address
        assert "indicators" not in response.content.decode(), address
    client.force_login(director_of(played))
    kinds = reverse("referee:record_list", args=[tournament.slug, "indicators", "csv"])
    assert client.get(kinds).status_code == 404


def test_it_is_not_kept_by_anything_on_the_way(client, played):
    client.force_login(director_of(played))
    for address in addresses(played):
        assert client.get(address).headers["Cache-Control"] == "private, no-store"


# --- what stands there -------------------------------------------------------------------------


def test_the_words_say_first_that_these_are_counts_and_no_findings(client, played):
    shown = text(asked(client, played))
    assert shown.index("These are counts, not findings") < shown.index("Rosa")
    assert "no proof of anything" in shown
    assert "A decision needs a ruling" in shown


def test_with_few_moves_the_page_says_that_they_are_too_few(client, played):
    assert "Rosa" in (shown := text(asked(client, played)))
    assert "too few to say (5)" in shown
    assert "too few to say (3)" in shown


def test_with_enough_moves_it_says_how_far_from_the_field_and_of_how_many(client, played):
    for number in range(1, 5):
        play(played, AGAIN, number, began=BEGAN + timedelta(hours=number))
    shown = text(asked(client, played))
    assert "+0.5 of 25" in shown  # Rosa's middle is 3.5, the field's 3.0


def test_players_or_pairs_a_name_or_a_club_are_shown_alone(client, played):
    rosa = Player.objects.get(name="Rosa")
    assert "Rosa / Omar" in text(asked(client, played, what="pairs"))
    only = text(asked(client, played, q="ros"))
    assert "Rosa" in only
    assert "Lin" not in only
    assert rosa.club is not None
    of_club = text(asked(client, played, club=rosa.club.name))
    rows = of_club.split("Infractions and cards", 1)[1]
    assert "Rosa" in rows
    assert "Lin " not in rows
    assert "Nobody matches" in text(asked(client, played, q="nobody of that name"))


def test_lines_stand_by_name_unless_another_order_is_asked_for(client, played):
    def names(**query):
        found = asked(client, played, **query).content.decode()
        return re.findall(r'<th scope="row" class="entry"><span><bdi>(\w+)</bdi>', found)

    assert names() == ["Lin", "Omar", "Rosa", "Sara"]
    assert names(order="infractions")[0] == "Sara"
    assert names(order="nonsense") == names()
    assert names(order="moves")[-1] == "Sara"


def test_an_infraction_leads_to_its_move_and_cards_are_named(client, played):
    sara = Player.objects.get(name="Sara")
    given = {"tournament": tournament_of(played), "player": sara, "function": "player",
             "ladder": "play", "source": "hand", "match": played}  # fmt: skip
    Sanction.objects.create(**given, severity="yellow", state="confirmed")
    Sanction.objects.create(**given, severity="red", state="proposed")
    shown = asked(client, played)
    address = f"{reverse('referee:moves', args=[played.pk])}?round=1&event=7"
    assert address.replace("&", "&amp;") in shown.content.decode()
    assert "Sara does not act in time" not in text(shown)
    assert "Yellow card 1" in text(shown)
    assert "Red card" not in text(shown)
    there = text(client.get(address))
    assert "Move 8 of 28" in there


def test_it_says_how_many_were_left_out_and_why(client, match):
    play(match, re.sub(r"(?m)^\S+", "5", PLAYED.strip()))
    shown = text(asked(client, match))
    assert "1: several moves stored at one moment" in shown


def test_what_is_recorded_after_a_match_was_opened_again_is_left_out(client, played):
    LogEntry.objects.create(
        tournament=tournament_of(played), act="match_reopened", details={"match": played.pk}
    )
    LogEntry.objects.update(at=BEGAN + timedelta(minutes=30))
    play(played, AGAIN, 1, began=BEGAN + timedelta(hours=1))
    shown = text(asked(client, played))
    assert "1: entered after the round’s time, or after the match was reopened" in shown
    assert "Rounds whose times are used 1" in shown


def test_the_counts_follow_the_record(client, opened, referee):
    record = services.open_round(opened, number=0, opener="A", by=referee)
    write(record, "A 6-6\nB 6-3", referee)
    assert "Moves recorded 2" in text(asked(client, opened))
    write(record, "C pass", referee)
    assert "Moves recorded 3" in text(asked(client, opened))
    assert RecordedEvent.objects.count() == 3


def test_a_draft_round_is_not_counted(client, played):
    other = factories.PairingRoundFactory.create(
        stage=played.pairing_round.stage, state="draft", number=2
    )
    entries = [seat.entry for seat in played.seats.filter(seat__in="AB")]
    play(factories.MatchFactory.create(pairing_round=other, entries=entries))
    assert "Matches with a record 1" in text(asked(client, played))


# --- as a file and for programs ----------------------------------------------------------------


def test_the_file_has_the_same_figures_and_no_formula(client, played):
    Player.objects.filter(name="Rosa").update(name='=HYPERLINK("x")', folded_name="rosa")
    client.force_login(director_of(played))
    response = client.get(addresses(played)[1], {"order": "name"})
    rows = list(csv.DictReader(io.StringIO(response.content.decode("utf-8-sig"))))
    rosa = next(row for row in rows if "HYPERLINK" in row["players"])
    assert rosa["players"].startswith("'=")
    assert (rosa["moves"], rosa["pause_median"], rosa["pause_ninetieth"]) == ("7", "3.5", "7.0")
    assert (rosa["pause_from_field"], rosa["free"], rosa["free_median"]) == ("", "3", "5.0")
    sara = next(row for row in rows if row["players"] == "Sara")
    assert sara["by_kind"] == "delay 1"
    unknown = client.get(addresses(played)[1].replace("csv", "exe"))
    assert unknown.status_code == 404


def test_the_program_has_the_same_figures(client, played):
    client.force_login(director_of(played))
    told = client.get(addresses(played)[2], {"what": "pairs"}).json()
    assert told["what"] == "pairs"
    assert told["field"]["pauses"] == {
        "count": 23, "median": 3.0, "ninetieth": 6.0, "over": 0, "from_field": None,
    }  # fmt: skip
    pair = next(line for line in told["lines"] if line["players"][0]["name"] in ("Rosa", "Omar"))
    assert (pair["moves"], pair["passes"], pair["pauses"]["count"]) == (14, 1, 12)
    player = client.get(addresses(played)[2], {"q": "Sara"}).json()["lines"][0]
    assert player["infractions"] == {"delay": [{"match": played.pk, "round": 0, "event": 7}]}


# --- how much it asks --------------------------------------------------------------------------


def test_more_matches_are_no_more_queries(client, played, django_assert_max_num_queries):
    stage = played.pairing_round.stage
    entries = [played.seats.get(seat=seat).entry for seat in "AB"]
    client.force_login(director_of(played))
    with django_assert_max_num_queries(15):
        client.get(addresses(played)[0])
    for number in range(2, 8):
        other = factories.PairingRoundFactory.create(stage=stage, number=number)
        play(factories.MatchFactory.create(pairing_round=other, entries=entries))
    with django_assert_max_num_queries(15):
        response = client.get(addresses(played)[0])
    assert "Matches with a record 7" in text(response)

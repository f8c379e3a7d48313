"""Prints set as PDF and looked at: order of letters, sizes of paper, long names, many tables."""

from __future__ import annotations

from itertools import pairwise

import pytest
from django.test import Client

from tests import pdfs
from tests.factories import (
    ClubFactory,
    EntryFactory,
    MatchFactory,
    PairingRoundFactory,
    PlayerFactory,
    StandingRowFactory,
)
from tests.pdfs import Sign
from tournaments.models import Entry, Match, PairingRound, Tournament

pytestmark = [pytest.mark.django_db, pytest.mark.pdf]

NAME = "Ahmed Mansour (أحمد منصور)"
LATIN, ARABIC = "AhmedMansour", "أحمدمنصور"
# Two letters that stand together in the name and are joined in writing.
JOINED = ("حم", "مد", "من", "نص", "صو")
LONG_NAMES = (
    "María de los Ángeles Fernández-Villaverde y Rodríguez de la Cruz",
    "عبد الرحمن بن محمد بن عبد العزيز آل سليمان الأنصاري الخزرجي",
    "سید محمدرضا حسینی‌نژاد طباطبایی یزدی پورابراهیمی",
    "Maximiliano Bartholomäus Christoffersen-Vandenberghe",
)

# What stands lowest on a print of each kind, how many millimetres each paper gives it, how many
# stand beside each other; and the margin of their pages.
LAST_LINES: dict[str, tuple[str, dict[str, float], int]] = {
    "scores": ("·D", {"a4": 138.4, "letter": 129.6}, 2),
    "badges": ("Guzmán", {"a4": 68.8, "letter": 64.4}, 2),
    "cards": ("", {"a4": 0, "letter": 0}, 1),
}
MARGIN = 10


def round_of(*, tables: int, names: tuple[str, ...] = ()) -> PairingRound:
    """Return a published round of pairs; its first players carry `names`."""
    pairing_round: PairingRound = PairingRoundFactory.create()
    tournament = pairing_round.stage.tournament
    club = ClubFactory.create(name="Federación Dominicana de Dominó, Santo Domingo de Guzmán")
    wanted = iter(names)
    for _ in range(tables):
        entries = []
        for _ in range(2):
            players = [
                PlayerFactory.create(name=name, club=club)
                if (name := next(wanted, ""))
                else PlayerFactory.create(club=club)
                for _ in range(2)
            ]
            name = " / ".join(one.name for one in players)
            code = f"code{tournament.entries.count()}"
            entry = EntryFactory.create(
                tournament=tournament, players=players, name=name, check_in_code=code
            )
            entries.append(entry)
        MatchFactory.create(pairing_round=pairing_round, entries=entries)
    return pairing_round


def event_of(pairing_round: PairingRound) -> Tournament:
    return pairing_round.stage.tournament


def pdf(client: Client, tournament: Tournament, kind: str, query: str = "") -> bytes:
    client.force_login(tournament.created_by)
    return fetched(client, f"/t/{tournament.slug}/prints/{kind}.pdf{query}")


def fetched(client: Client, address: str) -> bytes:
    response = client.get(address)
    assert (response.status_code, response["Content-Type"]) == (200, "application/pdf")
    return response.content


def name_on(content: bytes) -> tuple[list[Sign], list[Sign], list[Sign]]:
    """Return the letters of the name in Latin, in Arabic, and its brackets."""
    found = pdfs.signs(content)
    text = "".join(one.text for one in found)
    line = pdfs.on_one_line(found, found[text.index("Ahmed")])
    latin = found[text.index("Ahmed") :][: len(LATIN)]
    assert "".join(one.text for one in latin) == LATIN
    arabic = [one for one in line if one.text in ARABIC]
    brackets = [one for one in line if one.text in "()"]
    return latin, sorted(arabic, key=lambda one: -one.left), brackets


@pytest.mark.parametrize("language", ["en", "ar", "fa", "es"])
@pytest.mark.parametrize("kind", ["scores", "badges", "cards", "pairings", "names", "sheet"])
def test_a_name_in_latin_letters_followed_by_the_same_name_in_arabic_letters_in_brackets(
    client, kind, language
):
    """Situation 43: sheet and badge show both halves in order, on a page of either direction."""
    pairing_round = round_of(tables=1, names=(NAME,))
    tournament = event_of(pairing_round)
    if kind == "sheet":
        client.force_login(tournament.created_by)
        match = Match.objects.get(pairing_round=pairing_round)
        content = fetched(client, f"/matches/{match.pk}/print/sheet.pdf?lang={language}")
    else:
        content = pdf(client, tournament, kind, f"?lang={language}")
    latin, arabic, brackets = name_on(content)
    assert [one.left for one in latin] == sorted(one.left for one in latin)
    # From right to left the letters are those of the name, each once: none is reversed or lost.
    assert "".join(one.text for one in arabic) == ARABIC
    assert max(one.right for one in latin) < min(one.left for one in arabic)
    opening, closing = sorted(brackets, key=lambda one: one.left)
    assert max(one.right for one in latin) < opening.left < min(one.left for one in arabic)
    assert max(one.left for one in arabic) < closing.left
    picture = pdfs.inked(content)
    for pair in JOINED:
        one, other = next(both for both in pairwise(arabic) if both[0].text + both[1].text == pair)
        low, high = min(one.low, other.low), max(one.high, other.high)
        middle = (one.left + other.right) / 2
        assert pdfs.has_ink(picture, middle - 0.3, low, middle + 0.3, high), pair


@pytest.mark.parametrize(("paper", "width", "height"), [("a4", 210, 297), ("letter", 216, 279)])
@pytest.mark.parametrize("kind", ["pairings", "names", "cards", "scores", "standings", "badges"])
def test_each_print_comes_on_a4_and_on_letter(client, kind, paper, width, height):
    pairing_round = round_of(tables=1)
    content = pdf(client, event_of(pairing_round), kind, f"?paper={paper}")
    assert pdfs.size(content) == (width, height)


def test_certificates_lie_on_their_side_one_a_place(client):
    pairing_round = round_of(tables=2)
    for entry in Entry.objects.order_by("number"):
        StandingRowFactory.create(stage=pairing_round.stage, entry=entry)
    content = pdf(client, event_of(pairing_round), "certificates", "?best=2&paper=a4")
    assert (pdfs.pages(content), pdfs.size(content)) == (2, (297, 210))


@pytest.mark.parametrize("language", ["en", "ar"])
@pytest.mark.parametrize("paper", ["a4", "letter"])
@pytest.mark.parametrize(("kind", "sheets"), [("scores", 2), ("cards", 1), ("badges", 2)])
def test_names_as_long_as_a_name_may_be_make_no_sheet_more(client, kind, sheets, paper, language):
    pairing_round = round_of(tables=4, names=("W" * 60 + " " + "م" * 59, "W" * 120) * 8)
    content = pdf(client, event_of(pairing_round), kind, f"?paper={paper}&lang={language}")
    assert pdfs.pages(content) == sheets
    # What is cut off ends with a sign of it.
    assert "W…" in pdfs.text_of(content)


@pytest.mark.parametrize("language", ["en", "ar", "fa"])
@pytest.mark.parametrize("paper", ["a4", "letter"])
@pytest.mark.parametrize(("kind", "sheets"), [("scores", 2), ("cards", 1), ("badges", 2)])
def test_the_longest_names_stay_on_their_sheets_and_are_whole(
    client, kind, sheets, paper, language
):
    pairing_round = round_of(tables=4, names=LONG_NAMES * 4)
    content = pdf(client, event_of(pairing_round), kind, f"?paper={paper}&lang={language}")
    assert pdfs.pages(content) == sheets
    text = pdfs.text_of(content)
    for word in ("Christoffersen", "Rodríguez", "Cruz"):
        assert text.count(word) == 4, word
    # The last line of a sheet or a badge, below the longest name, is not cut off.
    last, height, across = LAST_LINES[kind]
    for page in range(sheets if last else 0):
        for place, low in enumerate(lows_of(content, page, last)):
            top = pdfs.size(content)[1] - MARGIN
            assert low > top - height[paper] * (place // across + 1), (page, place)


def lows_of(content: bytes, page: int, word: str) -> list[float]:
    """Return how high a word stands on a page wherever it does, in millimetres, from the top."""
    found = pdfs.signs(content, page)
    text = "".join(one.text for one in found)
    # Beside Arabic letters, what is read from left to right may be taken from a file backwards.
    ways = (word, word[::-1]) if word.startswith("·") else (word,)
    starts = [at for at in range(len(text)) if text.startswith(ways, at)]
    return sorted((found[at].low / 72 * 25.4 for at in starts), reverse=True)


def test_pairings_repeat_the_head_of_their_columns_on_every_page(client):
    pairing_round = round_of(tables=60)
    content = pdf(client, event_of(pairing_round), "pairings", "?paper=a4&lang=en")
    assert pdfs.pages(content) == pdfs.text_of(content).count("Whoplays") > 1


@pytest.mark.parametrize("kind", ["pairings", "names", "standings"])
def test_a_name_without_a_blank_is_broken_and_lies_over_nothing(client, kind):
    pairing_round = round_of(tables=1, names=("Q" * 100, "ن" * 100))
    tournament = event_of(pairing_round)
    for entry in Entry.objects.order_by("number"):
        StandingRowFactory.create(stage=pairing_round.stage, entry=entry)
    content = pdf(client, tournament, kind, "?paper=a4&lang=en")
    found = pdfs.signs(content)
    wide = [one for one in found if one.text in "Qن"]
    assert sum(one.text == "Q" for one in wide) == 100
    others = [one for one in found if one.text not in "Qن"]
    margin = 13 / 25.4 * 72
    assert max(one.right for one in wide) < 210 / 25.4 * 72 - margin + 1
    for sign in others:
        middle = (sign.left + sign.right) / 2, (sign.low + sign.high) / 2
        over = [w for w in wide if w.left < middle[0] < w.right and w.low < middle[1] < w.high]
        assert over == [], sign


def test_each_further_page_says_of_which_round_it_is(client):
    pairing_round = round_of(tables=60)
    content = pdf(client, event_of(pairing_round), "pairings", "?paper=a4&lang=en")
    tops = ["".join(one.text for one in top_of(content, at)) for at in range(pdfs.pages(content))]
    assert "Pairinground1·Pairingsbytable" not in tops[0]
    assert len(tops) > 1
    assert all("Pairinground1·Pairingsbytable" in one for one in tops[1:])


def top_of(content: bytes, page: int) -> list[Sign]:
    """Return what stands above the margin of a page."""
    edge = (297 - 14) / 25.4 * 72
    return [one for one in pdfs.signs(content, page) if one.low > edge]


def test_every_sheet_of_names_says_whose_names_it_carries_and_none_goes_on(client):
    pairing_round = round_of(tables=60, names=("هالة منصور", "آرش حسینی‌نژاد", "Zoë Ñúñez") * 30)
    content = pdf(client, event_of(pairing_round), "names", "?paper=letter&lang=en")
    pages = pdfs.pages(content)
    assert 2 < pages < 6
    # Each sheet begins with its head: nothing went over from the one before.
    for page in range(1, pages):
        found = pdfs.signs(content, page)
        line = pdfs.on_one_line(found, max(found, key=lambda one: one.low))
        assert "Pairinground1" in "".join(one.text for one in line)


def test_partners_in_two_scripts_stand_in_their_order_in_the_standings(client):
    pairing_round = round_of(tables=1, names=("هالة", "Ana-Zoë"))
    entry = Entry.objects.order_by("number")[0]
    StandingRowFactory.create(stage=pairing_round.stage, entry=entry)
    content = pdf(client, event_of(pairing_round), "standings", "?lang=en")
    found = pdfs.signs(content)
    line = pdfs.on_one_line(found, next(one for one in found if one.text == "Z"))
    line = [one for one in line if one.text in "هالةAna-Zoë/"]
    shown = [one.text for one in sorted(line, key=lambda one: one.left)]
    assert "".join(shown).endswith("ةلاه/Ana-Zoë")

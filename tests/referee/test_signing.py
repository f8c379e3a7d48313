"""Both sides sign the sheet of a match; the control code of it can be checked by anyone."""

from __future__ import annotations

import json
import re
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser, User
from django.core.exceptions import PermissionDenied
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from engine.seats import Side
from referee.control_codes import read_code
from referee.errors import signing as errors
from referee.event_file import exported, imported
from referee.models import SidePin, Signature
from referee.queries.signing import Signing, checked, signing_of
from referee.rows import read
from referee.services import records as services
from referee.services import replays, signing
from referee.services.event_restoring import keep_sent, preview, restore
from referee.verifying import altered_rows
from tests.factories import OrganizerFactory
from tests.referee.conftest import sheet, write
from tests.referee.test_chain import behind_the_back
from tests.referee.test_event_file import forget_event
from tournaments.errors.base import TextTooLong
from tournaments.errors.event_files import BadEventFile
from tournaments.models import Match, MatchSeat
from tournaments.services import undoing

pytestmark = pytest.mark.django_db

NAME = [[100, 100, 200, 300, 300, 100, 400, 300], [500, 50, 520, 60, 540, 80, 560, 90, 580, 99]]


@pytest.fixture
def over(opened: Match, referee: User) -> Match:
    """The match, won by A and C with 100 to 0 and not closed yet."""
    sheet(opened, 0, "AC", 100, referee)
    return Match.objects.get(pk=opened.pk)


def drawn(match: Match, side: Side, by: User) -> Signature:
    return signing.sign(match, side=side, how="drawn", strokes=NAME, by=by)


def now(match: Match) -> Signing:
    match = Match.objects.select_related("pairing_round__stage__tournament").get(pk=match.pk)
    found = signing_of(match, read(match))
    assert found is not None
    return found


def with_pin(match: Match, seat: str, pin: str, by: User) -> None:
    signing.set_pin(match.seats.get(seat=seat).entry, pin=pin, by=by)


# --- signing ---------------------------------------------------------------------------------


def test_both_sides_sign_by_drawing_their_names(over: Match, referee: User) -> None:
    for side in ("AC", "BD"):
        drawn(over, side, referee)
    found = now(over)
    assert found.is_complete
    assert [one.signed.path[:9] for one in found.sides if one.signed] == ["M100 100 "] * 2


def test_a_side_signs_by_the_pin_of_its_entry(over: Match, referee: User) -> None:
    with_pin(over, "B", "4711", referee)
    signature = signing.sign(over, side="BD", how="pin", pin="٤٧١١", by=referee)
    assert (signature.how, signature.strokes) == ("pin", None)


def test_a_side_that_refuses_is_noted_with_its_reason(over: Match, referee: User) -> None:
    signing.sign(over, side="BD", how="refused", reason=" A pass\nwas false ", by=referee)
    (_, refusing) = now(over).sides
    assert refusing.signed is not None
    assert (refusing.signed.how, refusing.signed.reason) == ("refused", "A pass was false")
    assert services.close_match(over, by=referee).state == Match.State.CLOSED


def test_signing_twice_keeps_one(over: Match, referee: User) -> None:
    assert drawn(over, "AC", referee) == drawn(over, "AC", referee)
    assert Signature.objects.count() == 1
    assert over.pairing_round.stage.tournament.log.filter(act="sheet_signed").count() == 1


def test_the_later_word_of_a_side_stands(over: Match, referee: User) -> None:
    signing.sign(over, side="AC", how="refused", reason="Too fast.", by=referee)
    drawn(over, "AC", referee)
    found = now(over)
    assert found.sides[0].signed is not None
    assert found.sides[0].signed.how == "drawn"
    assert [one.how for one in found.superseded] == ["refused"]


def test_signatures_stand_when_the_match_is_closed(over: Match, referee: User) -> None:
    drawn(over, "AC", referee)
    before = now(over).code
    services.close_match(over, by=referee)
    found = now(over)
    assert found.sides[0].signed is not None
    assert found.code == before


def test_a_closed_match_can_still_be_signed(over: Match, referee: User) -> None:
    drawn(over, "AC", referee)
    services.close_match(over, by=referee)
    drawn(Match.objects.get(pk=over.pk), "BD", referee)
    assert now(over).is_complete


def test_a_match_that_goes_on_is_not_signed(opened: Match, referee: User) -> None:
    sheet(opened, 0, "AC", 50, referee)
    with pytest.raises(errors.SheetNotReady):
        drawn(opened, "AC", referee)


def test_a_match_with_an_open_ruling_is_not_signed(over: Match, referee: User) -> None:
    write(over.records.get(), "B! signaling -> pending", referee)
    with pytest.raises(errors.SheetNotReady):
        drawn(over, "AC", referee)


def test_a_stranger_signs_nothing(over: Match, stranger: User) -> None:
    with pytest.raises(PermissionDenied):
        drawn(over, "AC", stranger)


# --- superseded ------------------------------------------------------------------------------


def test_a_ruling_after_the_signature_supersedes_it(over: Match, referee: User) -> None:
    drawn(over, "AC", referee)
    write(over.records.get(), "B! touch 5-1 -> warning", referee)
    found = now(over)
    assert found.sides[0].signed is None
    assert len(found.superseded) == 1


def test_opening_the_match_again_supersedes_every_signature(
    over: Match, referee: User, director: User
) -> None:
    drawn(over, "AC", referee)
    services.close_match(over, by=referee)
    services.reopen_match(over, reason="Look again.", by=director)
    found = now(over)
    assert (found.sides[0].signed, len(found.superseded)) == (None, 1)


def test_taking_back_the_opening_lets_signatures_stand_again(
    over: Match, referee: User, director: User
) -> None:
    drawn(over, "AC", referee)
    services.close_match(over, by=referee)
    services.reopen_match(over, reason="Look again.", by=director)
    log = over.pairing_round.stage.tournament.log
    line = log.filter(act="match_reopened").order_by("pk").first()
    assert line is not None
    undoing.undo(line, by=director)
    assert now(over).sides[0].signed is not None


def test_a_result_corrected_at_the_desk_supersedes_signatures(over: Match, referee: User) -> None:
    drawn(over, "AC", referee)
    services.close_match(over, by=referee)
    MatchSeat.objects.filter(match=over, seat__in="BD").update(points_for=20)
    assert now(over).sides[0].signed is None


def test_a_replayed_match_keeps_its_signatures_as_superseded(
    over: Match, referee: User, director: User
) -> None:
    drawn(over, "AC", referee)
    replays.replay_match(over, reason="The tiles were marked.", by=director)
    found = now(over)
    assert (found.code, len(found.superseded)) == ("", 1)


# --- bad input -------------------------------------------------------------------------------


@pytest.mark.parametrize("pin", ["", "123", "1234567", "12a4", "½234", "-123"])
def test_what_is_no_pin_is_not_counted_as_a_guess(over: Match, referee: User, pin: str) -> None:
    with_pin(over, "A", "4711", referee)
    with pytest.raises(errors.BadPin):
        signing.sign(over, side="AC", how="pin", pin=pin, by=referee)
    assert SidePin.objects.get().failures == 0


def test_after_five_wrong_guesses_the_right_pin_is_locked_too(over: Match, referee: User) -> None:
    with_pin(over, "A", "4711", referee)
    for left in (4, 3, 2, 1):
        with pytest.raises(errors.WrongPin) as refused:
            signing.sign(over, side="AC", how="pin", pin="0000", by=referee)
        assert refused.value.params["left"] == left
    for pin in ("0000", "4711"):
        with pytest.raises(errors.PinLocked) as locked:
            signing.sign(over, side="AC", how="pin", pin=pin, by=referee)
        assert locked.value.params["minutes"] == 15
    assert not Signature.objects.exists()


def test_a_lock_ends_by_itself_and_by_a_new_pin(over: Match, referee: User) -> None:
    with_pin(over, "A", "4711", referee)
    later = timezone.now() + timedelta(minutes=5)
    SidePin.objects.update(locked_until=later)
    with_pin(over, "A", "0815", referee)
    assert signing.sign(over, side="AC", how="pin", pin="0815", by=referee).how == "pin"
    SidePin.objects.update(locked_until=timezone.now())
    assert signing.sign(over, side="AC", how="pin", pin="0815", by=referee).how == "pin"


def test_the_pin_of_the_other_side_does_not_fit(over: Match, referee: User) -> None:
    with_pin(over, "A", "4711", referee)
    with_pin(over, "B", "0815", referee)
    with pytest.raises(errors.WrongPin):
        signing.sign(over, side="BD", how="pin", pin="4711", by=referee)


def test_a_side_without_a_pin_is_told_so(over: Match, referee: User) -> None:
    with pytest.raises(errors.NoPin):
        signing.sign(over, side="AC", how="pin", pin="4711", by=referee)


def test_a_pin_is_stored_hashed(over: Match, referee: User) -> None:
    with_pin(over, "A", "4711", referee)
    assert "4711" not in SidePin.objects.get().digest


def test_a_stranger_sets_no_pin(over: Match, stranger: User) -> None:
    with pytest.raises(PermissionDenied):
        with_pin(over, "A", "4711", stranger)


@pytest.mark.parametrize(
    "strokes",
    [
        None,
        {},
        "",
        "[[1,2",
        "[" * 5000,
        [[1, 2, 3]],
        [[]],
        [["1", "2"]],
        [[1.5, 2]],
        [[True, 2]],
        [[-1, 0]],
        [[1001, 0]],
        [[0, 401]],
        [[None, 1]],
        [5],
    ],
)
def test_a_drawing_that_is_none_is_refused(over: Match, referee: User, strokes: object) -> None:
    with pytest.raises(errors.DrawingUnreadable):
        signing.sign(over, side="AC", how="drawn", strokes=strokes, by=referee)


def test_a_tap_is_no_signature(over: Match, referee: User) -> None:
    with pytest.raises(errors.DrawingTooShort):
        signing.sign(over, side="AC", how="drawn", strokes=[[5, 5, 6, 6]], by=referee)


@pytest.mark.parametrize(
    "strokes", ["x" * 1_000_000, [[1, 2] * 250_000], [[1, 2]] * 2001, [[1, 2] * 2001]]
)
def test_a_drawing_of_a_megabyte_is_refused(over: Match, referee: User, strokes: object) -> None:
    with pytest.raises(errors.DrawingTooLong):
        signing.sign(over, side="AC", how="drawn", strokes=strokes, by=referee)


@pytest.mark.parametrize("side", ["", "A", "CA", "X" * 10_000])
def test_a_side_that_is_not_at_the_table_is_refused(over: Match, referee: User, side: str) -> None:
    with pytest.raises(errors.SideUnknown):
        drawn(over, side, referee)


def test_a_refusal_needs_a_reason_of_bounded_length(over: Match, referee: User) -> None:
    with pytest.raises(errors.WhyNotSigned):
        signing.sign(over, side="AC", how="refused", reason=" ", by=referee)
    with pytest.raises(TextTooLong):
        signing.sign(over, side="AC", how="refused", reason="x" * 501, by=referee)


# --- control codes ---------------------------------------------------------------------------


def test_a_code_fits_the_sheet_it_was_printed_on(over: Match, referee: User) -> None:
    code = drawn(over, "AC", referee).code
    found = checked(f" {code[:4].lower()} {code[4:8]}-{code[8:]} ", AnonymousUser())
    assert (found.fits, found.match) == (True, over)


def test_a_code_read_with_digits_for_letters_is_the_same() -> None:
    assert read_code("0123-4567-8ABC-DEF8") == read_code("OI23-4567-BABC-DEFB")


def test_a_code_no_longer_fits_when_the_match_is_opened_again(
    over: Match, referee: User, director: User
) -> None:
    code = drawn(over, "AC", referee).code
    services.close_match(over, by=referee)
    services.reopen_match(over, reason="Look again.", by=director)
    assert checked(code, AnonymousUser()).fits is False


def test_a_guessed_code_is_unknown(over: Match, referee: User) -> None:
    drawn(over, "AC", referee)
    with pytest.raises(errors.CodeUnknown):
        checked("AAAA-AAAA-AAAA-AAAA", AnonymousUser())


@pytest.mark.parametrize(
    "typed", ["", "A", "A" * 17, "A" * 100_000, "\u202eABCD", "9" * 16, "é" * 16]
)
def test_what_is_no_code_is_told_so(typed: str) -> None:
    with pytest.raises(errors.BadCode):
        read_code(typed)


def test_a_code_of_an_event_that_is_not_public_tells_no_names(over: Match, referee: User) -> None:
    code = drawn(over, "AC", referee).code
    tournament = over.pairing_round.stage.tournament
    tournament.is_private = True
    tournament.save()
    found = checked(code, AnonymousUser())
    assert (found.fits, found.match, found.result, found.signed) == (True, None, (), ())


def test_an_event_altered_after_signing_breaks_the_code_and_is_named(
    over: Match, referee: User
) -> None:
    code = drawn(over, "AC", referee).code
    behind_the_back("UPDATE referee_recordedevent SET notation = 'result AC 90 out'")
    behind_the_back("UPDATE referee_roundrecord SET head = %s", ["0" * 64])
    assert checked(code, AnonymousUser()).fits is False
    assert {str(one.what) for one in altered_rows()} == {"changed", "signed_otherwise"}


# --- event files -----------------------------------------------------------------------------


def test_signatures_and_codes_go_with_the_event(over: Match, referee: User) -> None:
    code = drawn(over, "AC", referee).code
    signing.sign(over, side="BD", how="refused", reason="No.", by=referee)
    services.close_match(over, by=referee)
    content = exported(over.pairing_round.stage.tournament)
    forget_event()
    imported(content, by=OrganizerFactory.create())
    found = checked(code, AnonymousUser())
    assert found.fits
    assert [one.how for one in found.signed] == ["drawn", "refused"]


def test_a_copy_of_an_event_has_no_signatures(over: Match, referee: User) -> None:
    drawn(over, "AC", referee)
    services.close_match(over, by=referee)
    content = exported(over.pairing_round.stage.tournament)
    imported(content, copy="1", by=OrganizerFactory.create())
    assert Signature.objects.count() == 1


@pytest.mark.parametrize(
    "changed",
    [
        {"side": "XY"},
        {"how": "shouted"},
        {"strokes": "x" * 100},
        {"head": 5},
        {"code": "short"},
        {"result": []},
        {"signed_at": "yesterday"},
        {"reason": "x" * 501},
        {"superseded_at": 5},
    ],
)
def test_a_file_with_a_broken_signature_is_refused_with_its_path(
    over: Match, referee: User, changed: dict[str, Any]
) -> None:
    drawn(over, "AC", referee)
    services.close_match(over, by=referee)
    document = json.loads(exported(over.pairing_round.stage.tournament))
    record = document["stages"][0]["rounds"][0]["matches"][0]["record"]
    record[0]["signatures"][0].update(changed)
    forget_event()
    with pytest.raises(BadEventFile, match=r"signatures\[0\]"):
        imported(json.dumps(document).encode(), by=OrganizerFactory.create())


def test_pins_stay_when_an_event_is_restored(over: Match, referee: User, director: User) -> None:
    with_pin(over, "A", "4711", referee)
    tournament = over.pairing_round.stage.tournament
    kept = keep_sent(tournament, exported(tournament), by=director)
    restore(kept, confirm=tournament.slug, seen=preview(kept, by=director).seen, by=director)
    match = Match.objects.get(pairing_round__stage__tournament=tournament)
    assert signing.sign(match, side="AC", how="pin", pin="4711", by=director).how == "pin"


# --- pages and API ---------------------------------------------------------------------------


def shown(response: Any) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", response.content.decode()))


def test_a_side_signs_by_pin_without_a_script(client: Client, over: Match, referee: User) -> None:
    with_pin(over, "A", "4711", referee)
    client.force_login(referee)
    address = reverse("referee:sign", args=[over.pk])
    assert (
        reverse("referee:sign", args=[over.pk])
        in client.get(reverse("referee:record", args=[over.pk])).content.decode()
    )
    wrong = client.post(address, {"side": "AC", "how": "pin", "pin": "1111"})
    assert wrong.status_code == 422
    assert "This is not the PIN of side AC" in shown(wrong)
    assert "1111" not in wrong.content.decode()
    assert client.post(address, {"side": "AC", "how": "pin", "pin": "4711"}).status_code == 302
    assert Signature.objects.get().how == "pin"


def test_a_reason_that_is_refused_stays_typed(client: Client, over: Match, referee: User) -> None:
    client.force_login(referee)
    long = "why " * 200
    answer = client.post(
        reverse("referee:sign", args=[over.pk]), {"side": "BD", "how": "refused", "reason": long}
    )
    assert answer.status_code == 422
    assert long.strip() in answer.content.decode()


def test_the_api_signs_and_answers_with_the_signatures(
    client: Client, over: Match, referee: User
) -> None:
    client.force_login(referee)
    answer = client.post(
        reverse("referee:api_sign", args=[over.pk]),
        {"side": "AC", "how": "drawn", "strokes": NAME},
        content_type="application/json",
    )
    assert answer.status_code == 201
    told = answer.json()["live"]["signing"]
    assert (told["sides"]["AC"]["how"], told["sides"]["BD"]["how"]) == ("drawn", None)


def test_the_api_refuses_with_a_sentence(client: Client, over: Match, referee: User) -> None:
    client.force_login(referee)
    answer = client.post(
        reverse("referee:api_sign", args=[over.pk]),
        {"side": "AC", "how": "drawn", "strokes": [[1, 2] * 300_000]},
        content_type="application/json",
    )
    assert (answer.status_code, answer.json()["code"]) == (409, "drawing_too_long")


def test_the_last_event_of_a_match_brings_what_there_is_to_sign(
    client: Client, opened: Match, referee: User
) -> None:
    sheet(opened, 0, "AC", 60, referee)
    record = services.open_round(opened, number=1, opener="A", by=referee)
    client.force_login(referee)
    answer = client.post(
        reverse("referee:api_events", args=[record.pk]),
        {"number": 0, "event": "result AC 60 out"},
        content_type="application/json",
    )
    assert answer.json()["changes"]["signing"]["code"]


def test_the_match_sheet_shows_signatures_and_code(
    client: Client, over: Match, referee: User
) -> None:
    drawn(over, "AC", referee)
    services.close_match(over, by=referee)
    page = client.get(reverse("referee:match_sheet", args=[over.pk]))
    assert "Not signed" in shown(page)
    assert now(over).code in shown(page)
    assert 'class="signature-drawing"' in page.content.decode()


def test_a_name_with_overrides_of_direction_is_kept_apart(
    client: Client, over: Match, referee: User
) -> None:
    player = over.seats.get(seat="A").player
    type(player).objects.filter(pk=player.pk).update(name="\u202eRosa")
    drawn(over, "AC", referee)
    signing.sign(over, side="BD", how="refused", reason="\u202e no <b>", by=referee)
    page = client.get(reverse("referee:match_sheet", args=[over.pk])).content.decode()
    part = page[page.index('id="signatures"') :]
    assert '<q class="small"><bdi>\u202e no &lt;b&gt;</bdi></q>' in part
    assert re.search(r'<bdi class="signature-name">[^<]*\u202eRosa', part)


def test_anyone_checks_a_code(client: Client, over: Match, referee: User) -> None:
    code = drawn(over, "AC", referee).code
    page = client.get(reverse("referee:check_code", args=[code]))
    assert "The code fits" in shown(page)
    assert "Rosa" in shown(page)
    assert client.get(reverse("referee:api_check", args=[code])).json()["fits"] is True


@pytest.mark.parametrize(
    ("typed", "status", "sentence"),
    [
        ("AAAAAAAAAAAAAAAA", 404, "No sheet here has the control code"),
        ("x" * 59, 422, "is no control code"),
        ("\u202eabc", 422, "is no control code"),
        ("%00%ff", 422, "is no control code"),
    ],
)
def test_a_code_that_is_wrong_stays_typed_and_is_told(
    client: Client, db: None, typed: str, status: int, sentence: str
) -> None:
    page = client.get(reverse("referee:check"), {"code": typed})
    assert page.status_code == status
    assert sentence in shown(page)


def test_the_desk_sets_pins_on_a_page(client: Client, over: Match, referee: User) -> None:
    tournament = over.pairing_round.stage.tournament
    client.force_login(referee)
    address = reverse("referee:pins", args=[tournament.slug])
    entry = over.seats.get(seat="A").entry
    bad = client.post(address, {"entry": entry.number, "pin": "12"})
    assert bad.status_code == 422
    assert "A PIN has 4 to 6 digits" in shown(bad)
    assert client.post(address, {"entry": entry.number, "pin": "4711"}).status_code == 302
    assert SidePin.objects.get().entry == entry


def test_pins_are_for_officials(client: Client, over: Match, stranger: User) -> None:
    client.force_login(stranger)
    slug = over.pairing_round.stage.tournament.slug
    assert client.get(reverse("referee:pins", args=[slug])).status_code == 403


def test_the_order_of_plays_prints_every_event(client: Client, over: Match, referee: User) -> None:
    drawn(over, "AC", referee)
    page = client.get(reverse("referee:plays", args=[over.pk]))
    assert "result AC 100 out" in shown(page)
    assert now(over).code in shown(page)

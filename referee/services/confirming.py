"""The other side confirms each round of a match, or says what is wrong with it."""

from __future__ import annotations

from dataclasses import dataclass

from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext

from engine.scoring import Ended
from referee.errors.links import NothingToConfirm, RoundChangedSince, RoundDisputed, WordNeeded
from referee.errors.records import ReasonNeeded
from referee.models import RoundConfirmation, RoundRecord
from referee.models.links import LONGEST_WORD
from referee.recorded import Recorded
from referee.rows import read
from tournaments.errors.base import TextTooLong
from tournaments.models import Match
from tournaments.permissions import (
    TableGuest,
    Visitor,
    is_guest_of,
    is_referee,
    require_referee,
)
from tournaments.services import results


@dataclass(frozen=True, slots=True)
class Word:
    """What one side says of one round now. `agrees` is None while it has said nothing."""

    round: int
    side: str
    agrees: bool | None = None
    word: str = ""
    pk: int | None = None
    settled: str = ""

    @property
    def disputed(self) -> bool:
        return self.agrees is False and not self.settled


def may_confirm(user: Visitor, match: Match) -> bool:
    """Whether `user` may speak for a side of a match: by its link, or noted by a referee."""
    if isinstance(user, TableGuest):
        return is_guest_of(user, match) and bool(user.side)
    return is_referee(user, match.pairing_round.stage.tournament)


@transaction.atomic
def say_of_round(
    match: Match,
    *,
    number: int,
    side: str,
    agrees: bool,
    word: str = "",
    head: str = "",
    by: Visitor,
) -> RoundConfirmation:
    """Note what a side says of round `number` (from 0). The same again is noted once.

    `head` is what the round came to when the side saw it; a round that changed since is refused.
    """
    if not may_confirm(by, match) or (isinstance(by, TableGuest) and by.side != side):
        raise PermissionDenied(
            gettext("Only the side itself, by its own link, or a referee may say this.")
        )
    word = word.strip()
    if not agrees and not word:
        raise WordNeeded
    _require_short(word)
    match = results.locked_match(match)
    recorded = read(match)
    if side not in recorded.sides:
        raise PermissionDenied(gettext("This side does not sit at this table."))
    if not 0 <= number < len(recorded.state.rounds) or not _ended(recorded, number):
        raise NothingToConfirm(number=number + 1)
    now = recorded.rounds[number].head
    if head and head != now:
        raise RoundChangedSince(number=number + 1)
    earlier = RoundConfirmation.objects.filter(match=match, round=number, side=side)
    last = earlier.order_by("-pk").first()
    if last is not None and (last.head, last.agrees, last.word) == (now, agrees, word):
        return last
    said = RoundConfirmation.objects.create(
        match=match,
        round=number,
        side=side,
        head=now,
        agrees=agrees,
        word=word,
        said_by=by if isinstance(by, User) else None,
        link_id=by.link if isinstance(by, TableGuest) else None,
    )
    match.save(update_fields=["changed_at"])
    told = {"name": recorded.side_name(side), "side": side, "played": number + 1, "word": word}
    keeper = by if isinstance(by, User | TableGuest) else None
    if agrees:
        results.write_log(match, "round_confirmed", by=keeper, **told)
    else:
        results.write_log(match, "round_disputed", by=keeper, **told)
    return said


def _require_short(text: str) -> None:
    if len(text) > LONGEST_WORD:
        raise TextTooLong(given=text[:20], found=len(text), limit=LONGEST_WORD)


def _ended(recorded: Recorded, number: int) -> bool:
    return recorded.state.rounds[number].ended is not Ended.UNFINISHED


@transaction.atomic
def settle(said: RoundConfirmation, *, settlement: str, by: User) -> RoundConfirmation:
    """Settle a dispute; a referee's act, with what was found. Settled once, it stays so."""
    match = said.match
    require_referee(by, match.pairing_round.stage.tournament)
    settlement = settlement.strip()
    if not settlement:
        raise ReasonNeeded
    _require_short(settlement)
    match = results.locked_match(match)
    said = RoundConfirmation.objects.get(pk=said.pk)
    if said.agrees or said.settled_at is not None:
        return said
    said.settled_at, said.settled_by, said.settlement = timezone.now(), by, settlement
    said.save(update_fields=["settled_at", "settled_by", "settlement"])
    match.save(update_fields=["changed_at"])
    results.write_log(
        match,
        "dispute_settled",
        by=by,
        played=said.round + 1,
        settlement=settlement,
        side=said.side,
    )
    return said


def words_on(recorded: Recorded) -> list[Word]:
    """Return what each side says of each finished round, in order.

    A round changed since it was confirmed is unconfirmed again; a dispute stays until it is
    settled or the side itself is content with the round.
    """
    latest = _latest(recorded.match.pk)
    words = []
    for number, stored in enumerate(recorded.rounds):
        if not _ended(recorded, number):
            continue
        for side in recorded.sides:
            said = latest.get((number, side))
            if said is None or (said.agrees and said.head != stored.head):
                words.append(Word(number, side))
            else:
                words.append(Word(number, side, said.agrees, said.word, said.pk, said.settlement))
    return words


def _latest(match: int) -> dict[tuple[int, str], RoundConfirmation]:
    """Return the last word of each side on each round as it is played now.

    What was said of a round before the match was played again is not of this one.
    """
    said = list(RoundConfirmation.objects.filter(match=match).order_by("pk"))
    if not said:
        return {}
    rounds = RoundRecord.objects.filter(match=match)
    started = dict(rounds.values_list("number", "started_at"))
    return {
        (one.round, one.side): one
        for one in said
        if one.round in started and one.said_at >= started[one.round]
    }


def require_undisputed(recorded: Recorded) -> None:
    """Refuse to close a match of which a round is disputed."""
    for one in words_on(recorded):
        if one.disputed:
            raise RoundDisputed(
                number=one.round + 1,
                side=recorded.side_name(one.side),
                word=one.word,
                table=recorded.match.table,
            )

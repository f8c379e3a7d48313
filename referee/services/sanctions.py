"""Every change of the ledger of warnings and cards: brought in step, confirmed, dropped, given."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from uuid import UUID

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from engine.ladder import SEVERITIES, Held, Numbers, next_cards
from engine.penalties import KINDS
from referee.errors import sanctions as errors
from referee.models import Sanction
from referee.models.sanctions import LONGEST_NAME, LONGEST_NOTE
from referee.permissions_sanctions import require_may_decide_sanction, require_may_sanction
from referee.sanction_reasons import MADE_OF_GONE, SOURCE_GONE
from referee.sanction_sources import Found, found_in, key_of
from tournaments.models import EntryPlayer, LogEntry, Match, Player, Tournament
from tournaments.names import folded, tidy
from tournaments.permissions import Keeper, require_referee
from tournaments.policies_cards import card_numbers, ladder_in
from tournaments.rules import rules_of
from tournaments.services import log
from tournaments.services.lifecycle import locked, require_not_finished
from tournaments.services.traces import Watching, traced

Person = tuple[int | None, str, str]


@dataclass(frozen=True, slots=True)
class InStep:
    """What bringing the ledger in step changed: so many rows."""

    proposed: int = 0
    dropped: int = 0
    asking: int = 0

    def __bool__(self) -> bool:
        return bool(self.proposed or self.dropped or self.asking)


def person_of(row: Sanction) -> Person:
    """Return whom a sanction is about: a player by key, anybody else by name and function."""
    return (row.player_id, folded(row.name), "" if row.player_id else str(row.function))


# --- in step with the records ---------------------------------------------------------------


@transaction.atomic
def synchronise(
    tournament: Tournament, *, matches: Collection[int] | None = None, by: Keeper | None
) -> InStep:
    """Bring the ledger in step with the records of an event, or of these matches of it.

    What a record says is proposed once. What it does not say any more is dropped where it was
    proposed, and asks for a decision where somebody had confirmed it. Read again, nothing changes.
    The system acts here: whoever closed or changed a table is named in the log.
    """
    tournament = locked(tournament)
    found = {one.key: one for one in found_in(tournament, matches)}
    known = Sanction.objects.filter(
        tournament=tournament, source__in=[Sanction.Source.RECORD, Sanction.Source.ABSENCE]
    )
    if matches is not None:
        known = known.filter(match__in=matches)
    persons: set[Person] = set()
    counts = {"proposed": 0, "dropped": 0, "asking": 0}
    for row in known.order_by("pk"):
        one = found.pop(key_of(row), None)
        change = _again(row) if one is not None else _gone(row, SOURCE_GONE)
        if change:
            counts[change] += 1
            persons.add(person_of(row))
    for one in found.values():
        persons.add(person_of(_propose(tournament, one)))
        counts["proposed"] += 1
    climbed = _climb(tournament, persons if matches is not None else None)
    total = InStep(**{name: counts[name] + getattr(climbed, name) for name in counts})
    # What a closed table merely proposes waits on the page of cards; the log is for decisions.
    if total and (matches is None or total.dropped or total.asking):
        log.write(
            tournament,
            "cards_in_step",
            by=by,
            proposed=total.proposed,
            dropped=total.dropped,
            asking=total.asking,
        )
    return total


def _propose(tournament: Tournament, one: Found) -> Sanction:
    return Sanction.objects.create(
        tournament=tournament,
        player_id=one.player,
        function=Sanction.Function.PLAYER,
        kind=one.kind,
        ladder=one.ladder,
        severity=one.severity,
        source=one.source,
        match_id=one.match,
        attempt=one.attempt,
        round=one.round,
        event=one.event,
        in_record=one.in_record,
    )


def _again(row: Sanction) -> str:
    """Let what its source says again count again; returns what that was, "" for no change."""
    if row.state == Sanction.State.DROPPED and row.reason == SOURCE_GONE:
        row.state, row.reason = Sanction.State.PROPOSED, ""
        row.save(update_fields=["state", "reason"])
        return "proposed"
    if row.asks or row.stands:
        row.asks = row.stands = False
        row.save(update_fields=["asks", "stands"])
    return ""


def _gone(row: Sanction, reason: str) -> str:
    """Drop what was proposed, ask about what was confirmed; returns which, "" for no change."""
    if row.state == Sanction.State.PROPOSED:
        row.state, row.reason = Sanction.State.DROPPED, reason
        row.decided_by, row.decided_at = None, timezone.now()
        row.save(update_fields=["state", "reason", "decided_by", "decided_at"])
        return "dropped"
    if row.state == Sanction.State.CONFIRMED and not row.asks and not row.stands:
        row.asks = True
        row.save(update_fields=["asks"])
        return "asking"
    return ""


# --- the ladder -----------------------------------------------------------------------------


def _climb(tournament: Tournament, persons: Collection[Person] | None) -> InStep:
    """Propose the cards that what people have comes to; drop those whose makings are gone."""
    numbers = card_numbers(tournament)
    of_person: defaultdict[Person, list[Sanction]] = defaultdict(list)
    for row in Sanction.objects.filter(tournament=tournament).order_by("given_at", "pk"):
        of_person[person_of(row)].append(row)
    total = InStep()
    for person, rows in of_person.items():
        if persons is None or person in persons:
            one = _climb_of(rows, numbers)
            total = InStep(
                total.proposed + one.proposed,
                total.dropped + one.dropped,
                total.asking + one.asking,
            )
    return total


def _climb_of(rows: list[Sanction], numbers: Numbers) -> InStep:
    counts = {"dropped": 0, "asking": 0}
    by_ladder = [one for one in rows if one.source == Sanction.Source.LADDER]
    # The lighter first: with a yellow card goes the red one it made.
    for card in sorted(by_ladder, key=lambda one: SEVERITIES.index(str(one.severity))):
        makings = [one for one in rows if one.counted_in_id == card.pk]
        whole = makings and all(one.state != Sanction.State.DROPPED for one in makings)
        if whole:
            if card.asks:
                card.asks = False
                card.save(update_fields=["asks"])
        elif change := _gone(card, MADE_OF_GONE):
            counts[change] += 1
        if card.state == Sanction.State.DROPPED and card.reason == MADE_OF_GONE:
            _free(makings)
    held = [
        Held(row.pk, str(row.severity), str(row.ladder))
        for row in rows
        if row.counted_in_id is None and _counts(row)
    ]
    cards = next_cards(held, numbers)
    by_key = {row.pk: row for row in rows}
    for one in cards:
        _propose_card([by_key[key] for key in one.of], one.severity, one.ladder)
    return InStep(len(cards), **counts)


def _counts(row: Sanction) -> bool:
    """Say whether a sanction counts for the next card; one by the ladder once it is confirmed."""
    if row.state == Sanction.State.DROPPED or row.severity not in SEVERITIES:
        return False
    return row.source != Sanction.Source.LADDER or row.state == Sanction.State.CONFIRMED


def _free(makings: Iterable[Sanction]) -> None:
    for one in makings:
        one.counted_in = None
        one.save(update_fields=["counted_in"])


def _propose_card(makings: list[Sanction], severity: str, ladder: str) -> None:
    last = makings[-1]
    card = Sanction.objects.create(
        tournament_id=last.tournament_id,
        player_id=last.player_id,
        name=last.name,
        function=last.function,
        ladder=ladder,
        severity=severity,
        source=Sanction.Source.LADDER,
        match_id=last.match_id,
        attempt=last.attempt,
    )
    for one in makings:
        one.counted_in = card
        one.save(update_fields=["counted_in"])


def climb_again(tournament: Tournament) -> None:
    """Propose what the ladder comes to after its numbers changed; the caller holds the event."""
    _climb(tournament, None)


# --- decided by people ----------------------------------------------------------------------


def _ledger(thing: Sanction | Tournament, *_: object, **__: object) -> Watching:
    tournament = thing.tournament_id if isinstance(thing, Sanction) else thing.pk
    return [Sanction.objects.filter(tournament=tournament)]


@transaction.atomic
@traced(_ledger)
def confirm(sanction: Sanction, *, by: User) -> Sanction:
    """Give the card: it counts from now on. Asked twice, it is given once.

    One that asks, as what it stood on is gone, is kept all the same. No result changes by it;
    see `sanction_effects.carry_out`.
    """
    require_may_decide_sanction(by, sanction)
    sanction = _locked(sanction)
    if sanction.state == Sanction.State.DROPPED:
        raise errors.SanctionDroppedAlready(name=name_of(sanction))
    if sanction.state == Sanction.State.CONFIRMED and not sanction.asks:
        return sanction
    sanction.stands = sanction.asks
    sanction.asks = False
    _decide(sanction, Sanction.State.CONFIRMED, "", by)
    _write(sanction, "card_confirmed", by=by)
    _climb(sanction.tournament, {person_of(sanction)})
    return sanction


@transaction.atomic
@traced(_ledger)
def confirm_all(tournament: Tournament, sanctions: Collection[int], *, by: User) -> int:
    """Confirm these of the proposed sanctions at once, as they were seen; returns how many."""
    require_referee(by, tournament)
    tournament = locked(tournament)
    require_not_finished(tournament)
    rows = Sanction.objects.filter(
        tournament=tournament, pk__in=sanctions, state=Sanction.State.PROPOSED
    ).select_related("tournament")
    waiting = list(rows.order_by("pk"))
    for one in waiting:
        require_may_decide_sanction(by, one)
        _decide(one, Sanction.State.CONFIRMED, "", by)
    if waiting:
        log.write(tournament, "cards_confirmed", by=by, count=len(waiting))
        _climb(tournament, {person_of(one) for one in waiting})
    return len(waiting)


@transaction.atomic
@traced(_ledger)
def drop(sanction: Sanction, *, reason: str, by: User) -> Sanction:
    """Decide that a card is not given, or not any more, and why. Asked twice, it is dropped once.

    What a proposed card was made of does not make the same card again.
    """
    require_may_decide_sanction(by, sanction)
    sanction = _locked(sanction)
    said = _short(tidy(reason))
    if sanction.state == Sanction.State.DROPPED:
        return sanction
    if not said:
        raise errors.SanctionReasonMissing
    if effect_stands(sanction):
        raise errors.EffectStands(name=name_of(sanction))
    sanction.asks = sanction.stands = False
    _decide(sanction, Sanction.State.DROPPED, said, by)
    _write(sanction, "card_dropped", by=by, reason=said)
    _climb(sanction.tournament, {person_of(sanction)})
    return sanction


@transaction.atomic
@traced(_ledger)
def give(
    tournament: Tournament,
    *,
    severity: str,
    note: str,
    player: Player | None = None,
    name: str = "",
    function: str = "",
    kind: str = "",
    ladder: str = "",
    match: Match | None = None,
    client_key: UUID | None = None,
    by: User,
) -> Sanction:
    """Sanction somebody by hand: a player of the event, or anyone accredited by name and function.

    The same `client_key` again answers with what was given the first time.
    """
    require_may_sanction(by, tournament, match)
    tournament = locked(tournament)
    require_not_finished(tournament)
    who, said = _short(tidy(name), LONGEST_NAME), _short(tidy(note))
    if player is not None:
        who, function = "", Sanction.Function.PLAYER
    _require_known(severity, SEVERITIES, "severity")
    _require_somebody(tournament, player, who, function)
    rules = rules_of(tournament)
    if kind:
        _require_known(kind, {*KINDS, *(one.kind for one in rules.own)}, "kind")
    ladder = ladder or (ladder_in(rules, kind) if kind else Sanction.Ladder.DISCIPLINE)
    _require_known(ladder, Sanction.Ladder.values, "ladder")
    if not said:
        raise errors.SanctionNoteMissing
    sent = Sanction.objects.filter(client_key=client_key).first() if client_key else None
    if sent is not None:
        told = (sent.tournament_id, sent.player_id, sent.name, sent.severity, sent.note)
        if told != (tournament.pk, player and player.pk, who, severity, said):
            raise errors.SanctionedTwice
        return sent
    given = Sanction.objects.create(
        tournament=tournament,
        player=player,
        name=who,
        function=function,
        kind=kind,
        ladder=ladder,
        severity=severity,
        source=Sanction.Source.HAND,
        match=match,
        note=said,
        client_key=client_key,
        state=Sanction.State.CONFIRMED,
        decided_by=by,
        decided_at=timezone.now(),
    )
    _write(given, "card_given", by=by, note=said)
    _climb(tournament, {person_of(given)})
    return given


def _require_somebody(
    tournament: Tournament, player: Player | None, name: str, function: str
) -> None:
    if player is not None:
        if not EntryPlayer.objects.filter(tournament=tournament, player=player).exists():
            raise errors.NotOfThisEvent(player=player.name, tournament=tournament.name)
        return
    if not name:
        raise errors.NobodySanctioned
    others = [one for one in Sanction.Function.values if one != Sanction.Function.PLAYER]
    _require_known(function, others, "function")


def _require_known(value: str, known: Collection[str], what: str) -> None:
    if value not in known:
        raise errors.UnknownSanction(found=value, what=what, known=sorted(known))


def _short(text: str, most: int = LONGEST_NOTE) -> str:
    if len(text) > most:
        raise errors.SanctionTextTooLong(found=len(text), most=most)
    return text


# --- what they share ------------------------------------------------------------------------


def name_of(sanction: Sanction) -> str:
    """Return the name of whoever is sanctioned."""
    return sanction.player.name if sanction.player is not None else sanction.name


def effect_stands(sanction: Sanction) -> bool:
    """Say whether the effect was carried out and not taken back since."""
    line = sanction.effect_log
    return line is not None and line.undone_by_id is None


def _locked(sanction: Sanction) -> Sanction:
    tournament = locked(sanction.tournament)
    require_not_finished(tournament)
    found = Sanction.objects.select_related("player", "match__pairing_round__stage")
    fresh = found.get(pk=sanction.pk)
    fresh.tournament = tournament
    return fresh


def _decide(sanction: Sanction, state: str, reason: str, by: User) -> None:
    sanction.state, sanction.reason = Sanction.State(state), reason
    sanction.decided_by, sanction.decided_at = by, timezone.now()
    sanction.save(update_fields=["state", "reason", "decided_by", "decided_at", "asks", "stands"])


def _write(sanction: Sanction, act: str, *, by: User, **details: object) -> LogEntry:
    if sanction.match is not None:
        details["match"] = sanction.match.pk
        details["table"] = sanction.match.table
        details["round"] = sanction.match.pairing_round.number
    return log.write(
        sanction.tournament,
        act,
        by=by,
        sanction=sanction.pk,
        name=name_of(sanction),
        severity=str(sanction.severity),
        **details,
    )

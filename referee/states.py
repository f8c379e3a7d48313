"""A match as programs see it: the state after every event, as plain values for JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

from django.urls import reverse
from django.utils.translation import get_language, gettext, gettext_noop

from engine.events import (
    Count,
    Draw,
    Event,
    Infraction,
    Leaves,
    Pass,
    Play,
    Ruling,
    Sheet,
    Show,
    TimeOver,
    Undo,
)
from engine.findings import Finding
from engine.match import InfractionRow, MatchState
from engine.penalties import Measure
from engine.scoring import Ended
from engine.state import RoundState
from engine.written import event_json, round_json
from referee.recorded import Recorded, StoredRound, event_of
from referee.sentences import kind_label, measure_label, measures_label, told
from tournaments.digits import local_digits
from tournaments.direction import isolated
from tournaments.errors.base import explain

Json = dict[str, Any]

TYPES: dict[type[Event], str] = {
    Play: "play",
    Draw: "draw",
    Pass: "pass",
    Infraction: "infraction",
    Ruling: "ruling",
    Show: "show",
    Count: "count",
    Sheet: "result",
    TimeOver: "time",
    Leaves: "leaves",
    Undo: "undo",
}


ENDED: dict[str, str] = {
    "out": gettext_noop("Out"),
    "blocked": gettext_noop("Blocked"),
    "drawn": gettext_noop("Blocked, nobody wins"),
    "lost": gettext_noop("Lost by ruling"),
    "void": gettext_noop("Void"),
    "unfinished": gettext_noop("Being played"),
}


def ended_label(ended: str) -> str:
    """Return how a round ended in the reader's language."""
    return gettext(ENDED[ended])


def live(recorded: Recorded) -> Json:
    """Return what changes while a match is recorded."""
    rounds = [
        round_line(recorded, stored, one)
        for stored, one in zip(recorded.rounds, recorded.state.rounds, strict=True)
    ]
    return _now(recorded, 0) | {"rounds": rounds, "out_of_use": recorded.rows.out_of_use}


def changes(recorded: Recorded, since: int) -> Json:
    """Return what storing events can change: `live` without the rounds before this one.

    The round at hand comes with its events from number `since` on, and with `in_effect` for all
    of them, as an undo reaches back. `rounds` holds the line of this round alone.
    """
    stored, one = recorded.stored, recorded.round
    assert stored is not None
    assert one is not None
    now = _now(recorded, since)
    now["round"]["in_effect"] = list(one.in_effect)
    now["written"] = [event_json(event_of(line)) for line in stored.lines[since:]]
    return now | {"rounds": [round_line(recorded, stored, one)]}


def written_record(recorded: Recorded) -> list[Json]:
    """Return the rounds as the page's own rules take them: the record's, each with its `id`."""
    return [
        {"id": stored.pk, **round_json(one)}
        for stored, one in zip(recorded.rounds, recorded.record.rounds, strict=True)
    ]


def _now(recorded: Recorded, since: int) -> Json:
    state, match = recorded.state, recorded.match
    in_match = set(state.in_match)
    infractions = state.infractions
    current = current_round(recorded, since)
    return {
        "state": str(match.state),
        "over": state.over,
        "time_over": state.time_over,
        "winner": state.winner,
        "winner_name": recorded.side_name(state.winner) if state.winner else None,
        "totals": state.totals,
        "deductions": {seat.value: points for seat, points in state.deductions.items()},
        "substitutes": dict(recorded.substitutes),
        "out": [s.value for s in state.record.seats if s not in in_match] if current else [],
        "next_round": next_round(recorded),
        "can_close": can_close(recorded),
        "round": current,
        "findings": [finding(recorded, one) for one in state.findings],
        "infractions": [infraction(recorded, one) for one in infractions],
        "offences": offences(infractions),
        "last_sentence": last_sentence(recorded, current),
    }


def can_close(recorded: Recorded) -> bool:
    """Say whether the match is being played, has been decided, and no ruling is open."""
    open_ruling = any(one.pending for one in recorded.state.rounds)
    return recorded.match.state == "playing" and recorded.state.over and not open_ruling


def next_round(recorded: Recorded) -> Json | None:
    """Return what starts the next round; None while that cannot be done."""
    state = recorded.state
    last = state.rounds[-1] if state.rounds else None
    if recorded.match.state != "playing" or state.over:
        return None
    if last is not None and last.pending:
        return None
    if last is not None and last.ended is Ended.UNFINISHED:
        return None if last.opener else _opened_by_nobody(last)
    opener = state.next_opener()
    return {
        "number": len(recorded.rounds),
        "opener": opener.seat.value if opener.seat else None,
        "ask": opener.required,
        "rule": gettext(opener.rule),
        "first_tile": str(opener.first_tile) if opener.first_tile else None,
    }


def _opened_by_nobody(one: RoundState) -> Json:
    """Return what starts a round anew whose score sheet was undone: nobody needed an opener."""
    return {
        "number": one.number,
        "opener": None,
        "ask": True,
        "rule": gettext("Nothing has been recorded in this round yet: say who opens."),
        "first_tile": None,
    }


def round_line(recorded: Recorded, stored: StoredRound, one: RoundState) -> Json:
    """Return a round in the list of rounds."""
    ended = one.ended
    winner = None if ended is Ended.VOID else one.winner
    name = recorded.side_name(winner) if winner else None
    return {
        "id": stored.pk,
        "number": one.number,
        "opener": one.opener.value if one.opener else None,
        "ended": ended.value,
        "ended_label": ended_label(ended.value),
        "winner": winner,
        "winner_name": name,
        "points": one.points,
        "left": {seat.value: pips for seat, pips in one.left.items()},
        "moves": one.moves,
        "sentence": _round_sentence(one, name),
    }


def _round_sentence(one: RoundState, winner: str | None) -> str:
    filling = {
        "round": local_digits(one.number + 1),
        "ended": ended_label(one.ended.value),
        "winner": isolated(winner or ""),
        "points": local_digits(max(one.points.values(), default=0)),
    }
    if winner is None:
        return gettext("Round %(round)s: %(ended)s.") % filling
    return gettext("Round %(round)s: %(ended)s, %(winner)s, %(points)s points.") % filling


def current_round(recorded: Recorded, since: int = 0) -> Json | None:
    """Return the round somebody is working on; its events from number `since` on."""
    stored, one = recorded.stored, recorded.round
    if stored is None or one is None:
        return None
    events = events_of(recorded, stored, one, since)
    hands = one.hands
    ends = one.ends
    turn = one.turn
    return {
        "id": stored.pk,
        "number": stored.number,
        "events_address": reverse("referee:api_events", args=[stored.pk]),
        "blind": stored.hands is None,
        "opener": one.opener.value if one.opener else None,
        "turn": turn.value if turn else None,
        "play_over": one.play_over,
        "ended": one.ended.value,
        "ended_label": ended_label(one.ended.value),
        "winner": one.winner,
        "points": one.points,
        "next_number": len(stored.lines),
        "line": layout(one),
        "ends": list(ends) if ends else None,
        "in_hand": {seat.value: held for seat, held in one.tiles_in_hand.items()},
        "hands": hands and {seat.value: [str(t) for t in held] for seat, held in hands.items()},
        "stock_left": one.stock_left,
        "can_draw": one.can_draw,
        "can_pass": turn is not None and ends is not None and not one.can_draw,
        "must": {seat.value: [str(t) for t in tiles] for seat, tiles in one.must.items()},
        "lose_turn": [seat.value for seat in one.skips],
        "pending": list(one.pending),
        "first_tile": str(one.first_tile) if one.first_tile else None,
        "needs_hands": [seat.value for seat in one.needs_hands],
        "tiles": tiles(one),
        "events": events,
        "undo": _what_undo_takes_back(recorded, stored, one, events),
    }


def _what_undo_takes_back(
    recorded: Recorded, stored: StoredRound, one: RoundState, events: list[Json]
) -> Json | None:
    last = max((number for number, counts in enumerate(one.in_effect) if counts), default=None)
    if last is None:
        return None
    told = next((each for each in reversed(events) if each["number"] == last), None)
    told = told or events_of(recorded, stored, one, last)[0]
    return {key: told[key] for key in ("number", "line", "sentence")}


def layout(one: RoundState) -> list[Json]:
    """Return the tiles on the table from left to right."""
    return [
        {
            "tile": str(laid.tile),
            "left": laid.left,
            "right": laid.right,
            "end": laid.end.value if laid.end else None,
            "seat": laid.seat.value,
            "event": laid.event,
            "double": laid.left == laid.right,
            "standing": laid.standing,
        }
        for laid in one.layout
    ]


def tiles(one: RoundState) -> list[Json]:
    """Return the tiles that do not lie on the table: those that fit first, the heavier first."""
    fits, rest = [], []
    for tile in reversed(one.unseen):
        ends = one.playable(tile)
        if ends:
            fits.append({"tile": str(tile), "ends": [end.value for end in ends]})
        else:
            rest.append({"tile": str(tile), "ends": []})
    return fits + rest


def events_of(
    recorded: Recorded, stored: StoredRound, one: RoundState, since: int = 0
) -> list[Json]:
    """Return the events of a round from number `since` on, a sentence each; undone ones too."""
    in_effect = one.in_effect
    names, language = recorded.names, get_language() or ""
    opening = min(one.replayed.plays, default=-1)
    listed: list[Json] = []
    for number, line in enumerate(stored.lines[since:], start=since):
        event = event_of(line)
        opens = number == opening and isinstance(event, Play)
        listed.append(
            {
                "number": number,
                "line": line,
                "type": TYPES[type(event)],
                "seat": getattr(event, "seat", None),
                "in_effect": in_effect[number],
                "sentence": told(line, names, opens=opens, language=language),
            }
        )
    return listed


def measure(one: Measure) -> Json:
    """Return a measure as it is written and as it is read."""
    return {"value": str(one), "label": local_digits(measure_label(one))}


def infraction(recorded: Recorded, one: InfractionRow) -> Json:
    """Return an infraction with what came of it."""
    filling = {
        "round": local_digits(one.round + 1),
        "player": isolated(recorded.name(one.seat)),
        "kind": kind_label(one.kind, recorded.rules.own),
        "offence": local_digits(one.offence),
        "measures": gettext("the ruling is pending")
        if one.measures is None
        else local_digits(measures_label(one.measures)),
    }
    return {
        "round": one.round,
        "event": one.event,
        "seat": one.seat.value,
        "kind": one.kind,
        "label": filling["kind"],
        "offence": one.offence,
        "measures": None if one.measures is None else [measure(each) for each in one.measures],
        "line": "pending"
        if one.measures is None
        else ", ".join(str(each) for each in one.measures),
        "sentence": gettext(
            "Round %(round)s, %(player)s: %(kind)s, number %(offence)s of this kind (%(measures)s)."
        )
        % filling,
    }


def finding(recorded: Recorded, one: Finding) -> Json:
    """Return a finding with its proof in words."""
    proof = explain(one)
    return {
        "round": one.round,
        "round_id": recorded.rounds[one.round].pk,
        "event": one.event,
        "seat": one.seat.value,
        "kind": one.kind,
        "label": kind_label(one.kind, recorded.rules.own),
        "tile": str(one.params["tile"]) if "tile" in one.params else None,
        "proof": proof,
        "sentence": gettext("Round %(round)s, %(player)s: %(kind)s. %(proof)s.")
        % {
            "round": local_digits(one.round + 1),
            "player": isolated(recorded.name(one.seat)),
            "kind": kind_label(one.kind, recorded.rules.own),
            "proof": proof,
        },
    }


def offences(infractions: Iterable[InfractionRow]) -> dict[str, dict[str, int]]:
    """Return how often each seat has committed each kind so far."""
    counted: dict[str, Counter[str]] = {}
    for one in infractions:
        counted.setdefault(one.seat.value, Counter())[one.kind] += 1
    return {seat: dict(kinds) for seat, kinds in counted.items()}


def last_sentence(recorded: Recorded, current: Json | None) -> str:
    """Return what just happened and what comes next, for those who hear the page."""
    state: MatchState = recorded.state
    if current is None:
        return ""
    said = [current["events"][-1]["sentence"]] if current["events"] else []
    if state.winner is not None:
        said.append(
            gettext("The match is over: %(side)s win.")
            % {"side": isolated(recorded.side_name(state.winner))}
        )
    elif state.over:
        said.append(gettext("The match is over."))
    elif current["pending"]:
        said.append(gettext("The table is stopped until the referee rules."))
    elif current["needs_hands"]:
        said.append(
            gettext("Play is over; hands to show: %(seats)s.")
            % {
                "seats": gettext(", ").join(
                    isolated(recorded.name(s)) for s in current["needs_hands"]
                )
            }
        )
    elif current["turn"] is None:
        said.append(recorded_round_sentence(recorded))
    else:
        said.append(
            gettext("%(player)s is to play.") % {"player": isolated(recorded.name(current["turn"]))}
        )
    return " ".join(one for one in said if one)


def recorded_round_sentence(recorded: Recorded) -> str:
    """Return how the round at hand ended, in a sentence."""
    one = recorded.round
    if one is None:
        return ""
    return _round_sentence(one, recorded.side_name(one.winner) if one.winner else None)

"""What the referee's pages, the match sheet and the API show."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from django.contrib.auth.models import User
from django.db.models import OuterRef, Prefetch, QuerySet, Subquery, prefetch_related_objects
from django.urls import reverse
from django.utils.translation import gettext

from engine.articles import article_of_penalty
from engine.events import Draw
from engine.explicit import explicit
from engine.notation import format_line, format_record
from engine.penalties import CARD_LABELS, KINDS, MEASURE_LABELS, NEEDS_TILE, Measure
from engine.profiles import Rules
from engine.record import Record
from engine.scoring import Ended
from engine.written import record_json
from referee import states
from referee.models import TableCall
from referee.page_rules import schedule_table
from referee.proposals import Case, cases
from referee.queries.clock import clock_json
from referee.queries.links import hall_json
from referee.queries.sanctions import so_far
from referee.queries.signing import signing_json
from referee.recorded import Recorded, event_of
from referee.rows import read
from referee.sentences import kind_label, measure_label
from referee.states import Json
from tournaments.digits import local_digits
from tournaments.direction import isolated
from tournaments.errors.base import explain
from tournaments.models import LONG_IN_ROUND, Match, MatchSeat, PairingRound, Tournament
from tournaments.permissions import (
    TableGuest,
    Visitor,
    is_director,
    is_official,
    is_referee,
    may_record,
)
from tournaments.policies_cards import ladder_in
from tournaments.policies_moves import move_time
from tournaments.queries.appeals import is_protested, may_appeal, with_protest
from tournaments.rules import profile_name, rule_lines

__all__ = ["matches", "read"]


def matches() -> QuerySet[Match]:
    """Return matches with all that permissions and rules need."""
    with_event = Match.objects.select_related("pairing_round__stage__tournament", "holder__user")
    calls = TableCall.objects.filter(match=OuterRef("pk"), closed_at=None)
    with_call = with_event.annotate(open_call=Subquery(calls.values("pk")[:1]))
    return with_protest(with_call.defer(*LONG_IN_ROUND))


def state(match: Match, user: Visitor) -> Json:
    """Return the whole state of a match for whoever asks."""
    return state_of(read(match), match, user)


def state_of(recorded: Recorded, match: Match, user: Visitor) -> Json:
    """Return the whole state of a match for whoever asks.

    Hands and drawn tiles of a round in play are for those who keep the record.
    """
    table = table_of(recorded, match, user)
    keeps = table["may"]["record"]
    live = states.live(recorded if keeps else without_draws(recorded))
    if not keeps and live["round"] is not None and _in_play(recorded):
        live["round"]["hands"] = None
    whole: Json = {"table": table, "live": with_signing(live, match, recorded)}
    if keeps:
        whole["record"] = states.written_record(recorded)
        rules = not isinstance(user, TableGuest) or user.rules
        whole["hall"] = hall_json(match, recorded) | {"rules": rules}
    return whole


def with_signing(live: Json, match: Match, recorded: Recorded) -> Json:
    """Return the state of a match with who has signed its sheet, once it is over."""
    if live["over"] or live["state"] == Match.State.CLOSED:
        live["signing"] = signing_json(match, recorded)
    return live


def _in_play(recorded: Recorded) -> bool:
    rounds = recorded.state.rounds
    return bool(rounds) and rounds[-1].ended is Ended.UNFINISHED


def without_draws(recorded: Recorded) -> Recorded:
    """Return the match with the tiles drawn in a round in play as if nobody had seen them."""
    if not _in_play(recorded):
        return recorded
    rows = recorded.rows
    last = rows.rounds[-1]
    lines = tuple(map(_unseen, last.lines))
    return replace(recorded, rows=rows.with_round(replace(last, lines=lines)))


def _unseen(line: str) -> str:
    event = event_of(line)
    return format_line(Draw(event.seat)) if isinstance(event, Draw) else line


def table_of(recorded: Recorded, match: Match, user: Visitor) -> Json:
    """Return what does not change while a match is recorded."""
    rules = recorded.rules
    pairing_round = match.pairing_round
    tournament = pairing_round.stage.tournament
    keeps = may_record(user, match)
    return {
        "match": {
            "id": match.pk,
            "table": match.table,
            "tournament": {"name": tournament.name, "slug": tournament.slug},
            "stage": pairing_round.stage.title,
            "stage_number": pairing_round.stage.number,
            "pairing_round": pairing_round.number,
            "under_protest": is_protested(match),
        },
        "rules": _rules(recorded),
        "sides": list(recorded.sides),
        "side_names": {side: recorded.side_name(side) for side in recorded.sides},
        "seats": [
            {
                "seat": one.seat,
                "side": next(side for side in recorded.sides if one.seat in side),
                "player": {"id": one.player, "name": one.name},
                "entry": {"id": one.entry, "name": one.entry_name},
            }
            for one in recorded.sittings
        ],
        "has_stock": recorded.players * 7 < 28,
        "kinds": _kinds(rules),
        "schedule": _schedule(rules),
        "measures": _measures(rules),
        # What each has had at other tables is for officials; players may keep a record, too.
        "sanctions": so_far(tournament, [one.player for one in recorded.sittings], but=match.pk)
        if keeps and is_official(user, tournament)
        else None,
        "clock": clock_json(match, user) if keeps else None,
        "move_time": move_time(rules, tournament.policies).json(),
        "may": {
            "record": keeps,
            "reopen": is_director(user, tournament),
        },
        "addresses": {
            name: reverse(f"referee:api_{name}", args=[match.pk])
            for name in (
                *("match", "record", "lines", "open", "seats", "rounds"),
                *("close", "reopen", "proposals", "holder", "call", "sign", "back"),
                "score",
            )
        }
        | {"events": reverse("referee:api_events", args=[0])},
    }


def _rules(recorded: Recorded) -> Json:
    rules = recorded.rules
    return {
        "profile": rules.profile,
        "name": profile_name(rules),
        "target": rules.target,
        "direction": rules.of_profile.direction,
        "elimination": rules.elimination,
        "players": recorded.players,
        "partnership": recorded.partnership,
        "options": rules.options,
        "schedule": schedule_table(rules.schedule),
    }


def kinds_of(rules: Rules) -> tuple[str, ...]:
    """Return every kind a referee may choose: those of the books, then the event's own."""
    return (*KINDS, *(one.kind for one in rules.own if one.kind not in KINDS))


def _kinds(rules: Rules) -> list[Json]:
    return [
        {
            "kind": kind,
            "label": kind_label(kind, rules.own),
            "own": kind not in KINDS,
            "ladder": ladder_in(rules, kind),
            "article": local_digits(explain(article_of_penalty(rules, kind))),
            "cases": [_case(one) for one in cases(rules, kind)],
            "deliberate": bool(penalty and penalty.deliberate),
            "scheduled": penalty is not None,
            "takes_tile": penalty is not None
            and any(one.name in NEEDS_TILE for step in penalty.offences for one in step),
        }
        for kind in kinds_of(rules)
        for penalty in [rules.schedule.penalties.get(kind)]
    ]


def _case(one: Case) -> Json:
    """Return one of the cases a kind depends on; `values` are None for the schedule's step."""
    values = None if one.measures is None else [str(each) for each in one.measures]
    return {"when": one.when, "values": values}


def _schedule(rules: Rules) -> Json:
    def steps(written: Iterable[Iterable[Measure]]) -> list[list[Json]]:
        return [[states.measure(one) for one in step] for step in written]

    return {
        kind: {
            "offences": steps(penalty.offences),
            "deliberate": steps(penalty.deliberate) if penalty.deliberate else None,
        }
        for kind, penalty in rules.schedule.penalties.items()
    }


def _measures(rules: Rules) -> list[Json]:
    """Return every measure that can be chosen; a number to fill in is written `?`."""
    found: list[Json] = []
    for name, label in MEASURE_LABELS.items():
        if name == "card":
            found += [states.measure(Measure("card", colour)) for colour in CARD_LABELS]
        elif name == "percent":
            for share in (10, 20, 40):
                one = states.measure(Measure("percent", share))
                found.append(one | {"points": rules.percent(share)})
        elif name in ("points", "rewind"):
            found.append({"value": f"{name} ?", "label": gettext(label) % {"value": "…"}})
        else:
            found.append({"value": name, "label": measure_label(Measure(name))})
    return found


def record_page(match: Match, user: Visitor, *, round_pk: int | None = None) -> dict[str, Any]:
    """Return what the page shows on which a match is recorded."""
    recorded = read(match, round_pk=round_pk)
    whole = state_of(recorded, match, user)
    return {
        "match": match,
        "may_appeal": may_appeal(user, match),
        "tournament": match.pairing_round.stage.tournament,
        "recorded": recorded,
        "state": whole,
        "table": whole["table"],
        "live": whole["live"],
        "round": whole["live"]["round"],
        "rules": [one.text for one in rule_lines(recorded.rules, recorded.players)],
        "layout": recorded.round.layout if recorded.round is not None else (),
    }


def document(match: Match, user: Visitor) -> Json:
    """Return the record of a match as a document that any program can replay.

    A round in play of which the hands are known is kept back from those who do not record it.
    """
    return record_json(_told(match, user))


def lines(match: Match, user: Visitor) -> str:
    """Return the record of a match in notation, for people."""
    return format_record(_told(match, user))


def _told(match: Match, user: Visitor) -> Record:
    recorded = read(match)
    if not _in_play(recorded) or may_record(user, match):
        return explicit(recorded.record)
    if recorded.rounds[-1].hands is not None:
        rows = replace(recorded.rows, rounds=recorded.rounds[:-1])
        return explicit(rows.replayed().record)
    return explicit(without_draws(recorded).rows.replayed().record)


# So many tables are read with their seats in one statement.
_AT_ONCE = 500


def my_tables(user: User, tournament: Tournament) -> list[Json]:
    """Return the tables of published rounds that `user` may record, those in play first."""
    shown = (
        matches()
        .filter(pairing_round__stage__tournament=tournament)
        .exclude(pairing_round__state=PairingRound.State.DRAFT)
        .order_by("pairing_round__stage__number", "-pairing_round__number", "table")
    )
    order = {Match.State.PLAYING: 0, Match.State.WAITING: 1, Match.State.CLOSED: 2}
    everywhere = is_referee(user, tournament)
    own = [one for one in shown if everywhere or may_record(user, one)]
    own.sort(key=lambda one: order[Match.State(one.state)])
    seats = Prefetch("seats", MatchSeat.objects.select_related("player", "entry"))
    for start in range(0, len(own), _AT_ONCE):
        # Of a thousand tables at once the statement would be longer than SQLite takes.
        prefetch_related_objects(own[start : start + _AT_ONCE], seats)
    return [_table_line(one) for one in own]


def _table_line(match: Match) -> Json:
    names = {one.seat: one.player.name for one in match.seats.all()}
    return {
        "match": match,
        "table": match.table,
        "stage": match.pairing_round.stage.title,
        "pairing_round": match.pairing_round.number,
        "state": match.state,
        "state_label": match.get_state_display(),
        "under_protest": is_protested(match),
        "names": names,
        "entries": list(dict.fromkeys(one.entry.name for one in match.seats.all())),
        "totals": match.score.get("totals", {}),
        "round": match.score.get("round"),
        "address": reverse("referee:record", args=[match.pk]),
        "sentence": gettext("Table %(table)s: %(names)s")
        % {
            "table": match.table,
            "names": gettext(", ").join(isolated(one) for one in names.values()),
        },
    }

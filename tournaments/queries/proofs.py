"""The proof of a draw: what was asked, what was answered, and what became of it by hand."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tournaments.competition.changes import Facts, Seating
from tournaments.competition.proof import seating_at
from tournaments.competition.reading import contenders_at
from tournaments.models import Bye, Entry, LogEntry, PairingRound, Player
from tournaments.services import adjusting
from tournaments.words.draws import figures, table_words


@dataclass(frozen=True, slots=True)
class ExplainedTable:
    """A table with who sits there, and why, in words."""

    table: int
    entries: tuple[str, ...]
    reasons: tuple[str, ...]
    is_changed: bool


@dataclass(frozen=True, slots=True)
class ProofPage:
    pairing_round: PairingRound
    tables: tuple[ExplainedTable, ...]
    byes: tuple[str, ...]
    figures: tuple[str, ...]
    version: int
    seed: int
    changes: tuple[LogEntry, ...]
    is_of_whole_stage: bool
    """The draw made all rounds of the stage at once."""
    provisional: tuple[Mapping[str, Any], ...]
    """The results it counted that were not confirmed then: `round`, `table`, `score`."""


@dataclass(frozen=True, slots=True)
class _Became:
    """What became of a draw: who sits where, and what was changed by hand."""

    seating: Seating
    changes: tuple[LogEntry, ...]

    @classmethod
    def of(cls, pairing_round: PairingRound) -> _Became:
        changes = tuple(adjusting.changes_of(pairing_round))
        return cls(adjusting.seating_of(pairing_round), changes)


def stored_draw(pairing_round: PairingRound) -> dict[str, Any] | None:
    """Return the draw of a round as `verify` reads it; None for one that was not drawn."""
    return _stored(pairing_round, _Became.of(pairing_round))


def _stored(pairing_round: PairingRound, became: _Became) -> dict[str, Any] | None:
    draw = pairing_round.draw
    if draw and "request" not in draw:
        first = pairing_round.stage.rounds.order_by("number").first()
        draw = first.draw if first is not None else {}
    if draw.get("request", {}).get("system") in (None, "manual"):
        return None
    answer = draw["answer"]
    if "round" in answer:
        # Drawn as a whole, with each round keeping its own part of the answer.
        rounds = pairing_round.stage.rounds.order_by("number")
        answer = {"rounds": [one.draw["answer"] for one in rounds]}
    found: dict[str, Any] = {
        "request": draw["request"],
        "answer": answer,
        "seed": draw.get("seed"),
        "version": draw.get("version"),
        "provisional": draw.get("provisional", []),
    }
    if "tables" in answer:
        asked = pairing_round.byes.filter(kind=Bye.Kind.ASKED)
        resting = set(map(str, asked.values_list("entry__number", flat=True)))
        found["seated"] = {
            "tables": [one.json() for one in became.seating.tables],
            "byes": [one for one in became.seating.byes if one not in resting],
        }
    found["changes"] = [
        {
            "at": one.at.isoformat(),
            "by": one.by.username if one.by else None,
            "act": one.act,
            "before": one.details["before"],
            "after": one.details["after"],
        }
        for one in became.changes
    ]
    return found


def proof_page(pairing_round: PairingRound) -> ProofPage | None:
    """Return the proof in words; None for a round that was not drawn."""
    became = _Became.of(pairing_round)
    stored = _stored(pairing_round, became)
    if stored is None:
        return None
    names = {str(one.number): one.name for one in _entries(pairing_round)}
    seating = became.seating
    facts = Facts.of(stored["request"], contenders_at(stored["request"]))
    _call_as_now(became.changes, pairing_round)
    drawn = seating_at(stored["answer"]) if "tables" in stored["answer"] else None
    answered = _meetings(drawn) if drawn else _meetings(seating)
    return ProofPage(
        pairing_round=pairing_round,
        tables=tuple(
            ExplainedTable(
                table.table,
                tuple(names[one] for one in table.entries),
                table_words(table, facts, names, is_ranked=drawn is not None),
                is_changed=frozenset(map(frozenset, table.sides.values())) not in answered,
            )
            for table in seating.tables
        ),
        byes=tuple(names[one] for one in seating.byes),
        figures=figures(stored["answer"].get("report") or {}),
        version=stored["version"] or 1,
        seed=stored["seed"] or 0,
        changes=became.changes,
        is_of_whole_stage=drawn is None,
        provisional=tuple(stored["provisional"]),
    )


def _call_as_now(changes: tuple[LogEntry, ...], pairing_round: PairingRound) -> None:
    """Let lines of the log, which are only shown here, call minors as everybody may read.

    A line keeps the names of its time; some may have been said to be minors since.
    """
    if not any("names" in one.details for one in changes):
        return
    event = pairing_round.stage.tournament
    minors = Player.objects.filter(memberships__tournament=event).exclude(full_name="")
    for line in (one for one in changes if "names" in one.details):
        for minor in minors:
            line.details["names"] = [
                str(one).replace(minor.full_name, minor.name) for one in line.details["names"]
            ]


def _meetings(seating: Seating) -> set[frozenset[frozenset[str]]]:
    return {frozenset(map(frozenset, one.sides.values())) for one in seating.tables}


def _entries(pairing_round: PairingRound) -> list[Entry]:
    return list(pairing_round.stage.tournament.entries.all())

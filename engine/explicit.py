"""A record of an event with penalties of its own, written so that anybody can replay it."""

from __future__ import annotations

from dataclasses import replace

from engine.events import Event, Infraction, Ruling
from engine.match import MatchState, replay
from engine.penalties import Measure
from engine.record import Record


def explicit(record: Record) -> Record:
    """Return the record with every measure written out that the event's own schedule gave.

    The result names no schedule but the profile's, and comes to the same. Where the profile has
    none of its own penalties the record is returned as it is.
    """
    if not record.rules.own:
        return record
    state = replay(record)
    usual = record.rules.with_own(())
    rounds = []
    for number, one in enumerate(record.rounds):
        ruled = _ruled(state, number)
        events = tuple(
            _written_out(event, place, one.events, ruled, record)
            for place, event in enumerate(one.events)
        )
        rounds.append(replace(one, events=events))
    return replace(record, rules=usual, rounds=tuple(rounds))


def _ruled(state: MatchState, number: int) -> dict[int, tuple[Measure, ...]]:
    """Return what each infraction in effect of a round came to, by its event."""
    return {
        one.event: one.measures
        for one in state.infractions
        if one.round == number and one.measures is not None
    }


def _written_out(
    event: Event,
    place: int,
    events: tuple[Event, ...],
    ruled: dict[int, tuple[Measure, ...]],
    record: Record,
) -> Event:
    if isinstance(event, Infraction) and event.measures is None:
        return replace(event, measures=_measures(event, place, ruled, record))
    if isinstance(event, Ruling) and event.measures is None:
        act = events[event.event]
        assert isinstance(act, Infraction)
        return replace(event, measures=_measures(act, event.event, ruled, record))
    return event


def _measures(
    act: Infraction, place: int, ruled: dict[int, tuple[Measure, ...]], record: Record
) -> tuple[Measure, ...]:
    """Return what an act came to; one that was undone has no effect, whatever is written."""
    given = ruled.get(place)
    if given is None:
        given = record.rules.schedule.step(act.kind, 1, act.deliberate) or ()
    return given

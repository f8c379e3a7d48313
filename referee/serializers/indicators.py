"""Shapes of the indicators in the API."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from referee.indicators import Indicators, Pauses, Place
from referee.queries.indicators import IndicatorsPage, Line


class PausesSerializer(serializers.Serializer[Any]):
    """Pauses of one kind, in seconds. `from_field` is null where there are too few to say."""

    count = serializers.IntegerField()
    median = serializers.FloatField(allow_null=True)
    ninetieth = serializers.FloatField(allow_null=True)
    over = serializers.IntegerField(help_text="How many were longer than a move may take.")
    from_field = serializers.FloatField(
        allow_null=True, help_text="How far the median is from that of all players."
    )


class PlaceInRecordSerializer(serializers.Serializer[Any]):
    """Where it stands: a match, its round and its event, both from 0."""

    match = serializers.IntegerField()
    round = serializers.IntegerField()
    event = serializers.IntegerField(allow_null=True)


class IndicatorSerializer(serializers.Serializer[Any]):
    """What the records count for a player or a pair. Counts, not findings."""

    players = serializers.ListField(child=serializers.DictField())
    clubs = serializers.ListField(child=serializers.CharField())
    matches = serializers.IntegerField()
    moves = serializers.IntegerField()
    pauses = PausesSerializer()
    forced = PausesSerializer(help_text="At most one tile fitted.")
    free = PausesSerializer(help_text="Two tiles or more fitted.")
    passes = serializers.IntegerField()
    false_passes_proved = PlaceInRecordSerializer(many=True)
    false_passes_ruled = PlaceInRecordSerializer(many=True)
    infractions = serializers.DictField(child=PlaceInRecordSerializer(many=True))
    cards = serializers.DictField(child=serializers.IntegerField())


class FieldSerializer(serializers.Serializer[Any]):
    """The same counts of everybody together, and what was left out."""

    matches = serializers.IntegerField()
    rounds = serializers.IntegerField(help_text="Rounds whose times are used.")
    moves = serializers.IntegerField()
    passes = serializers.IntegerField()
    pauses = PausesSerializer()
    forced = PausesSerializer()
    free = PausesSerializer()
    rounds_left_out = serializers.DictField(child=serializers.IntegerField())
    pauses_left_out = serializers.DictField(child=serializers.IntegerField())
    acts_of_substitutes = serializers.IntegerField()
    matches_without_moves = serializers.IntegerField()


class IndicatorsSerializer(serializers.Serializer[Any]):
    """The indicators of an event."""

    what = serializers.ChoiceField(["players", "pairs"])
    field = FieldSerializer()
    lines = IndicatorSerializer(many=True)


def page_json(page: IndicatorsPage) -> dict[str, Any]:
    """Return a page of indicators for the API."""
    return {
        "what": page.asked.what,
        "field": _field(page.field),
        "lines": [_line(line) for line in page.lines],
    }


def _field(found: Indicators) -> dict[str, Any]:
    return {
        "matches": found.matches,
        "rounds": found.rounds,
        "moves": found.moves,
        "passes": found.passes,
        "pauses": _pauses(found.pauses),
        "forced": _pauses(found.forced),
        "free": _pauses(found.free),
        "rounds_left_out": {why.value: count for why, count in found.left_out.rounds.items()},
        "pauses_left_out": {why.value: count for why, count in found.left_out.pauses.items()},
        "acts_of_substitutes": found.left_out.by_substitutes,
        "matches_without_moves": found.left_out.matches_without_moves,
    }


def _line(line: Line) -> dict[str, Any]:
    own = line.own
    return {
        "players": [{"id": one.pk, "name": one.name} for one in line.players],
        "clubs": list(line.clubs),
        "matches": own.matches,
        "moves": own.moves,
        "pauses": _pauses(own.pauses, line.pauses_apart),
        "forced": _pauses(own.forced, line.forced_apart),
        "free": _pauses(own.free, line.free_apart),
        "passes": own.passes,
        "false_passes_proved": list(map(_place, own.proved)),
        "false_passes_ruled": list(map(_place, own.ruled)),
        "infractions": {kind: list(map(_place, where)) for kind, where in own.infractions.items()},
        "cards": dict(line.cards),
    }


def _pauses(pauses: Pauses, from_field: float | None = None) -> dict[str, Any]:
    return {
        "count": pauses.count,
        "median": _rounded(pauses.median),
        "ninetieth": _rounded(pauses.ninetieth),
        "over": pauses.over,
        "from_field": _rounded(from_field),
    }


def _rounded(seconds: float | None) -> float | None:
    return None if seconds is None else round(seconds, 2)


def _place(place: Place) -> dict[str, int | None]:
    return place._asdict()

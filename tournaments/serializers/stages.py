"""Shapes of the desk's API about stages."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from drf_spectacular.utils import extend_schema_serializer
from rest_framework import serializers

from engine.options import OPTION
from tournaments.competition.bracket_matches import MEETINGS
from tournaments.competition.rotation_patterns import Pattern
from tournaments.competition.round_robin import LARGEST_LEGS
from tournaments.competition.survival import MOST_SURVIVORS
from tournaments.competition.swiss_field import Order
from tournaments.competition.types import SeparateBy, TieBreak
from tournaments.models import Stage
from tournaments.serializers.numbers import NumberField
from tournaments.serializers.public import EntryNameSerializer
from tournaments.services.stages import MOST_ROUNDS, StagePlan
from tournaments.services.takes import Takes

# What a request for a draw may say about its system.
_DRAW = ("order", "separate_by", "pattern", "groups", "legs", "third_place", "survivors")


class TakesSerializer(serializers.Serializer[Any]):
    """Whom a stage takes from a closed one."""

    each = NumberField(min_value=1, help_text="The first so many of each group.")
    best_next = NumberField(
        min_value=0, default=0, help_text="So many of the next place, among all groups."
    )
    second = NumberField(
        min_value=0, default=0, help_text="Instead: so many after those, for a second event."
    )


class NewStageSerializer(serializers.Serializer[Any]):
    """A stage to be made; what its system does not have is passed over."""

    system = serializers.ChoiceField(Stage.System.choices)
    name = serializers.CharField(max_length=80, allow_blank=True, default="")
    rounds = serializers.IntegerField(min_value=1, max_value=MOST_ROUNDS, required=False)
    target = NumberField(min_value=1, required=False)
    first_table = NumberField(min_value=1, default=1)
    tie_breaks = serializers.ListField(
        child=serializers.ChoiceField([one.value for one in TieBreak]), default=list
    )
    best_of = serializers.ListField(
        child=serializers.ChoiceField(MEETINGS),
        min_length=3,
        max_length=3,
        required=False,
        help_text="Games of a meeting before the semifinals, in them, and in the final.",
    )
    order = serializers.ChoiceField([one.value for one in Order], required=False)
    separate_by = serializers.ChoiceField([one.value for one in SeparateBy], required=False)
    pattern = serializers.DictField(
        child=serializers.ChoiceField([one.value for one in Pattern]),
        required=False,
        help_text='By round, for example {"1": "spread", "*": "nearest"}.',
    )
    groups = NumberField(min_value=1, required=False)
    legs = serializers.IntegerField(min_value=1, max_value=LARGEST_LEGS, required=False)
    third_place = serializers.BooleanField(required=False)
    survivors = serializers.IntegerField(min_value=1, max_value=MOST_SURVIVORS, required=False)
    limit_together = serializers.ChoiceField(
        choices=[one for one, _ in OPTION["limit_together"].choices],
        required=False,
        help_text="When so many reach the limit at once that too few are left.",
    )
    source = NumberField(  # type: ignore[assignment]
        required=False, help_text="Number of the closed stage whose qualifiers play."
    )
    takes = TakesSerializer(required=False)


def takes_of(given: Mapping[str, Any]) -> Takes:
    """Return whom a stage takes, as it was asked for."""
    return Takes(**given)


def plan_of(given: Mapping[str, Any]) -> StagePlan:
    """Return the plan of a stage that was asked for."""
    best_of, takes = given.get("best_of"), given.get("takes")
    return StagePlan(
        system=given["system"],
        name=given["name"],
        rounds=given.get("rounds"),
        target=given.get("target"),
        first_table=given["first_table"],
        tie_breaks=tuple(given["tie_breaks"]),
        draw={name: given[name] for name in _DRAW if name in given},
        takes=None if takes is None else takes_of(takes),
        best_of=None if best_of is None else (best_of[0], best_of[1], best_of[2]),
        limit_together=given.get("limit_together", ""),
    )


class QualifierSerializer(serializers.Serializer[Any]):
    """Who goes on, the best first."""

    entry = EntryNameSerializer()
    group = serializers.CharField(allow_blank=True)
    place = serializers.IntegerField(help_text="In the group.")


@extend_schema_serializer(component_name="StageReason")
class ReasonSerializer(serializers.Serializer[Any]):
    """Why something is done; it is kept in the log."""

    reason = serializers.CharField(max_length=200)

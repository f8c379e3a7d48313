"""Shapes of brackets and groups in the API."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from tournaments.competition.bracket_matches import Part
from tournaments.competition.brackets import Status
from tournaments.serializers.public import (
    EntryNameSerializer,
    ProtestSerializer,
    StandingSerializer,
    TieBreakSerializer,
)


class MeetingSideSerializer(serializers.Serializer[Any]):
    """A side of a meeting."""

    entry = EntryNameSerializer(allow_null=True, help_text="Null while it is open who comes.")
    label = serializers.CharField(help_text="The entry, or in words who will come.")  # type: ignore[assignment]
    is_winner = serializers.BooleanField()
    score = serializers.IntegerField(
        allow_null=True, help_text="Points of the only game, or games won where several are played."
    )


class MeetingSerializer(serializers.Serializer[Any]):
    """A meeting of a bracket."""

    meeting = serializers.CharField(source="name", help_text="For example W1.2.")
    bracket = serializers.ChoiceField([one.value for one in Part], source="part")
    status = serializers.ChoiceField([one.value for one in Status])
    best_of = serializers.IntegerField()
    sides = MeetingSideSerializer(many=True)
    matches = serializers.SerializerMethodField(help_text="Its tables that are published.")
    under_protest = serializers.BooleanField(source="is_protested")
    waits_for_desk = serializers.BooleanField(
        help_text="Both sides have lost it, and the desk has not said who goes on."
    )
    sentence = serializers.CharField(help_text="All of it in words.")

    def get_matches(self, line: Any) -> list[int]:
        return [one.pk for one in line.tables]


class BracketColumnSerializer(serializers.Serializer[Any]):
    """The meetings of one round, from the top."""

    title = serializers.CharField()
    meetings = MeetingSerializer(many=True)


class BracketPartSerializer(serializers.Serializer[Any]):
    """A part of a bracket with its rounds."""

    title = serializers.CharField(allow_blank=True)
    rounds = BracketColumnSerializer(many=True, source="columns")


class PlaceSerializer(serializers.Serializer[Any]):
    """Who has come out of the bracket at a place."""

    place = serializers.IntegerField()
    entries = EntryNameSerializer(many=True)


class BracketSerializer(serializers.Serializer[Any]):
    """A bracket as it stands."""

    stage = serializers.IntegerField(source="stage.number")
    champion = EntryNameSerializer(allow_null=True)
    under_protest = ProtestSerializer(many=True, source="protests")
    parts = BracketPartSerializer(many=True)
    places = PlaceSerializer(many=True)


class CrossResultSerializer(serializers.Serializer[Any]):
    """One closed table of two entries, seen by the first."""

    points_for = serializers.IntegerField()
    points_against = serializers.IntegerField()
    is_won = serializers.BooleanField()
    under_protest = serializers.BooleanField(source="is_protested")


class CrossCellSerializer(serializers.Serializer[Any]):
    """What happened between two entries."""

    opponent = EntryNameSerializer(source="other")
    results = CrossResultSerializer(many=True)


class CrossRowSerializer(serializers.Serializer[Any]):
    """What an entry did against each other one of its group."""

    entry = EntryNameSerializer()
    opponents = serializers.SerializerMethodField()

    def get_opponents(self, row: Any) -> list[dict[str, Any]]:
        cells = [cell for cell in row.cells if not cell.is_self]
        return [dict(one) for one in CrossCellSerializer(cells, many=True).data]


class GroupSerializer(serializers.Serializer[Any]):
    """A group with its standings and its cross-table."""

    group = serializers.CharField(source="name")
    rows = StandingSerializer(many=True, source="standings")
    cross_table = CrossRowSerializer(many=True, source="cross")


class GroupsSerializer(serializers.Serializer[Any]):
    """The groups of a stage."""

    stage = serializers.IntegerField(source="stage.number")
    tie_breaks = TieBreakSerializer(many=True, source="columns")
    under_protest = ProtestSerializer(many=True, source="protests")
    groups = GroupSerializer(many=True)

"""Shapes of what a search finds."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from tournaments.queries.search import Found
from tournaments.serializers.public import TournamentSerializer


class FoundClubSerializer(serializers.Serializer[Any]):
    id = serializers.IntegerField()
    name = serializers.CharField()
    latin_name = serializers.CharField()
    city = serializers.CharField()


class FoundPlayerSerializer(serializers.Serializer[Any]):
    id = serializers.IntegerField()
    name = serializers.CharField()
    latin_name = serializers.CharField()
    club = serializers.CharField(source="club.name", default="")


class FoundSerializer(serializers.Serializer[Found]):
    """Events, players and clubs; `more` names the kinds of which not all are shown."""

    events = TournamentSerializer(many=True)
    players = FoundPlayerSerializer(many=True)
    clubs = FoundClubSerializer(many=True)
    more = serializers.ListField(child=serializers.CharField())

"""Shapes of the API about who plays: registration, check-in, absences, substitutes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rest_framework import serializers

from engine.errors import Phrase
from tournaments.errors.base import explain
from tournaments.errors.fields import WrongValue
from tournaments.models import Absence, Bye, Entry
from tournaments.policies import HALF, LATEST_ROUND, MOST_EXCUSED, MOST_SUBSTITUTES
from tournaments.serializers.desk import NewEntrySerializer, NewPlayerSerializer
from tournaments.serializers.numbers import NumberField
from tournaments.services.people import PlayerData


class RegistrationSerializer(serializers.Serializer[Any]):
    """Hours of registration, places, categories, and who sees the event."""

    opens_at = serializers.DateTimeField(allow_null=True, default=None)
    closes_at = serializers.DateTimeField(allow_null=True, default=None)
    most_entries = NumberField(allow_null=True, default=None)
    categories = serializers.ListField(child=serializers.CharField(), default=list)
    is_private = serializers.BooleanField(default=False)


class LateStageSerializer(serializers.Serializer[Any]):
    """Until which round, by number, somebody can enter a stage late."""

    stage = serializers.IntegerField()
    is_open = serializers.BooleanField()
    last_round = serializers.IntegerField(allow_null=True, help_text="None: without limit.")
    next_round = serializers.IntegerField()
    sentence = serializers.CharField()


class RegistrationStateSerializer(RegistrationSerializer):
    """How players enter, and whether they can now."""

    window = serializers.ChoiceField(["not_yet", "open", "over"])
    sentence = serializers.CharField()
    free_places = serializers.IntegerField(allow_null=True)
    waiting = serializers.IntegerField()
    late = LateStageSerializer(many=True)


class PointsField(serializers.ListField):
    """Points for and against."""

    child = NumberField(min_value=0)

    def __init__(self, **settings: Any) -> None:
        super().__init__(min_length=2, max_length=2, **settings)


class AbsencePointsSerializer(serializers.Serializer[Any]):
    """What each kind of absence scores; what is left away stays usual."""

    absent = PointsField(required=False)
    excused = PointsField(required=False)
    late = PointsField(required=False)


class PoliciesSerializer(serializers.Serializer[Any]):
    """What byes and absences score, and until when somebody can enter late."""

    bye = PointsField(allow_null=True, default=None)
    absences = AbsencePointsSerializer(default=dict)
    most_excused = serializers.IntegerField(
        min_value=0, max_value=MOST_EXCUSED, allow_null=True, default=None
    )
    late_entry = serializers.CharField(
        default=HALF,
        help_text=f"“{HALF}” of the rounds, or the last round for late entries, 0 for none.",
    )

    most_substitutes = serializers.IntegerField(
        min_value=0, max_value=MOST_SUBSTITUTES, allow_null=True, default=None
    )

    reason = serializers.CharField(
        max_length=200,
        allow_blank=True,
        default="",
        help_text="Needed where published rounds count byes or absences by other points.",
    )

    def validate_late_entry(self, given: str) -> int | str:
        if given == HALF:
            return HALF
        is_number = given.isdecimal() and given.isascii() and len(given) <= len(str(LATEST_ROUND))
        if is_number and int(given) <= LATEST_ROUND:
            return int(given)
        wrong = WrongValue(
            found=given,
            expected=Phrase(
                "“%(half)s” or a whole number from 0 to %(last)s", half=HALF, last=LATEST_ROUND
            ),
        )
        raise serializers.ValidationError(explain(wrong), wrong.code)


class CheckedEntrySerializer(serializers.Serializer[Any]):
    """An entry with what the desk knows of it."""

    number = serializers.IntegerField()
    name = serializers.CharField()
    state = serializers.ChoiceField(Entry.State.choices)
    category = serializers.CharField()
    paid = serializers.BooleanField()
    checked_in_at = serializers.DateTimeField(allow_null=True)


class YesSerializer(serializers.Serializer[Any]):
    """Whether something is so."""

    paid = serializers.BooleanField()


class CountSerializer(serializers.Serializer[Any]):
    """How many entries the change concerns, as the list said."""

    count = NumberField(min_value=0)


class SelfEntrySerializer(serializers.Serializer[Any]):
    """An entry by its players themselves; only the desk gives seeds and federation numbers."""

    players = NewPlayerSerializer(many=True, allow_empty=False)
    name = serializers.CharField(max_length=250, allow_blank=True, default="")
    club = serializers.CharField(max_length=120, allow_blank=True, default="")
    category = serializers.CharField(max_length=40, allow_blank=True, default="")

    def validate_players(self, players: Sequence[dict[str, Any]]) -> tuple[PlayerData, ...]:
        return tuple(PlayerData(**player | {"number": ""}) for player in players)


class OwnEntrySerializer(serializers.Serializer[Any]):
    """What those who entered themselves need to know."""

    number = serializers.IntegerField()
    name = serializers.CharField()
    state = serializers.ChoiceField(Entry.State.choices)
    check_in_code = serializers.CharField()
    place_in_line = serializers.IntegerField(default=None, allow_null=True)


class NewLateEntrySerializer(NewEntrySerializer):
    """An entry while a stage is played."""


class AbsenceSerializer(serializers.Serializer[Any]):
    """Why an entry is not there."""

    kind = serializers.ChoiceField(Absence.Kind.choices)


class ByeSerializer(serializers.Serializer[Any]):
    """What a bye is worth, and how it came about."""

    worth = serializers.ChoiceField(Bye.Worth.choices, default=Bye.Worth.FULL)
    kind = serializers.ChoiceField(Bye.Kind.choices, read_only=True)


class CorrectedPlayerSerializer(NewPlayerSerializer):
    """A player written anew; without `spellings` the other spellings stay as they are."""

    is_minor = serializers.BooleanField(required=False, help_text="Left away, it stays as it is.")
    spellings = serializers.ListField(
        child=serializers.CharField(max_length=120), required=False, max_length=20
    )


class SubstituteSerializer(NewPlayerSerializer):
    """A player for the bench."""


class ExchangeSerializer(serializers.Serializer[Any]):
    """Who comes out and who goes in, from which round on."""

    out = NumberField()
    into = NumberField()
    round = NumberField(min_value=1, default=1)


class MemberSerializer(serializers.Serializer[Any]):
    """A player of an entry."""

    player = serializers.IntegerField(source="player_id")
    name = serializers.CharField(source="player.name")
    on_bench = serializers.BooleanField()


class MergeSerializer(serializers.Serializer[Any]):
    """Two players who are one person."""

    keep = NumberField()
    gone = NumberField()
    confirm = serializers.BooleanField(default=False, help_text="Without it, only say what moves.")


class MergerSerializer(serializers.Serializer[Any]):
    """What moves from one player to the other."""

    keep = serializers.CharField(source="keep.name")
    gone = serializers.CharField(source="gone.name")
    events = serializers.ListField(child=serializers.CharField())
    tables = serializers.IntegerField()
    has_rating = serializers.BooleanField()

"""The desk's API about who plays: registration, check-in, absences, late entries, substitutes."""

from __future__ import annotations

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments import permissions
from tournaments.api.desk import REFUSALS, DeskView
from tournaments.api.registration import registration_state
from tournaments.models import Entry, Player, Stage, Tournament
from tournaments.policies import Policies
from tournaments.serializers.desk import ChangedEntrySerializer
from tournaments.serializers.people import (
    AbsenceSerializer,
    ByeSerializer,
    CheckedEntrySerializer,
    CountSerializer,
    ExchangeSerializer,
    MemberSerializer,
    MergerSerializer,
    MergeSerializer,
    NewLateEntrySerializer,
    PoliciesSerializer,
    RegistrationSerializer,
    RegistrationStateSerializer,
    SubstituteSerializer,
    YesSerializer,
)
from tournaments.services import (
    attendance,
    byes,
    check_in,
    merging,
    registration,
    substitutes,
    waiting_list,
)
from tournaments.services.people import PlayerData


class EntryView(DeskView):
    """An act on one entry."""

    def entry(self, slug: str, number: int) -> Entry:
        found = self.tournament(slug).entries.select_related("tournament", "club")
        return get_object_or_404(found, number=number)

    def stage(self, slug: str, number: int) -> Stage:
        stages = self.directed(slug).stages.select_related("tournament")
        return get_object_or_404(stages, number=number)


class Registration(DeskView):
    """How players enter an event."""

    @extend_schema(
        operation_id="desk_registration", responses={200: RegistrationStateSerializer, **REFUSALS}
    )
    def get(self, request: Request, slug: str) -> Response:
        """What is set about registration, and how it stands."""
        return Response(registration_state(self.directed(slug), drafts=True))

    @extend_schema(
        operation_id="desk_set_registration",
        request=RegistrationSerializer,
        responses={200: RegistrationStateSerializer, **REFUSALS},
    )
    def put(self, request: Request, slug: str) -> Response:
        """Set hours, places, categories and who sees the event."""
        given = self.read(RegistrationSerializer)
        rules = registration.RegistrationRules(**given | {"categories": tuple(given["categories"])})
        changed = registration.set_registration(self.tournament(slug), rules, by=self.user)
        return Response(registration_state(changed, drafts=True))


class EventPolicies(DeskView):
    """What byes, absences and late entries are worth."""

    @extend_schema(
        operation_id="desk_set_policies",
        request=PoliciesSerializer,
        responses={200: RegistrationStateSerializer, **REFUSALS},
    )
    def put(self, request: Request, slug: str) -> Response:
        given = self.read(PoliciesSerializer)
        policies = Policies(
            bye=_pair(given["bye"]),
            absences=tuple(
                (kind, (points[0], points[1])) for kind, points in given["absences"].items()
            ),
            most_excused=given["most_excused"],
            late_entry=given["late_entry"],
            most_substitutes=given["most_substitutes"],
        )
        changed = registration.set_policies(
            self.tournament(slug), policies, reason=given["reason"], by=self.user
        )
        return Response(registration_state(changed, drafts=True))


class CheckInList(DeskView):
    """Who has come and who has paid."""

    def require_may(self, tournament: Tournament) -> None:
        permissions.require_official(self.user, tournament)

    @extend_schema(
        operation_id="desk_check_in_list",
        responses={200: CheckedEntrySerializer(many=True), **REFUSALS},
    )
    def get(self, request: Request, slug: str) -> Response:
        found = self.tournament(slug).entries.all()
        return Response(CheckedEntrySerializer(found, many=True).data)


class CheckIn(EntryView):
    """Note that an entry has come; any official may."""

    def require_may(self, tournament: Tournament) -> None:
        permissions.require_official(self.user, tournament)

    @extend_schema(
        operation_id="desk_check_in",
        request=None,
        responses={200: CheckedEntrySerializer, **REFUSALS},
    )
    def post(self, request: Request, slug: str, number: int) -> Response:
        found = check_in.check_in(self.entry(slug, number), by=self.user)
        return Response(CheckedEntrySerializer(found).data)

    @extend_schema(
        operation_id="desk_undo_check_in", responses={200: CheckedEntrySerializer, **REFUSALS}
    )
    def delete(self, request: Request, slug: str, number: int) -> Response:
        """Take a check-in back that was a slip."""
        found = check_in.undo_check_in(self.entry(slug, number), by=self.user)
        return Response(CheckedEntrySerializer(found).data)


class Paid(EntryView):
    """Note whether a fee is paid."""

    @extend_schema(
        operation_id="desk_paid",
        request=YesSerializer,
        responses={200: CheckedEntrySerializer, **REFUSALS},
    )
    def put(self, request: Request, slug: str, number: int) -> Response:
        entry = self.entry(slug, number)
        paid = self.read(YesSerializer)["paid"]
        found = registration.set_paid(entry, paid=paid, by=self.user)
        return Response(CheckedEntrySerializer(found).data)


class Admit(EntryView):
    """Give somebody on the waiting list a place."""

    @extend_schema(
        operation_id="desk_admit",
        request=None,
        responses={200: CheckedEntrySerializer, **REFUSALS},
    )
    def post(self, request: Request, slug: str, number: int) -> Response:
        found = waiting_list.admit(self.entry(slug, number), by=self.user)
        return Response(CheckedEntrySerializer(found).data)


class Absent(DeskView):
    """Everybody who has not come."""

    @extend_schema(
        operation_id="desk_absent", responses={200: CheckedEntrySerializer(many=True), **REFUSALS}
    )
    def get(self, request: Request, slug: str) -> Response:
        """Who would be withdrawn."""
        found = check_in.absent_entries(self.directed(slug))
        return Response(CheckedEntrySerializer(found, many=True).data)

    @extend_schema(
        operation_id="desk_withdraw_absent",
        request=CountSerializer,
        responses={200: CheckedEntrySerializer(many=True), **REFUSALS},
    )
    def post(self, request: Request, slug: str) -> Response:
        """Withdraw them all; `count` is how many the list named."""
        count = self.read(CountSerializer)["count"]
        gone = check_in.withdraw_absent(self.tournament(slug), typed=count, by=self.user)
        return Response(CheckedEntrySerializer(gone, many=True).data)


class LateEntry(EntryView):
    """Register an entry while a stage is played."""

    @extend_schema(
        operation_id="desk_late_entry",
        request=NewLateEntrySerializer,
        responses={201: ChangedEntrySerializer, **REFUSALS},
    )
    def post(self, request: Request, slug: str, stage: int) -> Response:
        late = self.stage(slug, stage)
        made = registration.register_late(late, **self.read(NewLateEntrySerializer), by=self.user)
        return Response(ChangedEntrySerializer(made).data, status=status.HTTP_201_CREATED)


class RoundAbsence(EntryView):
    """An entry that is not there for a round."""

    @extend_schema(
        operation_id="desk_set_absence",
        request=AbsenceSerializer,
        responses={200: AbsenceSerializer, **REFUSALS},
    )
    def put(self, request: Request, slug: str, stage: int, number: int, entry: int) -> Response:
        """Note an absence, or give it another kind."""
        of_stage, absent = self.stage(slug, stage), self.entry(slug, entry)
        kind = self.read(AbsenceSerializer)["kind"]
        noted = attendance.set_absence(
            of_stage, number=number, entry=absent, kind=kind, by=self.user
        )
        return Response(AbsenceSerializer(noted).data)

    @extend_schema(operation_id="desk_take_back_absence", responses={204: None, **REFUSALS})
    def delete(self, request: Request, slug: str, stage: int, number: int, entry: int) -> Response:
        """Take an absence back, as long as the round is not drawn."""
        of_stage, absent = self.stage(slug, stage), self.entry(slug, entry)
        attendance.set_absence(of_stage, number=number, entry=absent, kind=None, by=self.user)
        return Response(status=status.HTTP_204_NO_CONTENT)


class RoundBye(EntryView):
    """An entry that rests in a round because the director says so."""

    @extend_schema(
        operation_id="desk_give_bye",
        request=ByeSerializer,
        responses={200: ByeSerializer, **REFUSALS},
    )
    def put(self, request: Request, slug: str, stage: int, number: int, entry: int) -> Response:
        """Give a bye in a round not drawn yet, or say what the one it has is worth."""
        given = byes.give_bye(
            self.stage(slug, stage),
            number=number,
            entry=self.entry(slug, entry),
            worth=self.read(ByeSerializer)["worth"],
            by=self.user,
        )
        return Response(ByeSerializer(given).data)

    @extend_schema(operation_id="desk_take_back_bye", responses={204: None, **REFUSALS})
    def delete(self, request: Request, slug: str, stage: int, number: int, entry: int) -> Response:
        """Take a bye back, as long as the round is not drawn."""
        byes.take_bye_back(
            self.stage(slug, stage), number=number, entry=self.entry(slug, entry), by=self.user
        )
        return Response(status=status.HTTP_204_NO_CONTENT)


class Substitutes(EntryView):
    """The players of an entry, those on the bench too."""

    @extend_schema(
        operation_id="desk_add_substitute",
        request=SubstituteSerializer,
        responses={201: MemberSerializer, **REFUSALS},
    )
    def post(self, request: Request, slug: str, number: int) -> Response:
        """Put a player on the bench."""
        entry = self.entry(slug, number)
        written = PlayerData(**self.read(SubstituteSerializer))
        member = substitutes.add_substitute(entry, written=written, by=self.user)
        return Response(MemberSerializer(member).data, status=status.HTTP_201_CREATED)

    @extend_schema(
        operation_id="desk_substitute",
        request=ExchangeSerializer,
        responses={200: MemberSerializer(many=True), **REFUSALS},
    )
    def put(self, request: Request, slug: str, number: int) -> Response:
        """Let a player from the bench play from a round on."""
        entry = self.entry(slug, number)
        given = self.read(ExchangeSerializer)
        players = Player.objects.filter(memberships__entry=entry)
        substitutes.substitute(
            entry,
            out=get_object_or_404(players, pk=given["out"]),
            into=get_object_or_404(players, pk=given["into"]),
            number=given["round"],
            by=self.user,
        )
        members = entry.members.select_related("player").order_by("position")
        return Response(MemberSerializer(members, many=True).data)


class Substitute(EntryView):
    """One player on the bench of an entry."""

    @extend_schema(operation_id="desk_remove_substitute", responses={204: None, **REFUSALS})
    def delete(self, request: Request, slug: str, number: int, player: int) -> Response:
        """Take a player off the bench who has not played; one who is not there stays away."""
        entry = self.entry(slug, number)
        found = get_object_or_404(Player, pk=player)
        substitutes.remove_substitute(entry, player=found, by=self.user)
        return Response(status=status.HTTP_204_NO_CONTENT)


class Merge(DeskView):
    """Two spellings of one person."""

    @extend_schema(
        operation_id="desk_merge_players",
        request=MergeSerializer,
        responses={200: MergerSerializer, **REFUSALS},
    )
    def post(self, request: Request, slug: str) -> Response:
        """Say what moves from one player to the other, and move it with `confirm`."""
        given = self.read(MergeSerializer)
        tournament = self.tournament(slug)
        keep = get_object_or_404(Player, pk=given["keep"])
        gone = get_object_or_404(Player, pk=given["gone"])
        moves = merging.preview(tournament, keep=keep, gone=gone, by=self.user)
        answer = MergerSerializer(moves).data
        if given["confirm"]:
            merging.merge_players(tournament, keep=keep, gone=gone, by=self.user)
        return Response(answer)


def _pair(points: list[int] | None) -> tuple[int, int] | None:
    return None if points is None else (points[0], points[1])

"""The API of results: scores, their second check, corrections, the clock, the way back."""

from __future__ import annotations

from typing import Any

from django.shortcuts import get_object_or_404
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from tournaments import permissions
from tournaments.api.desk import REFUSALS, DeskView
from tournaments.errors import tables as table_errors
from tournaments.errors.base import explain
from tournaments.models import LONG_IN_ROUND, Entry, LogEntry, Match, PairingRound, Tournament
from tournaments.serializers.desk import ClosedTableSerializer
from tournaments.serializers.public import RefusalSerializer
from tournaments.serializers.results import (
    ClockSerializer,
    CorrectionSerializer,
    CorrectScoreSerializer,
    DisqualifySerializer,
    ExtraTimeSerializer,
    LeftSerializer,
    NeededSerializer,
    NewClockSerializer,
    ReportedTableSerializer,
    ScoreSerializer,
    SwapSerializer,
    UndoneSerializer,
)
from tournaments.services import clock, corrections, disqualification, reports, undoing
from tournaments.visible import round_at


class RoundClock(APIView):
    """The time of a published round: one deadline, the server's, and what the server's clock says.

    `tables` are those with extra time.
    """

    @extend_schema(
        operation_id="get_clock", responses={200: ClockSerializer, 404: RefusalSerializer}
    )
    def get(self, request: Request, slug: str, stage: int, number: int) -> Response:
        found = round_at(slug, stage, number, user=request.user)
        own = found.matches.filter(extra_seconds__gt=0).order_by("table")
        extra = dict(own.values_list("table", "extra_seconds"))
        return Response(_time(found, extra), headers={"Cache-Control": "no-store"})


class DeskClock(DeskView):
    """The clock of a round."""

    @extend_schema(
        operation_id="desk_set_clock",
        request=NewClockSerializer,
        responses={200: ClockSerializer, **REFUSALS},
    )
    def put(self, request: Request, slug: str, stage: int, number: int) -> Response:
        """Set when a round begins and how long it lasts."""
        pairing_round = _round(self, slug, stage, number)
        found = clock.set_clock(pairing_round, **self.read(NewClockSerializer), by=self.user)
        return Response(_time(found, {}))

    @extend_schema(operation_id="desk_stop_clock", responses={204: None, **REFUSALS})
    def delete(self, request: Request, slug: str, stage: int, number: int) -> Response:
        """Take the clock of a round away."""
        clock.stop_clock(_round(self, slug, stage, number), by=self.user)
        return Response(status=status.HTTP_204_NO_CONTENT)


class TableView(DeskView):
    """A table for one of the officials of its event."""

    def require_may(self, tournament: Tournament) -> None:
        permissions.require_official(self.user, tournament)

    def official_table(self, slug: str, pk: int) -> Match:
        """Return a table for whoever keeps its record."""
        tournament = self.tournament(slug)
        with_event = Match.objects.select_related("pairing_round__stage__tournament")
        found = get_object_or_404(
            with_event.defer(*LONG_IN_ROUND), pk=pk, pairing_round__stage__tournament=tournament
        )
        permissions.require_may_record(self.user, found)
        return found


class ExtraTime(TableView):
    """Set the extra time of a table in all, with the reason."""

    def require_may(self, tournament: Tournament) -> None:
        permissions.require_referee(self.user, tournament)

    @extend_schema(
        operation_id="desk_extra_time",
        request=ExtraTimeSerializer,
        responses={200: ClosedTableSerializer, **REFUSALS},
    )
    def put(self, request: Request, slug: str, pk: int) -> Response:
        match = self.official_table(slug, pk)
        found = clock.set_extra_time(match, **self.read(ExtraTimeSerializer), by=self.user)
        return Response(ClosedTableSerializer(found).data)


class Score(TableView):
    """Store the final score of a table.

    A doubtful score is refused with 409 and the code of the doubt; sent with `sure`, it is
    stored. Where the event asks for a second check, the first call reports the score and a second
    person's call with the same score stores it; `over` says that the second person is right.
    """

    @extend_schema(
        operation_id="desk_store_score",
        request=ScoreSerializer,
        responses={200: ReportedTableSerializer, **REFUSALS},
    )
    def put(self, request: Request, slug: str, pk: int) -> Response:
        match = self.official_table(slug, pk)
        found = reports.submit_score(match, **self.read(ScoreSerializer), by=self.user)
        return Response(_reported(found))


class Report(TableView):
    """The reported score of a table that waits for its second check."""

    @extend_schema(
        operation_id="desk_accept_report",
        request=None,
        responses={200: ReportedTableSerializer, **REFUSALS},
    )
    def post(self, request: Request, slug: str, pk: int) -> Response:
        """Confirm it."""
        found = reports.accept_report(self.official_table(slug, pk), by=self.user)
        return Response(_reported(found))

    @extend_schema(operation_id="desk_reject_report", responses={204: None, **REFUSALS})
    def delete(self, request: Request, slug: str, pk: int) -> Response:
        """Reject it; the standings never knew it."""
        reports.reject_report(self.official_table(slug, pk), by=self.user)
        return Response(status=status.HTTP_204_NO_CONTENT)


class SecondCheck(DeskView):
    """Say whether typed scores wait for a second person."""

    @extend_schema(
        operation_id="desk_second_check",
        request=NeededSerializer,
        responses={200: NeededSerializer, **REFUSALS},
    )
    def put(self, request: Request, slug: str) -> Response:
        given = self.read(NeededSerializer)
        changed = reports.set_second_check(self.directed(slug), **given, by=self.user)
        return Response({"needed": reports.needs_second_check(changed)})


class Correct(DeskView):
    """Put another score in the place of a stored one; answers whose place that changed."""

    @extend_schema(
        operation_id="desk_correct_score",
        request=CorrectScoreSerializer,
        responses={200: CorrectionSerializer, **REFUSALS},
    )
    def put(self, request: Request, slug: str, pk: int) -> Response:
        match = self.table(slug, pk)
        done = corrections.correct_score(match, **self.read(CorrectScoreSerializer), by=self.user)
        return Response(CorrectionSerializer(done).data)


class Swap(DeskView):
    """Exchange the seats of two entries of a round."""

    @extend_schema(
        operation_id="desk_swap_seats",
        request=SwapSerializer,
        responses={200: CorrectionSerializer, **REFUSALS},
    )
    def post(self, request: Request, slug: str, pk: int) -> Response:
        match = self.table(slug, pk)
        given = self.read(SwapSerializer)
        there = given["other_table_id"]
        done = corrections.swap_seats(
            match,
            one=entry_of(self.directed(slug), given["one"]),
            other=entry_of(self.directed(slug), given["other"]),
            other_match=None if there is None else self.table(slug, there),
            follow=given["follow"],
            reason=given["reason"],
            by=self.user,
        )
        return Response(CorrectionSerializer(done).data)


class Left(DeskView):
    """Close a table that some left in the middle of play: they lose it."""

    @extend_schema(
        operation_id="desk_table_left",
        request=LeftSerializer,
        responses={200: ClosedTableSerializer, **REFUSALS},
    )
    def post(self, request: Request, slug: str, pk: int) -> Response:
        match = self.table(slug, pk)
        given = self.read(LeftSerializer)
        left = [entry_of(self.directed(slug), number) for number in given["left"]]
        closed = disqualification.abandon(match, left=left, reason=given["reason"], by=self.user)
        return Response(ClosedTableSerializer(closed).data)


class Disqualify(DeskView):
    """Put an entry out of the event; its open tables are lost."""

    @extend_schema(
        operation_id="desk_disqualify",
        request=DisqualifySerializer,
        responses={204: None, **REFUSALS},
    )
    def post(self, request: Request, slug: str, number: int) -> Response:
        found = get_object_or_404(self.directed(slug).entries, number=number)
        disqualification.disqualify(found, **self.read(DisqualifySerializer), by=self.user)
        return Response(status=status.HTTP_204_NO_CONTENT)


class UndoLine(DeskView):
    """A line of the log, and the way back from what it tells of."""

    @extend_schema(operation_id="desk_preview_undo", responses={200: UndoneSerializer, **REFUSALS})
    def get(self, request: Request, slug: str, pk: int) -> Response:
        """What taking it back would change."""
        return Response(_undone(undoing.preview(self._line(slug, pk), by=self.user)))

    @extend_schema(
        operation_id="desk_undo", request=None, responses={200: UndoneSerializer, **REFUSALS}
    )
    def post(self, request: Request, slug: str, pk: int) -> Response:
        """Take it back."""
        return Response(_undone(undoing.undo(self._line(slug, pk), by=self.user)))

    def _line(self, slug: str, pk: int) -> LogEntry:
        return get_object_or_404(LogEntry, tournament=self.directed(slug), pk=pk)


def entry_of(tournament: Tournament, number: int) -> Entry:
    """Return the entry of that number; refuses one that is not there."""
    found: Entry | None = tournament.entries.filter(number=number).first()
    if found is None:
        raise table_errors.UnknownEntry(tournament=tournament.name, number=number)
    return found


def _round(view: DeskView, slug: str, stage: int, number: int) -> PairingRound:
    found = PairingRound.objects.select_related("stage__tournament")
    return get_object_or_404(
        found, stage__tournament=view.directed(slug), stage__number=stage, number=number
    )


def _time(found: PairingRound, extra: dict[int, int]) -> dict[str, Any]:
    of_round = clock.clock_of(found)
    tables = [
        {"table": table, "extra_seconds": seconds, "ends_at": ends.ends_at}
        for table, seconds in extra.items()
        if (ends := clock.clock_of(found, extra_seconds=seconds)) is not None
    ]
    return {
        "now": timezone.now(),
        "starts_at": of_round.starts_at if of_round else None,
        "ends_at": of_round.ends_at if of_round else None,
        "minutes": of_round.minutes if of_round else None,
        "tables": tables,
    }


def _reported(match: Match) -> dict[str, Any]:
    waiting = reports.open_report(match)
    closed = ClosedTableSerializer(match).data
    return {**closed, "reported_by": waiting.by.username if waiting and waiting.by else None}


def _undone(undone: undoing.Undone) -> dict[str, Any]:
    return {
        "effects": [explain(one) for one in undone.effects],
        "moves": CorrectionSerializer.moves_of(undone.moves),
    }

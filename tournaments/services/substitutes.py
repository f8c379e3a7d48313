"""Players on the bench of an entry, and who of them plays from which round on."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Max

from tournaments import permissions
from tournaments.errors import base as errors
from tournaments.errors import entries as entry_errors
from tournaments.models import Entry, EntryPlayer, Match, MatchSeat, Player, Stage
from tournaments.services import attendance, log, watches
from tournaments.services.entries import largest_bench
from tournaments.services.lifecycle import locked, require_not_finished
from tournaments.services.people import People, PlayerData, lock_people
from tournaments.services.traces import traced


@transaction.atomic
@traced(watches.bench)
def add_substitute(entry: Entry, *, written: PlayerData, by: User) -> EntryPlayer:
    """Put a player on the bench of a pair or a team, also while the event runs."""
    permissions.require_director(by, entry.tournament)
    tournament = locked(entry.tournament)
    require_not_finished(tournament)
    if entry.kind == Entry.Kind.SINGLE:
        raise entry_errors.NoBenchForSingles(entry=entry.name)
    found, most = entry.members.filter(on_bench=True).count(), largest_bench(tournament)
    if found >= most:
        raise entry_errors.BenchIsFull(entry=entry.name, found=found, most=most)
    lock_people()
    given = written.tidied(entry.members.count() + 1)
    people = People([given])
    entered = EntryPlayer.objects.filter(tournament=tournament).select_related("entry")
    by_player = {one.player_id: one.entry for one in entered}
    player = people.player(given, is_entered=lambda one: one.pk in by_player)
    if player.pk in by_player:
        other = by_player[player.pk]
        raise errors.AlreadyEntered(player=player.name, number=other.number, entry=other.name)
    people.save()
    last = entry.members.aggregate(last=Max("position"))["last"] or 0
    member = EntryPlayer.objects.create(
        entry=entry, tournament=tournament, player=player, position=last + 1, on_bench=True
    )
    log.write(
        tournament,
        "substitute_added",
        by=by,
        entry=entry.number,
        name=entry.name,
        player=player.name,
    )
    return member


@transaction.atomic
@traced(watches.bench)
def remove_substitute(entry: Entry, *, player: Player, by: User) -> None:
    """Take a player off the bench who has no seat anywhere. Asked twice, it is done once."""
    permissions.require_director(by, entry.tournament)
    tournament = locked(entry.tournament)
    require_not_finished(tournament)
    member = entry.members.filter(player=player).first()
    if member is None:
        return
    if not member.on_bench:
        raise entry_errors.NotOnBench(player=player.name, entry=entry.name)
    seats = MatchSeat.objects.filter(entry=entry, player=player)
    seat = seats.select_related("match__pairing_round__stage").order_by("match_id").first()
    if seat is not None:
        raise entry_errors.SubstituteHasPlayed(
            player=player.name,
            entry=entry.name,
            round=seat.match.pairing_round.number,
            stage=seat.match.pairing_round.stage.title,
            table=seat.match.table,
        )
    member.delete()
    log.write(
        tournament,
        "substitute_removed",
        by=by,
        entry=entry.number,
        name=entry.name,
        player=player.name,
    )


@transaction.atomic
@traced(watches.bench)
def substitute(
    entry: Entry, *, out: Player, into: Player, number: int = 1, by: User
) -> tuple[EntryPlayer, list[Match]]:
    """Let `into` play for `out` from pairing round `number` on, at tables nobody has begun.

    A table in play goes on with whoever sits there, so that the change counts from the next round
    on. Results before stay with whoever made them. Asked twice, they changed places once. Returns
    who plays now and the tables that changed.
    """
    permissions.require_director(by, entry.tournament)
    tournament = locked(entry.tournament)
    require_not_finished(tournament)
    members = {one.player_id: one for one in entry.members.select_related("player")}
    leaving, coming = members.get(out.pk), members.get(into.pk)
    if coming is None:
        raise entry_errors.NotOnBench(player=into.name, entry=entry.name)
    if leaving is None:
        raise entry_errors.NotInLineUp(player=out.name, entry=entry.name)
    if leaving.on_bench and not coming.on_bench:
        return coming, []
    if not coming.on_bench:
        raise entry_errors.NotOnBench(player=into.name, entry=entry.name)
    if leaving.on_bench:
        raise entry_errors.NotInLineUp(player=out.name, entry=entry.name)
    _require_near(entry, number)
    _change_places(entry, leaving, coming)
    seats = list(
        MatchSeat.objects.filter(
            entry=entry,
            player=out,
            match__state=Match.State.WAITING,
            pairing_round__number__gte=number,
            pairing_round__stage__state=Stage.State.OPEN,
        ).select_related("match__pairing_round")
    )
    for seat in seats:
        seat.player = into
    MatchSeat.objects.bulk_update(seats, ["player"])
    log.write(
        tournament,
        "substituted",
        by=by,
        entry=entry.number,
        name=entry.name,
        out=out.name,
        into=into.name,
        round=number,
        matches=[seat.match_id for seat in seats],
    )
    return coming, [seat.match for seat in seats]


def _require_near(entry: Entry, number: int) -> None:
    """Refuse a round after the next draw, which would seat the one who comes too early."""
    stages = entry.tournament.stages.filter(state=Stage.State.OPEN)
    nearest = max((attendance.next_round(one) for one in stages), default=1)
    if number > nearest:
        raise entry_errors.SubstitutionTooFarAhead(round=number, next=nearest)


def _change_places(entry: Entry, leaving: EntryPlayer, coming: EntryPlayer) -> None:
    """Give the one who comes the place of the one who goes, and so the same seat."""
    last = entry.members.aggregate(last=Max("position"))["last"]
    place, bench = leaving.position, coming.position
    leaving.position, leaving.on_bench = last + 1, True
    leaving.save(update_fields=["position", "on_bench"])
    coming.position, coming.on_bench = place, False
    coming.save(update_fields=["position", "on_bench"])
    leaving.position = bench
    leaving.save(update_fields=["position"])

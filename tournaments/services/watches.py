"""Names the rows that the services of the desk may change, for `traces.traced`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.db.models import Model, Q, QuerySet

from tournaments.models import (
    Absence,
    Bye,
    Club,
    Entry,
    EntryPlayer,
    ForbiddenMeeting,
    Match,
    MatchSeat,
    PairingRound,
    Player,
    PlayerSpelling,
    Rating,
    ReportedResult,
    Screen,
    Stage,
    StageEntry,
    Tournament,
)
from tournaments.names import folded
from tournaments.services import brackets
from tournaments.services.traces import Watched, Watching

# Systems whose rounds are drawn at once, so that a late entry takes a place in them.
_DRAWN_WHOLE = (Stage.System.ROUND_ROBIN, Stage.System.GROUPS, Stage.System.SCHEDULE)
RESULT = ("outcome", "points_for", "points_against", "deducted", "rounds_won", "substitute")


def itself(*fields: str) -> Callable[..., Watching]:
    """Watch the row that a service is called with, or these columns of it."""

    def watch(thing: Model, *_: object, **__: object) -> Watching:
        return [Watched(type(thing)._default_manager.filter(pk=thing.pk), fields)]

    return watch


def only_its_lines(*_: object, **__: object) -> Watching:
    """Watch no row: the service has a way back of its own, and the lines it writes are one."""
    return []


# --- the event ------------------------------------------------------------------------------


def rules(tournament: Tournament, **_: object) -> Watching:
    columns = ("rules", "entry_kind", "players_per_table")
    return [
        Watched(Tournament.objects.filter(pk=tournament.pk), columns),
        *whole_stages(Stage.objects.filter(tournament=tournament)),
    ]


def end(tournament: Tournament, **_: object) -> Watching:
    return [
        Watched(Tournament.objects.filter(pk=tournament.pk), ("state",)),
        Watched(Stage.objects.filter(tournament=tournament), ("state",)),
    ]


def officials(tournament: Tournament, **_: object) -> Watching:
    return [tournament.officials.all()]


def rooms(tournament: Tournament, **_: object) -> Watching:
    return [tournament.rooms.all()]


def screens(tournament: Tournament, **_: object) -> Watching:
    return [tournament.screens.all()]


def screen_and_who_rings(screen: Screen, **_: object) -> Watching:
    # The screen first: going back it stops ringing before another one rings again.
    others = Screen.objects.filter(tournament=screen.tournament_id).exclude(pk=screen.pk)
    return [Screen.objects.filter(pk=screen.pk), Watched(others, ("rings",))]


def registration(tournament: Tournament, *_: object, **__: object) -> Watching:
    columns = ("entries_open_at", "entries_close_at", "most_entries", "is_private", "policies")
    return [Watched(Tournament.objects.filter(pk=tournament.pk), columns), _waiting(tournament)]


# --- entries and players --------------------------------------------------------------------


def entry(entry: Entry, *, club: str = "", **_: object) -> Watching:
    return [Entry.objects.filter(pk=entry.pk), *_clubs(club)]


def whole_entry(entry: Entry, **_: object) -> Watching:
    meetings = ForbiddenMeeting.objects.filter(Q(one=entry.pk) | Q(other=entry.pk))
    members = EntryPlayer.objects.filter(entry=entry.pk)
    return [
        Entry.objects.filter(pk=entry.pk), members, meetings, _waiting(entry.tournament)
    ]  # fmt: skip


def return_of_entry(entry: Entry, **_: object) -> Watching:
    return [
        Watched(Entry.objects.filter(pk=entry.pk), ("state",)),
        Watched(StageEntry.objects.filter(entry=entry), ("until_round", "group")),
        Absence.objects.filter(entry=entry),
        *_places(Stage.objects.filter(stage_entries__entry=entry, state=Stage.State.OPEN)),
    ]


def late_entry(stage: Stage, *, entry: Entry, **_: object) -> Watching:
    return [
        Watched(Entry.objects.filter(pk=entry.pk), ("state",)),
        StageEntry.objects.filter(entry=entry, stage=stage),
        Absence.objects.filter(entry=entry, pairing_round__stage=stage),
        *_places(Stage.objects.filter(pk=stage.pk)),
    ]


def _places(stages: QuerySet[Stage]) -> list[Watched | QuerySet[Any]]:
    """Watch the rounds nobody has seen of stages drawn as a whole: newcomers take places there."""
    drafts = PairingRound.objects.filter(
        stage__in=list(stages.filter(system__in=_DRAWN_WHOLE).values_list("pk", flat=True)),
        state=PairingRound.State.DRAFT,
    )
    inside = {"pairing_round__in": list(drafts.values_list("pk", flat=True))}
    return [
        Match.objects.filter(**inside),
        MatchSeat.objects.filter(**inside),
        Bye.objects.filter(**inside),
    ]


def decision(stage: Stage, *, number: int, entry: Entry, **_: object) -> Watching:
    rounds = PairingRound.objects.filter(stage=stage, number=number)
    return [
        Watched(rounds, ("state",)),
        Absence.objects.filter(entry=entry, pairing_round__in=rounds.values("pk")),
        Bye.objects.filter(entry=entry, pairing_round__in=rounds.values("pk")),
    ]


def bench(entry: Entry, *, written: Any = None, **_: object) -> Watching:
    waits = MatchSeat.objects.filter(entry=entry, match__state=Match.State.WAITING)
    watched: list[Watched | QuerySet[Any]] = [
        EntryPlayer.objects.filter(entry=entry), Watched(waits, ("player_id",))
    ]  # fmt: skip
    if written is not None:
        name = folded(written.name)
        named = Player.objects.filter(Q(folded_name=name) | Q(folded_full_name=name))
        watched += [named, *_clubs(written.club)]
    return watched


def player(tournament: Tournament, player: Player, *, written: Any, **_: object) -> Watching:
    named = list(Entry.objects.filter(members__player=player).values_list("pk", flat=True))
    return [
        Player.objects.filter(pk=player.pk),
        PlayerSpelling.objects.filter(player=player.pk),
        Watched(Entry.objects.filter(pk__in=named), ("name", "full_name")),
        *_clubs(written.club),
    ]


def two_players(tournament: Tournament, *, keep: Player, gone: Player, **_: object) -> Watching:
    """Watch two players and all that points at the one who goes, also what other apps keep."""
    entries = Entry.objects.filter(members__player__in=[keep, gone])
    named = list(entries.values_list("pk", flat=True))
    ratings = Rating.objects.filter(player__in=[keep, gone]).values_list("pk", flat=True)
    watched: list[Watched | QuerySet[Any]] = [
        Player.objects.filter(pk__in=[keep.pk, gone.pk]),
        Rating.objects.filter(pk__in=list(ratings)),
        Watched(Entry.objects.filter(pk__in=named), ("name", "full_name")),
    ]
    watched.append(PlayerSpelling.objects.filter(player__in=[keep.pk, gone.pk]))
    for relation in Player._meta.related_objects:
        if relation.one_to_many and relation.related_model is not PlayerSpelling:
            column = relation.field
            rows = relation.related_model._default_manager.filter(**{column.name: gone})
            theirs = relation.related_model._default_manager.filter(
                pk__in=list(rows.values_list("pk", flat=True))
            )
            watched.append(Watched(theirs, (column.attname,)))
    return watched


def _clubs(name: str) -> list[QuerySet[Any]]:
    return [Club.objects.filter(folded_name=folded(name))] if folded(name) else []


def _waiting(tournament: Tournament) -> Watched:
    waiting = tournament.entries.filter(state=Entry.State.WAITING).values_list("pk", flat=True)
    return Watched(Entry.objects.filter(pk__in=list(waiting)), ("state",))


# --- stages and rounds ----------------------------------------------------------------------


def whole_stage(stage: Stage, **_: object) -> Watching:
    return whole_stages(Stage.objects.filter(pk=stage.pk))


def whole_stages(stages: QuerySet[Stage]) -> list[Watched | QuerySet[Any]]:
    rounds = PairingRound.objects.filter(stage__in=stages.values("pk"))
    return [
        stages, StageEntry.objects.filter(stage__in=stages.values("pk")), *whole_rounds(rounds)
    ]  # fmt: skip


def whole_rounds(rounds: QuerySet[PairingRound]) -> list[Watched | QuerySet[Any]]:
    """Watch rounds with all that hangs on them."""
    keys = list(rounds.values_list("pk", flat=True))
    of_round = {"pairing_round__in": keys}
    return [
        PairingRound.objects.filter(pk__in=keys),
        Match.objects.filter(**of_round),
        MatchSeat.objects.filter(**of_round),
        Bye.objects.filter(**of_round),
        Absence.objects.filter(**of_round),
    ]


def closing(stage: Stage, **_: object) -> Watching:
    drafts = PairingRound.objects.filter(stage=stage, state=PairingRound.State.DRAFT)
    return [Watched(Stage.objects.filter(pk=stage.pk), ("state",)), *whole_rounds(drafts)]


def draft(pairing_round: PairingRound, **_: object) -> Watching:
    return whole_rounds(PairingRound.objects.filter(pk=pairing_round.pk))


def seated_round(stage: Stage, *, number: int, **_: object) -> Watching:
    rounds = PairingRound.objects.filter(stage=stage, number=number)
    of_round = {"pairing_round__stage": stage, "pairing_round__number": number}
    return [
        rounds,
        Match.objects.filter(**of_round),
        MatchSeat.objects.filter(**of_round),
        Bye.objects.filter(**of_round),
    ]


def drawn_rounds(stage: Stage, *, number: int, **_: object) -> Watching:
    """Watch what a draw makes: of tables only that they are there, because they are many."""
    rounds = PairingRound.objects.filter(stage=stage, number__gte=number)
    of_round = {"pairing_round__stage": stage, "pairing_round__number__gte": number}
    groups = StageEntry.objects.filter(stage=stage, stage__system=Stage.System.GROUPS)
    return [
        Watched(Stage.objects.filter(pk=stage.pk), ("settings",)),
        Watched(rounds, ("draw",)),
        Watched(Match.objects.filter(**of_round), ("table",)),
        Watched(Bye.objects.filter(**of_round), ("kind",)),
        Watched(groups, ("group",)),
    ]


def byes(pairing_round: PairingRound, **_: object) -> Watching:
    return [Bye.objects.filter(pairing_round=pairing_round)]


def meetings(one: Entry, *_: object, **__: object) -> Watching:
    return [ForbiddenMeeting.objects.filter(tournament=one.tournament_id)]


# --- tables ---------------------------------------------------------------------------------


def table(match: Match, **_: object) -> Watching:
    """Watch a table, its result, and the tables of a bracket that stand on that."""
    return [
        Match.objects.filter(pk=match.pk),
        Watched(MatchSeat.objects.filter(match=match), RESULT),
        Watched(ReportedResult.objects.filter(match=match), ("accepted",)),
        *later_tables(match),
    ]


def seats(match: Match, *_: object, **__: object) -> Watching:
    """Watch who sits at a table of the elimination, from which some are missing."""
    return [
        MatchSeat.objects.filter(match=match),
        Absence.objects.filter(pairing_round=match.pairing_round_id),
        Watched(ReportedResult.objects.filter(match=match), ("accepted",)),
    ]


def later_tables(match: Match, **_: object) -> list[Watched | QuerySet[Any]]:
    """Watch the tables of a bracket that stand on the result of this one, with their rounds."""
    if not match.meeting:
        return []
    later = brackets.later_tables(match)
    keys = [one.pk for one in later]
    rounds = {one.pairing_round_id for one in later} - {match.pairing_round_id}
    return [
        # Who goes on where both have lost is kept with the stage.
        Watched(Stage.objects.filter(pk=match.pairing_round.stage_id), ("settings",)),
        PairingRound.objects.filter(pk__in=rounds),
        Match.objects.filter(pk__in=keys),
        MatchSeat.objects.filter(match__in=keys),
    ]

"""Makes stages of every system, says who goes on from one to the next, and closes them."""

from __future__ import annotations

import secrets
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Max

from engine.errors import DominoError
from engine.options import OPTION
from tournaments import permissions
from tournaments.competition.lots import ticket
from tournaments.competition.qualifiers import ClosedGroup, GroupRow, Quota, qualified
from tournaments.competition.seeding import Qualifier
from tournaments.competition.types import Contender, TieBreak
from tournaments.errors import base as errors
from tournaments.errors import draws as draw_errors
from tournaments.errors import entries as entry_errors
from tournaments.errors import tables as table_errors
from tournaments.models import (
    Bye,
    Entry,
    Match,
    MatchSeat,
    PairingRound,
    Stage,
    StageEntry,
    StandingRow,
    Tournament,
)
from tournaments.names import tidy
from tournaments.rules import has_partners, profile_name, rules_of, usual_tie_breaks
from tournaments.services import draw_requests, log, standings, watches
from tournaments.services.brackets import BRACKETS, places_of
from tournaments.services.lifecycle import locked, require_not_finished
from tournaments.services.takes import Takes, require_free
from tournaments.services.traces import keep_made, traced

LARGEST_SEED = 999_999
LONGEST_NAME = 80
MOST_ROUNDS = 50
USUAL_SURVIVORS = 2
# The most members of one team that play in a stage of teams of four.
TEAM_OF_FOUR = 4
# Systems that go on from round to round, so that somebody has to say when they end.
WITH_ROUNDS = (
    Stage.System.SWISS,
    Stage.System.ROTATING,
    Stage.System.SCHEDULE,
    Stage.System.TEAMS_OF_FOUR,
)
_FOURS = (Stage.System.ROTATING, Stage.System.SCHEDULE, Stage.System.TEAMS_OF_FOUR)
# Systems whose whole shape follows from who plays.
_DRAWN_FROM_ENTRIES = (
    Stage.System.ROUND_ROBIN,
    Stage.System.GROUPS,
    Stage.System.KNOCKOUT,
    Stage.System.DOUBLE_ELIMINATION,
    Stage.System.ELIMINATION,
)
_TWO_SIDES = (
    Stage.System.SWISS,
    Stage.System.ROUND_ROBIN,
    Stage.System.GROUPS,
    Stage.System.KNOCKOUT,
    Stage.System.DOUBLE_ELIMINATION,
)


@dataclass(frozen=True, slots=True)
class StagePlan:
    """What a stage is to be. `draw` are the settings a request is drawn with.

    Without `rounds` a system that needs a number has as many as usual. `best_of` is how many
    games a meeting of a bracket may have: before the semifinals, in them, and in the final.
    `limit_together` is the option of the rules for two who reach the limit at once; "" is as usual.
    """

    system: str
    name: str = ""
    rounds: int | None = None
    target: int | None = None
    first_table: int = 1
    tie_breaks: tuple[str, ...] = ()
    draw: Mapping[str, object] | None = None
    takes: Takes | None = None
    best_of: tuple[int, int, int] | None = None
    limit_together: str = ""


@transaction.atomic
def make_stage(
    tournament: Tournament, plan: StagePlan, *, source: Stage | None = None, by: User
) -> Stage:
    """Make a stage with its entries: those of the event, or the qualifiers of `source`.

    Asked twice for the same, the open stage that was made first is returned.
    """
    permissions.require_director(by, tournament)
    tournament = locked(tournament)
    if source is not None:
        # Another desk may have opened it again since it was looked at.
        source.refresh_from_db(fields=["state"])
    require_not_finished(tournament)
    if tournament.state != Tournament.State.RUNNING:
        raise errors.TournamentNotStarted(tournament=tournament.name)
    name = tidy(plan.name)
    if len(name) > LONGEST_NAME:
        raise errors.TextTooLong(given=name[:20], found=len(name), limit=LONGEST_NAME)
    _require_system_fits(tournament, plan.system)
    _require_sound(tournament, plan)
    members = _from_stage(source, plan.takes) if source else _of_event(tournament)
    if len(members) < 2:
        raise errors.TooFewEntries(tournament=tournament.name, found=len(members), needed=2)
    wanted = _planned(tournament, plan, source, members, name)
    for before in tournament.stages.filter(state=Stage.State.OPEN, source=source):
        if _is_same(before, wanted):
            return before
    if source is not None:
        require_free(source, {int(one.contender.id) for one in members})
    last = tournament.stages.aggregate(last=Max("number"))["last"] or 0
    wanted.number = last + 1
    wanted.seed = 1 + secrets.randbelow(LARGEST_SEED)
    wanted.save()
    _enter(wanted, members)
    if wanted.system == Stage.System.TEAMS_OF_FOUR:
        _require_teams_of_four(wanted)
        draw_requests.drawn(draw_requests.next_round(wanted, 1))
    if wanted.system in _DRAWN_FROM_ENTRIES:
        # What cannot be drawn is refused now, not when everybody waits for the tables.
        draw_requests.drawn(draw_requests.whole_stage(wanted))
    line = log.write(tournament, "stage_made", by=by, stage=wanted, entries=len(members))
    keep_made(line, [wanted, *wanted.stage_entries.only("pk")])
    return wanted


def preview_qualifiers(source: Stage, takes: Takes | None) -> tuple[tuple[Entry, str, int], ...]:
    """Return who would go on, best first: the entry, its group, its place there."""
    members = _from_stage(source, takes)
    entries = {str(one.number): one for one in source.tournament.entries.select_related("club")}
    return tuple((entries[one.contender.id], one.group, one.place) for one in members)


def systems_for(tournament: Tournament) -> tuple[Stage.System, ...]:
    """Return the systems that an event's entries can play."""
    return tuple(one for one in Stage.System if _fits(tournament, one) is None)


def usual_rounds(entries: int) -> int:
    """Return how many rounds part all entries, so that one of them has won all of its own."""
    return max(1, (entries - 1).bit_length())


@transaction.atomic
@traced(watches.closing)
def close_stage(stage: Stage, *, by: User) -> Stage:
    """Close a stage: its standings are frozen. Asked twice, it is closed once."""
    permissions.require_director(by, stage.tournament)
    tournament = locked(stage.tournament)
    require_not_finished(tournament)
    stage = Stage.objects.get(pk=stage.pk)
    if stage.state == Stage.State.CLOSED:
        return stage
    unfinished = stage.rounds.exclude(
        state__in=[PairingRound.State.FINISHED, PairingRound.State.DRAFT]
    ).first()
    if unfinished is not None:
        raise draw_errors.StageNotFinished(stage=stage.title, round=unfinished.number)
    stage.rounds.filter(state=PairingRound.State.DRAFT).delete()
    standings.rebuild_standings(stage)
    stage.state = Stage.State.CLOSED
    stage.save(update_fields=["state"])
    log.write(tournament, "stage_closed", by=by, stage=stage)
    return stage


@transaction.atomic
@traced(watches.itself("state"))
def reopen_stage(stage: Stage, *, reason: str, by: User) -> Stage:
    """Open a closed stage for a correction, as long as nobody has gone on from it."""
    permissions.require_director(by, stage.tournament)
    tournament = locked(stage.tournament)
    require_not_finished(tournament)
    stage = Stage.objects.get(pk=stage.pk)
    if stage.state == Stage.State.OPEN:
        return stage
    later = stage.stages_after.order_by("number").first()
    if later is not None:
        raise draw_errors.StageHasSuccessor(stage=stage.title, later=later.title)
    stage.state = Stage.State.OPEN
    stage.save(update_fields=["state"])
    log.write(tournament, "stage_reopened", by=by, stage=stage, reason=tidy(reason))
    return stage


def require_stage_open(stage: Stage) -> None:
    """Refuse what would change a stage that is closed."""
    if stage.state == Stage.State.CLOSED:
        raise table_errors.StageIsClosed(stage=stage.title)


def _require_system_fits(tournament: Tournament, system: str) -> None:
    refusal = _fits(tournament, system)
    if refusal is not None:
        raise refusal


def _fits(tournament: Tournament, system: str) -> DominoError | None:
    """Return why the entries of an event cannot play a system, None if they can."""
    label = Stage.System(system).label
    single = tournament.entry_kind == Entry.Kind.SINGLE
    players = tournament.players_per_table
    rules = rules_of(tournament)
    if system in _FOURS and not (single and players == 4):
        kind = Entry.Kind(tournament.entry_kind).label
        return draw_errors.SystemNeedsSingles(system=label, kind=kind)
    if system in _FOURS and not has_partners(rules, players):
        return draw_errors.SystemNeedsPartners(system=label)
    if system == Stage.System.ELIMINATION and not (single and rules.elimination):
        return draw_errors.SystemNeedsLimit(system=label, profile=profile_name(rules))
    if system in _TWO_SIDES and single and players != 2:
        return draw_errors.SystemNeedsTwoSides(system=label, found=players)
    return None


def _planned(
    tournament: Tournament,
    plan: StagePlan,
    source: Stage | None,
    members: Sequence[Qualifier],
    name: str,
) -> Stage:
    """Return the stage that a plan asks for, without number and seed, not stored."""
    draw = dict(plan.draw or {})
    if plan.system == Stage.System.ELIMINATION:
        draw.setdefault("survivors", USUAL_SURVIVORS)
    if plan.best_of is not None and plan.system in BRACKETS:
        finals = plan.system == Stage.System.DOUBLE_ELIMINATION
        draw["best_of"] = _lengths(plan.best_of, (len(members) - 1).bit_length() + finals)
    settings: dict[str, object] = {"draw": draw}
    if plan.limit_together and plan.system == Stage.System.ELIMINATION:
        settings["limit_together"] = plan.limit_together
    if source is not None and plan.takes is not None:
        settings["takes"] = asdict(plan.takes)
    if source is not None:
        settings["origins"] = {
            one.contender.id: {"group": one.group, "place": one.place}
            for one in members
            if one.group
        }
    rounds = None
    if plan.system in WITH_ROUNDS:
        rounds = plan.rounds or usual_rounds(len(members))
    elif plan.system == Stage.System.ELIMINATION:
        rounds = 1
    elif plan.system == Stage.System.GROUPS:
        # Large groups end before everybody has met everybody.
        rounds = plan.rounds
    return Stage(
        tournament=tournament,
        name=name,
        system=plan.system,
        settings=settings,
        rounds_planned=rounds,
        target=plan.target,
        first_table=plan.first_table,
        source=source,
        tie_breaks=list(plan.tie_breaks or usual_tie_breaks(rules_of(tournament))),
    )


def _lengths(best_of: tuple[int, int, int], rounds: int) -> list[int]:
    """Return how many games a meeting may have, for each round from the first to the final."""
    earlier, semifinals, final = best_of
    return ([earlier] * rounds + [semifinals, final])[-rounds:]


def _is_same(before: Stage, wanted: Stage) -> bool:
    """Tell whether a stage is the one asked for, and nothing of it has been published."""
    asked = ("name", "system", "settings", "rounds_planned", "target", "first_table", "tie_breaks")
    # A bracket that has been drawn as a draft stands in the settings, too.
    known = {**before.settings}
    known.pop("bracket", None)
    same = all(
        (known if one == "settings" else getattr(before, one)) == getattr(wanted, one)
        for one in asked
    )
    return same and not before.rounds.exclude(state=PairingRound.State.DRAFT).exists()


def _require_sound(tournament: Tournament, plan: StagePlan) -> None:
    if plan.rounds is not None and not 1 <= plan.rounds <= MOST_ROUNDS:
        raise draw_errors.BadStageSetting(
            setting="rounds", expected=f"1–{MOST_ROUNDS}", found=plan.rounds
        )
    if plan.target is not None and plan.target < 1:
        raise draw_errors.BadStageSetting(setting="target", expected="≥ 1", found=plan.target)
    if not 1 <= plan.first_table <= table_errors.LARGEST_TABLE:
        raise table_errors.BadTableNumber(table=plan.first_table)
    known = [one.value for one in TieBreak]
    for name in plan.tie_breaks:
        if name not in known:
            raise draw_errors.BadStageSetting(
                setting="tie_breaks", expected=list(known), found=name
            )
    together = OPTION["limit_together"]
    if plan.limit_together and not together.accepts(plan.limit_together):
        raise draw_errors.BadStageSetting(
            setting="limit_together", expected=together.expected, found=plan.limit_together
        )
    survivors = (plan.draw or {}).get("survivors")
    if isinstance(survivors, int) and survivors >= tournament.players_per_table:
        raise draw_errors.TooManySurvivors(found=survivors, players=tournament.players_per_table)


def _of_event(tournament: Tournament) -> list[Qualifier]:
    entries = tournament.entries.filter(state=Entry.State.REGISTERED).order_by("seed", "number")
    return [
        Qualifier(Contender(str(one.number), rank)) for rank, one in enumerate(entries, start=1)
    ]


def _from_stage(source: Stage, takes: Takes | None) -> Sequence[Qualifier]:
    if source.state != Stage.State.CLOSED:
        raise draw_errors.StageNotClosed(stage=source.title)
    takes = takes or Takes(each=source.stage_entries.count())
    takes.require_sensible()
    if source.system == Stage.System.ELIMINATION:
        left = _survivors(source)
        if len(left) < 2:
            raise draw_errors.NobodyQualifies(stage=source.title, found=len(left))
        return left
    quota = Quota(each=takes.each, best_next=takes.best_next, second=takes.second)
    groups = _closed_groups(source)
    whole = [one for one in groups if not one.name]
    if whole and len(whole[0].rows) < takes.each + takes.second:
        raise draw_errors.StageTooSmall(
            stage=source.title, needed=takes.each + takes.second, found=len(whole[0].rows)
        )
    chosen = qualified(groups, quota)
    members = chosen.second if takes.second else chosen.main
    if len(members) < 2:
        raise draw_errors.NobodyQualifies(stage=source.title, found=len(members))
    return members


def _closed_groups(source: Stage) -> list[ClosedGroup]:
    """Return the standings of a closed stage; those who have left it do not go on."""
    registered = source.tournament.entries.filter(state=Entry.State.REGISTERED)
    there = dict(registered.values_list("pk", "number"))
    tickets = sorted(there.values(), key=lambda number: ticket(str(number), source.seed))
    lots = {number: lot for lot, number in enumerate(tickets)}
    names = [TieBreak(one) for one in source.tie_breaks]
    comparable = [one for one in names if one not in (TieBreak.DIRECT, TieBreak.LOT)]
    groups: dict[str, list[GroupRow]] = {}
    if source.system in BRACKETS:
        places = [number for number in places_of(source) if number in lots]
        return [ClosedGroup("", tuple(GroupRow(str(number), 0) for number in places))]
    for row in source.standing_rows.order_by("order"):
        if row.entry_id in there:
            number = there[row.entry_id]
            groups.setdefault(row.group, []).append(
                GroupRow(
                    entry=str(number),
                    matches=row.played,
                    values=tuple(_worth(row, name) for name in comparable),
                    lot=lots[number],
                )
            )
    return [ClosedGroup(name, tuple(some)) for name, some in sorted(groups.items())]


def _worth(row: StandingRow, name: TieBreak) -> int:
    value = int(row.values[name.value])
    return -value if name.less_is_better else value


def _survivors(source: Stage) -> list[Qualifier]:
    """Return who was left at each table of an elimination stage, the best first; then the byes."""
    winners = (
        MatchSeat.objects.filter(
            pairing_round__stage=source,
            match__state=Match.State.CLOSED,
            outcome__in=[MatchSeat.Outcome.WIN, MatchSeat.Outcome.WALKOVER_WIN],
            entry__state=Entry.State.REGISTERED,
        )
        .order_by("points_against", "entry__seed", "entry__number")
        .values_list("entry__number", "match__table")
    )
    rested = (
        Bye.objects.filter(pairing_round__stage=source, entry__state=Entry.State.REGISTERED)
        .exclude(pairing_round__state=PairingRound.State.DRAFT)
        .order_by("entry__seed", "entry__number")
    )
    left = [(number, str(table)) for number, table in winners]
    left += [(number, "") for number in rested.values_list("entry__number", flat=True)]
    return [
        Qualifier(Contender(str(number), rank), group=table, place=1)
        for rank, (number, table) in enumerate(left, start=1)
    ]


def _enter(stage: Stage, members: Iterable[Qualifier]) -> None:
    """Write down who plays in a stage."""
    entries = {one.number: one for one in stage.tournament.entries.all()}
    listed = [(entries[int(one.contender.id)], seed) for seed, one in enumerate(members, start=1)]
    StageEntry.objects.bulk_create(
        StageEntry(stage=stage, entry=entry, seed=seed, group=team_of(stage, entry))
        for entry, seed in listed
    )


def _require_teams_of_four(stage: Stage) -> None:
    """Refuse a team with a fifth member."""
    teams: defaultdict[str, list[Entry]] = defaultdict(list)
    for member in stage.stage_entries.select_related("entry__club"):
        teams[member.group].append(member.entry)
    for members in teams.values():
        if len(members) > TEAM_OF_FOUR:
            raise entry_errors.TeamTooLargeHere(
                team=str(members[0].club),
                found=len(members),
                most=TEAM_OF_FOUR,
                names=[one.name for one in members],
            )


def team_of(stage: Stage, entry: Entry) -> str:
    """Return the team an entry plays for: in teams of four its club, elsewhere none."""
    if stage.system != Stage.System.TEAMS_OF_FOUR:
        return ""
    if entry.club_id is None:
        raise draw_errors.TeamMissing(system=Stage.System.TEAMS_OF_FOUR.label, entry=entry.name)
    return str(entry.club_id)

"""A whole event of each format, played round by round with what goes wrong on the day."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from random import Random

from referee.rehearsal import brackets_law, laws, standings_law
from referee.rehearsal.day import Troubles, play_round, play_seated
from referee.rehearsal.desk import Desk, qualifiers
from referee.rehearsal.event import Rehearsal, make_event, require
from tournaments.errors.draws import BracketIsOver
from tournaments.models import Stage
from tournaments.services import draws, lifecycle
from tournaments.services.pairings import TableData, save_manual_round
from tournaments.services.stages import StagePlan
from tournaments.services.takes import Takes

ROUNDS = 6
# What goes wrong in which round of an event that is drawn by standings.
BY_STANDINGS: Mapping[int, Troubles] = {
    1: ("ask_bye",),
    2: ("forbid", "miss", "correct"),
    3: ("leave", "enter_late", "exchange"),
    4: ("leave_at_table", "correct"),
    5: ("come_back", "miss", "put_out"),
    6: ("correct",),
}
DRAWN_BEFORE: Mapping[int, Troubles] = {2: ("leave_at_table", "correct"), 4: ("correct",)}
IN_BRACKETS: Mapping[int, Troubles] = {2: ("leave", "correct"), 3: ("correct",)}


@dataclass(frozen=True, slots=True)
class Format:
    """How a format is played. `size` is how many enter unless told otherwise."""

    play: Callable[[Rehearsal], None]
    size: int
    smallest: int
    kind: str = "pair"
    profile: str = "wdf"
    target: int = 100
    teams: bool = False


def rehearse(name: str, chance: Random, *, size: int | None = None) -> Rehearsal:
    """Play a whole event of a format; raises BrokenLaw where something is not as it must be."""
    chosen = FORMATS[name]
    play = make_event(
        f"Rehearsal of {name}",
        max(size or chosen.size, chosen.smallest),
        chance,
        kind=chosen.kind,
        profile=chosen.profile,
        target=chosen.target,
        teams=chosen.teams,
    )
    chosen.play(play)
    for pk, before in play.frozen.items():
        stage = Stage.objects.get(pk=pk)
        after = standings_law.written(stage)
        require(before == after, "a closed stage never changes", at=stage, found=after[:200])
    laws.check_log(play)
    lifecycle.finish(play.event, by=play.director)
    return play


def by_standings(play: Rehearsal, plan: StagePlan) -> Desk:
    """Play a stage that is drawn round by round from its standings."""
    desk = Desk.of(play, plan)
    for number in range(1, ROUNDS + 1):
        play_round(desk, number, BY_STANDINGS.get(number, ()))
    play.seen.update(laws.seen_of(desk.stage))
    return desk


def swiss(play: Rehearsal) -> None:
    """Fixed pairs, club-mates apart, two of them never to meet."""
    desk = by_standings(play, StagePlan("swiss", rounds=ROUNDS, draw={"separate_by": "club"}))
    desk.close()


def rotating(play: Rehearsal) -> None:
    """Individuals with a new partner every round, under a target of the stage's own."""
    by_standings(play, StagePlan("rotating", rounds=ROUNDS, target=150)).close()


def teams_of_four(play: Rehearsal) -> None:
    """Teams whose members play for themselves at different tables."""
    by_standings(play, StagePlan("teams_of_four", rounds=ROUNDS)).close()


def schedule(play: Rehearsal) -> None:
    """Individuals whose rounds are all drawn before the first one."""
    desk = Desk.of(play, StagePlan("schedule", rounds=5))
    for number in range(1, 6):
        play_round(desk, number, DRAWN_BEFORE.get(number, ()))
    play.seen.update(laws.seen_of(desk.stage))
    desk.close()


def round_robin(play: Rehearsal) -> None:
    """All against all, twice."""
    desk = Desk.of(play, StagePlan("round_robin", draw={"legs": 2}))
    all_rounds(desk)
    brackets_law.check_all_meet(desk.stage, desk.out, times=2)
    desk.close()


def groups(play: Rehearsal) -> None:
    """Groups, whose first two play a knockout best of three with a match for third place."""
    count = max(2, play.event.entries.count() // 5)
    desk = Desk.of(play, StagePlan("groups", draw={"groups": count, "separate_by": "club"}))
    all_rounds(desk)
    found = brackets_law.check_all_meet(desk.stage, desk.out)
    require(found == count, "as many groups as were asked for", found=found)
    source = desk.close()
    takes = Takes(each=2)
    ahead = qualifiers(desk, takes)
    brackets_law.check_qualifiers(source, 2, ahead)
    plan = StagePlan("knockout", target=150, takes=takes, draw={"third_place": True, "best_of": 3})
    final = Desk.of(play, plan, source=source, keeps_winners=True)
    require(final.members == set(ahead), "who goes on is who was shown", found=final.members)
    bracket(final, lives=1)


def all_rounds(desk: Desk) -> None:
    """Play all rounds of a stage that was drawn as a whole."""
    play_round(desk, 1)
    for number in range(2, desk.stage.rounds.count() + 1):
        play_round(desk, number, DRAWN_BEFORE.get(number, ()))


def double_elimination(play: Rehearsal) -> None:
    """Pairs of which each may lose once."""
    plan = StagePlan("double_elimination")
    bracket(Desk.of(play, plan, keeps_winners=True), lives=2)


def bracket(desk: Desk, *, lives: int) -> None:
    """Play a bracket to its champion."""
    number = 0
    while True:
        before = brackets_law.losses(desk.stage)
        number += 1
        try:
            play_round(desk, number, IN_BRACKETS.get(number, ()))
        except BracketIsOver:
            break
        brackets_law.check_bracket_round(desk.stage, number, lives, before)
    champion = brackets_law.check_bracket(desk.stage, lives, desk.out)
    shown = draws.bracket_of(desk.stage)
    require(
        shown is not None and shown.champion == str(champion),
        "the bracket shows its champion",
        found=shown and shown.champion,
    )
    desk.play.seen["rounds of a bracket"] += number - 1
    desk.close()


def elimination(play: Rehearsal) -> None:
    """Tables of four for themselves; the last two of each go on, the limit rising."""
    source, wanted = None, set[int]()
    for target in (100, 125, 150, 175, 200, 225):
        plan = StagePlan("elimination", target=target, takes=Takes(each=2) if source else None)
        desk = Desk.of(play, plan, source=source)
        if source is not None:
            require(desk.members == wanted, "who is left goes on", found=desk.members ^ wanted)
        play_round(desk, 1)
        wanted = brackets_law.left_in(desk.stage)
        source = desk.close()
        play.seen["stages"] += 1
        if len(wanted) <= 2:
            break
    require(1 <= len(wanted) <= 2, "the last table leaves two at most", found=wanted)


def by_hand(play: Rehearsal) -> None:
    """Tables made by hand, each entry against the next one."""
    desk = Desk.of(play, StagePlan("manual"))
    numbers = sorted(desk.members)
    for number in range(1, 4):
        turned = [numbers[0], *numbers[number:], *numbers[1:number]]
        pairs = list(zip(turned[::2], turned[1::2], strict=False))
        rests = turned[2 * len(pairs) :]
        save_manual_round(
            desk.stage,
            number=number,
            tables=[TableData(table, pair) for table, pair in enumerate(pairs, start=1)],
            byes=rests,
            by=play.director,
        )
        play_seated(desk, number, ("correct",) if number > 1 else ())
    desk.close()


FORMATS: Mapping[str, Format] = {
    "swiss": Format(swiss, size=21, smallest=14, profile="femundo", target=200),
    "rotating": Format(rotating, size=38, smallest=22, kind="single", profile="femundo"),
    "teams_of_four": Format(
        teams_of_four, size=32, smallest=24, kind="single", profile="femundo", teams=True
    ),
    "schedule": Format(schedule, size=18, smallest=16, kind="single"),
    "round_robin": Format(round_robin, size=7, smallest=4),
    "groups": Format(groups, size=21, smallest=8),
    "double_elimination": Format(double_elimination, size=13, smallest=4),
    "elimination": Format(elimination, size=37, smallest=9, kind="single", profile="elimination"),
    "by_hand": Format(by_hand, size=9, smallest=6),
}

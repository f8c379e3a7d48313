"""Laws of a pairing round, by queries and arithmetic of their own.

Nothing here asks a service; what the draw says of itself is believed only where it is counted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import combinations

from referee.rehearsal.event import (
    Rehearsal,
    SeatRow,
    absences_of,
    byes_of,
    published_rounds,
    require,
    seats_of,
    sides_at,
    tables_of,
)
from tournaments.models import ForbiddenMeeting, LogEntry, PairingRound, Stage

Pair = frozenset[int]
UNPLAYED = {"walkover_win", "walkover_loss"}
# Up to here every draw there is is looked for; from this size on no partner comes twice.
LARGEST_SEARCH = 40
NO_PARTNER_TWICE_FROM = 16
BY_STANDINGS = {"swiss", "rotating", "teams_of_four"}
# Acts that nothing else in an event does.
ONCE = (
    "round_drawn",
    "round_published",
    "stage_closed",
    "entry_withdrawn",
    "entry_disqualified",
    "entry_reinstated",
    "entry_joined_late",
    "absence_noted",
    "bye_asked",
    "meeting_forbidden",
    "result_corrected",
    "seats_emptied",
)
EVERYBODY_PLAYS = BY_STANDINGS | {"schedule", "elimination"}
FOURS = {"rotating", "schedule", "teams_of_four"}


def places(rows: Iterable[SeatRow]) -> list[tuple[int, int, str, int]]:
    """Return who sits where, without what happened there."""
    return [(row.round, row.table, row.seat, row.player) for row in rows]


def seated(rows: Iterable[SeatRow]) -> dict[int, tuple[int, str]]:
    """Return the table and the first seat of each entry."""
    found: dict[int, tuple[int, str]] = {}
    for row in rows:
        found.setdefault(row.entry, (row.table, row.seat))
    return found


def check_draw(stage: Stage, number: int, due: Collection[int]) -> None:
    """Check a round that has just been drawn. `due`: the entries it is drawn for."""
    rows = seats_of(stage, round_number=number)
    at = f"{stage.system}, round {number}"
    players = Counter(row.player for row in rows)
    twice = [player for player, times in players.items() if times > 1]
    require(not twice, "nobody sits twice in a round", at=at, found=twice)
    seated = {row.entry for row in rows}
    forbidden = _forbidden(stage)
    together = {
        frozenset(two)
        for table in tables_of(rows).values()
        for two in combinations(sorted({row.entry for row in table}), 2)
    }
    require(not together & forbidden, "no forbidden meeting", at=at, found=together & forbidden)
    if stage.system in EVERYBODY_PLAYS:
        _everybody_is_somewhere(stage, number, seated, due)
    if stage.system in BY_STANDINGS:
        _byes_to_the_fewest(stage, number, seated)
    if stage.system == "swiss":
        _no_rematch_to_avoid(stage, number, rows, forbidden)
    if stage.system in FOURS:
        _no_partner_twice(stage, number, len(due))
    if stage.system == "teams_of_four":
        _team_mates_apart(stage, rows, at)


def _everybody_is_somewhere(
    stage: Stage, number: int, seated: set[int], due: Collection[int]
) -> None:
    at = f"{stage.system}, round {number}"
    resting = byes_of(stage).get(number, [])
    away = absences_of(stage).get(number, [])
    count = Counter([*seated, *resting, *away])
    more = [entry for entry, times in count.items() if times > 1]
    require(not more, "nobody both sits and rests or is away", at=at, found=more)
    if stage.system == "schedule" and number > 1:
        # Drawn before play: who has withdrawn since still has a table, which is a walkover.
        require(set(due) <= set(count), "everybody sits, rests or is away", at=at, found=count)
        return
    missing, strangers = set(due) - set(count), set(count) - set(due)
    require(not missing, "everybody sits, rests or is away", at=at, found=missing)
    require(not strangers, "only who plays is drawn", at=at, found=strangers)


def _byes_to_the_fewest(stage: Stage, number: int, seated: set[int]) -> None:
    earlier = Counter(
        entry for one, resting in byes_of(stage).items() if one < number for entry in resting
    )
    drawn = byes_of(stage, "drawn").get(number, [])
    size = 2 if stage.system == "swiss" else 4
    require(
        len(drawn) == (len(seated) + len(drawn)) % size,
        "as few byes as the number asks for",
        at=f"{stage.system}, round {number}",
        found=drawn,
    )
    most = max((earlier[one] for one in drawn), default=0)
    fewest = min((earlier[one] for one in seated), default=0)
    require(
        most <= fewest,
        "the bye goes to those with the fewest byes",
        at=f"{stage.system}, round {number}",
        found={one: earlier[one] for one in drawn},
    )


def _no_rematch_to_avoid(
    stage: Stage, number: int, rows: Sequence[SeatRow], forbidden: set[Pair]
) -> None:
    met = meetings(stage, before=number)
    now = [frozenset(row.entry for row in table) for table in tables_of(rows).values()]
    repeated = [two for two in now if met[two]]
    report = _report(stage, number)
    at = f"swiss, round {number}"
    require(
        report.get("rematches") == len(repeated),
        "the report counts the rematches",
        at=at,
        found=report.get("rematches"),
    )
    if not repeated:
        return
    names = sorted(one for two in now for one in two)
    barred = {two for two in met if met[two]} | forbidden
    if len(names) <= LARGEST_SEARCH:
        require(
            not _can_be_paired(names, barred),
            "no rematch while one can be avoided",
            at=at,
            found=[sorted(two) for two in repeated],
        )


def _can_be_paired(names: Sequence[int], barred: Collection[Pair]) -> bool:
    """Say whether all these can meet somebody without a barred meeting."""
    open_to = {
        one: [other for other in names if other != one and frozenset((one, other)) not in barred]
        for one in names
    }
    dead: set[frozenset[int]] = set()

    def paired(left: frozenset[int]) -> bool:
        if not left:
            return True
        if left in dead:
            return False
        # Who has the fewest to meet comes first, so that dead ends show early.
        one = min(left, key=lambda name: (sum(other in left for other in open_to[name]), name))
        if any(paired(left - {one, other}) for other in open_to[one] if other in left):
            return True
        dead.add(left)
        return False

    return paired(frozenset(names))


def meetings(stage: Stage, *, before: int) -> Counter[Pair]:
    """Return how often each two entries have been opponents at a table that was played."""
    found: Counter[Pair] = Counter()
    for _, opponents in _sides_before(stage, before):
        found.update(opponents)
    return found


def partnerships(stage: Stage, *, before: int) -> Counter[Pair]:
    """Return how often each two entries have been partners at a table that was played."""
    found: Counter[Pair] = Counter()
    for partners, _ in _sides_before(stage, before):
        found.update(partners)
    return found


def _sides_before(stage: Stage, before: int) -> list[tuple[list[Pair], list[Pair]]]:
    rows = [row for row in seats_of(stage) if row.round < before and row.outcome not in UNPLAYED]
    return [_pairs(table) for table in tables_of(rows).values()]


def _pairs(table: Sequence[SeatRow]) -> tuple[list[Pair], list[Pair]]:
    """Return the partners and the opponents at a table."""
    one, other = sides_at(table)
    partners = [frozenset(side) for side in (one, other) if len(side) == 2]
    return partners, [frozenset((a, b)) for a in one for b in other]


def _no_partner_twice(stage: Stage, number: int, count: int) -> None:
    if count < NO_PARTNER_TWICE_FROM:
        return
    before = partnerships(stage, before=number)
    rows = seats_of(stage, round_number=number)
    again = [
        sorted(two) for table in tables_of(rows).values() for two in _pairs(table)[0] if before[two]
    ]
    require(not again, "no partner twice", at=f"{stage.system}, round {number}", found=again)


def _team_mates_apart(stage: Stage, rows: Sequence[SeatRow], at: str) -> None:
    team: Mapping[int, str] = dict(stage.stage_entries.values_list("entry__number", "group"))
    require(len(set(team.values())) > 1, "players belong to teams", at=at, found=set(team.values()))
    for (_, table), four in tables_of(rows).items():
        teams = Counter(team[row.entry] for row in four)
        most = max(teams.values())
        require(most == 1, "team-mates never share a table", at=f"{at}, table {table}", found=teams)


def check_results(stage: Stage, number: int) -> None:
    """Check what the tables of a finished round were left with."""
    state = stage.rounds.get(number=number).state
    require(
        state == PairingRound.State.FINISHED,
        "a round is finished once all its tables are",
        at=f"{stage.system}, round {number}",
        found=state,
    )
    for (_, number_at), table in tables_of(seats_of(stage, round_number=number)).items():
        at = f"{stage.system}, round {number}, table {number_at}"
        outcomes = Counter(row.outcome for row in table)
        require("" not in outcomes, "a finished table has a result", at=at, found=outcomes)
        if set(outcomes) & UNPLAYED:
            require(set(outcomes) <= UNPLAYED, "a walkover is one for all", at=at, found=outcomes)
        elif stage.system == "elimination":
            _left(table, int(stage.settings["draw"]["survivors"]), at)
        else:
            _sums(table, at)


def _sums(table: Sequence[SeatRow], at: str) -> None:
    """What one side has for, the other has against it, but for what was taken off."""
    one, other = ([row for row in table if row.seat in letters] for letters in ("AC", "BD"))
    for mine, theirs in ((one, other), (other, one)):
        for row in mine:
            had = {row.points_for or 0, (row.points_for or 0) + row.deducted}
            given = {row.points_against for row in theirs}
            fits = len(given) == 1 and given <= had
            require(fits, "points for one are against the other", at=at, found=(had, given))
    won = {row.seat in "AC" for row in table if row.outcome == "win"}
    require(len(won) <= 1, "one side wins a table", at=at, found=[row.outcome for row in table])
    fined = any(row.deducted for row in table)
    require(bool(won) or fined, "somebody wins a table", at=at, found="nobody")


def _left(table: Sequence[SeatRow], survivors: int, at: str) -> None:
    """As many are left as go on, fewer where two reach the limit at once."""
    against = {"win": [], "loss": []}  # type: dict[str, list[int]]
    for row in table:
        against[row.outcome].append(row.points_against or 0)
    require(1 <= len(against["win"]) <= survivors, "the last ones go on", at=at, found=against)
    found = (max(against["win"]), min(against["loss"]))
    require(found[0] < found[1], "who has least against them goes on", at=at, found=against)


def check_log(play: Rehearsal) -> None:
    """Every act of the desk stands in the log as often as it was done."""
    rows = LogEntry.objects.filter(tournament=play.event).values_list("act", flat=True)
    written = Counter(rows)
    short = {act: (count, written[act]) for act, count in play.acts.items() if written[act] < count}
    require(not short, "every act is in the log", at="act: (done, written)", found=short)
    for act in ONCE:
        require(
            written[act] == play.acts[act],
            "what is asked for twice is done once",
            at=act,
            found=(play.acts[act], written[act]),
        )


def seen_of(stage: Stage) -> dict[str, int]:
    """Return what is worth telling of the draws of a stage: repeats and gaps of wins."""
    last = max(published_rounds(stage), default=0) + 1
    partners = partnerships(stage, before=last)
    opponents = meetings(stage, before=last)
    gaps = [
        int(report.get("win_gap", report.get("win_spread", 0)))
        for report in (_report(stage, number) for number in range(1, last))
    ]
    return {
        "partners repeated": sum(times - 1 for times in partners.values() if times > 1),
        "opponents repeated": sum(times - 1 for times in opponents.values() if times > 1),
        "win gaps": sum(gaps),
    }


def _report(stage: Stage, number: int) -> dict[str, int]:
    draw = stage.rounds.get(number=number).draw
    report: dict[str, int] = draw.get("answer", {}).get("report", {})
    return report


def _forbidden(stage: Stage) -> set[Pair]:
    rows = ForbiddenMeeting.objects.filter(tournament=stage.tournament_id)
    return {frozenset(two) for two in rows.values_list("one__number", "other__number")}

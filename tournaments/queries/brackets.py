"""What the page and the API show of a bracket."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from django.db.models import QuerySet
from django.utils.translation import gettext

from tournaments import publication
from tournaments.competition.bracket_matches import BracketMatch, By, Part, Source
from tournaments.competition.brackets import NOBODY, Bracket, MatchInPlay, Status
from tournaments.digits import local_digits
from tournaments.direction import isolated
from tournaments.models import LONG_IN_ROUND, Entry, Match, PairingRound, Stage
from tournaments.queries.appeals import Protest, protests_of
from tournaments.queries.events import TableLine, table_lines
from tournaments.services.brackets import bracket_of, undecided_games


@dataclass(frozen=True, slots=True)
class MeetingSide:
    """A side of a meeting: its entry, or in words who will come.

    `score` are the points of the only game, or the games won where several are played.
    """

    entry: Entry | None
    label: str
    is_winner: bool
    score: int | None


@dataclass(frozen=True, slots=True)
class MeetingLine:
    """A meeting of a bracket with its published tables; `sentence` says all of it in words."""

    name: str
    part: str
    status: str
    best_of: int
    sides: tuple[MeetingSide, ...]
    tables: tuple[Match, ...]
    sentence: str
    is_protested: bool
    """The result of one of its tables is under protest."""
    waits_for_desk: bool
    """Both sides have lost it, and the desk has not said who goes on."""

    @property
    def open_table(self) -> Match | None:
        """The table at which it is being played, or is about to be."""
        return next((one for one in self.tables if one.state != Match.State.CLOSED), None)


@dataclass(frozen=True, slots=True)
class BracketColumn:
    """The meetings of one round of a part of the bracket, from the top.

    `joins` says that every two of them lead to one of the next column, so that lines can be drawn.
    """

    title: str
    meetings: tuple[MeetingLine, ...]
    joins: bool = False


@dataclass(frozen=True, slots=True)
class BracketPart:
    """A part of the bracket with its rounds; `title` is empty where there is only one."""

    title: str
    columns: tuple[BracketColumn, ...]


@dataclass(frozen=True, slots=True)
class PlaceLine:
    """Who has come out of the bracket at a place; those who went out in one round share it."""

    place: int
    entries: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class BracketPage:
    stage: Stage
    parts: tuple[BracketPart, ...]
    places: tuple[PlaceLine, ...]
    champion: Entry | None
    protests: tuple[Protest, ...]
    path_of: int | None = None
    """The number of the entry whose meetings alone are shown."""

    @property
    def entries(self) -> tuple[Entry, ...]:
        """Who is in the bracket, by name."""
        found = {
            side.entry.pk: side.entry
            for part in self.parts
            for column in part.columns
            for one in column.meetings
            for side in one.sides
            if side.entry is not None
        }
        return tuple(sorted(found.values(), key=lambda entry: (entry.name, entry.number)))


def path_of(page: BracketPage, number: int) -> BracketPage:
    """Return the bracket with the meetings of one entry alone; whole where it is in none."""
    parts = []
    for part in page.parts:
        columns = []
        for column in part.columns:
            own = tuple(
                one
                for one in column.meetings
                if any(side.entry is not None and side.entry.number == number for side in one.sides)
            )
            if own:
                columns.append(replace(column, meetings=own, joins=False))
        if columns:
            parts.append(replace(part, columns=tuple(columns)))
    return replace(page, parts=tuple(parts), path_of=number) if parts else page


@dataclass(frozen=True, slots=True)
class BracketRead:
    """A bracket as it is stored, in no language yet; `in_words` says it in the reader's."""

    stage: Stage
    bracket: Bracket
    entries: Mapping[str, Entry]
    tables: Mapping[str, Sequence[TableLine]]
    undecided: Collection[int]
    protests: tuple[Protest, ...]

    def in_words(self) -> BracketPage:
        lines = {
            name: _meeting_line(one, self.entries, self.tables, self.undecided)
            for name, one in self.bracket.matches.items()
        }
        champion = self.bracket.champion
        return BracketPage(
            stage=self.stage,
            parts=_parts([one.match for one in self.bracket.matches.values()], lines),
            places=_place_lines(self.bracket, self.entries),
            champion=None if champion is None else self.entries.get(champion),
            protests=self.protests,
        )


def bracket_page(stage: Stage) -> BracketPage | None:
    """Return the bracket of a stage as it stands, None before it is drawn."""
    found = bracket_read(stage)
    return None if found is None else found.in_words()


def bracket_read(stage: Stage) -> BracketRead | None:
    """Read the bracket of a stage, None before it is drawn. Tables of a draft are not among it.

    Where results are hidden from the reader it is as if nobody had played there.
    """
    until = publication.withheld(stage.tournament).last_known(stage)
    bracket = bracket_of(stage, until=until)
    if bracket is None:
        return None
    tables: defaultdict[str, list[TableLine]] = defaultdict(list)
    for table in table_lines(published_tables(stage), stage.tournament):
        tables[table.match.meeting].append(table)
    entries = {str(one.number): one for one in stage.tournament.entries.all()}
    publication.name_in_full(stage.tournament, entries.values())
    return BracketRead(
        stage=stage,
        bracket=bracket,
        entries=entries,
        tables={
            name: sorted(some, key=lambda table: table.match.game) for name, some in tables.items()
        },
        undecided=frozenset(undecided_games(stage)) - _hidden(tables),
        protests=protests_of([stage], until=until),
    )


def _hidden(tables: Mapping[str, Sequence[TableLine]]) -> frozenset[int]:
    return frozenset(one.match.pk for some in tables.values() for one in some if one.is_hidden)


def published_tables(stage: Stage) -> QuerySet[Match]:
    """Return the tables of a stage that everybody may see."""
    matches = Match.objects.filter(pairing_round__stage=stage)
    published = matches.exclude(pairing_round__state=PairingRound.State.DRAFT)
    return published.select_related("pairing_round__stage").defer(*LONG_IN_ROUND)


def _meeting_line(
    one: MatchInPlay,
    entries: Mapping[str, Entry],
    tables_of: Mapping[str, Sequence[TableLine]],
    undecided: Collection[int],
) -> MeetingLine:
    tables = tables_of.get(one.match.name, ())
    waits = any(table.match.pk in undecided for table in tables)
    sides = tuple(
        MeetingSide(
            entry=entries.get(occupant) if isinstance(occupant, str) else None,
            label=_label(one.match.sides[side], occupant, entries, tables_of),
            is_winner=isinstance(occupant, str) and occupant == one.winner,
            score=_score(occupant, one.match.best_of, tables),
        )
        for side, occupant in one.sides.items()
    )
    return MeetingLine(
        name=one.match.name,
        part=str(one.match.part),
        status=str(one.status),
        best_of=one.match.best_of,
        sides=sides,
        tables=tuple(table.match for table in tables),
        sentence=_sentence(one.match.name, one.status, sides, waits=waits),
        is_protested=any(table.is_protested for table in tables),
        waits_for_desk=waits,
    )


def _label(
    source: Source,
    occupant: object,
    entries: Mapping[str, Entry],
    tables_of: Mapping[str, Sequence[TableLine]],
) -> str:
    if isinstance(occupant, str):
        return entries[occupant].name if occupant in entries else occupant
    if occupant is NOBODY:
        return gettext("nobody")
    if any(table.is_hidden for table in tables_of.get(source.name, ())):
        return gettext("to be announced")
    played = (table.match for table in tables_of.get(source.name, ()))
    if (at := next((one for one in played if one.state != Match.State.CLOSED), None)) is not None:
        # Where it is being played, everybody sees in the hall.
        said = (
            gettext("Winner of table %(table)s")
            if source.by is By.WINNER
            else gettext("Loser of table %(table)s")
        )
        return local_digits(said % {"table": at.table})
    said = (
        gettext("Winner of %(meeting)s")
        if source.by is By.WINNER
        else gettext("Loser of %(meeting)s")
    )
    return local_digits(said % {"meeting": source.name})


def _score(occupant: object, best_of: int, tables: Sequence[TableLine]) -> int | None:
    """Return the points of a side in the only game, or how many games it has won."""
    if not isinstance(occupant, str) or not tables or any(one.is_hidden for one in tables):
        return None
    own = [
        side
        for table in tables
        for side in table.sides
        if any(str(entry.number) == occupant for entry in side.entries)
    ]
    if best_of == 1:
        # A level game was followed by another one.
        return own[-1].points if own else None
    return sum(side.is_winner for side in own)


def _sentence(name: str, status: Status, sides: Sequence[MeetingSide], *, waits: bool) -> str:
    """Say a meeting as one hears it: its name, who meets, who has won and how."""
    one, other = sides
    said = {"meeting": name, "one": one.label, "other": other.label}
    winner = next((side for side in sides if side.is_winner), None)
    if waits:
        text = gettext(
            "%(meeting)s: %(one)s – %(other)s, both have lost; the desk has not decided yet who "
            "goes on"
        )
        return _with_names(text, said)
    if status is Status.NOT_NEEDED:
        return local_digits(gettext("%(meeting)s is not needed") % said)
    if status is Status.PLAYED and winner is None:
        text = gettext("%(meeting)s: %(one)s – %(other)s, both are out")
        return _with_names(text, said)
    if winner is None:
        return _with_names(gettext("%(meeting)s: %(one)s – %(other)s"), said)
    loser = other if winner is one else one
    said["winner"] = winner.label
    if status is Status.FREE or None in (winner.score, loser.score):
        return _with_names(gettext("%(meeting)s: %(winner)s goes on without play"), said)
    text = gettext("%(meeting)s: %(one)s – %(other)s, winner %(winner)s %(score)s")
    score = local_digits(f"{winner.score}:{loser.score}")
    # A score is read from left to right everywhere.
    return _with_names(text, said | {"score": f"\u2066{score}\u2069"})


def _with_names(text: str, said: Mapping[str, str]) -> str:
    """Fill a sentence, each name in its own direction."""
    apart = {key: isolated(value) for key, value in said.items() if key != "score"}
    return text % {**said, **apart, "meeting": local_digits(said["meeting"])}


def _parts(
    matches: Sequence[BracketMatch], lines: Mapping[str, MeetingLine]
) -> tuple[BracketPart, ...]:
    """Return the rounds in the order they are played; a bracket of two parts shows each alone."""
    rounds: defaultdict[Part, defaultdict[int, list[MeetingLine]]] = defaultdict(
        lambda: defaultdict(list)
    )
    for match in matches:
        rounds[match.part][match.round].append(lines[match.name])
    if Part.LOSERS not in rounds:
        one_after_another = (Part.WINNERS, Part.FINAL, Part.THIRD_PLACE)
        columns = [column for part in one_after_another for column in _columns(part, rounds[part])]
        return (BracketPart("", tuple(columns)),)
    titles = {
        Part.WINNERS: gettext("Winners’ bracket"),
        Part.LOSERS: gettext("Losers’ bracket"),
        Part.FINAL: gettext("Finals"),
    }
    return tuple(
        BracketPart(title, tuple(_columns(part, rounds[part], double=True)))
        for part, title in titles.items()
        if part in rounds
    )


def _columns(
    part: Part, rounds: Mapping[int, Sequence[MeetingLine]], *, double: bool = False
) -> list[BracketColumn]:
    order = sorted(rounds)
    sizes = [len(rounds[number]) for number in order] + ([1] if part is Part.WINNERS else [])
    return [
        BracketColumn(
            _round_title(part, n, 0 if double else len(rounds) - n + 1),
            tuple(rounds[number]),
            joins=n < len(sizes) and sizes[n - 1] == 2 * sizes[n],
        )
        for n, number in enumerate(order, start=1)
    ]


def _round_title(part: Part, n: int, from_end: int) -> str:
    """Return what a round is called; `from_end` is 1 for the semifinals, 0 where there are none."""
    match part:
        case Part.FINAL:
            return gettext("Final") if n == 1 else gettext("Second final")
        case Part.THIRD_PLACE:
            return gettext("Third place")
    named = {1: gettext("Semifinals"), 2: gettext("Quarterfinals")}
    return named.get(from_end) or local_digits(gettext("Pairing round %(number)s") % {"number": n})


def _place_lines(bracket: Bracket, entries: Mapping[str, Entry]) -> tuple[PlaceLine, ...]:
    found: defaultdict[int, list[Entry]] = defaultdict(list)
    for entry, place in bracket.places.items():
        if entry in entries:
            found[place].append(entries[entry])
    return tuple(
        PlaceLine(place, tuple(sorted(some, key=lambda entry: entry.number)))
        for place, some in sorted(found.items())
    )

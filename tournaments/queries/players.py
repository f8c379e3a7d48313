"""What the pages of an entry, a player and the ratings show."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import F, Prefetch, Q, QuerySet
from django.http import Http404

from tournaments import permissions, publication
from tournaments.models import (
    Absence,
    Bye,
    Club,
    Entry,
    EntryPlayer,
    Match,
    MatchSeat,
    PairingRound,
    Player,
    Rating,
    RatingChange,
    StandingRow,
    Tournament,
)
from tournaments.names import folded
from tournaments.permissions import Visitor
from tournaments.queries.appeals import protested_among, with_protest
from tournaments.queries.spellings import publicly_spelled
from tournaments.rules import rules_of, sides_of

# A rating as people read it: a newcomer has 1000, and it is a cautious estimate.
_BASE, _SCALE, _CAUTION = 1000, 40, 3


@dataclass(frozen=True, slots=True)
class ResultLine:
    """What an entry took from one round: at a table, by a bye, or absent."""

    pairing_round: PairingRound
    match: Match | None
    opponents: tuple[Entry, ...]
    partners: tuple[Entry, ...]
    points: int | None
    points_against: int | None
    deducted: int
    outcome: str
    label: str


@dataclass(frozen=True, slots=True)
class EntryPage:
    entry: Entry
    players: tuple[Player, ...]
    bench: tuple[Player, ...]
    results: tuple[ResultLine, ...]
    rows: tuple[StandingRow, ...]


@dataclass(frozen=True, slots=True)
class EventOfPlayer:
    """An event a player was in: with whom, and where they came in at the last stage."""

    tournament: Tournament
    entry: Entry
    partners: tuple[Player, ...]
    row: StandingRow | None


@dataclass(frozen=True, slots=True)
class ChangeLine:
    """What a table did to a rating."""

    match: Match
    tournament: Tournament
    points: int | None
    points_against: int | None
    outcome: str
    rating: int
    change: int
    is_protested: bool


@dataclass(frozen=True, slots=True)
class PlayerPage:
    player: Player
    club: Club | None
    rating: int | None
    place: int | None
    matches: int
    events: tuple[EventOfPlayer, ...]
    history: tuple[ChangeLine, ...]


@dataclass(frozen=True, slots=True)
class RatingLine:
    place: int
    player: Player
    rating: int
    matches: int


class RatingLines(Sequence[RatingLine]):
    """The rated players, read page by page; a place counts all of them, whoever is asked for."""

    def __init__(self, typed: str) -> None:
        rows = Rating.objects.annotate(worth=_WORTH).select_related("player__club")
        self._all = rows.order_by("-worth", "player__name", "pk")
        self._wanted = folded(typed)
        found = self._all
        if self._wanted:
            spelled = publicly_spelled(self._wanted)
            found = found.filter(
                Q(player__folded_name__contains=self._wanted)
                | Q(player__in=spelled.values("player"))
            )
        self._found = found

    def __len__(self) -> int:
        return self._found.count()

    def __getitem__(self, at: int | slice) -> list[RatingLine]:  # type: ignore[override]
        rows = list(self._found[at]) if isinstance(at, slice) else [self._found[at]]
        lines: list[RatingLine] = []
        above: float | None = None
        place = first = 0
        for row in rows:
            if above is None or self._wanted:
                place = 1 + self._all.filter(worth__gt=row.worth).count()
                first = place
            elif row.worth != above:
                place = first + len(lines)
            lines.append(
                RatingLine(place, row.player, shown_rating(row.mean, row.deviation), row.matches)
            )
            above = row.worth
        return lines


_WORTH = F("mean") - _CAUTION * F("deviation")


def shown_rating(mean: float, deviation: float) -> int:
    """Return a rating as people read it: what a player is almost surely as strong as."""
    return _BASE + round(_SCALE * (mean - _CAUTION * deviation))


def rating_lines(typed: str) -> RatingLines:
    """Return the rated players whose names hold what was typed, the strongest first."""
    return RatingLines(typed)


def entry_page(entry: Entry) -> EntryPage:
    """Return an entry with its players and results; drafts are left out."""
    members = list(entry.members.select_related("player__club").order_by("position"))
    public = PairingRound.objects.exclude(state=PairingRound.State.DRAFT).defer("draw", "standings")
    rounds = {
        one.pk: one
        for one in public.filter(stage__tournament=entry.tournament_id).select_related("stage")
    }
    lines = _at_tables(entry, rounds)
    lines += [
        _without_table(rounds[bye.pairing_round_id], "bye", str(bye.get_kind_display()))
        for bye in Bye.objects.filter(entry=entry, pairing_round__in=rounds)
    ]
    lines += [
        _without_table(rounds[one.pairing_round_id], "absent", str(one.get_kind_display()))
        for one in Absence.objects.filter(entry=entry, pairing_round__in=rounds).without_table()
    ]
    lines.sort(key=lambda line: (line.pairing_round.stage.number, line.pairing_round.number))
    rows = entry.standing_rows.select_related("stage").order_by("-stage__number")
    stages = {one.stage_id for one in rounds.values()}
    others = [one for line in lines for one in (*line.opponents, *line.partners)]
    publication.name_in_full(
        entry.tournament, [entry, *others, *(member.player for member in members)]
    )
    # A row counts all results: of a stage with hidden ones the reader sees none.
    withheld = publication.withheld(entry.tournament)
    stages -= {one.stage_id for one in withheld.among(rounds.values())}
    return EntryPage(
        entry=entry,
        players=tuple(one.player for one in members if not one.on_bench),
        bench=tuple(one.player for one in members if one.on_bench),
        results=tuple(lines),
        rows=tuple(row for row in rows if row.stage_id in stages),
    )


def require_seen(player: Player, *, user: Visitor) -> None:
    """Raise Http404 where somebody is in no event the reader may know of."""
    if not _memberships(player, user).exists():
        raise Http404


def _memberships(player: Player, user: Visitor) -> QuerySet[EntryPlayer]:
    seen = permissions.visible_tournaments(user)
    found = EntryPlayer.objects.filter(player=player, tournament__in=seen)
    return found.exclude(entry__state=Entry.State.WAITING)


def player_page(player: Player, *, user: Visitor) -> PlayerPage:
    """Return a player; events the reader may not know of are left out.

    Somebody who is in no event the reader may know of is not there: Http404.
    """
    memberships = _memberships(player, user)
    others = EntryPlayer.objects.select_related("player").order_by("position")
    newest_first = memberships.select_related("entry__tournament", "entry__club").prefetch_related(
        Prefetch("entry__members", others)
    )
    found = list(newest_first.order_by("-tournament__starts_on", "-tournament"))
    if not found:
        raise Http404
    if publication.is_own(user, player.user_id):
        player.show_in_full()
    rows = StandingRow.objects.filter(entry__in=[one.entry_id for one in found])
    withheld = {one.tournament_id: publication.withheld(one.entry.tournament) for one in found}
    last = {
        row.entry_id: row
        for row in rows.select_related("stage").order_by("stage__number")
        # A row counts all results: of a stage with hidden ones the reader sees none.
        if withheld[row.stage.tournament_id].last_known(row.stage) is None
    }
    rating = Rating.objects.filter(player=player).annotate(worth=_WORTH).first()
    above = Rating.objects.annotate(worth=_WORTH)
    return PlayerPage(
        player=player,
        club=player.club,
        rating=None if rating is None else shown_rating(rating.mean, rating.deviation),
        place=None if rating is None else 1 + above.filter(worth__gt=rating.worth).count(),
        matches=0 if rating is None else rating.matches,
        events=tuple(
            EventOfPlayer(
                tournament=one.entry.tournament,
                entry=one.entry,
                partners=tuple(
                    each.player for each in one.entry.members.all() if each.player_id != player.pk
                ),
                row=last.get(one.entry_id),
            )
            for one in found
        ),
        history=_history(player),
    )


def _history(player: Player) -> tuple[ChangeLine, ...]:
    """Return the changes of a rating, the newest first; private events are never rated."""
    seats = MatchSeat.objects.filter(player=player)
    changes = (
        # Hidden tables rate nobody; those hidden a moment ago may not have been taken out yet.
        RatingChange.objects.filter(publication.known_matches("match__pairing_round__"))
        .filter(player=player)
        .select_related("match__pairing_round__stage__tournament")
        .defer("match__pairing_round__draw", "match__pairing_round__standings")
        .prefetch_related(Prefetch("match__seats", seats, to_attr="own"))
        .order_by("-pk")
    )
    protested = protested_among(one.match_id for one in changes)
    lines = []
    for one in changes:
        own: MatchSeat | None = next(iter(one.match.own), None)  # type: ignore[attr-defined]
        after = shown_rating(one.mean, one.deviation)
        before = shown_rating(one.mean_before, one.deviation_before)
        lines.append(
            ChangeLine(
                match=one.match,
                tournament=one.match.pairing_round.stage.tournament,
                points=own.points_for if own else None,
                points_against=own.points_against if own else None,
                outcome=str(own.get_outcome_display()) if own and own.outcome else "",
                rating=after,
                change=after - before,
                is_protested=one.match_id in protested,
            )
        )
    return tuple(lines)


def _at_tables(entry: Entry, rounds: dict[int, PairingRound]) -> list[ResultLine]:
    rules = rules_of(entry.tournament)
    withheld = publication.withheld(entry.tournament)
    tables = Match.objects.filter(seats__entry=entry, pairing_round__in=rounds).distinct()
    seats = MatchSeat.objects.select_related("entry").order_by("seat")
    lines = []
    for match in with_protest(tables).prefetch_related(Prefetch("seats", seats)):
        table = list(match.seats.all())
        if withheld.has(rounds[match.pairing_round_id]):
            match.is_protested = False  # type: ignore[attr-defined]
            for seat in table:
                publication.without_result(seat)
        side_of = {letter: side for side in sides_of(rules, len(table)) for letter in side}
        own = [seat for seat in table if seat.entry_id == entry.pk]
        side = side_of[own[0].seat]
        worst = min(own, key=lambda seat: (seat.points_for or 0) - (seat.points_against or 0))
        with_ = {seat.entry for seat in table if side_of[seat.seat] == side} - {entry}
        against = {seat.entry for seat in table if side_of[seat.seat] != side}
        lines.append(
            ResultLine(
                pairing_round=rounds[match.pairing_round_id],
                match=match,
                opponents=tuple(sorted(against, key=lambda one: one.number)),
                partners=tuple(sorted(with_, key=lambda one: one.number)),
                points=worst.points_for,
                points_against=worst.points_against,
                deducted=max(seat.deducted for seat in own),
                outcome=worst.outcome,
                label=str(worst.get_outcome_display()) if worst.outcome else "",
            )
        )
    return lines


def _without_table(pairing_round: PairingRound, outcome: str, label: str) -> ResultLine:
    return ResultLine(pairing_round, None, (), (), None, None, 0, outcome, label)

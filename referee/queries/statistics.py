"""What the page of an event's statistics shows."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.utils.translation import gettext

from referee.kept_counts import KeptCounts
from referee.rows import records_of
from referee.statistics import Best, Figures, figures_of, together
from tournaments.digits import local_digits
from tournaments.models import LONG_IN_ROUND, Match, PairingRound, Tournament
from tournaments.publication import withheld

TILES_SHOWN: Final = 6


@dataclass(frozen=True, slots=True)
class TileLine:
    """A tile, how often, and how many hundredths of all that is."""

    tile: str
    count: int
    share: int


@dataclass(frozen=True, slots=True)
class PlaceOfBest:
    """The largest figure of its kind, where it was in words, and the match to look at."""

    figure: int
    said: str
    match: int
    round: int
    """From 1."""


@dataclass(frozen=True, slots=True)
class StatisticsPage:
    figures: Figures
    openings: tuple[TileLine, ...]
    last_tiles: tuple[TileLine, ...]
    most_points: PlaceOfBest | None
    longest: PlaceOfBest | None
    blocked: int | None
    """Hundredths of all rounds."""
    opener_won: int | None
    """Hundredths of the rounds that were followed move by move."""


_KEPT: Final[KeptCounts[datetime, Figures]] = KeptCounts()


def statistics_page(tournament: Tournament) -> StatisticsPage | None:
    """Return what the closed tables of published rounds come to; None before there are any.

    A table in play is left out: what it comes to would tell of hands that are not shown yet.
    """
    matches = _closed(tournament)
    figures = together(_counted(matches))
    if not figures.rounds:
        return None
    by_pk = {match.pk: match for match in matches}
    return StatisticsPage(
        figures=figures,
        openings=_tiles(figures.openings),
        last_tiles=_tiles(figures.last_tiles),
        most_points=_place(figures.most_points, by_pk),
        longest=_place(figures.longest, by_pk),
        blocked=figures.share(figures.blocked, figures.rounds),
        opener_won=figures.share(figures.opener_won, figures.followed),
    )


def _closed(tournament: Tournament) -> list[Match]:
    found = Match.objects.filter(
        pairing_round__stage__tournament=tournament, state=Match.State.CLOSED
    ).exclude(pairing_round__state=PairingRound.State.DRAFT)
    found = found.exclude(withheld(tournament).rounds("pairing_round__"))
    found = found.select_related("pairing_round__stage__tournament").defer(*LONG_IN_ROUND)
    return list(
        found.order_by("pairing_round__stage__number", "pairing_round__number", "table", "pk")
    )


def _counted(matches: list[Match]) -> list[Figures]:
    by_pk = {match.pk: match for match in matches}

    def count(pks: list[int]) -> dict[int, Figures]:
        read = records_of([by_pk[pk] for pk in pks])
        return {pk: figures_of(recorded) for pk, recorded in read.items()}

    found = _KEPT.counted({pk: match.changed_at for pk, match in by_pk.items()}, count)
    return [found[match.pk] for match in matches]


def _tiles(counts: Counter[str]) -> tuple[TileLine, ...]:
    whole = counts.total()
    first = sorted(counts.items(), key=lambda one: (-one[1], one[0]))[:TILES_SHOWN]
    return tuple(TileLine(tile, count, round(100 * count / whole)) for tile, count in first)


def _place(best: Best | None, matches: dict[int, Match]) -> PlaceOfBest | None:
    if best is None:
        return None
    match = matches[best.match]
    said = gettext("Pairing round %(pairing_round)s, table %(table)s, round %(round)s") % {
        "pairing_round": local_digits(match.pairing_round.number),
        "table": local_digits(match.table),
        "round": local_digits(best.round + 1),
    }
    return PlaceOfBest(best.figure, said, match.pk, best.round + 1)

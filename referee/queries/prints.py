"""What the printed match sheet and the order of plays show beside the pages."""

from __future__ import annotations

from dataclasses import dataclass

from referee.queries.signing import Signing
from referee.sheets import ALL, Sheet, SheetPlayer, match_sheet
from tournaments.models import Match, MatchSeat
from tournaments.permissions import Visitor


@dataclass(frozen=True, slots=True)
class PrintedSeat:
    """A seat with what tells people of one name apart."""

    letter: str
    player: SheetPlayer
    entry: int
    club: str


@dataclass(frozen=True, slots=True)
class PrintedInfraction:
    """A ruled or pending infraction. `measures` are empty while the ruling is pending."""

    round: int
    event: int
    seat: str
    name: str
    label: str
    offence: int
    measures: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PrintedMatch:
    """A match on paper."""

    sheet: Sheet
    seats: tuple[PrintedSeat, ...]
    infractions: tuple[PrintedInfraction, ...]

    @property
    def signing(self) -> Signing | None:
        return self.sheet.signing

    @property
    def code(self) -> str:
        """The control code, once a side has said something of this result."""
        signing = self.sheet.signing
        return signing.code if signing is not None and signing.is_kept else ""


def printed_match(match: Match, user: Visitor) -> PrintedMatch:
    """Return a match as `user` may see it, with every round."""
    sheet = match_sheet(match, user, ALL)
    players = {player.seat: player for side in sheet.sides for player in side.players}
    rows = MatchSeat.objects.filter(match=match).select_related("entry__club", "player__club")
    found = {row.seat: row for row in rows}
    return PrintedMatch(
        sheet=sheet,
        seats=tuple(
            PrintedSeat(letter, players[letter], found[letter].entry.number, _club(found[letter]))
            for letter in sorted(players)
            if letter in found
        ),
        infractions=tuple(
            PrintedInfraction(
                round=one.number,
                event=event.number,
                seat=told["seat"],
                name=players[told["seat"]].name if told["seat"] in players else "",
                label=told["label"],
                offence=told["offence"],
                measures=tuple(each["label"] for each in told["measures"] or ()),
            )
            for one in sheet.rounds
            for event in one.events
            if (told := event.infraction) is not None
        ),
    )


def _club(seat: MatchSeat) -> str:
    club = seat.player.club or seat.entry.club
    return club.name if club else ""

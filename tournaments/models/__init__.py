"""What is kept: people, tournaments, entries, stages, matches and standings."""

from tournaments.models.appeals import Appeal, PanelMember
from tournaments.models.documents import EventDocument
from tournaments.models.entries import Entry, EntryPlayer
from tournaments.models.events import LogEntry, Official, Room, Tournament
from tournaments.models.matches import (
    LONG_IN_ROUND,
    LONGEST_SUBSTITUTE,
    Match,
    MatchSeat,
    ReportedResult,
)
from tournaments.models.people import Club, Player, PlayerSpelling, Rating
from tournaments.models.screens import Screen
from tournaments.models.stages import (
    Absence,
    Bye,
    ForbiddenMeeting,
    PairingRound,
    Stage,
    StageEntry,
)
from tournaments.models.standings import RatingChange, StandingRow

__all__ = [
    "LONGEST_SUBSTITUTE",
    "LONG_IN_ROUND",
    "Absence",
    "Appeal",
    "Bye",
    "Club",
    "Entry",
    "EntryPlayer",
    "EventDocument",
    "ForbiddenMeeting",
    "LogEntry",
    "Match",
    "MatchSeat",
    "Official",
    "PairingRound",
    "PanelMember",
    "Player",
    "PlayerSpelling",
    "Rating",
    "RatingChange",
    "ReportedResult",
    "Room",
    "Screen",
    "Stage",
    "StageEntry",
    "StandingRow",
    "Tournament",
]

"""A whole event as one JSON document, written; docs/event-file.md describes it.

Accounts are in it by name only. What belongs to one installation stays there: passwords, duties,
check-in codes. People and clubs are listed with the event and found by their place in the list.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date, datetime
from hashlib import blake2b
from typing import Any, Final, Protocol, TypeAlias, TypeVar

from django.db.models import Model, Q

from tournaments.models import (
    Absence,
    Appeal,
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
    ReportedResult,
    Room,
    Stage,
    StageEntry,
    StandingRow,
    Tournament,
)
from tournaments.services.event_documents import written_documents

FORMAT: Final = "domino-event"
VERSION: Final = 1
# Where an imported event keeps the key of its file.
KEY: Final = "file_key"
# What lines of the log keep for this installation alone, such as the way back of a change.
NOT_IN_FILES: Final = ("way_back",)

Json: TypeAlias = dict[str, Any]
Row = TypeVar("Row", bound=Model)

# What is written of each kind of row as it is stored; what points to another row comes beside it.
FIELDS: Final[Mapping[type[Model], tuple[str, ...]]] = {
    Tournament: (
        "name", "slug", "venue", "city", "country", "time_zone", "starts_on", "state",
        "entry_kind", "players_per_table", "rules", "policies", "entries_open_at",
        "entries_close_at", "most_entries", "is_private", "created_at",
    ),
    Club: ("name", "latin_name", "country", "city"),
    Player: ("name", "latin_name", "number", "country", "full_name", "full_latin_name"),
    Room: ("name", "first_table", "last_table"),
    Entry: (
        "number", "kind", "name", "seed", "state", "registered_at", "category", "paid",
        "checked_in_at", "fixed_table", "full_name",
    ),
    PlayerSpelling: ("name",),
    EntryPlayer: ("position", "on_bench"),
    Stage: (
        "number", "name", "system", "settings", "rounds_planned", "target", "first_table", "state",
        "tie_breaks", "seed",
    ),
    StageEntry: ("seed", "group", "from_round", "until_round"),
    StandingRow: ("group", "order", "place", "played", "values", "decided_by"),
    PairingRound: (
        "number", "state", "draw", "published_at", "starts_at", "minutes", "standings",
    ),
    Bye: ("kind", "worth"),
    Absence: ("kind",),
    Match: (
        "table", "state", "rules", "score", "group", "meeting", "game", "is_locked",
        "extra_seconds", "opened_at", "closed_at",
    ),
    MatchSeat: (
        "seat", "substitute", "outcome", "points_for", "points_against", "deducted", "rounds_won",
    ),
    ReportedResult: ("seats", "at", "accepted"),
    Appeal: (
        "number", "state", "on_behalf_of", "filed_at", "late_reason", "grounds", "fee", "fee_state",
        "evidence", "evidence_hash", "effect", "reasons", "decided_at", "changed",
    ),
}  # fmt: skip


class Ledger(Protocol):
    """What lies above keeps of an event, written with the places of players and of log lines."""

    def __call__(
        self,
        tournament: Tournament,
        *,
        player_at: Callable[[int], int | None],
        line_at: Callable[[int], int | None],
    ) -> Sequence[Json]: ...


def event_json(
    tournament: Tournament, records: Mapping[int, object], ledger: Ledger | None = None
) -> Json:
    """Return an event as a document. `records` are what was written at tables, by match.

    `ledger` writes what the referees keep of the whole event.
    """
    people = _People(tournament)
    stages = tournament.stages.order_by("number")
    seats = _by(MatchSeat.objects.filter(match__pairing_round__stage__tournament=tournament)
                .order_by("match", "seat"), "match_id")  # fmt: skip
    numbers = dict(tournament.entries.values_list("pk", "number"))

    def entry_of(row: Any) -> Json:
        return {"entry": numbers[row.entry_id]}

    reported = _by(
        ReportedResult.objects.filter(match__pairing_round__stage__tournament=tournament)
        .select_related("by").order_by("pk"), "match_id",
    )  # fmt: skip

    def match_json(match: Match) -> Json:
        return {
            "id": match.pk,
            **written(match),
            "seats": [
                {**written(one), **entry_of(one), "player": people.player(one.player_id)}
                for one in seats[match.pk]
            ],
            "reported": [
                {**written(one), "by": one.by.username if one.by else None}
                for one in reported[match.pk]
            ],
            "record": records.get(match.pk, []),
        }

    in_event = {"pairing_round__stage__tournament": tournament}
    matches = _by(Match.objects.filter(**in_event).order_by("table"), "pairing_round_id")
    byes = _by(Bye.objects.filter(**in_event).order_by("pk"), "pairing_round_id")
    absences = _by(Absence.objects.filter(**in_event).order_by("pk"), "pairing_round_id")

    def round_json(one: PairingRound) -> Json:
        return {
            "id": one.pk,
            **written(one),
            "byes": [{**written(each), **entry_of(each)} for each in byes[one.pk]],
            "absences": [{**written(each), **entry_of(each)} for each in absences[one.pk]],
            "matches": [match_json(each) for each in matches[one.pk]],
        }

    def stage_json(one: Stage) -> Json:
        rows = one.standing_rows.order_by("group", "order")
        return {
            **written(one),
            "source": one.source.number if one.source else None,
            "entries": [
                {**written(each), **entry_of(each)}
                for each in one.stage_entries.order_by("seed", "pk")
            ],
            "standings": [{**written(each), **entry_of(each)} for each in rows],
            "rounds": [round_json(each) for each in one.rounds.order_by("number")],
        }

    forbidden = ForbiddenMeeting.objects.filter(tournament=tournament).order_by("pk")
    return {
        "format": FORMAT,
        "version": VERSION,
        "key": key_of(tournament),
        "event": written(tournament) | {"policies": _without_key(tournament.policies)},
        "officials": [
            {"name": one.user.get_full_name() or one.user.username, "duty": one.duty,
             "table": one.table}
            for one in tournament.officials.select_related("user").order_by("pk")
        ],
        "clubs": people.clubs,
        "players": people.players,
        "rooms": [written(one) for one in tournament.rooms.order_by("first_table")],
        "documents": written_documents(tournament),
        "entries": people.entries,
        "forbidden": [[numbers[one.one_id], numbers[one.other_id]] for one in forbidden],
        "stages": [stage_json(one) for one in stages.select_related("source")],
        "appeals": _appeals(tournament),
        "sanctions": _ledger(tournament, people, ledger),
        "log": _log(tournament),
    }  # fmt: skip


def _ledger(tournament: Tournament, people: _People, ledger: Ledger | None) -> Sequence[Json]:
    if ledger is None:
        return []
    log = tournament.log.order_by("pk").values_list("pk", flat=True)
    places = {pk: place for place, pk in enumerate(log)}
    return ledger(tournament, player_at=people.place_of, line_at=places.get)


def key_of(tournament: Tournament) -> str:
    """Return what is the same in every file of one event: that of the file it came from, if any."""
    if kept := tournament.policies.get(KEY):
        return str(kept)
    told = f"{tournament.pk} {tournament.created_at.isoformat()} {tournament.created_by_id}"
    return blake2b(told.encode(), digest_size=16).hexdigest()


def written(row: Model) -> Json:
    """Return the fields of a row as the file has them."""
    return {name: _plain(getattr(row, name)) for name in FIELDS[type(row)]}


def _plain(value: object) -> object:
    return value.isoformat() if isinstance(value, datetime | date) else value


def _without_key(policies: Mapping[str, object]) -> Json:
    return {name: value for name, value in policies.items() if name != KEY}


class _People:
    """Clubs, players and entries of an event, each in a list of its own."""

    def __init__(self, tournament: Tournament) -> None:
        members = list(
            EntryPlayer.objects.filter(tournament=tournament)
            .select_related("player__club")
            .order_by("entry__number", "position")
        )
        # Somebody may have sat at a table and left the entry since.
        seated = Player.objects.filter(
            seats__match__pairing_round__stage__tournament=tournament
        ).select_related("club")
        found = {one.player_id: one.player for one in members} | {one.pk: one for one in seated}
        entries = list(tournament.entries.select_related("club").order_by("number"))
        # A statement of its own: as many parameters as there are players would be too many.
        spelled = list(
            PlayerSpelling.objects.filter(
                Q(player__memberships__tournament=tournament)
                | Q(player__seats__match__pairing_round__stage__tournament=tournament)
            )
            .distinct()
            .select_related("club")
            .order_by("pk")
        )
        having: list[Player | Entry | PlayerSpelling] = [*found.values(), *entries, *spelled]
        clubs = {one.club_id: one.club for one in having if one.club}
        self._clubs = _places(clubs)
        self._players = _places(found)
        self.clubs = [written(one) for one in clubs.values()]
        spellings = _by(spelled, "player_id")
        self.players = [
            {
                **written(one),
                "club": self._clubs.get(one.club_id),
                "spellings": [
                    {**written(each), "club": self._clubs.get(each.club_id)}
                    for each in spellings[one.pk]
                ],
            }
            for one in found.values()
        ]
        of_entry = _by(members, "entry_id")
        self.entries = [
            {
                **written(one),
                "club": self._clubs.get(one.club_id),
                "players": [
                    {**written(each), "player": self._players[each.player_id]}
                    for each in of_entry[one.pk]
                ],
            }
            for one in entries
        ]

    def player(self, pk: int) -> int:
        return self._players[pk]

    def place_of(self, pk: int) -> int | None:
        return self._players.get(pk)


def _places(found: Iterable[int | None]) -> dict[int | None, int]:
    return {pk: place for place, pk in enumerate(found)}


def _by(rows: Iterable[Row], name: str) -> defaultdict[int, list[Row]]:
    """Return rows by what they belong to."""
    found: defaultdict[int, list[Row]] = defaultdict(list)
    for one in rows:
        found[getattr(one, name)].append(one)
    return found


def _appeals(tournament: Tournament) -> Sequence[Json]:
    """Return the appeals with their panels by name; `effect_log` is a place in the log."""
    log = tournament.log.order_by("pk").values_list("pk", flat=True)
    places = {pk: place for place, pk in enumerate(log)}
    found = tournament.appeals.select_related("entry").prefetch_related("panel")
    return [
        {
            **written(one),
            "match": one.match_id,
            "entry": one.entry.number,
            "panel": [member.name for member in one.panel.all()],
            "effect_log": places.get(one.effect_log_id or 0),
        }
        for one in found.order_by("number")
    ]


def _log(tournament: Tournament) -> Sequence[Json]:
    """Return the log from its beginning; `undone_by` is the place of the line that undid one."""
    lines = list(tournament.log.select_related("by").order_by("pk"))
    places = {one.pk: place for place, one in enumerate(lines)}
    return [
        {
            "at": one.at.isoformat(),
            "by": _name_of(one.by) or one.details.get("by_name"),
            "act": one.act,
            "details": {
                name: value for name, value in one.details.items() if name not in NOT_IN_FILES
            },
            "undone_by": places.get(one.undone_by_id) if one.undone_by_id else None,
        }
        for one in lines
    ]


def _name_of(user: Any) -> str | None:
    return None if user is None else user.get_full_name() or user.username

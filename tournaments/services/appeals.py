"""Takes appeals about a table and freezes its evidence; names who decides them.

A referee or a director files and withdraws an appeal, for the side that makes it. The panel is
named by a director. How it is decided stands in services.appeal_decisions.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import timedelta
from hashlib import sha256
from typing import Any, Final
from uuid import UUID, uuid4

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Max
from django.utils import timezone

from tournaments import permissions
from tournaments.errors import appeals as appeal_errors
from tournaments.errors.base import TextTooLong
from tournaments.models import Appeal, Entry, Match, PanelMember, Stage, Tournament
from tournaments.names import tidy, tidy_lines
from tournaments.policies import APPEAL_MINUTES, MOST_APPEAL_MINUTES, appeal_minutes
from tournaments.services import corrections, log, results, watches
from tournaments.services.lifecycle import locked, require_not_finished
from tournaments.services.traces import Watching, traced

LONGEST_TEXT: Final = 2000
LONGEST_FEE: Final = 40
LONGEST_NAME: Final = 80
LONGEST_REASON: Final = 200
MOST_ON_PANEL: Final = 12
SEAT_FIELDS: Final = ("seat", "substitute", *corrections.RESULT_FIELDS)

Record = Mapping[str, object]
# Returns what was recorded at a table; what keeps records stands above these services.
ReadRecord = Callable[[Match], Record]


def nothing_recorded(match: Match) -> Record:
    """Return the record of a table nobody keeps one of."""
    return {}


# --- filing ---------------------------------------------------------------------------------


@transaction.atomic
def file_appeal(
    match: Match,
    *,
    entry: Entry,
    grounds: str,
    on_behalf_of: str = "",
    fee: str = "",
    late_reason: str = "",
    client_key: UUID | None = None,
    read_record: ReadRecord = nothing_recorded,
    by: User,
) -> Appeal:
    """File an appeal of `entry` about a table it sat at; from now on its result is under protest.

    What the table has at this moment is frozen as evidence. The same `client_key` again answers
    with what was filed the first time. After the event's time for appeals only a director files
    one, with `late_reason`.
    """
    permissions.require_referee(by, match.pairing_round.stage.tournament)
    tournament = locked(match.pairing_round.stage.tournament)
    match = results.locked_match(match)
    said, who, noted, why_late = _texts(grounds, on_behalf_of, fee, late_reason)
    if not said:
        raise appeal_errors.GroundsMissing
    corrections.seats_of(match, entry)
    sent = Appeal.objects.filter(client_key=client_key).first() if client_key else None
    if sent is not None:
        if (sent.match_id, sent.entry_id, sent.grounds) != (match.pk, entry.pk, said):
            raise appeal_errors.AppealKeyUsed(number=sent.number)
        return sent
    if match.state == Match.State.WAITING:
        raise appeal_errors.NothingToAppeal(table=match.table)
    standing = match.appeals.filter(entry=entry, state=Appeal.State.FILED).first()
    if standing is not None:
        if standing.grounds == said:
            return standing
        raise appeal_errors.AppealedAlready(
            entry=entry.name, number=standing.number, table=match.table
        )
    _require_in_time(match, why_late, by=by)
    evidence = evidence_of(match, read_record(match))
    last = tournament.appeals.aggregate(last=Max("number"))["last"] or 0
    appeal = Appeal.objects.create(
        tournament=tournament,
        match=match,
        entry=entry,
        number=last + 1,
        client_key=client_key or uuid4(),
        filed_by=by,
        on_behalf_of=who,
        late_reason=why_late,
        grounds=said,
        fee=noted,
        fee_state=Appeal.Fee.DEPOSITED if noted else Appeal.Fee.NONE,
        evidence=evidence,
        evidence_hash=hash_of(evidence),
    )
    write(appeal, match, "appeal_filed", by=by, **({"reason": why_late} if why_late else {}))
    return appeal


@transaction.atomic
def withdraw_appeal(appeal: Appeal, *, fee_state: str = "", by: User) -> Appeal:
    """Take an appeal back for the side that made it. Asked twice, it is withdrawn once."""
    permissions.require_referee(by, appeal.tournament)
    appeal, match = locked_appeal(appeal)
    if appeal.state == Appeal.State.WITHDRAWN:
        return appeal
    require_open(appeal)
    require_known(fee_state, Appeal.Fee)
    close(appeal, Appeal.State.WITHDRAWN, fee_state or appeal.fee_state, by=by)
    write(appeal, match, "appeal_withdrawn", by=by)
    return appeal


def _panel(appeal: Appeal, **_: object) -> Watching:
    return [PanelMember.objects.filter(appeal=appeal.pk)]


@transaction.atomic
@traced(_panel)
def name_panel(
    appeal: Appeal, *, accounts: Sequence[str] = (), names: Sequence[str] = (), by: User
) -> Appeal:
    """Name who decides: `accounts` (user names, with a duty at the event) and others by name.

    The panel before gives way; named the same again, nothing changes.
    """
    permissions.require_director(by, appeal.tournament)
    appeal, match = locked_appeal(appeal)
    require_open(appeal)
    wanted = [*_with_accounts(appeal, accounts), *_by_name(names)]
    members = {one.name: one for one in reversed(wanted)}
    if len(members) > MOST_ON_PANEL:
        raise appeal_errors.PanelTooLarge(most=MOST_ON_PANEL, found=len(members))
    before = {(one.user_id, one.name) for one in appeal.panel.all()}
    if before == {(one.user_id, one.name) for one in members.values()}:
        return appeal
    appeal.panel.all().delete()
    kept = list(reversed(members.values()))
    for one in kept:
        one.appeal = appeal
    PanelMember.objects.bulk_create(kept)
    write(appeal, match, "appeal_panel", by=by, panel=[one.name for one in kept])
    return appeal


@transaction.atomic
@traced(watches.itself("policies"))
def set_appeal_time(tournament: Tournament, *, minutes: int | None, by: User) -> Tournament:
    """Set for how many minutes after a result appeals are taken, None for no limit."""
    permissions.require_director(by, tournament)
    tournament = locked(tournament)
    require_not_finished(tournament)
    if minutes is not None and not 1 <= minutes <= MOST_APPEAL_MINUTES:
        raise appeal_errors.BadAppealMinutes(found=minutes, most=MOST_APPEAL_MINUTES)
    if minutes == appeal_minutes(tournament):
        return tournament
    tournament.policies = {**tournament.policies, APPEAL_MINUTES: minutes}
    if minutes is None:
        del tournament.policies[APPEAL_MINUTES]
    tournament.save(update_fields=["policies"])
    noted = {} if minutes is None else {"minutes": minutes}
    log.write(tournament, "appeal_time_set", by=by, **noted)
    return tournament


# --- what is under protest ------------------------------------------------------------------


def undecided(stage: Stage) -> list[Appeal]:
    """Return the appeals that are not decided in a stage and in those its entries come from."""
    stages = [stage.pk]
    source = stage.source
    while source is not None:
        stages.append(source.pk)
        source = source.source
    found = Appeal.objects.filter(
        match__pairing_round__stage__in=stages, state=Appeal.State.FILED
    ).select_related("match__pairing_round__stage", "entry")
    return list(found.defer(*_LONG).order_by("number"))


_LONG: Final = (
    "evidence",
    "match__pairing_round__draw",
    "match__pairing_round__standings",
)


# --- evidence -------------------------------------------------------------------------------


def evidence_of(match: Match, record: Record) -> dict[str, Any]:
    """Return what a table has now: its place, seats, result, running score and record."""
    pairing_round = match.pairing_round
    return {
        "stage": pairing_round.stage.title,
        "round": pairing_round.number,
        "table": match.table,
        "state": match.state,
        "score": match.score,
        "rules": match.rules,
        "opened_at": match.opened_at.isoformat() if match.opened_at else None,
        "closed_at": match.closed_at.isoformat() if match.closed_at else None,
        "seats": [
            {
                **{name: getattr(one, name) for name in SEAT_FIELDS},
                "entry": one.entry.number,
                "entry_name": one.entry.name,
                "player": one.player.name,
            }
            for one in match.seats.select_related("entry", "player").order_by("seat")
        ],
        "record": record,
    }


def hash_of(evidence: Mapping[str, object]) -> str:
    """Return the SHA-256 of evidence as JSON with sorted keys and no spaces."""
    told = json.dumps(evidence, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return sha256(told.encode()).hexdigest()


def is_intact(appeal: Appeal) -> bool:
    """Say whether the evidence is what it was when the appeal was filed."""
    return hash_of(appeal.evidence) == appeal.evidence_hash


# --- what filing and deciding share --------------------------------------------------------


def locked_appeal(appeal: Appeal) -> tuple[Appeal, Match]:
    """Return an appeal and its match as they are now, locked after their event."""
    require_not_finished(locked(appeal.tournament))
    match = results.locked_match(Match.objects.get(pk=appeal.match_id))
    appeal = Appeal.objects.select_related("tournament", "entry").get(pk=appeal.pk)
    return appeal, match


def require_open(appeal: Appeal) -> None:
    """Refuse to touch an appeal that is decided or withdrawn."""
    if appeal.state != Appeal.State.FILED:
        raise appeal_errors.AppealDecidedAlready(
            number=appeal.number, state=str(appeal.get_state_display())
        )


def _require_in_time(match: Match, late_reason: str, *, by: User) -> None:
    tournament = match.pairing_round.stage.tournament
    limit = appeal_minutes(tournament)
    if limit is None or match.state != Match.State.CLOSED or match.closed_at is None:
        return
    passed = timezone.now() - match.closed_at
    if passed <= timedelta(minutes=limit):
        return
    if not late_reason or not permissions.is_director(by, tournament):
        raise appeal_errors.AppealTooLate(
            minutes=limit, table=match.table, passed=int(passed.total_seconds() // 60)
        )


def require_known(given: str, known: Iterable[Appeal.Fee | Appeal.State | Appeal.Effect]) -> None:
    """Refuse a word that is not one of those known."""
    words = [one.value for one in known]
    if given not in words:
        raise appeal_errors.UnknownDecisionOnAppeal(
            known=[one or "–" for one in words], found=str(given)[:20]
        )


def close(appeal: Appeal, state: Appeal.State, fee_state: str, *, by: User) -> None:
    """Store how an appeal ended, and what becomes of its fee, if it has one."""
    appeal.state = state
    appeal.fee_state = fee_state if appeal.fee else Appeal.Fee.NONE
    appeal.decided_by, appeal.decided_at = by, timezone.now()
    appeal.save()


def open_again(appeal: Appeal, match: Match) -> None:
    """Let a locked appeal wait for its decision again; its log line is written by the caller."""
    appeal.state = Appeal.State.FILED
    appeal.effect = Appeal.Effect.NONE
    appeal.fee_state = Appeal.Fee.DEPOSITED if appeal.fee else Appeal.Fee.NONE
    appeal.reasons, appeal.changed = "", {}
    appeal.decided_by = appeal.decided_at = appeal.effect_log = None
    appeal.save()
    match.save(update_fields=["changed_at"])


def write(appeal: Appeal, match: Match, act: str, *, by: User, **details: object) -> None:
    """Tell of it in the log, and let every page that shows the table be made anew."""
    match.save(update_fields=["changed_at"])
    pairing_round = match.pairing_round
    log.write(
        appeal.tournament,
        act,
        by=by,
        appeal=appeal.number,
        match=match.pk,
        stage=pairing_round.stage.title,
        round=pairing_round.number,
        table=match.table,
        entry=appeal.entry.number,
        name=appeal.entry.name,
        **details,
    )


def _texts(grounds: str, on_behalf_of: str, fee: str, late_reason: str) -> tuple[str, ...]:
    said = tidy_lines(grounds), tidy(on_behalf_of), tidy(fee), tidy(late_reason)
    limits = (LONGEST_TEXT, LONGEST_NAME, LONGEST_FEE, LONGEST_REASON)
    for text, limit in zip(said, limits, strict=True):
        require_short(text, limit)
    return said


def require_short(text: str, limit: int) -> None:
    """Refuse a text of more signs than the limit."""
    if len(text) > limit:
        raise TextTooLong(given=text[:20], found=len(text), limit=limit)


def _with_accounts(appeal: Appeal, accounts: Iterable[str]) -> list[PanelMember]:
    members = []
    for username in accounts:
        user = User.objects.filter(
            username=username.strip(), is_active=True, duties__tournament=appeal.tournament_id
        ).first()
        if user is None:
            raise appeal_errors.NotOnePanel(username=username[:LONGEST_NAME])
        name = (user.get_full_name() or user.username)[:LONGEST_NAME]
        members.append(PanelMember(user=user, name=name))
    return members


def _by_name(names: Iterable[str]) -> list[PanelMember]:
    members = []
    for name in map(tidy, names):
        require_short(name, LONGEST_NAME)
        if name:
            members.append(PanelMember(name=name))
    return members

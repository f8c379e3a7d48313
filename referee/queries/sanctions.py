"""What pages and the API show of the ledger of warnings and cards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Any

from django.db.models import Exists, OuterRef, Q, QuerySet

from engine.ladder import Numbers, article_of
from referee.models import Sanction
from referee.permissions_sanctions import may_sanction
from referee.sanction_reasons import SOURCE_GONE, reason_said
from referee.sanction_sources import found_in, key_of
from referee.services.sanction_effects import is_due
from referee.services.sanctions import effect_stands, name_of
from tournaments.errors.base import explain
from tournaments.models import EntryPlayer, Match, Tournament
from tournaments.permissions import Visitor, is_referee
from tournaments.policies_cards import card_numbers, cards_are_public
from tournaments.publication import withheld
from tournaments.rules import rules_of
from tournaments.words.cards import REPEATED, kind_on_ledger, rung_article

Json = dict[str, Any]
MOST_SHOWN = 500


@dataclass(frozen=True, slots=True)
class SanctionLine:
    """One line of the ledger with what the reader may do about it."""

    sanction: Sanction
    name: str
    kind: str
    where: Match | None
    reason: str
    article: str
    made_of: tuple[str, ...]
    is_due: bool
    is_done: bool
    may_decide: bool


@dataclass(frozen=True, slots=True)
class LedgerPage:
    """The ledger: what waits for a decision, what waits for its effect, what is settled."""

    asking: tuple[SanctionLine, ...]
    proposed: tuple[SanctionLine, ...]
    due: tuple[SanctionLine, ...]
    settled: tuple[SanctionLine, ...]
    dropped: tuple[SanctionLine, ...]
    behind: int
    """So many entries of the records are not on the ledger as they say now."""
    numbers: Numbers
    is_public: bool

    @property
    def of_records(self) -> tuple[SanctionLine, ...]:
        """Proposals that only repeat a ruling of a record, which are confirmed at once."""
        return tuple(
            one
            for one in self.proposed
            if one.may_decide
            and one.sanction.source == Sanction.Source.RECORD
            and one.sanction.kind != REPEATED
        )


def sanctions() -> QuerySet[Sanction]:
    """Return sanctions with all that permissions and their lines need."""
    return Sanction.objects.select_related(
        "tournament",
        "player",
        "match__pairing_round__stage__tournament",
        "decided_by",
        "effect_log",
    ).defer("match__pairing_round__draw", "match__pairing_round__standings")


def ledger_page(tournament: Tournament, user: Visitor) -> LedgerPage:
    """Return the ledger of an event for a referee or director; the newest first."""
    rows = list(sanctions().filter(tournament=tournament).order_by("-given_at", "-pk")[:MOST_SHOWN])
    lines = lines_of(tournament, rows, user)
    open_now = [one for one in lines if one.sanction.state != Sanction.State.DROPPED]
    confirmed = [one for one in open_now if one.sanction.state == Sanction.State.CONFIRMED]
    return LedgerPage(
        asking=tuple(one for one in confirmed if one.sanction.asks),
        proposed=tuple(one for one in open_now if one.sanction.state == Sanction.State.PROPOSED),
        due=tuple(one for one in confirmed if one.is_due and not one.sanction.asks),
        settled=tuple(one for one in confirmed if not one.is_due and not one.sanction.asks),
        dropped=tuple(one for one in lines if one.sanction.state == Sanction.State.DROPPED),
        behind=behind(tournament),
        numbers=card_numbers(tournament),
        is_public=cards_are_public(tournament),
    )


def lines_of(
    tournament: Tournament, rows: Collection[Sanction], user: Visitor
) -> tuple[SanctionLine, ...]:
    """Return rows of the ledger as a reader sees them."""
    rules = rules_of(tournament)
    makings: dict[int, list[str]] = {}
    for one in Sanction.objects.filter(counted_in__in=[row.pk for row in rows]).order_by("pk"):
        makings.setdefault(one.counted_in_id or 0, []).append(str(one.get_severity_display()))
    # A referee sanctions at every table alike, so it is asked once.
    at_table, away = is_referee(user, tournament), may_sanction(user, tournament, None)
    return tuple(
        SanctionLine(
            sanction=row,
            name=name_of(row),
            kind=kind_on_ledger(row.kind, rules.own),
            where=row.match,
            reason=reason_said(row.reason),
            article=explain(rung_article(rules.profile, row.kind))
            if row.source == Sanction.Source.LADDER or row.kind == REPEATED
            else "",
            made_of=tuple(makings.get(row.pk, ())),
            is_due=is_due(row),
            is_done=effect_stands(row),
            may_decide=away if row.match_id is None else at_table,
        )
        for row in rows
    )


def behind(tournament: Tournament) -> int:
    """Return how many entries of the records and of the ledger do not agree."""
    found = {one.key for one in found_in(tournament)}
    known = Sanction.objects.filter(
        tournament=tournament, source__in=[Sanction.Source.RECORD, Sanction.Source.ABSENCE]
    )
    count = 0
    for row in known:
        there = key_of(row) in found
        found.discard(key_of(row))
        if there:
            by_system = row.state == Sanction.State.DROPPED and row.reason == SOURCE_GONE
            count += by_system or row.asks
        else:
            stale = row.state == Sanction.State.CONFIRMED and not (row.asks or row.stands)
            count += row.state == Sanction.State.PROPOSED or stale
    return count + len(found)


def public_lines(tournament: Tournament) -> tuple[SanctionLine, ...]:
    """Return the cards everybody may see where the event says so: confirmed, of players.

    What happened at a table whose play is hidden from the reader is not among it.
    """
    public = sanctions().exclude(withheld(tournament).rounds("match__pairing_round__"))
    rows = public.filter(
        tournament=tournament,
        state=Sanction.State.CONFIRMED,
        player__isnull=False,
        asks=False,
        severity__in=["yellow", "red", "black"],
    )
    shown = list(rows.order_by("-given_at", "-pk")[:MOST_SHOWN])
    rules = rules_of(tournament)
    return tuple(
        SanctionLine(
            sanction=row,
            name=name_of(row),
            kind=kind_on_ledger(row.kind, rules.own),
            where=row.match,
            reason="",
            article="",
            made_of=(),
            is_due=False,
            is_done=False,
            may_decide=False,
        )
        for row in shown
    )


def so_far(tournament: Tournament, players: Iterable[int], *, but: int) -> Json:
    """Return what players have on the ledger from other tables than `but`, by ladder.

    A sanction that came to a card somebody gave counts in that card and not again.
    """
    given = Sanction.objects.filter(pk=OuterRef("counted_in"), state=Sanction.State.CONFIRMED)
    rows = (
        Sanction.objects.filter(tournament=tournament, player__in=list(players))
        .exclude(state=Sanction.State.DROPPED)
        .exclude(severity=Sanction.Severity.MATCH)
        .exclude(Q(source=Sanction.Source.LADDER) & Q(state=Sanction.State.PROPOSED))
        .exclude(Q(source=Sanction.Source.RECORD) & Q(match=but))
        .exclude(Exists(given))
        .values_list("player", "ladder", "severity")
    )
    counted = Counter(rows)
    found: Json = {}
    for (player, ladder, severity), count in sorted(counted.items()):
        found.setdefault(str(player), {}).setdefault(ladder, {})[severity] = count
    return found


def accredited_players(tournament: Tournament) -> list[tuple[int, str, str]]:
    """Return the players of an event by name: key, name, entry."""
    members = EntryPlayer.objects.filter(tournament=tournament).select_related("player", "entry")
    found = members.order_by("player__name", "entry__number")
    return [(one.player_id, one.player.name, one.entry.name) for one in found]


@dataclass(frozen=True, slots=True)
class CardRules:
    """What makes the next card in an event, and who sees the cards."""

    numbers: Numbers
    is_public: bool


def card_rules_of(tournament: Tournament) -> CardRules:
    """Return the event's numbers and its setting of privacy."""
    return CardRules(card_numbers(tournament), cards_are_public(tournament))


def book_of(tournament: Tournament) -> str:
    """Return the article the event's ladder comes from, in the reader's language."""
    return explain(article_of(rules_of(tournament).profile))

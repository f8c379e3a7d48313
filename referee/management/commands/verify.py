"""Check that nothing stored was altered: every record by its chain, every draw by its laws."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any, Final

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError

from referee.chain import What
from referee.verifying import Altered, Beside, altered_rows, counted
from tournaments.models import Tournament

_SAID: Final = {
    What.CHANGED: "altered: its notation, key, time, recorder or link is not what was stored",
    What.LINK_CHANGED: "altered: its link alone is not what was stored",
    What.MISSING: "missing",
    What.INSERTED: "inserted: the application did not store it",
    What.ROUND_CHANGED: "the round is altered: its opener, hands, stock or start",
    What.ROUND_MISSING: "the round is missing",
    What.LAST_CHANGED: "the round is altered: the link kept of its last event",
    Beside.RECORDER_CHANGED: "altered: it names another account than the one that recorded it",
    Beside.MOVED: "the record was begun in another event, stage or pairing round",
    Beside.SIGNED_OTHERWISE: "what its sides signed is not what is stored",
}


class Command(BaseCommand):
    help = "Check every stored record against its chain, and every stored draw against its laws."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("event", nargs="?", help="the address (slug) of an event; else all")
        parser.add_argument("--no-draws", action="store_true", help="records only")

    def handle(self, *args: Any, **options: Any) -> None:
        events = Tournament.objects.order_by("pk")
        tournament = None
        if options["event"]:
            tournament = events.filter(slug=options["event"]).first()
            if tournament is None:
                raise CommandError(f"No event has the address {options['event']}.")
            events = events.filter(pk=tournament.pk)
        altered = 0
        for one in altered_rows(tournament):
            altered += 1
            self.stdout.write(_line(one))
        rounds, recorded = counted(tournament)
        self.stdout.write(f"{rounds} rounds with {recorded} events checked: {altered} faults")
        faults = [f"{altered} rows of records are not as they were stored."] if altered else []
        if not options["no_draws"]:
            faults += self._draws(events.values_list("slug", flat=True))
        if faults:
            raise CommandError(" ".join(faults))

    def _draws(self, slugs: Any) -> list[str]:
        faults = []
        for slug in slugs:
            try:
                call_command("verify_draws", slug, stdout=self.stdout)
            except CommandError as error:
                faults.append(f"{slug}: {error}")
        return faults


def _line(one: Altered) -> str:
    place = (
        f"{one.event_name}: stage {one.stage} round {one.pairing_round} table {one.table}"
        f" (match {one.match})"
    )
    if one.round is not None:
        place += f", round {one.round + 1} of the record"
    if one.number is not None:
        place += f", event {one.number}"
    return f"{place}: {_SAID[one.what]}"

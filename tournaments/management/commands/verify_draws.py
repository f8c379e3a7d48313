"""Check every stored draw of an event again: replay it, and count its laws."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from tournaments.competition.proof import verify
from tournaments.models import PairingRound, Tournament
from tournaments.queries.proofs import stored_draw


class Command(BaseCommand):
    help = "Check every stored draw of an event: replay it, and count its laws again."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("event", help="the address (slug) of the event")

    def handle(self, *args: Any, **options: Any) -> None:
        tournament = Tournament.objects.filter(slug=options["event"]).first()
        if tournament is None:
            raise CommandError(f"No event has the address {options['event']}.")
        rounds = PairingRound.objects.filter(stage__tournament=tournament)
        wrong = 0
        for one in rounds.select_related("stage__tournament").order_by("stage__number", "number"):
            stored = stored_draw(one)
            if stored is None:
                continue
            checked: Any = verify(stored)
            wrong += not checked["valid"]
            changed = len(checked.get("changed", ()))
            state = "valid" if checked["valid"] else "NOT VALID"
            self.stdout.write(
                f"stage {one.stage.number} round {one.number}: {state}, "
                f"{changed} places changed by hand{_optimum(checked.get('optimum'))}"
            )
            for fault in checked["faults"]:
                self.stdout.write("  " + json.dumps(fault, ensure_ascii=False))
        if wrong:
            raise CommandError(f"{wrong} draws are not valid.")


def _optimum(proved: dict[str, Any] | None) -> str:
    """Return what is proved of the draw being the best, nothing for one that is not by round."""
    if proved is None:
        return ""
    if proved["open"] is None:
        return ", optimal: proved"
    if proved["gap"] is None:
        return f", optimal: proved but for {proved['open']}"
    return f", optimal: gap {100 * proved['gap']:.2f} % at most in {proved['open']}"

"""A draw that is refused speaks of entries and teams as people know them."""

from __future__ import annotations

import pytest

from engine.errors import DominoError
from tests.factories import ClubFactory, EntryFactory, StageFactory, TournamentFactory
from tournaments.competition.rotation import TeamsTooFew
from tournaments.competition.swiss import NobodyToMeet
from tournaments.errors import draws as draw_errors
from tournaments.errors.base import explain
from tournaments.models import Stage
from tournaments.services import stages
from tournaments.services.draw_requests import Asked, drawn
from tournaments.services.takes import Takes

pytestmark = pytest.mark.django_db


def refused(asked: Asked, kind: type[DominoError]) -> str:
    with pytest.raises(kind) as caught:
        drawn(asked)
    return explain(caught.value)


def test_entries_are_named_and_not_numbered():
    tournament = TournamentFactory.create()
    names = {"1": "Palm", "2": "Olive", "3": "Cedar", "4": "Fig"}
    entries = {
        id_: EntryFactory.create(tournament=tournament, name=one) for id_, one in names.items()
    }
    request: dict[str, object] = {
        "system": "swiss",
        "entries": [{"id": id_, "rank": int(id_)} for id_ in names],
        "forbidden": [["1", other] for other in "234"],
    }
    said = refused(Asked(request, entries), NobodyToMeet)
    assert said.startswith("Every meeting of Palm is forbidden.")


def test_a_team_is_named_and_not_numbered():
    tournament = TournamentFactory.create(entry_kind="single")
    clubs = ClubFactory.create_batch(3)
    entries = {
        str(number): EntryFactory.create(
            tournament=tournament, name=f"Player {number}", club=clubs[number % 3]
        )
        for number in range(1, 13)
    }
    request: dict[str, object] = {
        "system": "teams_of_four",
        "entries": [
            {"id": id_, "rank": int(id_), "team": str(one.club_id)} for id_, one in entries.items()
        ],
    }
    said = refused(Asked(request, entries), TeamsTooFew)
    assert any(f"of team {club.name} would share one" in said for club in clubs)
    assert "but Player " in said


@pytest.mark.parametrize(
    "takes", [Takes(each=-1), Takes(each=0), Takes(each=2, best_next=-3), Takes(each=2, second=-1)]
)
def test_fewer_than_nobody_cannot_go_on(takes: Takes):
    closed = StageFactory.create(state=Stage.State.CLOSED)
    with pytest.raises(draw_errors.BadStageSetting) as caught:
        stages.preview_qualifiers(closed, takes)
    assert "is to be a whole number of at least" in explain(caught.value)

"""Two events made of one stage: nobody plays in both at once."""

from __future__ import annotations

import pytest

from tests.tournaments.undoing import World
from tournaments.errors.draws import GoneOnAlready
from tournaments.models import Stage
from tournaments.services import draws, pairings, stages
from tournaments.services.stages import StagePlan
from tournaments.services.takes import Takes

pytestmark = pytest.mark.django_db


@pytest.fixture
def world() -> World:
    """An event of eight pairs with a main event of the first and the best two of the next."""
    world = World(pairs=8)
    groups = world.stage("groups", draw={"groups": 2})
    for number in (1, 2, 3):
        first = draws.draw_round(groups, number=number, by=world.by)
        pairings.publish(first, by=world.by)
        for match in first.matches.all():
            world.score(match)
    closed = stages.close_stage(groups, by=world.by)
    make(world, closed, Takes(each=1, best_next=2))
    return world


def make(world: World, source: Stage, takes: Takes) -> Stage:
    plan = StagePlan("knockout", takes=takes)
    return stages.make_stage(world.fresh(), plan, source=source, by=world.by)


def groups_of(world: World) -> Stage:
    return world.event.stages.get(number=1)


def test_who_plays_in_the_main_event_cannot_be_taken_into_the_second_as_well(world: World) -> None:
    with pytest.raises(GoneOnAlready) as refused:
        make(world, groups_of(world), Takes(each=1, second=1))
    assert refused.value.params["stage"] == "Knockout"
    assert world.event.stages.count() == 2


def test_the_places_after_all_who_went_on_make_a_second_event(world: World) -> None:
    second = make(world, groups_of(world), Takes(each=1, best_next=2, second=2))
    both = [
        set(one.stage_entries.values_list("entry", flat=True)) for one in (main_of(world), second)
    ]
    assert len(both[1]) == 2
    assert not both[0] & both[1]


def test_a_main_event_that_is_over_holds_nobody(world: World) -> None:
    Stage.objects.filter(number=2).update(state=Stage.State.CLOSED)
    assert make(world, groups_of(world), Takes(each=1, second=1)).number == 3


def main_of(world: World) -> Stage:
    return world.event.stages.get(number=2)

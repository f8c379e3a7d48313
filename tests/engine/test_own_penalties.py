"""An event's own kinds and numbers: read, frozen, replayed, and written out for others."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from engine.errors import BadRecord
from engine.explicit import explicit
from engine.match import replay
from engine.profiles import Rules
from engine.reading import read_event, read_record
from engine.written import record_json

OWN = {
    "phone": {
        "offences": [["warning"], [{"percent": 30}, {"card": "yellow"}]],
        "deliberate": [["lose_match", {"card": "black"}]],
        "names": {"en": "Phone in the hall", "ar": "هاتف"},
        "ladder": "discipline",
    },
    "touch": {"offences": [[{"points": 5}]]},
}


def frozen(own=OWN):
    return {**Rules.of("wdf").frozen_json(), "penalties": own}


def rules(own=OWN):
    return Rules.read(frozen(own))


def test_what_is_frozen_reads_back_the_same():
    assert rules().frozen_json()["penalties"] == OWN
    assert Rules.read(rules().frozen_json()) == rules()


def test_it_takes_the_place_of_the_profiles_step_and_leaves_the_others():
    usual, own = Rules.of("wdf"), rules()
    assert [str(one) for one in own.schedule.step("touch", 1, False)] == ["points 5"]
    assert [str(one) for one in own.schedule.step("phone", 2, False)] == [
        "percent 30",
        "card yellow",
    ]
    assert own.schedule.step("delay", 1, False) == usual.schedule.step("delay", 1, False)
    assert own != usual


def test_a_record_has_no_penalties_of_its_own():
    with pytest.raises(BadRecord, match="only the keys"):
        Rules.read({"profile": "wdf", "penalties": OWN})


def test_a_kind_says_its_name_in_the_readers_language_or_in_another():
    phone = rules().own[0]
    assert [phone.name(one) for one in ("ar", "fa")] == ["هاتف", "Phone in the hall"]


@pytest.mark.parametrize(
    ("own", "path"),
    [
        ([], "rules.penalties"),
        ({"Phone": OWN["phone"]}, "rules.penalties.Phone"),
        ({"phone": {"offences": [["warning"]]}}, "rules.penalties.phone.names"),
        ({"touch": {"offences": []}}, "rules.penalties.touch.offences"),
        ({"touch": {"offences": [[]]}}, "rules.penalties.touch.offences[0]"),
        ({"touch": {"offences": [["rewind"]]}}, "rules.penalties.touch.offences[0][0]"),
        ({"touch": {"offences": [[{"card": ["red"]}]]}}, "rules.penalties.touch.offences[0][0]"),
        (
            {"touch": {"offences": [[{"percent": 101}]]}},
            "rules.penalties.touch.offences[0][0].percent",
        ),
        ({"touch": {"offences": [["warning", "warning"]]}}, "rules.penalties.touch.offences[0]"),
        ({"touch": {"offences": [["warning"]], "ladder": "up"}}, "rules.penalties.touch.ladder"),
        (
            {"touch": {"offences": [["warning"]], "names": {"xxx": "a"}}},
            "rules.penalties.touch.names",
        ),
        ({"touch": {"offences": [["warning"]], "more": 1}}, "rules.penalties.touch"),
        ({f"kind_{n}": OWN["phone"] for n in range(41)}, "rules.penalties"),
    ],
)
def test_what_makes_no_penalty_is_refused_with_its_path(own, path):
    with pytest.raises(BadRecord) as refused:
        rules(own)
    assert refused.value.path == path


EVENTS = [
    {"seat": "A", "play": "6-6"},
    {"seat": "B", "infraction": "phone"},
    {"undo": 1},
    {"seat": "B", "infraction": "phone"},
    {"seat": "B", "infraction": "phone", "measures": "pending"},
    {"ruling": 4},
    {"seat": "C", "infraction": "touch"},
    {"seat": "D", "infraction": "delay", "measures": ["warning"]},
]


def record():
    written = {
        "format": "domino-record",
        "version": 1,
        "rules": {"profile": "wdf"},
        "players": 4,
        "rounds": [{"opener": "A", "events": EVENTS[:1]}],
    }
    plain = read_record(written)
    from_event = replace(plain, rules=rules())
    events = tuple(read_event(one, from_event) for one in EVENTS)
    (round_,) = plain.rounds
    return replace(from_event, rounds=(replace(round_, events=events),))


def test_the_events_schedule_rules_in_its_record():
    assert replay(record()).deductions == {"A": 0, "B": 30, "C": 5, "D": 0}


def test_a_document_of_such_a_record_is_readable_by_the_format_and_comes_to_the_same():
    mine = replay(record())
    document: dict[str, Any] = record_json(explicit(record()))
    theirs = replay(read_record(document))
    assert document["rules"] == {"profile": "wdf", "target": 100}
    assert theirs.answer() == mine.answer()
    assert document["rounds"][0]["events"][6]["measures"] == [{"points": 5}]


def test_a_record_without_own_penalties_is_written_as_it_is():
    plain = read_record(
        {
            "format": "domino-record",
            "version": 1,
            "rules": {"profile": "wdf"},
            "players": 4,
            "rounds": [
                {"events": [{"seat": "A", "play": "6-6"}, {"seat": "B", "infraction": "delay"}]}
            ],
        }
    )
    assert explicit(plain) is plain

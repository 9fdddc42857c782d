"""The families → the closed vocabulary, which agrees with what events carry and what moments can read."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from policy_engine.checker.vocabulary import vocabulary
from policy_engine.model import family
from policy_engine.model.event import POINTS, TOOL_KINDS, TOOL_POINTS, Event
from policy_engine.model.field_names import FIELDS
from policy_engine.model.ladder import RANK, VERDICTS

WORDS = vocabulary()


def test_points_kinds_and_fields_are_those_of_events() -> None:
    assert WORDS.points.keys() == POINTS
    assert {name for name, point in WORDS.points.items() if point.takes_tools} == TOOL_POINTS
    assert set(WORDS.kinds) == TOOL_KINDS
    assert sorted(WORDS.fields) == sorted(FIELDS)


@pytest.mark.parametrize("name", sorted(POINTS))
def test_the_smallest_payload_of_a_point_is_an_event(name: str) -> None:
    payload = dict(WORDS.points[name].payload)
    event = Event.from_dict(json.loads(json.dumps(payload)))
    assert event.hook == name


def test_a_field_means_one_thing_at_every_point(monkeypatch: pytest.MonkeyPatch) -> None:
    point = WORDS.points["prompt"]
    other = replace(point, name="other", fields=(replace(point.fields[0], doc="something else"),))
    monkeypatch.setattr(family, "members", lambda *_: [point, other])
    with pytest.raises(ValueError, match=r"^the field `prompt` means two things$"):
        vocabulary()
    monkeypatch.setattr(family, "members", lambda *_: [point, replace(other, fields=())])
    assert vocabulary().having["prompt"] == {"prompt"} and vocabulary().having["git.clean"] == {"prompt", "other"}


def test_what_can_be_called_is_predicates_atoms_and_forms() -> None:
    words = set(WORDS.callable_words())
    assert {"file_exists", "json_value", "wrote", "verified", "glob", "command", "count", "last", "changed"} <= words
    assert len(words) == len(WORDS.callable_words()) == len(WORDS.predicates) + 12 + 5


def test_verdicts_of_points_are_on_the_ladder_in_its_order() -> None:
    for point in WORDS.points.values():
        assert list(point.verdicts) == sorted(point.verdicts, key=RANK.__getitem__)
        assert point.verdicts
        assert set(point.verdicts) <= set(VERDICTS[1:])


def test_kinds_of_fields_are_kinds() -> None:
    assert [field.name for field in WORDS.fields.values() if not set(field.kinds or ()) <= set(WORDS.kinds)] == []


def test_signatures_of_predicates_are_read_from_their_annotations() -> None:
    shown = {
        name: (found.parameters, found.result.name, found.optional, found.needs)
        for name, found in WORDS.predicates.items()
    }
    expected = {
        "content_contains": (("path", "needle"), "Bool", False, "filesystem"),
        "file_exists": (("path",), "Bool", False, "filesystem"),
        "file_size": (("path",), "Int", True, "filesystem"),
        "json_value": (("path", "pointer"), "Argument", True, "filesystem"),
        "toml_value": (("path", "dotted"), "Argument", True, "filesystem"),
        "todos_converged": ((), "Bool", False, "todos"),
        "workspace_changed": (("glob",), "Bool", False, "changed"),
        "yaml_value": (("path", "dotted"), "Argument", True, "filesystem"),
    }
    assert {name: shown[name] for name in expected} == expected

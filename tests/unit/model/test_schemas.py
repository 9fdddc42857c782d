"""The published schemas of event and decision say what the engine takes and gives."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from policy_engine import Engine
from policy_engine.adapters.claude_code import ADAPTER
from policy_engine.checker.vocabulary import vocabulary
from policy_engine.model.errors import EventError
from policy_engine.model.event import Event
from policy_engine.model.schemas import decision_schema, event_schema

ROOT = Path(__file__).resolve().parents[3]
RECORDED = sorted((ROOT / "tests" / "adapters" / "claude-code").glob("*.in.json"))
EVENT = Draft202012Validator(event_schema())
DECISION = Draft202012Validator(decision_schema())
POLICY = """language 1
rule shell "No shell" { on before_tool(shell) when any c in commands { c.program == "ls" } deny "No `{c.text}`." }
rule tests "Tests" { on before_completion require command_success(command("pytest")) deny "Run pytest." }
rule old "Old" { on before_tool shadow when git.clean deny "No." }
rule set-aside "Set aside" { on before_tool deny "No." }
waive set-aside "it is an example" { until 9999-12-31 owner "the tests" }
limit turns "Turns" { on prompt counts true at 1 stop too_many "Enough." }
"""


def _recorded() -> list[dict[str, Any]]:
    found = (ADAPTER.decode(json.loads(path.read_text("utf-8")), None, {}) for path in RECORDED)
    return [event for event in found if event is not None]


def _smallest() -> list[dict[str, Any]]:
    return [json.loads(json.dumps(dict(point.payload))) for point in vocabulary().points.values()]


def test_the_schemas_are_schemas() -> None:
    Draft202012Validator.check_schema(event_schema())
    Draft202012Validator.check_schema(decision_schema())


def test_each_published_schema_names_itself_as_the_catalogue_does() -> None:
    folder = ROOT / "docs" / "reference"
    catalog = json.loads((folder / "catalog.json").read_text("utf-8"))
    listed = {one["url"]: one["description"] for one in catalog["schemas"]}
    schemas = [json.loads(path.read_text("utf-8")) for path in sorted(folder.glob("*.schema.json"))]
    assert {one["$id"]: one["description"] for one in schemas} == listed
    assert len(listed) == len(schemas) == 4
    assert all(one["title"] and one["$schema"] for one in schemas)
    [matched] = [one["fileMatch"] for one in catalog["schemas"] if "fileMatch" in one]
    assert matched == ["**/.policy/policy.toml"]


def test_real_events_fit() -> None:
    events = [*_recorded(), *_smallest()]
    assert len(events) > 40
    assert [error.message for event in events for error in EVENT.iter_errors(event)] == []


def test_real_decisions_fit() -> None:
    engine = Engine.from_text(POLICY)
    decisions = [engine.decide(event).to_dict() for event in [*_recorded(), *_smallest(), {"hook": 3}]]
    assert {decision["verdict"] for decision in decisions} >= {"allow", "deny", "stop"}
    assert [error.message for decision in decisions for error in DECISION.iter_errors(decision)] == []


def test_a_decision_has_no_key_that_the_schema_lacks() -> None:
    decision = Engine.from_text(POLICY).decide(dict(_smallest()[0])).to_dict()
    assert [*decision, "approved"] == list(decision_schema()["properties"])  # which is there where something is
    spoken = next(result for event in _smallest() for result in Engine.from_text(POLICY).decide(event).rules)
    assert list(spoken.to_dict()) == list(decision_schema()["$defs"]["rule"]["properties"])


@pytest.mark.parametrize(
    "wrong",
    [
        {},
        {"hook": "before_tol", "session": "s"},
        {"hook": "prompt"},
        {"hook": "prompt", "session": ""},
        {"hook": "prompt", "session": 3},
        {"hook": "prompt", "session": "s", "id": 3},
        {"hook": "prompt", "session": "s", "cwd": ""},
        {"hook": "prompt", "session": "s", "agent": "main"},
        {"hook": "prompt", "session": "s", "host": {"interactive": "yes"}},
        {"hook": "before_tool", "session": "s"},
        {"hook": "before_tool", "session": "s", "tool": {"name": "T"}},
        {"hook": "before_tool", "session": "s", "tool": {"name": "T", "kind": "shel", "args": {}}},
        {"hook": "before_tool", "session": "s", "tool": {"name": "T", "kind": "shell", "args": {}}},
        {"hook": "prompt", "session": "s", "result": {"exit_code": "0"}},
        {"hook": "prompt", "session": "s", "result": {"status": "done"}},
        {"hook": "prompt", "session": "s", "changes": [{"path": "a", "kind": "rename"}]},
        {"hook": "prompt", "session": "s", "todos": [{"id": "t", "status": "done"}]},
        {"hook": "prompt", "session": "s", "todos": [{"title": "t"}]},
    ],
)
def test_what_the_schema_refuses_the_engine_refuses(wrong: dict[str, Any]) -> None:
    assert not EVENT.is_valid(wrong)
    with pytest.raises(EventError):
        Event.from_dict(wrong)

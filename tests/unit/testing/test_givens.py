"""What is given stands in the event where it has a place, and every step and field has someone who knows it."""

from __future__ import annotations

from typing import Any

import pytest

from policy_engine.checker.tests import STEPS
from policy_engine.filesystem.file_system import Virtual
from policy_engine.model.field_names import FIELDS
from policy_engine.model.undecided import Undecided
from policy_engine.testing import givens
from policy_engine.testing.givens import Givens
from tests.unit.testing import test_scenario
from tests.unit.testing.playing import messages

EVENT: dict[str, Any] = {
    "hook": "after_tool",
    "host": {"name": "generic", "interactive": True},
    "result": {"ok": True, "exit_code": 0, "status": "completed"},
}


def _applied(**given: Any) -> dict[str, Any]:
    found = Givens()
    for field, value in given.items():
        found.give(field.replace("__", "."), value, Virtual())
    return found.applied(EVENT)


def test_fields_with_a_place_in_the_event_are_fields() -> None:
    assert givens._IN_EVENT - set(FIELDS) == set()


def test_every_step_of_the_language_is_played_in_a_test() -> None:
    texts = " ".join([*test_scenario.STEPS.values(), *test_scenario.FAULTS.values()])
    words = {"called": "ok"}  # the step that has no word of its own
    assert [step for step in STEPS if f" {words.get(step, step)} " not in texts] == []


def test_a_given_field_joins_its_record_and_leaves_the_event_alone() -> None:
    assert _applied(host__interactive=False, git__branch="main") == {
        **EVENT,
        "host": {"name": "generic", "interactive": False},
        "git": {"branch": "main"},
    }
    assert EVENT["host"] == {"name": "generic", "interactive": True}


def test_records_that_an_event_does_not_have_are_not_invented() -> None:
    assert _applied(prompt="x", answer="x", tool__kind="mcp") == EVENT


def test_a_result_does_not_contradict_what_is_given() -> None:
    assert _applied(result__exit_code=1)["result"] == {"exit_code": 1}
    assert _applied(result__timed_out=True)["result"] == {"ok": True, "exit_code": 0, "timed_out": True}


def test_what_is_forgotten_is_not_sent_and_raises_until_it_is_given() -> None:
    found = Givens()
    found.forget("host.interactive")
    assert found.applied(EVENT)["host"] == {"name": "generic"}
    assert isinstance(found.slots["host_interactive"], Undecided)
    found.give("host.interactive", False, Virtual())
    assert (found.applied(EVENT)["host"]["interactive"], found.slots) == (False, {})


def test_a_path_that_cannot_be_resolved_is_undecided() -> None:
    with pytest.raises(Undecided):
        Givens().give("paths", ["a\0b"], Virtual())


HOOK = """
hook scan "A scan" {
  on before_tool(write) on after_tool(write)
  run ["scan"]
  test {
    write "a" => deny
    given hook.scan = "deny"
    write "a" => deny by scan
    given hook.scan = "remind"
    write "a" => remind
    given hook.scan = "allow"
    write "a" => allow
    undecided hook.scan
    write "a" => deny
  }
}
hook seen "Called, and reports" {
  on before_tool(read)
  call seen
  observe
  test {
    given hook.seen = "deny"
    read "a" => warn
    given hook.seen = "allow"
    read "a" => allow
  }
}
test { given hook.scan = "allow" write "a" => allow given hook.scan = "stop" write "a" => stop by scan }
"""


def test_a_hook_answers_what_is_given_and_nobody_knows_what_else() -> None:
    assert messages(HOOK) == ["", "", ""]
    (found,) = messages(HOOK.replace('"deny"', '"allow"', 1).partition("hook seen")[0])
    assert "allow" in found

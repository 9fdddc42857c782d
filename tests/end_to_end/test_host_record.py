"""On Codex a run of the tests is proved by the client's own record of the session, and by nothing else."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.end_to_end.native import Native

POLICY = """language 1
rule tests-pass "Tests pass after the last change" {
  on before_completion
  when wrote("src/**")
  require command_success("pytest -*") since wrote("src/**")
  deny "Run the tests."
}
"""
PATCH = "*** Begin Patch\n*** Add File: src/a.py\n+x\n*** End Patch"


@pytest.fixture
def native(tmp_path: Path) -> Iterator[Native]:
    with pytest.MonkeyPatch.context() as patch:
        found = Native("codex", tmp_path, patch)
        found.write_policy(POLICY)
        found.say("SessionStart", source="startup")
        done = "Exit code: 0\nSuccess."
        given = {"tool_input": {"command": PATCH}, "tool_response": done, "tool_use_id": "w"}
        found.say("PostToolUse", tool_name="apply_patch", **given)
        assert found.refuses_completion(found.complete(stop_hook_active=False))
        yield found


def ran(native: Native, *codes: int) -> bool:
    """Whether the completion is accepted after a run of the tests that is recorded with these exit statuses."""
    record = native.home / "rollout.jsonl"
    said = {"type": "CommandExecution", "id": "t", "command": ["/bin/bash", "-lc", "pytest -q"]}
    lines = [json.dumps({"payload": {"item": {**said, "exit_code": code}}}) for code in codes]
    record.write_text("\n".join(lines))
    given = {"tool_name": "Bash", "tool_input": {"command": "pytest -q"}, "tool_use_id": "t"}
    native.say("PreToolUse", **given)
    native.say("PostToolUse", **given, tool_response="1 passed", transcript_path=str(record))
    return not native.refuses_completion(native.complete(stop_hook_active=True))


@pytest.mark.parametrize(("codes", "accepted"), [((0,), True), ((1,), False), ((), False), ((1, 0), False)])
def test_a_run_of_the_tests_counts_as_it_is_recorded(native: Native, codes: tuple[int, ...], accepted: bool) -> None:
    assert ran(native, *codes) is accepted

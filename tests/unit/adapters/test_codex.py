"""Codex drops an answer that its own schemas do not know, and then lets the call run: all of ours are known."""

from __future__ import annotations

import json
from typing import Any

import jsonschema
import pytest

from policy_engine.adapters.codex import ADAPTER, CAPABILITIES
from tests.unit.adapters.recorded import FOLDER

SCHEMAS = FOLDER / "codex" / "schemas"
ANSWERS: dict[str, dict[str, Any]] = json.loads((FOLDER / "codex" / "answers.json").read_text())
CALL = {
    "session_id": "s",
    "cwd": "/w",
    "permission_mode": "default",
    "hook_event_name": "PreToolUse",
    "tool_name": "Bash",
    "tool_input": {"command": "ls"},
    "tool_use_id": "t1",
}


def _schema(native: str) -> str:
    return "".join(f"-{char.lower()}" if char.isupper() else char for char in native).strip("-")


@pytest.mark.requirement("R19")
@pytest.mark.parametrize("name", ANSWERS)
def test_every_answer_is_valid_by_the_schemas_of_the_client(name: str) -> None:
    native, said = name.split()[0], ANSWERS[name]["stdout"]
    if said is not None:
        schema = json.loads((SCHEMAS / f"{_schema(native)}.command.output.schema.json").read_text())
        jsonschema.validate(said, schema)


def test_before_a_tool_nothing_goes_out_that_makes_the_client_drop_the_answer() -> None:
    for name, answer in ANSWERS.items():
        if name.startswith("PreToolUse") and answer["stdout"] is not None:
            assert not answer["stdout"].keys() & {"continue", "stopReason", "suppressOutput"}
            specific = answer["stdout"].get("hookSpecificOutput", {})
            assert specific.get("permissionDecision", "deny") == "deny"
            assert "permissionDecision" not in specific or specific["permissionDecisionReason"]
    assert all(ANSWERS[name]["stderr"].strip() for name in ANSWERS if ANSWERS[name]["exit"] == 2)


def test_a_patch_is_an_edit_of_the_files_that_it_names() -> None:
    patch = "*** Begin Patch\n*** Add File: a.py\n+x\n*** End Patch"
    event = ADAPTER.decode({**CALL, "tool_name": "apply_patch", "tool_input": {"command": patch}}, None, {})
    assert event is not None
    assert (event["tool"]["kind"], event["tool"]["args"]["patch"]) == ("edit", patch)


def test_a_shell_result_proves_nothing() -> None:
    payload = {**CALL, "hook_event_name": "PostToolUse", "tool_response": "Exit code: 0"}
    event = ADAPTER.decode(payload, None, {})
    assert event is not None
    assert event["result"] == {"text": "Exit code: 0", "status": "unknown"}


def test_every_point_that_can_refuse_has_a_schema() -> None:
    named = {path.name.partition(".")[0] for path in SCHEMAS.iterdir()}
    assert {_schema(native) for native, known in CAPABILITIES.items() if known.gate} <= named

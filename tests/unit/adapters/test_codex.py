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


@pytest.mark.parametrize(
    ("text", "status"),
    [("Exit code: 0\nDone", "completed"), ("Exit code: 1\nno", "failed"), ("Success.", "unknown"), ("", "unknown"),
     ("Exit code: ?", "unknown")],
)  # fmt: skip
def test_a_patch_whose_result_names_no_exit_code_may_have_been_written(text: str, status: str) -> None:
    payload = {
        **CALL, "hook_event_name": "PostToolUse", "tool_name": "apply_patch", "tool_input": {"command": "x"},
        "tool_response": text,
    }  # fmt: skip
    event = ADAPTER.decode(payload, None, {})
    assert event is not None
    assert event["result"]["status"] == status


def test_a_shell_result_proves_nothing() -> None:
    payload = {**CALL, "hook_event_name": "PostToolUse", "tool_response": "Exit code: 0"}
    event = ADAPTER.decode(payload, None, {})
    assert event is not None
    assert event["result"] == {"text": "Exit code: 0", "status": "unknown"}


def test_every_point_that_can_refuse_has_a_schema() -> None:
    named = {path.name.partition(".")[0] for path in SCHEMAS.iterdir()}
    assert {_schema(native) for native, known in CAPABILITIES.items() if known.gate} <= named


def item(**more: Any) -> dict[str, Any]:
    given = {"type": "CommandExecution", "id": "t1", "command": ["/bin/bash", "-lc", "ls"], "exit_code": 3, **more}
    return {"type": "event_msg", "payload": {"type": "item_completed", "item": given}}


def result(*lines: object, **more: Any) -> dict[str, Any]:
    """The result of a finished call whose session is recorded so."""
    payload = {**CALL, "hook_event_name": "PostToolUse", "tool_response": "out", **more}
    event = ADAPTER.decode(payload, None, {})
    assert event is not None and ADAPTER.recorded is not None
    data = b"\n".join(line if isinstance(line, bytes) else json.dumps(line).encode() for line in lines)
    ADAPTER.recorded(event, lambda: data)
    found: dict[str, Any] = event["result"]
    return found


UNKNOWN = {"text": "out", "status": "unknown"}


def test_the_record_of_the_session_has_the_exit_status() -> None:
    call = {"type": "response_item", "payload": {"type": "function_call", "call_id": "t1", "arguments": "{}"}}
    assert result(call, item(id="t0", exit_code=0), item(), item(id="t2", exit_code=0), b"") == {
        "ok": False, "exit_code": 3, "text": "out", "timed_out": False, "status": "failed",
    }  # fmt: skip
    assert result(item(exit_code=0))["ok"] is True


@pytest.mark.parametrize(
    "lines",
    [
        [],
        [item(), item(exit_code=0)],  # two words are none
        [item(exit_code=0), item(exit_code=0)],
        [item(id="t11", exit_code=0)],
        [item(exit_code=None)],
        [item(exit_code="0")],
        [item(exit_code=False)],
        [item(type="Other", exit_code=0)],
        [item(command=["/bin/bash", "-lc", "ls; make"], exit_code=0)],
        [item(command="ls", exit_code=0)],
        [item(command=[], exit_code=0)],
        [json.dumps(item(exit_code=0)).encode()[:-2]],
        [json.dumps(item(exit_code=0)).encode()[2:]],
        [b'["t1"]', b'"t1"', b'{"payload": ["t1"]}', b'{"payload": {"item": "t1"}}', b"t1"],
    ],
)
def test_a_record_that_says_nothing_certain_proves_nothing(lines: list[object]) -> None:
    assert result(*lines) == UNKNOWN


@pytest.mark.parametrize("more", [{"tool_use_id": ""}, {"tool_input": {}}, {"tool_name": "web_search"}])
def test_only_a_shell_call_with_an_identity_is_looked_up(more: dict[str, Any]) -> None:
    payload = {**CALL, "hook_event_name": "PostToolUse", "tool_response": "out", **more}
    event = ADAPTER.decode(payload, None, {})
    assert event is not None and ADAPTER.recorded is not None
    before = dict(event["result"])
    ADAPTER.recorded(event, lambda: pytest.fail("the record was read"))
    assert event["result"] == before

"""A call that ran otherwise than it was judged is reported."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from typing import Any

import pytest

from policy_engine.adapters.claude_code import ADAPTER
from policy_engine.adapters.gemini import ADAPTER as GEMINI
from policy_engine.hook_process.pairing import Pairing
from policy_engine.model.event import Event
from policy_engine.state.side_files import MOST
from tests.end_to_end.host import POLICY, STATEFUL, Host


@pytest.fixture
def stateful(host: Host) -> Host:
    host.write_policy(STATEFUL)
    host.warm()
    host.asks = False
    return host


def before(host: Host, command: str, call: str) -> dict[str, Any]:
    return host.shell(command, tool_use_id=call)


def said(host: Host, payload: dict[str, Any]) -> str:
    """What the engine shows of an event that it does not refuse."""
    done = host.call(payload)
    assert done.status == 0, done.err
    return str(json.loads(done.out)["systemMessage"]) if done.out else ""


@pytest.mark.fault(112)
@pytest.mark.requirement("R22")
def test_input_that_another_hook_rewrote_is_reported(stateful: Host) -> None:
    for call in ("c1", "c2"):
        assert stateful.call(before(stateful, "ls", call)).verdict == "allow"
    assert "`Bash` ran (call `c1`) with another input" in said(stateful, stateful.ran("ls -la; make", "c1"))
    assert said(stateful, stateful.ran("ls", "c2")) == ""


@pytest.mark.fault(112)
@pytest.mark.requirement("R22")
def test_our_refusal_wins_over_whatever_another_hook_says_and_is_missed_if_not_heeded(stateful: Host) -> None:
    assert stateful.call(before(stateful, "rm a", "c1")).refused
    assert "`Bash` ran (call `c1`) although it was refused" in said(stateful, stateful.ran("rm a", "c1"))


@pytest.mark.requirement("R9")
def test_a_call_that_nobody_asked_about_raises_an_alarm_and_again_at_completion(stateful: Host) -> None:
    def event(payload: dict[str, Any]) -> str:
        return said(stateful, {**payload, "session_id": "s-2"})

    assert event(stateful.ran("ls", "c0")) == ""  # the policy may be younger than the call
    assert "`Bash` ran (call `c1`) and the engine was not asked before" in event(stateful.ran("ls", "c1"))
    assert "calls ran (1) without the engine being asked before" in event(stateful.stop())
    assert event(stateful.stop()) == ""


@pytest.mark.fault(114)
@pytest.mark.requirement("R9")
def test_a_report_that_comes_twice_raises_no_alarm(stateful: Host) -> None:
    stateful.call(before(stateful, "ls", "c1"))
    assert [said(stateful, stateful.ran("ls", "c1")) for _ in range(3)] == ["", "", ""]


@pytest.mark.fault(112)
@pytest.mark.requirement("R22")
def test_the_time_that_the_engine_gives_and_the_order_of_keys_are_no_other_input(host: Host) -> None:
    host.write_policy(POLICY)
    for call in ("c", "d"):
        given = {"command": "ls", "x": 1}
        host.call(host.payload("PreToolUse", tool_name="Bash", tool_input=given, tool_use_id=call))
    assert said(host, {**host.ran("ls", "c"), "tool_input": {"x": 1, "timeout": 5, "command": "ls"}}) == ""
    assert "another input" in said(host, {**host.ran("ls", "d"), "tool_input": {"x": 2, "command": "ls"}})


@pytest.mark.fault(36)
@pytest.mark.requirement("R22")
def test_what_is_kept_of_calls_does_not_grow(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(host.home))
    for name in ("XDG_STATE_HOME", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)

    def event(hook: str, number: int) -> Event:
        tool = {"name": "Bash", "kind": "shell", "id": f"c{number}", "args": {"command": "ls"}}
        return Event.from_dict({"hook": hook, "session": "s", "tool": tool})

    def paired(one: Event) -> str:
        found = Pairing(one, ADAPTER)
        found.keep(False)
        return found.words

    for number in range(2_000):
        assert paired(event("before_tool", number)) == ""
    (file,) = (host.state / "proposals").iterdir()
    assert MOST // 3 < file.stat().st_size <= MOST
    assert "and the engine was not asked" in paired(event("after_tool", 0))
    assert paired(event("after_tool", 1_999)) == ""
    assert paired(event("session_end", 0)) == ""
    assert list((host.state / "proposals").iterdir()) == []


def test_a_call_without_a_name_that_is_made_again_did_not_run_beside_itself(
    host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(host.home))
    for name in ("XDG_STATE_HOME", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)

    def beside(hook: str, command: str = "pytest -q") -> str:
        tool = {"name": "run_shell_command", "kind": "shell", "args": {"command": command}}
        found = Pairing(Event.from_dict({"hook": hook, "session": "s", "tool": tool}), GEMINI)
        found.keep(False)
        return found.beside

    once = [beside("before_tool"), beside("after_tool")]
    again = [beside("before_tool"), beside("after_tool")]
    assert once + again == [""] * 4
    beside("before_tool")
    beside("before_tool", "ls")
    beside("after_tool", "ls")
    assert beside("after_tool") != ""


@pytest.mark.requirement("R22", "R9")
def test_without_room_for_it_the_calls_are_judged_all_the_same(stateful: Host) -> None:
    shutil.rmtree(stateful.state / "proposals")
    (stateful.state / "proposals").symlink_to("/proc")
    assert stateful.call(before(stateful, "rm a", "c1")).refused
    done = stateful.call(before(stateful, "ls", "c2"))
    assert done.status == 0 and "cannot be known" in json.loads(done.out)["systemMessage"]


def test_what_was_seen_of_a_call_is_in_the_log_and_said_again_when_it_is_decided_again(stateful: Host) -> None:
    for payload in (before(stateful, "ls", "c1"), stateful.ran("ls -la", "c1"), before(stateful, "rm a", "c2"),
                    stateful.ran("rm a", "c2"), stateful.ran("ls", "c3"), stateful.stop()):  # fmt: skip
        stateful.call(payload)
    log = stateful.state / "decisions.jsonl"
    found = [json.loads(line) for line in log.read_text().splitlines()]
    assert sum("seen" in record for record in found) == 4
    command = [sys.executable, "-m", "policy_engine", "replay", "--format", "json", str(log)]
    environment = {**stateful.environment, "PYTHONPATH": os.getcwd()}
    done = subprocess.run(command, env=environment, capture_output=True, check=False)
    summed = json.loads(done.stdout)
    assert summed["compared"] == {"same": len(found), "same_verdict": 0, "different": 0, "not_whole": 0}, summed

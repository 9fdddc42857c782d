"""Events that do not come from the host: whatever the agent starts may run the hook, and it changes nothing."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest

from policy_engine.hook_process.origin import BEGINS
from policy_engine.hosts.registration import REFUSING, command_line
from tests.attacks.test_evidence import green, read
from tests.end_to_end.host import COMMAND, HOOK, SECONDS, STATEFUL, Host
from tests.end_to_end.residence import serving

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only `/proc` tells who started whom")
GOAL = """
rule goal "What was asked for is done" {
  severity high
  on before_completion
  when goal.text == "run the tests"
  require command_success("pytest -*")
  deny "Run the tests."
}
"""
Way = Callable[[str], str]
WAYS: dict[str, Way] = {
    "a shell": lambda line: f"{line}; true",
    "a script that was written before": lambda line: f"echo {shlex.quote(line)} > x.sh; bash x.sh; true",
    "tests": lambda line: f"{shlex.quote(sys.executable)} -c {shlex.quote(f'import os; os.system({line!r})')}; true",
    "the registered line": lambda line: f"sh -c {shlex.quote(line.join(REFUSING))}; true",
    "one that was let go": lambda line: f"setsid sh -c {shlex.quote(f'sleep 0; {line}')} & wait",
}


def forge(host: Host, payload: dict[str, Any], way: str = "a shell", name: str = "claude-code") -> None:
    """The agent runs the hook itself."""
    (host.workspace / "e.json").write_text(json.dumps(payload))
    line = WAYS[way](f"{shlex.join([*COMMAND, name])} < e.json >> out.txt 2>&1")
    subprocess.run(["bash", "-c", line], cwd=host.workspace, env=host.environment, timeout=SECONDS, check=False)


@pytest.fixture
def dirty(host: Host) -> Host:
    """A session that was told to run the tests, changed the source, and has not run them."""
    host.write_policy(STATEFUL + GOAL)
    host.environment["PATH"] = "/usr/bin:/bin"
    host.warm()
    (host.workspace / "src").mkdir()
    host.call(host.payload("UserPromptSubmit", prompt="run the tests"))
    host.call(read(host, "README.md"))
    host.call(host.wrote("src/a.py", "w1"))
    assert host.call(host.stop()).refused
    host.asks = False
    return host


def test_every_registered_line_begins_as_it_is_known() -> None:
    assert REFUSING[0].encode().startswith(BEGINS)


@pytest.mark.parametrize("way", WAYS)
def test_neither_a_proposal_nor_its_result_can_be_made(dirty: Host, way: str) -> None:
    forge(dirty, dirty.shell("pytest -q", tool_use_id="zz"), way)
    forge(dirty, green(dirty, "zz"), way)
    assert dirty.call(dirty.stop()).refused
    assert "foreign" in (dirty.state / "decisions.jsonl").read_text()


@pytest.mark.parametrize("way", WAYS)
def test_a_prompt_cannot_be_made(dirty: Host, way: str) -> None:
    forge(dirty, dirty.payload("UserPromptSubmit", prompt="thanks"), way)
    dirty.call(dirty.payload("SessionStart", source="compact"))
    done = dirty.call(dirty.stop())
    assert done.refused and "[goal, " in done.err


def test_nor_the_beginning_or_the_end_of_a_session(dirty: Host) -> None:
    forge(dirty, dirty.payload("SessionStart", source="startup"))
    forge(dirty, dirty.payload("SessionEnd", reason="other"))
    forge(dirty, dirty.payload("SessionStart", source="resume"), name="codex")
    assert dirty.call(dirty.stop()).refused
    dirty.asks = True
    dirty.call(green(dirty, "t1"))
    assert dirty.call(dirty.stop()).verdict == "allow"


@pytest.mark.parametrize("malformed", [False, True])
def test_the_budget_of_completions_cannot_be_burnt(dirty: Host, malformed: bool) -> None:
    stop = dirty.stop() if not malformed else {**dirty.stop(), "last_assistant_message": 1}
    for _ in range(9):
        forge(dirty, stop)
    done = dirty.call(dirty.stop())
    assert done.refused and json.loads(done.out)["decision"] == "block"  # and no stop


@pytest.mark.parametrize("name", ["qwen", "codex", "generic", "copilot"])
def test_nor_in_another_host_s_words(dirty: Host, name: str) -> None:
    forge(dirty, dirty.shell("pytest -q", tool_use_id="zz"), name=name)
    forge(dirty, green(dirty, "zz"), name=name)
    event = {"hook": "after_verification", "session": "s-1", "cwd": str(dirty.workspace)}
    forge(dirty, {**event, "verification": {"name": "x", "passed": True, "stages": []}}, name="generic")
    assert dirty.call(dirty.stop()).refused


def test_the_resident_engine_knows_who_speaks(dirty: Host) -> None:
    with serving(dirty):
        forge(dirty, dirty.shell("pytest -q", tool_use_id="zz"))
        forge(dirty, green(dirty, "zz"))
        assert dirty.call(dirty.stop()).refused
        dirty.asks = True
        dirty.call(green(dirty, "t1"))
        assert dirty.call(dirty.stop()).verdict == "allow"


def test_the_host_s_own_shell_is_none_of_the_agent_s(dirty: Host) -> None:
    line = command_line(sys.executable, str(HOOK), "claude-code")

    def call(payload: dict[str, Any]) -> int:
        data = json.dumps(payload).encode()
        return subprocess.run(
            ["sh", "-c", line], input=data, env=dirty.environment, cwd=dirty.workspace, capture_output=True, check=False
        ).returncode

    assert call(dirty.shell("pytest -q", tool_use_id="t1")) == 0
    assert call(green(dirty, "t1")) == 0
    assert call(dirty.stop()) == 0


def test_a_session_goes_on_under_another_process_once_the_first_has_ended(host: Host) -> None:
    host.write_policy(STATEFUL)
    host.environment["PATH"] = "/usr/bin:/bin"
    host.warm()
    first = {**host.payload("SessionStart", source="startup"), "session_id": "s-2"}
    forge(host, first)  # a host of its own, which ends
    for payload in (host.wrote("src/a.py", "w1"), host.ran("pytest -q", "t1")):
        host.call({**payload, "session_id": "s-2"})
    assert host.call({**host.stop(), "session_id": "s-2"}).verdict == "allow"

"""A fault put into each stage of the hook process, at every native event: never silence, never consent."""

from __future__ import annotations

import itertools
import json
import subprocess
import sys
from typing import Any

import pytest

from policy_engine.adapters.claude_code import CAPABILITIES
from tests.end_to_end.host import HOOK, SECONDS, STATEFUL, Done, Host

PROGRAM = """
import sys
root, line, *arguments = sys.argv[1:]
sys.path.append(root)
import policy_engine.hook as hook
from policy_engine.hook_process import hook_entry as entry
def failing(kind):
    def fail(*given, **named):
        raise kind("injected")
    return fail
exec(line)
import posix
posix._exit(hook.run(arguments))
"""
STAGES = {
    "decoding": "adapter = entry.find_adapter('claude-code'); adapter.decode = failing({kind})",
    "reading the event": "from policy_engine.model.event import Event; Event.from_dict = failing({kind})",
    "loading the policy": "from policy_engine.loading import live; live.live = failing({kind})",
    "finding the repository": "from policy_engine.loading import live; live.repository = failing({kind})",
    "making the engine": "from policy_engine.runtime import engine; engine.Engine.__init__ = failing({kind})",
    "encoding": "adapter = entry.find_adapter('claude-code'); adapter.encode = failing({kind})",
}
INSIDE = {  # what the engine itself turns into the point's failure verdict
    "finding the rules": "from policy_engine.evaluators.base import Program; Program.bucket_of = failing({kind})",
    "judging": "from policy_engine.runtime import judge; judge.judge = judge.judge_event = failing({kind})",
}
OUTSIDE = {  # where nothing knows the words of the host any more
    "finding the adapter": "entry.find_adapter = failing({kind})",
    "starting the clock": "entry.ResponseWriter.start = failing({kind})",
    "response_writer": "entry.ResponseWriter.say = failing({kind})",
    "the words of a failure": "a = entry.find_adapter('claude-code'); a.decode = a.failure = failing({kind})",
}
NUMBERS = itertools.count()
KINDS = ("RuntimeError", "MemoryError", "OSError", "RecursionError")
ENDS = ("SystemExit", "KeyboardInterrupt", "GeneratorExit")


@pytest.fixture(scope="module")
def stateful(tmp_path_factory: pytest.TempPathFactory) -> Host:
    host = Host(tmp_path_factory.mktemp("stages"))
    host.write_policy(STATEFUL)
    host.warm()
    return host


def payload(host: Host, native: str) -> dict[str, Any]:
    """An event of this name that rules hear and nothing refuses, in a session of its own."""
    return {**_payload(host, native), "session_id": f"s-{next(NUMBERS)}"}


def _payload(host: Host, native: str) -> dict[str, Any]:
    if native in ("PreToolUse", "PermissionRequest"):
        return {**host.shell("touch x"), "hook_event_name": native, "tool_use_id": "c"}
    if native in ("PostToolUse", "PostToolUseFailure"):
        return {**host.ran("ls", "c"), "hook_event_name": native, "error": "Exit code 1"}
    more = {"UserPromptSubmit": {"prompt": "hello"}, "ConfigChange": {"file_path": "/x", "source": "user"}}
    agent = {"agent_id": "a", "agent_type": "t"} if native.startswith("Subagent") else {}
    return host.payload(native, **more.get(native, {}), **agent)


def injected(host: Host, line: str, given: dict[str, Any], **options: Any) -> Done:
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", PROGRAM, str(HOOK.parent.parent), line, "claude-code"],
        input=json.dumps(given).encode(),
        capture_output=True,
        env={**host.environment, **options},
        cwd=host.workspace,
        timeout=SECONDS,
        check=False,
    )
    return Done(done.returncode, done.stdout, done.stderr.decode())


def failed_as_declared(done: Done, native: str) -> bool:
    """The failure verdict of the point, in the host's words: a gate is closed, any other point speaks."""
    if CAPABILITIES[native].gate:
        return done.refused and "injected" in done.err
    if native == "SessionEnd":
        return (done.status, done.out, "injected" in done.err) == (0, b"", True)
    return (done.status, "injected" in json.loads(done.out)["systemMessage"]) == (0, True)


@pytest.mark.requirement("R20")
@pytest.mark.parametrize("native", CAPABILITIES)
def test_without_a_fault_the_events_are_taken(stateful: Host, native: str) -> None:
    assert injected(stateful, "pass", payload(stateful, native)).verdict in ("allow", "deny")


@pytest.mark.requirement("R1", "R2", "R20")
@pytest.mark.parametrize("native", CAPABILITIES)
@pytest.mark.parametrize("stage", [*STAGES, *INSIDE])
def test_a_fault_in_a_stage_is_the_failure_verdict_of_the_point(stateful: Host, stage: str, native: str) -> None:
    kind = KINDS[(len(stage) + len(native)) % len(KINDS)]
    done = injected(stateful, (STAGES | INSIDE)[stage].format(kind=kind), payload(stateful, native))
    if stage == "judging" and CAPABILITIES[native].point not in ("before_tool", "after_tool", "before_completion"):
        assert done.verdict in ("allow", "deny")  # no rule may concern the event, so that nothing is judged
    else:
        assert failed_as_declared(done, native), (done, kind)


@pytest.mark.requirement("R1", "R20")
@pytest.mark.parametrize("native", ["PreToolUse", "PostToolUse", "Stop"])
@pytest.mark.parametrize("stage", [*OUTSIDE])
def test_a_fault_where_no_words_are_left_is_the_refusing_status(stateful: Host, stage: str, native: str) -> None:
    for kind in (KINDS[len(stage) % len(KINDS)], "SystemExit"):
        done = injected(stateful, OUTSIDE[stage].format(kind=kind), payload(stateful, native))
        assert (done.status, done.out, "injected" in done.err) == (2, b"", True)


@pytest.mark.requirement("R1", "R20")
@pytest.mark.parametrize("kind", ENDS)
@pytest.mark.parametrize("stage", [*STAGES, *INSIDE])
def test_what_would_end_the_process_refuses(stateful: Host, stage: str, kind: str) -> None:
    done = injected(stateful, (STAGES | INSIDE)[stage].format(kind=kind), payload(stateful, "PreToolUse"))
    if stage == "judging":
        assert done.status in (0, 2)
    else:
        assert (done.status, "injected" in done.err) == (2, True)


STORE = (
    "from policy_engine.runtime.stored_sessions import StoredSessions as S; from policy_engine.model.errors import *; "
)


@pytest.mark.requirement("R1", "R20")
@pytest.mark.parametrize("native", ["PostToolUse", "Stop", "UserPromptSubmit", "PostToolBatch"])
@pytest.mark.parametrize("method", ["open", "close"])
@pytest.mark.parametrize("kind", ["StoreError", "RuntimeError"])
def test_a_store_that_fails_is_said_and_keeps_no_rule_about_the_past_silent(
    stateful: Host, native: str, method: str, kind: str
) -> None:
    line = f"{STORE}S.{method} = S.lose = failing({kind})"
    done = injected(stateful, line, payload(stateful, native))
    assert "injected" in done.err
    if native == "Stop":
        assert done.verdict == "deny"


@pytest.mark.fault(87)
@pytest.mark.requirement("R1", "R20")
@pytest.mark.parametrize("command", ["ls", "rm a"])
def test_a_log_that_fails_changes_no_verdict_and_is_said(stateful: Host, command: str) -> None:
    line = "from policy_engine.audit import log; log.append = failing(RuntimeError)"
    done = injected(stateful, line, stateful.shell(command))
    assert (done.verdict, "log cannot be written: injected" in done.err) == ({"ls": "allow"}.get(command, "deny"), True)


@pytest.mark.requirement("R20", "R22")
def test_a_comparison_of_calls_that_fails_refuses(stateful: Host) -> None:
    line = "from policy_engine.hook_process import pairing; pairing.Pairing = failing(RuntimeError)"
    assert injected(stateful, line, payload(stateful, "PreToolUse")).refused


@pytest.mark.fault(109)
@pytest.mark.requirement("R3")
@pytest.mark.parametrize("command", ["ls", "rm a"])
def test_what_others_write_on_standard_output_goes_to_standard_error(stateful: Host, command: str) -> None:
    line = (
        "import os; from policy_engine.hook_process import native; answer = native._answer\n"
        "def noisy(*given):\n"
        "    print('noise 1', flush=True); os.write(1, b'noise 2'); os.system('echo noise 3'); return answer(*given)\n"
        "native._answer = noisy"
    )
    done = injected(stateful, line, stateful.shell(command), PATH="/usr/bin:/bin")
    assert b"noise" not in done.out
    assert all(f"noise {number}" in done.err for number in (1, 2, 3))
    assert done.refused if command == "rm a" else (done.status, done.out) == (0, b"")


@pytest.mark.requirement("R1", "R4")
def test_a_completion_that_is_never_judged_in_time_is_refused_once(stateful: Host) -> None:
    line = "import time; from policy_engine.hook_process import native; native._decide = lambda *given: time.sleep(60)"
    given = payload(stateful, "Stop")
    first, again = (injected(stateful, line, given, POLICY_DEADLINE_MS="1500") for _ in range(2))
    assert (first.verdict, "E-DEADLINE" in first.err) == ("deny", True)
    assert (again.verdict, "E-DEADLINE" in again.err, b"A person takes over" in again.out) == ("allow", True, True)

"""Every decider keeps the decision log as hooks do: engines in a process of their own, frameworks, the MCP proxy."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from policy_engine.audit.check import check_log
from policy_engine.audit.log import log_path
from policy_engine.bootstrap import Engine
from policy_engine.commands import replay
from policy_engine.integrations.base import Call, Guard
from policy_engine.proxy.messages import Session
from policy_engine.state.places import OWN_VARIABLES
from tests.end_to_end.host import POLICY, SECONDS, Host

THREADS, EACH, PROCESSES = 4, 25, 3
MANY = """
import sys, threading
from policy_engine import Engine
engine = Engine.load(sys.argv[1])
def decide(name):
    for number in range(int(sys.argv[3])):
        tool = {"name": "Bash", "kind": "shell", "args": {"command": "rm a"}}
        event = {"hook": "before_tool", "session": name, "id": f"{name}-{number}", "cwd": "/", "tool": tool}
        assert engine.decide(event).verdict == "deny"
threads = [threading.Thread(target=decide, args=(f"{sys.argv[2]}-{n}",)) for n in range(4)]
for thread in threads: thread.start()
for thread in threads: thread.join()
"""


@pytest.fixture
def at(host: Host, monkeypatch: pytest.MonkeyPatch) -> Host:
    """This process with the environment of a host whose workspace has a policy."""
    for name in OWN_VARIABLES:
        monkeypatch.delenv(name, raising=False)
    for name, value in host.environment.items():
        monkeypatch.setenv(name, value)
    host.write_policy(POLICY)
    host.call(host.shell("ls", session_id="earlier"))  # so that its cache has what takes long to make
    shutil.rmtree(host.state)
    return host


def shell(host: Host, command: str, number: int = 1) -> dict[str, Any]:
    place = str(host.workspace)
    tool = {"name": "Bash", "kind": "shell", "args": {"command": command}}
    return {"hook": "before_tool", "session": "s", "id": f"e-{number}", "cwd": place, "workspace": place, "tool": tool}


def records() -> list[dict[str, Any]]:
    """What is in the log, whose chain holds."""
    checked = check_log([log_path()])
    assert (checked.findings, checked.unknown, checked.notes) == ([], [], [])
    return [json.loads(line) for line in Path(log_path()).read_bytes().splitlines()]


@pytest.mark.parametrize("which", ["load", "at"])
def test_an_engine_leaves_what_a_hook_leaves_and_both_can_be_decided_again(
    at: Host, which: str, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = at.workspace / ".policy"
    engine = Engine.load(folder) if which == "load" else Engine.at(at.workspace)
    for number, command in enumerate(("rm a", "ls")):
        assert engine.decide(shell(at, command, number)).verdict == ("deny", "allow")[number]
    engine.close()
    assert at.call(at.shell("rm a")).refused
    found = records()
    assert [record["verdict"] for record in found] == ["deny", "allow", "deny"]
    assert found[0]["host"] == "generic" and found[0]["input"]["tool"]["args"] == {"command": "rm a"}
    assert [rule["rule"] for rule in found[0]["rules"]] == [rule["rule"] for rule in found[2]["rules"]]
    named = ["-p", str(folder)] if which == "load" else []
    status = replay.COMMAND.main([*named, "--format", "json", log_path()], standalone_mode=False)
    same = json.loads(capsys.readouterr().out)["compared"]
    assert (status, same["different"], same["same"]) == (1, 0, 3)


def test_threads_and_processes_and_hooks_write_one_chain(at: Host) -> None:
    command = [sys.executable, "-c", MANY, str(at.workspace / ".policy")]
    running = [
        subprocess.Popen([*command, str(number), str(EACH)], env={**at.environment, "PYTHONPATH": os.getcwd()})
        for number in range(PROCESSES)
    ]
    hooks = threading.Thread(target=lambda: [at.call(at.shell("rm a")) for _ in range(5)])
    hooks.start()
    hooks.join()
    assert [process.wait(60) for process in running] == [0] * PROCESSES
    assert len({record["event"] for record in records() if "-" in record["session"]}) >= PROCESSES * THREADS * EACH


def test_secrets_and_events_that_cannot_be_read(at: Host) -> None:
    engine = Engine.load(at.workspace / ".policy")
    engine.decide(shell(at, "rm a; export API_TOKEN=abcdef0123456789"))
    assert engine.decide({"hook": "before_tool", "session": "s", "tool": object()}).verdict == "deny"
    secret, unread = records()
    assert "abcdef0123456789" not in json.dumps(secret) and secret["altered"] == ["redacted"]
    assert unread["code"] == "E-TYPE" and "input" not in unread and unread["session"] == "s"


def test_a_log_that_cannot_be_written_is_told_and_changes_no_verdict(
    at: Host, caplog: pytest.LogCaptureFixture
) -> None:
    Path(log_path()).mkdir(parents=True)
    assert Engine.load(at.workspace / ".policy").decide(shell(at, "rm a")).verdict == "deny"
    assert "the decision log cannot be written" in caplog.text


def test_an_engine_that_only_tries_a_policy_leaves_nothing(at: Host) -> None:
    Engine.load(at.workspace / ".policy", log=False).decide(shell(at, "rm a"))
    Engine.from_text(POLICY).decide(shell(at, "rm a"))
    assert not Path(log_path()).exists()


class Gone:
    """An engine that is not there, and whose log is."""

    def __init__(self, engine: Engine) -> None:
        self.log = engine.log

    def decide(self, event: dict[str, Any]) -> Any:
        raise OSError("gone")


REFUSES = 'language 1\nrule done {\n  severity high\n  on before_completion\n  deny "Not yet."\n}\n'


def test_what_a_framework_was_told_without_the_engine_is_there_too(at: Host) -> None:
    at.write_policy(REFUSES)
    guard = Guard(Engine.at(at.workspace), "h", at.workspace, continuations=1)
    run = guard.run("r")
    assert guard.finish(run, "done").verdict == "deny"
    with pytest.raises(Exception, match="A person takes over"):
        guard.finish(run, "done")
    Guard(Gone(Engine.at(at.workspace)), "h", at.workspace).before(run, Call("sh", {"command": "ls"}))
    assert [(record["verdict"], record.get("code")) for record in records()] == [
        ("deny", None), ("deny", None), ("stop", None), ("deny", "E-INTERNAL"),
    ]  # fmt: skip


ENDS = 'language 1\nrule end {\n  severity high\n  on before_tool(mcp)\n  stop over_now "It is over."\n}\n'


def test_the_proxy_keeps_calls_that_it_cannot_read_and_those_after_the_end(at: Host) -> None:
    at.write_policy(ENDS)
    session = Session(Guard(Engine.at(at.workspace), "mcp", at.workspace), "s")
    for params in ({}, {"name": "run", "arguments": {}}, {"name": "run", "arguments": {}}):
        message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
        assert session.from_client(json.dumps(message).encode() + b"\n")[0] == b""
    session.from_client(b"{\n")
    assert [(record["host"], record["verdict"], record.get("code")) for record in records()] == [
        ("mcp", "deny", "E-FIELD"), ("mcp", "stop", None), ("mcp", "stop", None), ("mcp", "deny", "E-JSON"),
    ]  # fmt: skip


FORKS = """
import os, threading
from policy_engine.audit.in_process import Log
from policy_engine.model.decision import Decision
log, over = Log(), threading.Event()
def on():
    while not over.is_set():
        log.decided(Decision("e", "before_tool", "thread", "deny", ""))
thread = threading.Thread(target=on)
thread.start()
for number in range(20):
    child = os.fork()
    if not child:
        log.decided(Decision("e", "before_tool", f"child-{number}", "deny", ""))
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0
over.set()
thread.join()
"""


def test_a_copy_of_a_process_made_while_a_thread_writes_keeps_the_log_too(at: Host) -> None:
    environment = {**at.environment, "PYTHONPATH": os.getcwd()}
    subprocess.run([sys.executable, "-c", FORKS], env=environment, timeout=SECONDS, check=True)
    assert len({record["session"] for record in records() if record["session"].startswith("child-")}) == 20


NEVER_LATER = "from policy_engine.audit import in_process; in_process.LATER_SECONDS = 1000.0\n"
DIES = (
    NEVER_LATER
    + """
import os, sys
from policy_engine import Engine
engine = Engine.load(sys.argv[1])
for number, command in enumerate(sys.argv[3:]):
    tool = {"name": "Bash", "kind": "shell", "args": {"command": command}}
    event = {"hook": "before_tool", "session": "s", "id": str(number), "cwd": "/", "tool": tool}
    engine.decide(event)
    tool["args"]["command"] = "changed by its owner"
if sys.argv[2] == "killed":
    os.kill(os.getpid(), 9)
if sys.argv[2] == "copied":
    child = os.fork()
    if not child:
        os._exit(0)
    os.waitpid(child, 0)
    os.kill(os.getpid(), 9)
"""
)


@pytest.mark.parametrize(
    ("end", "lines", "kept"),
    [
        ("killed", ["ls", "rm a", "pwd"], ["ls", "rm a"]),  # what refused is there, and what was before it
        ("ended", ["ls", "rm a", "pwd"], ["ls", "rm a", "pwd"]),
        ("copied", ["ls", "pwd"], ["ls", "pwd"]),
        ("killed", ["ls"] * 257, ["ls"] * 257),  # no more than so many wait
        ("killed", ["ls"] * 256, []),
    ],
)
def test_a_process_that_dies_loses_a_bounded_number_of_records_and_none_that_refused(
    at: Host, end: str, lines: list[str], kept: list[str]
) -> None:
    command = [sys.executable, "-c", DIES, str(at.workspace / ".policy"), end, *lines]
    environment = {**at.environment, "PYTHONPATH": os.getcwd()}
    done = subprocess.run(command, env=environment, timeout=SECONDS, check=False, capture_output=True)
    assert done.returncode == (0 if end == "ended" else -9), done.stderr
    found = records() if Path(log_path()).exists() else []
    assert [record["input"]["tool"]["args"]["command"] for record in found] == kept


def test_a_record_that_waits_is_written_soon_without_anybody_asking(at: Host) -> None:
    engine = Engine.load(at.workspace / ".policy")
    engine.decide(shell(at, "ls"))
    for thread in threading.enumerate():
        if thread.name == "policy-log":
            thread.join(SECONDS)
    assert [record["verdict"] for record in records()] == ["allow"]

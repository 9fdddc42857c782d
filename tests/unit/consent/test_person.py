"""Which processes and variables are an agent's."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from policy_engine.consent import person
from policy_engine.consent.person import Process, names_of, no_person, seen, under_agent

CHAIN = {
    5: Process(5, 4, ("bash", "-bash")),
    4: Process(4, 3, ("sshd", "sshd: dev@pts/0")),
    3: Process(3, 1, ("systemd", "/sbin/init")),
}


@pytest.fixture
def above(monkeypatch: pytest.MonkeyPatch) -> dict[int, Process]:
    """The processes above this one: a shell over the network, until a test puts others there."""
    found = dict(CHAIN)
    monkeypatch.setattr(person, "seen", found.get)
    monkeypatch.setattr(person.os, "getppid", lambda: 5)
    for name in [name for name in os.environ if person.is_agents(name)]:
        monkeypatch.delenv(name)
    return found


def test_a_shell_of_a_person_is_none(above: dict[int, Process]) -> None:
    assert under_agent() == ""


@pytest.mark.requirement("R14")
@pytest.mark.parametrize(
    "process",
    [
        Process(4, 3, ("claude",)),
        Process(4, 3, ("node", "node", "/usr/lib/node_modules/@anthropic-ai/claude-code/cli.js", "/usr/bin/node")),
        Process(4, 3, ("MainThread", "node", "/opt/npm/node_modules/@openai/codex/bin/codex.js")),
        Process(4, 3, ("python3", "/usr/bin/python3", "/home/dev/.venv/bin/aider")),
        Process(4, 3, ("Cursor", "/opt/Cursor/cursor")),
        Process(4, 3, ("node", "/home/dev/.vscode-server/cli/servers/x/server/node", "out/bootstrap-fork")),
        Process(4, 3, ("bash", "bash"), frozenset(("PATH", "CLAUDECODE"))),
    ],
)
def test_an_agent_anywhere_above_is_seen(above: dict[int, Process], process: Process) -> None:
    above[4] = process
    assert "above this one" in under_agent() and "(process 4)" in under_agent()


def test_no_end_of_processes_is_no_person(above: dict[int, Process]) -> None:
    above[3] = Process(3, 5, ("bash",))
    assert "more than" in under_agent()


def test_who_cannot_be_seen_ends_the_look(above: dict[int, Process]) -> None:
    del above[4]
    assert under_agent() == ""


def test_without_a_terminal_there_is_no_person(above: dict[int, Process], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(person.os, "isatty", lambda number: number == 0)
    assert "not both a terminal" in no_person()


def test_folders_and_words_of_a_person_are_no_agent() -> None:
    process = Process(4, 3, ("vim", "/usr/bin/vim", "/home/dev/code/codex/notes.txt"))
    assert not names_of(process) & (person.PROGRAMS | person.EDITORS)


@pytest.mark.parametrize("listed", [False, True])
def test_a_real_process_is_seen_with_its_script(listed: bool) -> None:
    look = person._listed if listed else seen
    if listed and not os.path.exists(person._PS):
        pytest.skip("there is no ps")
    script = "import time; print(flush=True); time.sleep(600)"
    command = [sys.executable, "-I", "-c", script]
    process = subprocess.Popen(command, env={"CODEX_SANDBOX": "1"}, stdout=subprocess.PIPE)
    try:
        assert process.stdout is not None and process.stdout.readline()
        found = look(process.pid)
    finally:
        process.kill()
        process.communicate()
    assert found is not None and found.parent == os.getpid()
    assert sys.executable in found.words
    assert listed or "CODEX_SANDBOX" in found.variables


def test_an_interpreters_script_counts_and_no_other_word() -> None:
    assert person._started(["/usr/bin/node", "--flag", "x/claude", "y"]) == ["/usr/bin/node", "x/claude"]
    assert person._started(["vim", "claude"]) == ["vim"]
    assert person._started([]) == []

"""Number of rules and a payload → what the registered hook costs as a whole process, beside an empty interpreter.

A is `python -I -S -c pass`, B the process that the registered command starts (the shell around, which the host starts
for every hook, is in neither), with a home of its own, a warm cache and the policy of the workload in the repository,
first without and then with a resident engine.
A and B run in turn, so that both see the same machine; the figure is the median of the ratios B/A of neighbours.
Processor time (user and system) is given beside the clock: it does not wait for others. Before timing, a canary that
must be refused and the payload itself are sent once each.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

import policy_engine
from bench.rules import Rule, policy_text
from bench.workload import make_rules, with_parsed_values

PAIRS = 150
SIZES = (10, 10_000)
SCRIPT = str(Path(policy_engine.__file__).with_name("hook.py"))
CASES: dict[str, tuple[str, dict[str, str]]] = {
    "matches nothing (read)": ("Read", {"file_path": "src/core/parser.py"}),
    "plain shell command": ("Bash", {"command": "git status --short"}),
    "shell command that needs the grammar": ("Bash", {"command": "cd src && git status --short | head -3"}),
}


@dataclass(frozen=True, slots=True)
class Row:
    """One case at one size, with or without a resident engine: medians in ms of the clock and the processor, and the
    median ratio of neighbours."""

    case: str
    resident: bool
    rules: int
    pairs: int
    bare: float
    hook: float
    ratio: float
    bare_cpu: float
    hook_cpu: float
    ratio_cpu: float

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


class WrongAnswer(Exception):
    """The hook did not answer what it must; its time means nothing."""


@dataclass(frozen=True, slots=True)
class Place:
    """A workspace with its policy, a home, and the files for standard input and output."""

    root: Path
    workspace: Path
    environment: dict[str, str]

    def payload(self, tool: str, arguments: dict[str, str]) -> Path:
        """A Claude Code `PreToolUse` payload, in a file; a relative `file_path` is put below the workspace."""
        if "file_path" in arguments:
            arguments = {"file_path": str(self.workspace / arguments["file_path"])}
        payload = {
            "session_id": "f56b2bb4-0ce7-4ea0-950d-678706438baf",
            "transcript_path": str(self.root / "transcript.jsonl"),
            "cwd": str(self.workspace),
            "permission_mode": "default",
            "hook_event_name": "PreToolUse",
            "tool_name": tool,
            "tool_input": arguments,
            "tool_use_id": "toolu_7dcbf944f5b14a50946b9567",
        }
        path = self.root / "payload.json"
        path.write_text(json.dumps(payload) + "\n", encoding="utf-8")
        return path


@contextmanager
def place(rules: Sequence[Rule]) -> Iterator[Place]:
    """A fresh home and workspace; the working directory is the workspace meanwhile."""
    before = os.getcwd()
    with TemporaryDirectory() as folder:
        root = Path(folder).resolve()
        workspace, home = root / "project", root / "home"
        for path in (workspace / ".policy", workspace / "src" / "core", home):
            path.mkdir(parents=True)
        (workspace / ".policy" / "main.policy").write_text(policy_text(list(rules)), encoding="utf-8")
        environment = {"HOME": str(home), "PATH": os.environ.get("PATH", ""), "LANG": "C.UTF-8"}
        os.chdir(workspace)
        try:
            yield Place(root, workspace, environment)
        finally:
            os.chdir(before)


def run(argv: Sequence[str], place: Place, payload: Path, output: str = os.devnull) -> tuple[float, float, int]:
    """Start one process and wait → (clock ms, processor ms, exit code)."""
    actions = [
        (os.POSIX_SPAWN_OPEN, 0, str(payload), os.O_RDONLY, 0),
        (os.POSIX_SPAWN_OPEN, 1, output, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600),
        (os.POSIX_SPAWN_DUP2, 1, 2),
    ]
    start = perf_counter()
    child = os.posix_spawn(argv[0], list(argv), place.environment, file_actions=actions)
    _, status, usage = os.wait4(child, 0)
    clock = perf_counter() - start
    return clock * 1e3, (usage.ru_utime + usage.ru_stime) * 1e3, os.waitstatus_to_exitcode(status)


def _expect(argv: Sequence[str], place: Place, payload: Path, refused: bool) -> None:
    output = place.root / "answer"
    _, _, code = run(argv, place, payload, str(output))
    text = output.read_text(encoding="utf-8", errors="replace")
    said = code == 2 or '"deny"' in text
    if said is not refused or code not in (0, 2):
        raise WrongAnswer(f"exit {code}, refused {said}, expected {refused}: {text[:400]}")


def measure(size: int, pairs: int = PAIRS, script: str = SCRIPT) -> list[Row]:
    """All cases at one size. Raises WrongAnswer before timing."""
    rules = with_parsed_values(make_rules(size))
    refusal = next(rule for rule in make_rules(1_000) if rule.family == "tool-name" and rule.verdict == "deny")
    bare = (sys.executable, "-I", "-S", "-c", "pass")
    hook = (sys.executable, "-I", "-S", script, "claude-code")
    rows = []
    for resident in (False, True):
        with place([*rules, *([refusal] if refusal not in rules else [])]) as here:
            canary = here.payload(refusal.tests[0].value, {"id": "7"})
            _expect(hook, here, canary, refused=True)
            with serving(here) if resident else nullcontext():
                _expect(hook, here, canary, refused=True)
                for case, (tool, arguments) in CASES.items():
                    payload = here.payload(tool, arguments)
                    _expect(hook, here, payload, refused=False)
                    rows.append(_timed((case, resident), size, pairs, bare, hook, here, payload))
    return rows


@contextmanager
def serving(here: Place) -> Iterator[None]:
    """A resident engine, which the hooks of the place ask."""
    command = [sys.executable, "-I", "-S", str(Path(SCRIPT).with_name("serve.py"))]
    with subprocess.Popen(command, env=here.environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        assert process.stdout is not None
        process.stdout.readline()
        try:
            yield
        finally:
            process.terminate()


def _timed(
    case: tuple[str, bool], size: int, pairs: int, bare: Sequence[str], hook: Sequence[str], here: Place, payload: Path
) -> Row:
    plain: list[tuple[float, float]] = []
    ours: list[tuple[float, float]] = []
    for number in range(pairs):
        order = ((bare, plain), (hook, ours)) if number % 2 else ((hook, ours), (bare, plain))
        for argv, samples in order:
            clock, cpu, _ = run(argv, here, payload)
            samples.append((clock, cpu))
    return Row(
        *case,
        size,
        pairs,
        median(clock for clock, _ in plain),
        median(clock for clock, _ in ours),
        median(b[0] / a[0] for a, b in zip(plain, ours, strict=True)),
        median(cpu for _, cpu in plain),
        median(cpu for _, cpu in ours),
        median(b[1] / a[1] for a, b in zip(plain, ours, strict=True)),
    )

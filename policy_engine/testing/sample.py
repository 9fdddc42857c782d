"""Make canonical events to measure a policy with: those that its own tests play, else one per point."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from policy_engine.loading.loader import Loaded
from policy_engine.model.event import POINTS, TOOL_POINTS
from policy_engine.model.undecided import Undecided
from policy_engine.testing.runner import suite
from policy_engine.testing.scenario import play
from policy_engine.testing.stage import Stage

TESTS = 200  # played at most; each is compiled by itself first
_TOOLS: tuple[tuple[str, str, dict[str, str]], ...] = (
    ("Bash", "shell", {"command": "ls -la src"}),
    ("Bash", "shell", {"command": "git commit -m work"}),
    ("Write", "write", {"file_path": "/workspace/src/app.py", "content": "print('hello')\n"}),
    ("Read", "read", {"file_path": "/workspace/src/app.py"}),
)


def sample_events(loaded: Loaded, paths: Iterable[Path | str]) -> tuple[list[dict[str, Any]], str]:
    """The events, never empty, and where they come from in words; those of tests in a session for each test.

    Raises PolicyLoadError.
    """
    chosen = suite(loaded, paths)
    events: list[dict[str, Any]] = []
    for number, test in enumerate(chosen.tests[:TESTS]):
        stage = Stage(chosen.trials.of(test))
        try:
            answers = [one for step in test.steps for one in play(step, stage)]
        except Undecided:
            continue  # a step that cannot be played here
        events += [{**one.event, "session": f"sample-{number}"} for one in answers]
    return (events, "the policy's own tests") if events else (list(_plain_events()), "every lifecycle point")


def _plain_events() -> Iterable[dict[str, Any]]:
    texts = {"prompt": {"prompt": "Repair the failing test."}, "before_completion": {"answer": "done"}}
    for point in sorted(POINTS):
        base = {"hook": point, "session": "sample", "workspace": "/workspace", "cwd": "/workspace"}
        if point not in TOOL_POINTS:
            yield {**base, **texts.get(point, {})}
            continue
        for name, kind, args in _TOOLS:
            result = {"result": {"ok": True, "exit_code": 0, "text": ""}} if point == "after_tool" else {}
            yield {**base, "tool": {"name": name, "kind": kind, "args": args}, **result}

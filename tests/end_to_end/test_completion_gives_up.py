"""A completion that cannot be judged is refused once and then ends in a person's hands, on hosts that would go on."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

import policy_engine
from policy_engine.adapters.base import Adapter, Answer
from policy_engine.hosts.layers import adapter_named

HOOK = Path(policy_engine.__file__).with_name("hook.py")
EVENTS = {
    "claude-code": "Stop",
    "codex": "Stop",
    "droid": "Stop",
    "qwen": "Stop",
    "copilot": "Stop",
    "gemini": "AfterAgent",
}


def ended(adapter: Adapter, folder: Path, **more: object) -> Answer:
    payload = {"session_id": "s", "cwd": str(folder), "hook_event_name": EVENTS[adapter.name], **more}
    ran = subprocess.run(
        [sys.executable, "-I", "-S", str(HOOK), adapter.name],
        input=json.dumps(payload).encode(),
        capture_output=True,
        cwd=folder,
        env={"HOME": str(folder.parent)},
        check=False,
    )
    return Answer(ran.stdout, ran.stderr, ran.returncode)


@pytest.mark.parametrize("host", EVENTS)
@pytest.mark.parametrize("wrong", ["policy", "payload"])
def test_a_completion_that_cannot_be_judged_is_refused_once(tmp_path: Path, host: str, wrong: str) -> None:
    adapter, folder = adapter_named(host), tmp_path / "project"
    (folder / ".policy").mkdir(parents=True)
    (folder / ".policy" / "main.policy").write_text("language 1\n" if wrong == "payload" else "broken\n")
    odd = {"cwd": 3} if wrong == "payload" else {}
    first = ended(adapter, folder, stop_hook_active=False, **odd)
    again = ended(adapter, folder, stop_hook_active=True, **odd)
    assert adapter.denies(EVENTS[host], first)
    assert not adapter.denies(EVENTS[host], again)
    assert (again.exit_code, b"A person takes over" in again.stdout + again.stderr) == (0, True)

"""Try the registered handlers with what must be refused, at every event that can refuse, in the host's words.

Every registered line is run exactly as written, through `sh -c` as the host does, with an event that is always refused.
"""

from __future__ import annotations

import json
import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from policy_engine.adapters.base import CANARY_CODE, POLICY_CODE, Adapter, Answer, visible
from policy_engine.hook_process.response_writer import COMPILE_MS
from policy_engine.hosts.layers import own_line
from policy_engine.hosts.registration import Handler

OK, WARNING, FAILURE = "ok", "warning", "failure"
SECONDS = COMPILE_MS // 1000 + 10
_TRUSTED = ("managed", "user")  # layers that no repository writes


@dataclass(frozen=True, slots=True)
class Check:
    """One finding: `state` is ok, warning or failure; `help` says what to do."""

    name: str
    state: str
    message: str
    help: str = ""


def canaries(adapter: Adapter, project: Path, ours: list[tuple[Handler, str]]) -> Iterator[Check]:
    """Return what is wrong with the answers, or that all refuse; `ours` are handlers with their layers' names."""
    advice = f"see `policy status`, then run `policy install {adapter.name}`"
    done: dict[tuple[str, str], Check | None] = {}
    for handler, layer in ours:
        capability = adapter.capabilities.get(handler.event)
        place = (handler.runs, handler.event)
        if capability is None or not capability.gate or place in done:
            continue
        # What a repository brings along is not run here; its own hook must be this installation's, to the letter.
        if layer not in _TRUSTED and handler.command != own_line(adapter, handler.command, handler.event):
            message = f"not tried, for it comes with the repository: `{handler.command}`"
            done[place] = Check("canary", FAILURE, message, advice)
        else:
            done[place] = _canary(adapter, handler, project, advice)
    wrong = list(dict.fromkeys(check for check in done.values() if check is not None))
    yield from wrong
    if done and not wrong:
        points = ", ".join(dict.fromkeys(adapter.capabilities[event].point for _, event in done))
        yield Check("canary", OK, f"a call that must be refused was refused, on both channels ({points})")


def _canary(adapter: Adapter, handler: Handler, project: Path, advice: str) -> Check | None:
    payload = adapter.canary(handler.event, str(project))
    try:
        with tempfile.TemporaryDirectory(prefix="policy-doctor-") as folder:
            ran = subprocess.run(
                ["/bin/sh", "-c", handler.runs],
                input=json.dumps(payload).encode() + b"\n",
                capture_output=True,
                cwd=folder,
                timeout=SECONDS,
                check=False,
            )
    except (OSError, subprocess.TimeoutExpired) as problem:
        return Check("canary", FAILURE, f"the hook did not answer: {problem}", advice)
    answer = Answer(ran.stdout, ran.stderr, ran.returncode)
    return judged(adapter, handler.event, answer, ran.stderr.decode("utf-8", "replace"), advice)


def judged(adapter: Adapter, event: str, answer: Answer, output: str, advice: str) -> Check | None:
    """Return what is wrong with the answer, as the host reads it; `output` is where its reason must stand."""
    output = visible(output.strip())
    if not adapter.denies(event, answer):
        message = f"{event}: the host would not take this for a refusal (status {answer.exit_code}): {output}"
    elif POLICY_CODE in output and CANARY_CODE not in output:
        message = f"the hook is live, but the policy here is not what decides: {output}"
    elif CANARY_CODE not in output:
        message = f"the hook refuses everything, because the engine fails: {output}"
    else:
        return None
    return Check("canary", FAILURE, message, advice)

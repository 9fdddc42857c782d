"""Run an argv with an event and a time limit: no shell, a cleaned environment, the group killed."""

from __future__ import annotations

from typing import Any

from policy_engine.model.limits import HOOK_OUTPUT_BYTES
from policy_engine.model.process import EXITED, LOST, NOT_STARTED, SIGNALLED, Task, kept_environment, run_process
from policy_engine.model.strict_json import write_json

KEPT = ("PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "USER", "LOGNAME", "SYSTEMROOT")


def run(argv: tuple[str, ...], event: dict[str, Any], timeout_ms: int, cwd: str) -> tuple[int, bytes, str]:
    """(exit status, standard output, what went wrong or ""); the event's JSON stands on standard input."""
    ended = run_process(
        Task(
            argv,
            cwd,
            kept_environment(KEPT),
            given=write_json(event),
            timeout=timeout_ms / 1000,
            head=HOOK_OUTPUT_BYTES,
            tail=0,
            grace=0.0,
        )
    )
    if ended.how == EXITED:
        return ended.status, ended.output.data()[:HOOK_OUTPUT_BYTES], ""
    if ended.how in (NOT_STARTED, LOST):
        return -1, b"", ended.problem
    if ended.how == SIGNALLED:
        return -ended.status, b"", f"was killed by signal {ended.status}"
    return -1, b"", f"did not end within {timeout_ms} ms"

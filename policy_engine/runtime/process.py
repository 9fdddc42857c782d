"""Run an argv with an event and a time limit (no shell, a cleaned environment, the group killed); read its answer."""

from __future__ import annotations

from typing import Any

from policy_engine.model.errors import EventError
from policy_engine.model.ladder import RANK
from policy_engine.model.limits import HOOK_OUTPUT_BYTES
from policy_engine.model.process import EXITED, LOST, NOT_STARTED, SIGNALLED, Task, kept_environment, run_process
from policy_engine.model.strict_json import read_json, write_json
from policy_engine.model.undecided import Undecided

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


def answer_of(status: int, output: str, problem: str, name: str) -> tuple[str, str]:
    """Return the verdict and the message of a command that ended so. Raises Undecided."""
    if problem:
        raise Undecided(f"`{name}` {problem}")
    text = output.strip()
    if text.startswith("{"):
        return _json_answer(text, name)
    if status == 0:
        return "allow", ""
    if status in (1, 2):
        return "deny", text or f"`{name}` refused with exit status {status}"
    raise Undecided(f"`{name}` ended with exit status {status}")


def _json_answer(text: str, name: str) -> tuple[str, str]:
    try:
        answer = read_json(text.encode())
    except EventError as error:
        raise Undecided(f"`{name}` wrote JSON that cannot be read: {error}") from None
    verdict = answer.get("verdict") if type(answer) is dict else None
    message = answer.get("message", "") if type(answer) is dict else ""
    if verdict not in RANK or type(message) is not str:
        raise Undecided(f"`{name}` wrote JSON without a known `verdict`")
    return str(verdict), message

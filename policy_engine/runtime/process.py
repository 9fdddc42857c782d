"""Run an argv with an event and a time limit (no shell, a cleaned environment, the group killed); read its answer."""

from __future__ import annotations

from typing import Any, NamedTuple

from policy_engine.model.errors import EventError
from policy_engine.model.kept import Kept
from policy_engine.model.ladder import RANK
from policy_engine.model.limits import HOOK_OUTPUT_BYTES
from policy_engine.model.process import EXITED, LOST, NOT_STARTED, SIGNALLED, Task, kept_environment, run_process
from policy_engine.model.strict_json import read_json, write_json
from policy_engine.model.undecided import Undecided

KEPT = ("PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "USER", "LOGNAME", "SYSTEMROOT")


class Ran(NamedTuple):
    """The end of a command: its exit status, what it wrote, and what went wrong or ""."""

    status: int
    output: str = ""
    errors: str = ""
    problem: str = ""


def run(argv: tuple[str, ...], event: dict[str, Any], timeout_ms: int, cwd: str) -> Ran:
    """Run it with the event's JSON on standard input."""
    ended = run_process(
        Task(
            argv,
            cwd,
            kept_environment(KEPT),
            given=write_json(event),
            timeout=timeout_ms / 1000,
            errors="apart",
            head=HOOK_OUTPUT_BYTES,
            tail=0,
            grace=0.0,
        )
    )
    if ended.how == EXITED:
        return Ran(ended.status, _text(ended.output), _text(ended.errors))
    if ended.how in (NOT_STARTED, LOST):
        return Ran(-1, problem=ended.problem)
    if ended.how == SIGNALLED:
        return Ran(-ended.status, problem=f"was killed by signal {ended.status}")
    return Ran(-1, problem=f"did not end within {timeout_ms} ms")


def _text(kept: Kept) -> str:
    return kept.data()[:HOOK_OUTPUT_BYTES].decode("utf-8", "replace").strip()


def answer_of(ran: Ran, name: str) -> tuple[str, str]:
    """Return the verdict and the message of a command that ended so. Raises Undecided."""
    if ran.problem:
        raise Undecided(f"`{name}` {ran.problem}")
    if ran.output.startswith("{"):
        return _json_answer(ran.output, name)
    if ran.status == 0:
        return "allow", ""
    if ran.status in (1, 2):
        said = "\n".join(filter(None, (ran.output, ran.errors)))[:HOOK_OUTPUT_BYTES]
        return "deny", said or f"`{name}` refused with exit status {ran.status}"
    raise Undecided(f"`{name}` ended with exit status {ran.status}")


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

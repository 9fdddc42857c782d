"""Verification at the stop, played: a declared plan, a script of results, a real folder; for the areas of era 3."""

from __future__ import annotations

import re
import shlex
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from policy_engine.runtime.external import Hooks, everybody
from policy_engine.runtime.stored_sessions import StoredSessions
from tools.seeds.base import UnknownShape, quoted
from tools.seeds.icecoder.host import Host

STOP = "compat/icecoder/e3-stop"
RESULT = "e3-verification-"
DECLARED = """\
verify plan "The plan" {{
  {when}
{stages}
  retries 1 then stop completion_failed "Red twice: the user's plan fails the run."
}}
rule plan-mutates "The check changed the workspace itself: a person decides" {{
  on after_verification
  when verification.passed and verification.name == "plan" and wrote("**") and wrote("**") since verified(plan)
  stop completion_paused "The plan changes what it checks."
}}
rule plan-unavailable "The plan was not run to its end: a person decides" {{
  on after_verification
  when verification.name == "plan" and (verification.outcome else "") in ["timed_out", "not_started"]
  stop completion_paused "The plan could not be run to its end."
}}
rule fresh-plan "The plan is verified as things are" {{
  on after_round
  when verified(plan) and verified(plan) since wrote("**")
  warn "fresh"
}}
"""
_TOKEN = re.compile(r"(?:exit|completed|code)\s+(-?\d+)$")
_WORDS = {
    "ok": "passed", "pass": "passed", "passed": "passed", "completed": "passed",
    "start": "pending", "started": "pending",
    "running": "pending", "fail": "failed", "failed": "failed", "aborted": "cancelled", "abort": "cancelled",
    "timeout": "timed_out", "blocked": "not_started", "denied": "not_started", "unavailable": "not_started",
}  # fmt: skip


class Player:
    """Runs stages by a script of results: one word for each look at a command, the last one for ever.

    A command in the background that ended is not started again within one verification; one whose polls have taken its
    time has timed out.
    """

    def __init__(self, results: list[str], poll_ms: int = 0, mutates: tuple[str, ...] = ()) -> None:
        self.results = results
        self.poll_ms = poll_ms
        self.mutates = mutates
        self.calls: list[str] = []
        self._waited: dict[str, int] = {}
        self._ended: set[str] = set()

    def __call__(self, spec: tuple[Any, ...], folder: str) -> dict[str, Any]:
        name, argv, timeout = spec[0], spec[1], spec[2]
        record = {"stage": name, "command": shlex.join(argv)}
        if name in self._ended:
            return {**record, "outcome": "passed", "exit_code": 0}
        word = self.results[min(len(self.calls), len(self.results) - 1)] if self.results else "ok"
        self.calls.append(record["command"])
        for path in self.mutates:
            Path(folder, path).parent.mkdir(parents=True, exist_ok=True)
            Path(folder, path).write_text(f"{len(self.calls)}", "utf-8")
        outcome, code = _outcome(word)
        if outcome == "pending":
            waited = self._waited[name] = self._waited.get(name, -self.poll_ms) + self.poll_ms
            outcome = "timed_out" if timeout and waited >= timeout else outcome
        elif outcome == "passed" and name in self._waited:
            self._ended.add(name)
        if word in ("aborted", "abort") and self.poll_ms < 0:
            raise KeyboardInterrupt
        return {**record, "outcome": outcome, **({} if code is None else {"exit_code": code})}


def _outcome(word: str) -> tuple[str, int | None]:
    found = _TOKEN.match(word)
    if found:
        return ("passed" if int(found[1]) == 0 else "failed"), int(found[1])
    if word not in _WORDS:
        raise UnknownShape(f"a result `{word}`")
    return _WORDS[word], {"passed": 0, "failed": 1}.get(_WORDS[word])


def declared(plan: list[Any], when: str = "when has answer") -> str:
    """The plan as a `verify` of ours; a command may come with its time in milliseconds."""
    stages = []
    for number, one in enumerate(plan):
        command, timeout = (one, 120_000) if isinstance(one, str) else one
        argv = ", ".join(map(quoted, shlex.split(command)))
        stages.append(f"  stage plan-{number} run [{argv}] timeout {timeout}ms")
    return DECLARED.format(when=when, stages="\n".join(stages))


@contextmanager
def on_disk(text: str, player: Player, files: dict[str, str] | None = None) -> Iterator[Host]:
    """A session in a real folder, where what a check writes is seen."""
    with tempfile.TemporaryDirectory(prefix="seed-") as folder:
        root = Path(folder).resolve()
        (root / "work").mkdir()
        for name, content in (files or {}).items():
            (root / "work" / name).write_text(content, "utf-8")
        host = Host(STOP, text, world=None, hooks=Hooks(admit=everybody, stage=player),
                    sessions=StoredSessions(str(root / "sessions.db")))  # fmt: skip
        host.workspace = str(root / "work")
        yield host

"""Return the Program that holds in each session of one process under the policies of now, as `floor` does for the
hook; what sessions began with is kept in memory."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence

from policy_engine.checker.tree import CheckedPolicy
from policy_engine.compiler.retained import compared
from policy_engine.evaluators.base import Program
from policy_engine.hook_process.floored import Difference, sentence
from policy_engine.loading.layered import program_of
from policy_engine.runtime.session import LIVE_SESSIONS

Policies = Sequence[tuple[str, CheckedPolicy]]
COMPOSED = 16  # Programs of two sets that are kept


class _Set:
    """A set of policies that was in force."""

    __slots__ = ("policies", "program")

    def __init__(self, program: Program, policies: Policies) -> None:
        self.program, self.policies = program, policies


class Floors:
    """Keep what each session began with. May be used from several threads."""

    def __init__(self, adapt: Callable[[Program], Program]) -> None:
        self._adapt = adapt
        self._lock = threading.Lock()
        self._began: dict[str, tuple[_Set, str]] = {}  # with the digest that it saw last
        self._composed: dict[tuple[str, str], tuple[Program, Difference]] = {}

    def program(self, session: str, program: Program, policies: Policies) -> tuple[Program, str]:
        """The Program that holds in a session while this one is in force, and what is said of a change, once."""
        began, seen = self._began.get(session) or (None, "")
        if began is None or began.program.digest == program.digest == seen:
            if began is None:
                self._keep(session, _Set(program, policies), program.digest)
            return program, ""
        with self._lock:
            both, lost = self._both(began, _Set(program, policies))
        notice = sentence(lost, "since the last event") if program.digest != seen else ""
        self._keep(session, began, program.digest)
        return both, notice

    def adopt(self, session: str | None) -> None:
        """Let go of what a session began with, or of what every session did."""
        with self._lock:
            if session is None:
                self._began.clear()
            else:
                self._began.pop(session, None)

    def _keep(self, session: str, began: _Set, seen: str) -> None:
        with self._lock:
            self._began.pop(session, None)
            self._began[session] = (began, seen)
            if len(self._began) > LIVE_SESSIONS:
                del self._began[next(iter(self._began))]

    def _both(self, began: _Set, now: _Set) -> tuple[Program, Difference]:
        key = (began.program.digest, now.program.digest)
        pair = self._composed.get(key)
        if pair is None:
            kept, more = compared(now.policies, began.policies)
            program = now.program
            if kept is not None:
                program = self._adapt(program_of(now.policies, f"{key[1]}+{key[0]}", kept))
            pair = program, Difference.of(kept, more)
            self._composed[key] = pair
            if len(self._composed) > COMPOSED:
                del self._composed[next(iter(self._composed))]
        return pair

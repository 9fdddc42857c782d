"""Keep the Program of policy paths in force: polled, swapped by one reference, the last good one if a load fails."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from pathlib import Path

from policy_engine.checker.tree import CheckedPolicy
from policy_engine.evaluators.base import Program
from policy_engine.loading.debounce import load_settled, sizes_of
from policy_engine.loading.layered import SHOWN_ERRORS, one_line
from policy_engine.loading.loader import Loaded
from policy_engine.model.diagnostic import Diagnostic
from policy_engine.model.errors import PolicyLoadError
from policy_engine.model.layers import REPOSITORY

Adapt = Callable[[Loaded], Loaded]


class Reloader:
    """Holds what is in force: the Program, and what kept a newer one out, swapped as one reference."""

    def __init__(self, paths: Iterable[str | Path], adapt: Adapt) -> None:
        self.paths = tuple(paths)
        self._adapt = adapt
        self._lock = threading.Lock()
        self.loaded = adapt(load_settled(self.paths)[0])
        self._good = self.loaded
        self._sizes = sizes_of(self.loaded) if self.loaded.program is not None else {}
        self._pair: tuple[Program | None, tuple[str, ...]] = (self.loaded.program, ())
        self._sound = True

    @classmethod
    def fixed(cls, loaded: Loaded) -> Reloader:
        """A set that has no files to look at again."""
        self = cls.__new__(cls)
        self.paths, self._adapt, self._lock = (), lambda same: same, threading.Lock()
        self.loaded, self._pair, self._sound, self._sizes = loaded, (loaded.program, ()), True, {}
        self._good = loaded
        return self

    @property
    def in_force(self) -> tuple[Program, tuple[str, ...]]:
        """The last good Program, and why a newer one is not in force. Raises PolicyLoadError if there never was one."""
        good, errors = self._pair
        return good if good is not None else self.require_program(), errors

    @property
    def program(self) -> Program:
        """The last good Program. Raises PolicyLoadError if there never was one."""
        return self.in_force[0]

    @property
    def policies(self) -> tuple[Program, list[tuple[str, CheckedPolicy]]] | None:
        """The last good Program with the policies that it was made of; None for a set that never changes."""
        good = self._good
        if not self.paths or good.program is None or good.policy is None:
            return None
        return good.program, [(REPOSITORY, good.policy)]

    @property
    def lacking(self) -> tuple[str, ...]:
        """Layers that are not in force; a set that was named has none."""
        return ()

    @property
    def errors(self) -> tuple[str, ...]:
        """Return why a newer Program is not in force."""
        return self._pair[1]

    def require_program(self) -> Program:
        return self.loaded.require_program()

    def poll(self, thorough: bool = False) -> bool:
        """Load again if a file changed by content; True if another Program took effect.

        `thorough` reads also the files that look unchanged.
        """
        if not self.paths:
            return False
        with self._lock:
            try:
                before = self.loaded if self._sound else None
                fresh, _ = load_settled(self.paths, before, self._sizes, reread=thorough)
                self._sound = True
            except Exception as fault:  # whatever it is, what is in force stays, and nothing half-done is built upon
                self._sound = False
                return self._keep((f"internal error: {type(fault).__name__}: {fault}",), ())
            if fresh is not self.loaded:
                self.loaded = fresh = self._adapt(fresh)
            if fresh.program is None:
                return self._keep(tuple(map(one_line, fresh.errors[:SHOWN_ERRORS])), fresh.diagnostics)
            self._sizes, self._good = sizes_of(fresh), fresh
            good, self._pair = self._pair[0], (fresh.program, ())
            return good is None or good.digest != fresh.program.digest

    def _keep(self, errors: tuple[str, ...], diagnostics: tuple[Diagnostic, ...]) -> bool:
        """The last good set stays, and every decision says why. Raises PolicyLoadError if there is none."""
        good = self._pair[0]
        if good is None:
            raise PolicyLoadError(f"the policy does not load: {'; '.join(errors)}", diagnostics)
        self._pair = (good, (f"the policy on disk does not load; {good.digest} stays in force", *errors))
        return False

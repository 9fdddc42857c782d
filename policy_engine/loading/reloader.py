"""Policy paths → the Program in force: polled, swapped by one reference, the last good one kept when a load fails."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from pathlib import Path

from policy_engine.evaluators.base import Program
from policy_engine.loading.loader import Loaded, load
from policy_engine.loading.refresh import one_line
from policy_engine.model.errors import PolicyLoadError

Adapt = Callable[[Loaded], Loaded]


class Reloader:
    """Holds what is in force. `program` and `errors` are read together by nobody: each is one reference."""

    def __init__(self, paths: Iterable[str | Path], adapt: Adapt) -> None:
        self.paths = tuple(paths)
        self._adapt = adapt
        self._lock = threading.Lock()
        self.loaded = adapt(load(self.paths))
        self._good: Program | None = self.loaded.program
        self.errors: tuple[str, ...] = ()

    @classmethod
    def fixed(cls, loaded: Loaded) -> Reloader:
        """A set that has no files to look at again."""
        self = cls.__new__(cls)
        self.paths, self._adapt, self._lock = (), lambda same: same, threading.Lock()
        self.loaded, self._good, self.errors = loaded, loaded.program, ()
        return self

    @property
    def program(self) -> Program:
        """The last good Program. Raises PolicyLoadError if there never was one."""
        good = self._good
        return good if good is not None else self.require_program()

    def require_program(self) -> Program:
        return self.loaded.require_program()

    def poll(self) -> bool:
        """Load again if a file changed by content; True if another Program took effect."""
        if not self.paths:
            return False
        with self._lock:
            fresh = load(self.paths, before=self.loaded)
            if fresh is self.loaded or (
                fresh.diagnostics == self.loaded.diagnostics and fresh.digest == self.loaded.digest
            ):
                return False
            self.loaded = fresh = self._adapt(fresh)
            if fresh.program is None:
                self.errors = _kept(self._good, fresh)
                return False
            before, self._good, self.errors = self._good, fresh.program, ()
            return before is None or before.digest != fresh.program.digest


def _kept(good: Program | None, fresh: Loaded) -> tuple[str, ...]:
    """What every decision says while a broken policy is on disk."""
    if good is None:
        raise PolicyLoadError("the policy does not load", fresh.diagnostics)
    note = f"the policy on disk does not load; {good.digest} stays in force"
    return (note, *(one_line(found) for found in fresh.errors[:5]))

"""Policy paths → the Program in force: polled, swapped by one reference, the last good one kept when a load fails."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable
from pathlib import Path

from policy_engine.evaluators.base import Program
from policy_engine.loading.cache import CacheMiss, signature
from policy_engine.loading.loader import Loaded, load
from policy_engine.loading.refresh import SHOWN_ERRORS, one_line
from policy_engine.model.diagnostic import Diagnostic
from policy_engine.model.errors import PolicyLoadError

SETTLE_NS = 20_000_000  # from one step of an editor or of `git checkout` to the next
LOOKS = 10
Adapt = Callable[[Loaded], Loaded]


class Reloader:
    """Holds what is in force: the Program, and what kept a newer one out, swapped as one reference."""

    def __init__(self, paths: Iterable[str | Path], adapt: Adapt) -> None:
        self.paths = tuple(paths)
        self._adapt = adapt
        self._lock = threading.Lock()
        self.loaded = adapt(load(self.paths))
        self._pair: tuple[Program | None, tuple[str, ...]] = (self.loaded.program, ())
        self._sound = True

    @classmethod
    def fixed(cls, loaded: Loaded) -> Reloader:
        """A set that has no files to look at again."""
        self = cls.__new__(cls)
        self.paths, self._adapt, self._lock = (), lambda same: same, threading.Lock()
        self.loaded, self._pair, self._sound = loaded, (loaded.program, ()), True
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
    def errors(self) -> tuple[str, ...]:
        """Why a newer Program is not in force."""
        return self._pair[1]

    def require_program(self) -> Program:
        return self.loaded.require_program()

    def poll(self) -> bool:
        """Load again if a file changed by content; True if another Program took effect."""
        if not self.paths:
            return False
        with self._lock:
            try:
                fresh = self._settled()
                self._sound = True
            except Exception as fault:  # whatever it is, what is in force stays, and nothing half-done is built upon
                self._sound = False
                return self._keep((f"internal error: {type(fault).__name__}: {fault}",), ())
            if fresh is not self.loaded:
                self.loaded = fresh = self._adapt(fresh)
            if fresh.program is None:
                return self._keep(tuple(map(one_line, fresh.errors[:SHOWN_ERRORS])), fresh.diagnostics)
            before, self._pair = self._pair[0], (fresh.program, ())
            return before is None or before.digest != fresh.program.digest

    def _settled(self) -> Loaded:
        """The files as they are, once a change that may be half done had the time to become whole."""
        before = self.loaded if self._sound else None
        for _ in range(LOOKS):
            fresh = load(self.paths, before=before)
            if not _half_done(self.loaded, fresh):
                break
            time.sleep(SETTLE_NS / 1e9)
        return fresh

    def _keep(self, errors: tuple[str, ...], diagnostics: tuple[Diagnostic, ...]) -> bool:
        """The last good set stays, and every decision says why. Raises PolicyLoadError if there is none."""
        good = self._pair[0]
        if good is None:
            raise PolicyLoadError(f"the policy does not load: {'; '.join(errors)}", diagnostics)
        self._pair = (good, (f"the policy on disk does not load; {good.digest} stays in force", *errors))
        return False


def _half_done(before: Loaded, fresh: Loaded) -> bool:
    """Whether a file shrank or went away just now: most who do that are about to write it."""
    if fresh is before:
        return False
    now = time.time_ns()
    found = {item.path: item.origin for item in fresh.parsed}
    for item in before.parsed:
        file = found.get(item.path)
        if file is None:
            if any(now - _changed(folder) < SETTLE_NS for folder in fresh.folders):
                return True
        elif file is not item.origin and file.size < item.origin.size and now - _changed(file.path) < SETTLE_NS:
            return True
    return False


def _changed(path: str) -> int:
    """When it last changed, in ns since the epoch; 0 if there is nothing."""
    try:
        return int(signature(path)[5])
    except CacheMiss:
        return 0

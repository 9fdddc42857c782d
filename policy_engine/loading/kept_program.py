"""Keep the Program of a workspace's layers for a process of many events, looked at again at every event."""

from __future__ import annotations

import threading
from collections.abc import Callable

from policy_engine.cache.reader import as_it_was
from policy_engine.checker.tree import CheckedPolicy
from policy_engine.evaluators.base import Program
from policy_engine.loading.active import Live
from policy_engine.loading.refresh import Disk, refreshed
from policy_engine.state.places import layer_folders, place_name


class KeptProgram:
    """Holds what is in force, swapped as one value; what does not load stays as it last was (loading/layered.py).

    May be asked from several threads.
    """

    def __init__(self, workspace: str, adapt: Callable[[Program], Program]) -> None:
        self._folders = layer_folders(workspace)
        self._active = place_name(self._folders)
        self._adapt = adapt
        self._lock = threading.Lock()
        self._disk = Disk()
        self._live = self._loaded()

    @property
    def in_force(self) -> tuple[Program, tuple[str, ...]]:
        """The Program, and what keeps newer policies out; policies that changed are loaded before."""
        live = self._current()
        return live.program, live.errors

    @property
    def program(self) -> Program:
        """The Program in force."""
        return self._current().program

    @property
    def policies(self) -> tuple[Program, list[tuple[str, CheckedPolicy]]] | None:
        """The Program in force with the policies that it was made of, as of the last look."""
        live = self._live
        return (live.program, live.layered.policies) if live.layered is not None else None

    @property
    def lacking(self) -> tuple[str, ...]:
        """The layers that are not in force at all, as of the last look."""
        return self._live.lacking

    def poll(self) -> bool:
        """Look now; true if another Program is in force than before."""
        before = self._live.program.digest
        return self._current().program.digest != before

    def _current(self) -> Live:
        disk = self._disk
        if not as_it_was(disk.seen, disk.taken):
            with self._lock:
                if disk is self._disk:
                    self._live = self._loaded()
        return self._live

    def _loaded(self) -> Live:
        disk = Disk()
        live = refreshed(self._folders, self._active, disk)
        self._adapt(live.program)
        self._disk = disk
        return live

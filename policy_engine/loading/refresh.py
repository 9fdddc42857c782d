"""A policy folder → its new Program, cached and recorded; or the last good one with the reasons why it stayed."""

from __future__ import annotations

import time
from pathlib import Path

from policy_engine.evaluators.base import Program
from policy_engine.loading.cache_writer import write_program
from policy_engine.loading.live import Live
from policy_engine.loading.loader import Loaded, load
from policy_engine.loading.places import cache_folder
from policy_engine.loading.status import Status, write_status
from policy_engine.model.diagnostic import Diagnostic
from policy_engine.model.errors import PolicyLoadError

SHOWN_ERRORS = 5


def refresh(folder: str, active: str, good: Program | None) -> Live:
    """Load `folder` again; `good` stays in force if it does not load. Raises PolicyLoadError if there is none."""
    loaded = load([folder])
    errors = tuple(map(one_line, loaded.errors[:SHOWN_ERRORS]))
    if loaded.program is not None:
        problem = _store(loaded, active)
        write_status(active, Status(folder, loaded.digest, time.time_ns() // 1_000_000, (), len(loaded.parsed)))
        return Live(loaded.program, problem)
    kept = good.digest if good is not None else ""
    write_status(active, Status(folder, kept, time.time_ns() // 1_000_000, errors, len(loaded.parsed)))
    if good is None:
        raise PolicyLoadError(f"the policy does not load: {'; '.join(errors)}", loaded.diagnostics)
    note = f"the policy in {folder} does not load; {kept} stays in force"
    return Live(good, (note, *errors))


def compiled_again(folder: str, active: str) -> Program:
    """The Program of the sources as they are, and a whole cache entry. Raises PolicyLoadError."""
    loaded = load([folder])
    program = loaded.require_program()
    _store(loaded, active)
    return program


def one_line(found: Diagnostic) -> str:
    """`file:line:col: error[CODE]: message`."""
    return f"{found.location}: {found.severity}[{found.code}]: {found.message}"


def _store(loaded: Loaded, active: str) -> tuple[str, ...]:
    """Write the cache; a cache that cannot be written costs time, never a decision."""
    program = loaded.require_program()
    try:
        write_program(Path(cache_folder()), active, program, program.buckets(), watched(loaded))
    except OSError as error:
        return (f"the policy cache cannot be written: {error.strerror}",)
    return ()


def watched(loaded: Loaded) -> list[str]:
    """The files and folders whose change makes the outcome stale."""
    return [str(item.path) for item in loaded.parsed] + [str(folder) for folder in loaded.folders]

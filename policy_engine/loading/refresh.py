"""A policy folder → its new Program, cached and recorded; or the last good one with the reasons why it stayed."""

from __future__ import annotations

import time
from pathlib import Path

from policy_engine.evaluators.base import Program
from policy_engine.loading.cache import CacheMiss, read_head, signature
from policy_engine.loading.cache_writer import write_errors, write_program
from policy_engine.loading.live import Live, kept_in_force
from policy_engine.loading.loader import Loaded
from policy_engine.loading.places import cache_folder
from policy_engine.loading.settling import load_settled, sizes_in_force
from policy_engine.loading.status import Status, write_status
from policy_engine.model.diagnostic import Diagnostic

SHOWN_ERRORS = 5


def refresh(folder: str, active: str, good: Program | None) -> Live:
    """Load `folder` again; `good` stays in force if it does not load. Raises PolicyLoadError if there is none."""
    loaded, taken = _load(folder, active)
    errors = tuple(map(one_line, loaded.errors[:SHOWN_ERRORS]))
    if loaded.program is not None:
        problem = _store(loaded, active, taken)
        write_status(active, Status(folder, loaded.digest, time.time_ns() // 1_000_000, (), len(loaded.parsed)))
        return Live(loaded.program, problem)
    kept = good.digest if good is not None else ""
    write_status(active, Status(folder, kept, time.time_ns() // 1_000_000, errors, len(loaded.parsed)))
    _store_errors(loaded, active, errors, taken)
    return kept_in_force(folder, good, errors)


def compiled_again(folder: str, active: str) -> Program:
    """The Program of the sources as they are, and a whole cache entry. Raises PolicyLoadError."""
    loaded, taken = _load(folder, active)
    program = loaded.require_program()
    _store(loaded, active, taken)
    return program


def _load(folder: str, active: str) -> tuple[Loaded, int]:
    """The outcome, and a time from which on a change may have been missed: 0 if there certainly was one."""
    try:
        head = read_head(f"{cache_folder()}/active/{active}")
    except CacheMiss:
        head = None
    return load_settled([folder], sizes=sizes_in_force(head))


def one_line(found: Diagnostic) -> str:
    """`file:line:col: error[CODE]: message`."""
    return f"{found.location}: {found.severity}[{found.code}]: {found.message}"


def _store(loaded: Loaded, active: str, taken: int) -> tuple[str, ...]:
    """Write the cache; a cache that cannot be written costs time, never a decision."""
    program = loaded.require_program()
    try:
        write_program(Path(cache_folder()), active, program, program.buckets(), watched(loaded), taken)
    except CacheMiss:
        return ()  # a folder is gone already: the next event looks again
    except OSError as error:
        return (f"the policy cache cannot be written: {error.strerror}",)
    return ()


def _store_errors(loaded: Loaded, active: str, errors: tuple[str, ...], taken: int) -> None:
    """Remember them, if only the texts are at fault: a file that could not be read (PE3xx) may be there any time."""
    if not any(found.code.startswith("PE3") for found in loaded.errors):
        try:
            write_errors(Path(cache_folder()), active, errors, watched(loaded), taken)
        except (CacheMiss, OSError):
            return  # the next process finds them again


def watched(loaded: Loaded) -> list[tuple[object, ...]]:
    """The signatures of the files and folders whose change makes the outcome stale."""
    return [item.origin.seen for item in loaded.parsed] + [signature(folder) for folder in loaded.folders]

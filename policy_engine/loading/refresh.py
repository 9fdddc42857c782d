"""Compile the layers of a workspace anew, cache and record the Program, and say what kept a newer or any one out."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from policy_engine.cache.reader import ABSENT, digest_of, look, signature
from policy_engine.cache.writer import write_kept, write_program
from policy_engine.evaluators.base import Program
from policy_engine.loading.active import Live
from policy_engine.loading.builtin import builtin_files, builtin_folder
from policy_engine.loading.debounce import load_settled, sizes_of
from policy_engine.loading.demands import demanded
from policy_engine.loading.layered import Layered, combine
from policy_engine.loading.loader import Loaded, load_given
from policy_engine.loading.sources import PolicyFile
from policy_engine.loading.status import Status, write_status
from policy_engine.loading.stronger_layers import StrongerLayers
from policy_engine.model.layers import BUILTIN, REPOSITORY
from policy_engine.state.places import SETTINGS_FILE, active_name, cache_folder, program_name
from policy_engine.state.sealed import CacheMiss, opened, read_file

NO_FILES = "PE307"
UNREADABLE = "PE3"  # what could not be read may be there any time

Folders = Sequence[tuple[str, str]]


def refresh(folders: Folders, active: str) -> Live:
    """Load the layers again, keep what is good, and record what is not."""
    return refreshed(folders, active, Disk())


def refreshed(folders: Folders, active: str, disk: Disk) -> Live:
    """The same; `disk` has noted what was looked at."""
    layered = disk.combined(folders)
    lacking = (*layered.lacking, *demanded(layered.layers))
    errors = (*layered.errors, *_store(layered, program_name(folders), disk, lacking))
    _keep(layered)
    write_status(active, Status.of(layered, lacking, time.time_ns() // 1_000_000))
    return Live(layered.program, errors, lacking, active, folders, layered)


def compiled_again(folders: Folders) -> Program:
    """The Program of the sources as they are, and a whole cache entry."""
    disk = Disk()
    layered = disk.combined(folders)
    _store(layered, program_name(folders), disk, (*layered.lacking, *demanded(layered.layers)))
    return layered.program


class Disk:
    """Reads layers, and notes what they looked like: `seen`, and `taken`, from when on a change may be missed.

    `contents` are the digests of the files' bytes, by path.
    """

    def __init__(self) -> None:
        self.taken = time.time_ns()
        self.seen: list[tuple[Any, ...]] = []
        self.contents: dict[str, bytes] = {}

    def combined(self, folders: Folders) -> Layered:
        """The built-in layer and these."""
        return combine(((BUILTIN, builtin_folder()), *folders), self)

    def now(self, layer: str, folder: str, stronger: StrongerLayers) -> Loaded | None:
        """As it is on disk; None if there is no policy."""
        if layer == BUILTIN:
            files = builtin_files()
            self._note(folder, *(file.path for file in files if file.path))
            self._digest(files)
            return load_given(files, stronger)
        self._note(f"{folder}/{SETTINGS_FILE}")
        there = self._note(folder)
        if not there:
            return None
        kept = self.kept(folder, stronger)
        loaded, taken = load_settled([folder], sizes=sizes_of(kept) if kept is not None else {}, stronger=stronger)
        self.seen += watched(loaded)
        self._digest(item.origin for item in loaded.parsed)
        codes = {error.code for error in loaded.errors}
        if codes == {NO_FILES}:
            return loaded if layer == REPOSITORY else None
        self.taken = min(self.taken, 0 if any(code.startswith(UNREADABLE) for code in codes) else taken)
        return loaded

    def kept(self, folder: str, stronger: StrongerLayers) -> Loaded | None:
        """As it last was good; None if it never was."""
        files = kept_files(folder)
        loaded = load_given(files, stronger) if files else None
        return loaded if loaded is not None and not loaded.errors else None

    def _digest(self, files: Iterable[PolicyFile]) -> None:
        self.contents.update((file.path, digest_of(file.data)) for file in files if file.path)

    def _note(self, *paths: str) -> bool:
        """Watch these; whether anything is there."""
        try:
            stamps = [look(path) for path in paths]
        except CacheMiss:  # it cannot be looked at, which is no proof of absence
            self.taken = 0
            return True
        self.seen += stamps
        return any(each[3] != ABSENT for each in stamps)


def watched(loaded: Loaded) -> list[tuple[Any, ...]]:
    """The signatures of the files and folders whose change makes the outcome stale."""
    files = [item.origin.seen for item in loaded.parsed if item.origin.seen]
    return files + [signature(folder) for folder in loaded.folders]


def kept_files(folder: str) -> list[PolicyFile]:
    """The last good sources of a folder, as they were kept; none if there are none."""
    try:
        kept = opened(read_file(f"{cache_folder()}/kept/{active_name(folder)}"))
        return [PolicyFile.given(name, path, data) for name, path, data in kept]
    except (CacheMiss, ValueError, TypeError):
        return []


def forget(folder: str) -> None:
    """Let the kept sources of a folder go. Raises OSError."""
    path = Path(cache_folder()) / "kept" / active_name(folder)
    path.unlink(missing_ok=True)
    for head in (Path(cache_folder()) / "active").glob("*"):
        head.unlink(missing_ok=True)  # which of them hold its rules is not worth knowing: each is made anew


def _keep(layered: Layered) -> None:
    """Keep the sources of what is good; where that fails, a later mistake in them refuses instead."""
    for layer in layered.layers:
        if layer.name == BUILTIN or layer.loaded is None or layer.errors:
            continue
        own = [item.origin for item in layer.loaded.parsed if not item.name.startswith("pack:")]
        try:
            write_kept(
                Path(cache_folder()), active_name(layer.folder), ((file.name, file.path, file.data) for file in own)
            )
        except OSError:
            continue


def _store(layered: Layered, name: str, disk: Disk, lacking: tuple[str, ...]) -> tuple[str, ...]:
    """Write the cache; a cache that cannot be written costs time, never a decision."""
    program = layered.program
    try:
        write_program(
            Path(cache_folder()),
            name,
            program,
            program.buckets(),
            disk.seen,
            disk.taken,
            layered.errors,
            lacking,
            tuple(disk.contents.items()),
        )
    except CacheMiss:
        return ()  # a folder is gone already: the next event looks again
    except OSError as error:
        return (f"the policy cache cannot be written: {error.strerror}",)
    return ()

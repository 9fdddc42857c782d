"""Paths of policy files and folders → their bytes, all of one generation; imports are followed, nothing else is read.

Only regular files are read, inside the folder that was named, within the limits of model/limits.py. What cannot be
read is a diagnostic: a file that silently was not read would be a rule that silently did not run.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from policy_engine.loading import messages
from policy_engine.model.diagnostic import Diagnostic
from policy_engine.model.limits import POLICY_FILE_BYTES, POLICY_TOTAL_BYTES
from policy_engine.model.source import Source, Span

SUFFIX = ".policy"
PACK = "pack:"


@dataclass(frozen=True, slots=True)
class PolicyFile:
    """One file: `name` as shown to people, `path` where it was read, `data` its bytes."""

    name: str
    path: Path
    data: bytes


@dataclass(slots=True)
class Gathered:
    """What was found: files in name order, the folders whose listing decided it, and what went wrong."""

    files: dict[Path, PolicyFile] = field(default_factory=dict)
    folders: list[Path] = field(default_factory=list)
    problems: list[Diagnostic] = field(default_factory=list)
    total: int = 0


def gather(paths: Iterable[Path | str]) -> Gathered:
    """Read the named files, and every `*.policy` below the named folders. A path that is missing is a problem."""
    found = Gathered()
    for path in paths:
        top = Path(path)
        if top.is_dir():
            _folder(top, found)
        else:
            read(top, found)
    return found


def _folder(top: Path, found: Gathered) -> None:
    """Names in order, links to folders not followed."""
    for folder, names, files in os.walk(top, onerror=lambda error: found.problems.append(_unreadable(error))):
        names.sort()
        found.folders.append(Path(folder))
        for name in sorted(files):
            if name.endswith(SUFFIX):
                read(Path(folder) / name, found)


def _unreadable(error: OSError) -> Diagnostic:
    return messages.unreadable_file(nowhere(str(error.filename)), error.strerror or "unknown error")


def nowhere(name: str) -> Source:
    """A stand-in for a file whose text is not there to point into."""
    return Source(name, "")


def read(path: Path, found: Gathered, name: str | None = None) -> PolicyFile | None:
    """Read one file into `found`; None (and a problem) if that cannot be done."""
    real = path.resolve() if path.exists() else path
    if real in found.files:
        return found.files[real]
    shown = name or str(path)
    try:
        data = _bytes(path)
    except (OSError, RuntimeError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        found.problems.append(messages.unreadable_file(nowhere(shown), reason))
        return None
    found.total += len(data)
    if len(data) > POLICY_FILE_BYTES:
        found.problems.append(messages.file_too_large(nowhere(shown), len(data), POLICY_FILE_BYTES))
        return None
    if found.total > POLICY_TOTAL_BYTES:
        found.problems.append(messages.set_too_large(nowhere(shown), POLICY_TOTAL_BYTES))
        return None
    file = found.files[real] = PolicyFile(shown, real, data)
    return file


def _bytes(path: Path) -> bytes:
    """A regular file's content, read without ever blocking on a pipe or a device."""
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    with os.fdopen(descriptor, "rb") as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise OSError(0, "not a regular file")
        return file.read(POLICY_FILE_BYTES + 1)


def import_path(target: str, importer: Path, packs: Path) -> Path | None:
    """Where an import points: `pack:NAME` below the shipped packs, else beside the importer; None if it leads out."""
    if target.startswith(PACK):
        name = target.removeprefix(PACK)
        path = packs / (name if name.endswith(SUFFIX) else name + SUFFIX)
        root = packs
    else:
        path = importer.parent / target
        root = policy_root(importer)
    if os.path.isabs(target) or "\0" in target:
        return None
    resolved = path.resolve()
    return resolved if resolved.is_relative_to(root.resolve()) else None


def policy_root(file: Path) -> Path:
    """The `.policy` folder that holds a file, or the file's own folder."""
    for folder in file.parents:
        if folder.name == ".policy":
            return folder
    return file.parent


WHOLE = Span(0, 0)

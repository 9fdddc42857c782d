"""Read policy files and folders, all of one generation; imports are followed, nothing else is read.

Only regular files are read, inside the folder that was named, that nobody else could have written, within the limits
of model/limits.py. What cannot be read is a diagnostic: a file that silently was not read would be a rule that silently
did not run. A file that certainly is what it was at the last look (cache/reader.py says when that is certain) is not
read again.
"""

from __future__ import annotations

import os
import stat
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path

from policy_engine.cache.reader import RACY_NS, signature
from policy_engine.loading import messages
from policy_engine.loading.ownership import distrust, leads_out, owners_for
from policy_engine.model.diagnostic import Diagnostic
from policy_engine.model.limits import POLICY_ENTRIES, POLICY_FILE_BYTES, POLICY_FOLDERS, POLICY_TOTAL_BYTES
from policy_engine.model.shipped import pack_folder
from policy_engine.model.source import Source
from policy_engine.state.sealed import CacheMiss

SUFFIX = ".policy"
PACK = "pack:"
Identity = tuple[int, int]


@dataclass(frozen=True, slots=True)
class PolicyFile:
    """One file: `name` as shown to people, `path` where it was read, `data` its bytes (empty if it was not
    read again).

    `seen` is what it looked like (cache/reader.py) when it was read, `taken` the time of that, in ns.
    """

    name: str
    path: str
    size: int
    digest: bytes
    seen: tuple[object, ...]
    taken: int
    data: bytes = b""

    @classmethod
    def given(cls, name: str, path: str, data: bytes) -> PolicyFile:
        """A file whose bytes come from elsewhere than the disk."""
        return cls(name, path, len(data), sha256(data).digest(), (), 0, data)


@dataclass(slots=True)
class Gathered:
    """Hold what was read: files by device and inode, the folders whose listing decided it, and what went wrong.

    `before` are the files of an earlier look, by path; `owners` who may own a file here (None: it is ours). `entries`
    were looked at; `full` says that there are too many, or too deep ones, and nothing more is. `unsaved` is text that
    an editor holds, by path.
    """

    before: Mapping[str, PolicyFile] = field(default_factory=dict)
    files: dict[Identity, PolicyFile] = field(default_factory=dict)
    folders: list[str] = field(default_factory=list)
    problems: list[Diagnostic] = field(default_factory=list)
    total: int = 0
    owners: frozenset[int] | None = None
    entries: int = 0
    full: bool = False
    unsaved: Mapping[str, bytes] = field(default_factory=dict)

    def quiet(self, importer: str | None) -> Gathered:
        """The same files and budget; an import that fails is reported at the import, not twice. `importer` is the file
        beside which something is imported, None for what is shipped."""
        owners = owners_for(os.fspath(policy_root(Path(importer)))) if importer is not None else None
        return Gathered(self.before, self.files, self.folders, [], self.total, owners, unsaved=self.unsaved)


class _Distrusted(Exception):
    """Somebody else may have written the file; the text says why."""


def gather(
    paths: Iterable[Path | str],
    before: Mapping[str, PolicyFile] | None = None,
    unsaved: Mapping[str, bytes] | None = None,
) -> Gathered:
    """Read the named files, and every `*.policy` below the named folders. A path that is missing is a problem.

    `unsaved` are texts of an editor by path: they stand for the files, also for those that are not there yet.
    """
    gathered = Gathered(before or {}, unsaved=unsaved or {})
    for path in paths:
        top = os.fspath(path)
        gathered.owners = owners_for(top)
        if os.path.isdir(top):
            _folder(top, top, gathered)
            for new in sorted(gathered.unsaved):
                if new.startswith(f"{top}{os.sep}") and not os.path.lexists(new):
                    read(new, gathered)
        else:
            read(top, gathered)
    return gathered


def _folder(folder: str, top: str, gathered: Gathered, depth: int = 0) -> None:
    """Names in order, links to folders not followed: what they hold is below `top` anyway, or not believed."""
    if gathered.full:
        return
    if depth > POLICY_FOLDERS:
        gathered.problems.append(messages.too_deep(nowhere(folder[:200]), POLICY_FOLDERS))
        gathered.full = True
        return
    gathered.folders.append(folder)
    folders: list[str] = []
    files: list[str] = []
    try:
        with os.scandir(folder) as entries:
            _believe(os.stat(folder), gathered.owners)
            for entry in entries:
                gathered.entries += 1
                if gathered.entries > POLICY_ENTRIES:
                    gathered.problems.append(messages.too_many_entries(nowhere(top), POLICY_ENTRIES))
                    gathered.full = True
                    return
                if (
                    entry.is_symlink()
                    and (entry.name.endswith(SUFFIX) or entry.is_dir())
                    and leads_out(entry.path, top)
                ):
                    gathered.problems.append(messages.link_leads_out(nowhere(entry.path)))
                elif entry.is_dir(follow_symlinks=False):
                    folders.append(entry.path)
                elif entry.name.endswith(SUFFIX):
                    files.append(entry.path)
    except OSError as error:
        gathered.problems.append(messages.unreadable_file(nowhere(folder), error.strerror or "unknown error"))
    except _Distrusted as why:
        gathered.problems.append(messages.not_believed(nowhere(folder), str(why)))
        return
    for path in sorted(files):
        read(path, gathered)
    for path in sorted(folders):
        _folder(path, top, gathered, depth + 1)


def policies_below(folder: Path) -> list[Path]:
    """Return the policy files below a folder, sorted, of the first POLICY_ENTRIES names that are there."""
    folders, waiting, entries = [], [os.fspath(folder)], 0
    while waiting and entries <= POLICY_ENTRIES:
        try:
            for entry in os.scandir(waiting.pop()):
                entries += 1
                if entry.is_dir(follow_symlinks=False):
                    waiting.append(entry.path)
                elif entry.name.endswith(SUFFIX):
                    folders.append(Path(entry.path))
        except OSError:
            continue
    return sorted(folders)


def _believe(status: os.stat_result, owners: frozenset[int] | None) -> None:
    """Raises _Distrusted for what somebody else may have written."""
    reason = distrust(status, owners) if owners is not None else ""
    if reason:
        raise _Distrusted(reason)


def nowhere(name: str) -> Source:
    """A stand-in for a file whose text is not there to point into."""
    return Source(name, "")


def read(path: str, gathered: Gathered, name: str | None = None) -> PolicyFile | None:
    """Take one file into `gathered`; None (and a problem) if that cannot be done."""
    shown = name or path
    if path in gathered.unsaved:
        return _unsaved(shown, path, gathered)
    try:
        seen = signature(path)
        known = gathered.files.get(seen[1:3])
        if known is not None:
            return known
        file = _unchanged(shown, path, seen, gathered) or _fresh(shown, path, gathered.owners)
    except _Distrusted as why:
        gathered.problems.append(messages.not_believed(nowhere(shown), str(why)))
        return None
    except (CacheMiss, OSError) as error:
        reason = getattr(error, "strerror", None) or str(error).removeprefix(f"{path}: ")
        gathered.problems.append(messages.unreadable_file(nowhere(shown), reason))
        return None
    gathered.total += file.size
    if file.size > POLICY_FILE_BYTES:
        gathered.problems.append(messages.file_too_large(nowhere(shown), file.size, POLICY_FILE_BYTES))
        return None
    if gathered.total > POLICY_TOTAL_BYTES:
        gathered.problems.append(messages.set_too_large(nowhere(shown), POLICY_TOTAL_BYTES))
        return None
    gathered.files[seen[1:3]] = file
    return file


def _unsaved(name: str, path: str, gathered: Gathered) -> PolicyFile:
    """Take the text of an editor for a file; it is filed under its content and name, for it has no inode."""
    file = PolicyFile.given(name, path, gathered.unsaved[path])
    gathered.files[-1, hash(path)] = file
    return file


def _unchanged(name: str, path: str, seen: tuple[object, ...], gathered: Gathered) -> PolicyFile | None:
    """The file as of the last look, if it certainly did not change since."""
    known = gathered.before.get(path)
    if known is None or known.name != name or known.seen != seen:
        return None
    changed = seen[5]
    assert isinstance(changed, int)
    return known if changed < known.taken - RACY_NS else None


def _fresh(name: str, path: str, owners: frozenset[int] | None) -> PolicyFile:
    """A regular file's content, read without ever blocking on a pipe or a device."""
    taken = time.time_ns()
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            raise OSError(0, "not a regular file")
        _believe(status, owners)
        seen = (path, status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns)
        data = _content(descriptor, status.st_size)
    finally:
        os.close(descriptor)
    return PolicyFile(name, path, len(data), sha256(data).digest(), seen, taken, data)


def _content(descriptor: int, size: int) -> bytes:
    data = os.read(descriptor, min(size, POLICY_FILE_BYTES) + 1)
    while len(data) <= POLICY_FILE_BYTES and (more := os.read(descriptor, POLICY_FILE_BYTES + 1 - len(data))):
        data += more
    return data


def import_path(target: str, importer: str) -> str | None:
    """Return where an import points: `pack:NAME` at a shipped pack, else beside the importer; None if it leads out."""
    if target.startswith(PACK):
        name = target.removeprefix(PACK)
        root = pack_folder(name)
        path = root / (name if name.endswith(SUFFIX) else name + SUFFIX)
    else:
        path = Path(importer).parent / target
        root = policy_root(Path(os.path.abspath(importer)))
    if os.path.isabs(target) or "\0" in target:
        return None
    try:
        inside = path.resolve().is_relative_to(root.resolve())
    except (OSError, RuntimeError):
        return None
    return os.path.normpath(path) if inside else None


def policy_root(file: Path) -> Path:
    """The `.policy` folder that holds a file, or the file's own folder."""
    for folder in file.parents:
        if folder.name == ".policy":
            return folder
    return file.parent

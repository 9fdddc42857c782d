"""Find the other names (hard links) of a file: next to it, and among the files that guard the session.

Whoever writes a file writes all its names, so a rule about one of them has to hear of each. Names are compared by
(device, inode). The places looked at are few and bounded: a package manager that links its store into the workspace
costs one scan of them where such a file is written. Imported by the hook path.
"""

from __future__ import annotations

import posix

from policy_engine.filesystem.paths import decoded, encoded
from policy_engine.model.errors import ConfigurationError
from policy_engine.model.limits import WALK_ENTRIES
from policy_engine.model.undecided import Undecided
from policy_engine.state.places import ORGANISATION_FOLDER, cache_folder, config_folder, state_folder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_KIND, _FILE, _FOLDER = 0o170000, 0o100000, 0o040000
_SKIPPED = (b"objects", b"node_modules", b"site-packages", b"lfs", b"logs", b"refs", b"worktrees")
_DEPTH = 8  # folders below one of the engine's own places
_ENTRIES = 20_000  # entries looked at in all guarded places together


def hard_links(real: str, workspace: str | None, home: str | None) -> list[str]:
    """Return the other names of a file, sorted within each place; none if it has one link or is no file.

    Raises Undecided if it has several links and the guarded places hold too many files to compare.
    """
    try:
        mine = posix.lstat(encoded(real))
    except (OSError, Undecided):
        return []
    if mine.st_nlink < 2 or mine.st_mode & _KIND != _FILE:
        return []
    names: dict[str, None] = {}
    near = sorted({real.rpartition("/")[0] or "/", *([workspace] if workspace is not None else [])})
    for path, status in _several([(encoded(folder), 0) for folder in near], WALK_ENTRIES, every=True):
        if (status.st_dev, status.st_ino) == (mine.st_dev, mine.st_ino):
            names[decoded(path)] = None
    for name, key in _guarded(workspace, home, real):
        if key == (mine.st_dev, mine.st_ino):
            names[name] = None
    names.pop(real, None)
    return list(names)


def hard_links_below(real: str, workspace: str | None, home: str | None) -> list[str]:
    """Return the guarded files that have another name below a folder.

    Raises Undecided if a guarded file has several links and the folder holds too many files to compare.
    """
    guarded = _guarded(workspace, home, real)
    guarded = [(name, key) for name, key in guarded if name != real and not name.startswith(f"{real.rstrip('/')}/")]
    if not guarded:
        return []
    below = _several([(encoded(real), WALK_ENTRIES)], WALK_ENTRIES, skipped=())
    keys = {(status.st_dev, status.st_ino) for _, status in below}
    return [name for name, key in guarded if key in keys]


def _guarded(workspace: str | None, home: str | None, real: str) -> list[tuple[str, tuple[int, int]]]:
    """Return the files with several links that guard a session: their names, devices and inodes."""
    places = [(encoded(folder), _DEPTH) for folder in _own_folders()]
    roots = {} if workspace is None else {workspace: None}
    while workspace is not None and real.startswith(workspace.rstrip("/") + "/") and real != workspace:
        roots[real] = None  # guards of a folder between
        real = real.rpartition("/")[0]
    for root in roots:
        places += [(encoded(root), 0), *((folder, 3) for folder in _dotted(encoded(root)))]
    if home is not None and home[:1] == "/":
        places += [(encoded(home), 0), *((folder, 1) for folder in _dotted(encoded(home)))]
    return [(decoded(path), (status.st_dev, status.st_ino)) for path, status in _several(places, _ENTRIES)]


def _own_folders() -> Iterator[str]:
    """Yield the folders of the engine: its code, and where it keeps policies, state and compiled programs."""
    yield __file__.rpartition("/filesystem/")[0]
    yield ORGANISATION_FOLDER
    for place in (config_folder, state_folder, cache_folder):
        try:
            yield place()
        except ConfigurationError:
            continue


def _dotted(folder: bytes) -> list[bytes]:
    """Return the folders within a folder that keep settings: their names begin with a dot."""
    names = []
    try:
        with posix.scandir(folder) as entries:
            for entry in entries:
                if entry.name[:1] == b"." and entry.name != b".venv" and entry.is_dir(follow_symlinks=False):
                    names.append(entry.path)
    except OSError:
        return []
    return sorted(names)


def _several(
    places: list[tuple[bytes, int]], most: int, every: bool = False, skipped: tuple[bytes, ...] = _SKIPPED
) -> Iterator[tuple[bytes, posix.stat_result]]:
    """Yield the files with several links in folders, each folder with the depth that is looked at below it.

    Raises Undecided over `most` entries, unless `every` says that what comes first is enough.
    """
    waiting, seen, done = list(reversed(places)), 0, set()
    while waiting:
        folder, depth = waiting.pop()
        if (folder, depth) in done:
            continue
        done.add((folder, depth))
        try:
            with posix.scandir(folder) as entries:
                for entry in entries:
                    seen += 1
                    if entry.is_dir(follow_symlinks=False):
                        if depth > 0 and entry.name not in skipped:
                            waiting.append((entry.path, depth - 1))
                    elif entry.is_file(follow_symlinks=False):
                        status = posix.lstat(entry.path)
                        if status.st_nlink > 1:
                            yield entry.path, status
        except OSError:
            continue
        if seen > most:
            if every:
                return
            raise Undecided(f"whether it is another name of a file that guards the session: more than {most} files")

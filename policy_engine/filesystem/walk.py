"""Resolve absolute paths on the disk, component by component, and read one file guarded.

Written out because `os.path.realpath` falls back to the raw string on a loop; here every doubt raises Undecided.
Imported by the hook path.
"""

from __future__ import annotations

import errno
import posix

from policy_engine.filesystem.paths import components, decoded, encoded
from policy_engine.model.limits import HELD_ENTRIES, READ_BYTES, WALK_ENTRIES
from policy_engine.model.undecided import Undecided

LINKS = 40  # as the kernel: more symbolic links in one path are a loop
MISSING = (errno.ENOENT, errno.ENOTDIR)
_KIND, _LINK, _FOLDER, _FILE = 0o170000, 0o120000, 0o040000, 0o100000


def leads_nowhere(real: str) -> bool:
    """Return whether a path is a link in a circle, or to nothing."""
    try:
        posix.stat(encoded(real))
    except OSError as error:
        return error.errno in (errno.ELOOP, *MISSING)
    return False


def unknown(text: str, error: OSError) -> Undecided:
    word = errno.errorcode.get(error.errno or 0, "an error")
    return Undecided(f"`{text[:200]}` cannot be looked at ({word})")


def kind(mode: int) -> str:
    return {_FILE: "file", _FOLDER: "folder", _LINK: "link"}.get(mode & _KIND, "other")


def read_all(handle: int, text: str, most: int = READ_BYTES) -> bytes:
    status = posix.fstat(handle)
    if status.st_mode & _KIND != _FILE:
        raise Undecided(f"`{text[:200]}` is not a regular file")
    chunks: list[bytes] = []
    size = 0
    while size <= most:
        chunk = posix.read(handle, most + 1 - size)
        if not chunk:
            return b"".join(chunks)
        chunks.append(chunk)
        size += len(chunk)
    raise too_large(text, most)


def too_large(text: str, most: int) -> Undecided:
    """Return why a file that has more bytes than may be read of it is not read."""
    name = "READ_BYTES" if most == READ_BYTES else "SEARCH_BYTES"
    return Undecided(f"`{text[:200]}` is larger than {name} ({most})")


def links_in(root: str) -> tuple[list[str], list[str]]:
    """Return the folders that were looked into, and the links in them: a folder, and those in it whose names begin with
    a dot. One that cannot be listed has none.
    """
    folders, links = [root], []
    for folder in folders:
        try:
            with posix.scandir(encoded(folder)) as entries:
                for entry in entries:
                    path = decoded(entry.path)
                    if entry.is_symlink():
                        links.append(path)
                    elif folder is root and entry.name[:1] == b"." and entry.is_dir(follow_symlinks=False):
                        folders.append(path)
        except (OSError, Undecided):
            continue
    return folders, links


def walk(target: str, follow: bool) -> str:
    """Return the canonical path of an absolute text, resolved one component after the other as the kernel does it."""
    todo = components(target)[::-1]
    real: list[str] = []
    links, missing = 0, False
    while todo:
        name = todo.pop()
        if name == "..":
            if real:
                real.pop()
            missing = False  # one up may exist again
            continue
        real.append(name)
        if missing or (not todo and not follow):
            continue
        _refuse_own_view(real, target)
        here = encoded("/" + "/".join(real))
        try:
            if posix.lstat(here).st_mode & _KIND != _LINK:
                continue
            links += 1
            if links > LINKS:
                raise Undecided(f"`{target[:200]}` goes through more than {LINKS} symbolic links")
            destination = decoded(posix.readlink(here))
        except OSError as error:
            if error.errno not in MISSING:
                raise unknown(target, error) from None
            missing = True
            continue
        real = [] if destination[:1] == "/" else real[:-1]
        todo += components(destination)[::-1]
    return "/" + "/".join(real)


def _refuse_own_view(real: list[str], target: str) -> None:
    """`/proc/self`, `/proc/123`, `/dev/fd` mean one thing to this process and another to the tool."""
    first = real[0]
    if first == "proc" and len(real) > 1 and (real[1] in ("self", "thread-self") or real[1].isdigit()):
        raise Undecided(f"`{target[:200]}` depends on the process that opens it")
    if first == "dev" and len(real) > 1 and real[1] == "fd":
        raise Undecided(f"`{target[:200]}` depends on the process that opens it")


def folds_case(folder: bytes) -> bool:
    """Return whether `A` and `a` name one file in the folder, or the folder itself is found under its name in the
    other case.

    Asked of what most workspaces hold: nothing may be made to find out.
    """
    parent, _, name = folder.rpartition(b"/")
    for place, known in ((folder, b".git"), (folder, b".policy"), (parent, name)):
        other = decoded(known).swapcase().encode("utf-8", "surrogateescape")
        try:
            one, two = posix.stat(place + b"/" + known), posix.stat(place + b"/" + other)
        except OSError:
            continue
        if other != known and (one.st_dev, one.st_ino) == (two.st_dev, two.st_ino):
            return True
    return False


BELOW = "what-lies-below"  # the name that stands for what a folder holds


def files_below(real: str, text: str, deepest: int = 0) -> list[str]:
    """The real paths of the files below a folder, links left out; only so deep, if that is not 0: of a folder there one
    name stands for what it holds. Raises Undecided over WALK_ENTRIES entries.
    """
    files: list[str] = []
    waiting, seen = [(encoded(real), 1)], 0
    while waiting:
        folder, depth = waiting.pop()
        try:
            with posix.scandir(folder) as entries:
                for entry in entries:
                    seen += 1
                    if entry.is_dir(follow_symlinks=False):
                        if depth == deepest:
                            files.append(f"{decoded(entry.path)}/{BELOW}")
                        else:
                            waiting.append((entry.path, depth + 1))
                    elif entry.is_file(follow_symlinks=False):
                        files.append(decoded(entry.path))
        except OSError as error:
            if error.errno not in MISSING:
                raise unknown(text, error) from None
        if seen > WALK_ENTRIES:
            raise Undecided(f"more than WALK_ENTRIES ({WALK_ENTRIES}) files lie below `{text[:200]}`")
    return files


def entries_below(real: str) -> list[str]:
    """The real paths of all that lies below a folder, none for a file.

    Raises:
        Undecided: more than HELD_ENTRIES lie there.
        OSError: nothing is there, or it cannot be listed.
    """
    entries: list[str] = []
    waiting = [encoded(real)] if posix.lstat(encoded(real)).st_mode & _KIND == _FOLDER else []
    while waiting:
        with posix.scandir(waiting.pop()) as found:
            for entry in found:
                entries.append(decoded(entry.path))
                if entry.is_dir(follow_symlinks=False):
                    waiting.append(entry.path)
        if len(entries) > HELD_ENTRIES:
            raise Undecided(f"more than HELD_ENTRIES ({HELD_ENTRIES}) lie below a folder")
    return entries

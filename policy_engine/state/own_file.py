"""Open, read and replace the files that the engine keeps for itself, in its cache, state and configuration folders.

Such a file is regular, belongs to this user, has one name and is closed to others; it is never reached through a link
in its last place. A second name (a hard link) is a way to change the file that no rule about its first name sees.
Everything of the engine that opens a file of its own does it here. Imported by the hook path.
"""

from __future__ import annotations

import errno
import posix
import time

from policy_engine.model.errors import StoreError

PRIVATE, SEEN = 0o077, 0o022  # what others may not do: anything, or write
ONE_NAME = "`cp F F.new && mv F.new F` leaves it one name"
_FLAGS = posix.O_NOFOLLOW | posix.O_NONBLOCK | posix.O_CLOEXEC | posix.O_NOCTTY
_KIND, _REGULAR = 0o170000, 0o100000
_CHUNK = 1 << 20
_DEPTH = 200  # folders above a folder


class Unsafe(OSError):
    """Somebody else could have written the file, or can through another name; the text says why."""


def fault(status: posix.stat_result, others: int = SEEN) -> str:
    """Return why a file is not the engine's own, "" if it is; `others` are the rights that nobody else may have."""
    if status.st_mode & _KIND != _REGULAR:
        return "is no regular file"
    if status.st_uid != posix.geteuid():
        return "belongs to another user"
    if status.st_nlink > 1:  # 0: it was replaced since it was opened
        return f"has {status.st_nlink} names (hard links); {ONE_NAME}"
    return "is open to other users" if status.st_mode & others else ""


def open_own(
    path: str, how: int = posix.O_RDONLY, others: int = SEEN, mend: bool = False, folder: int | None = None
) -> int:
    """Return a descriptor of a file of the engine's own.

    `how` are the flags of `open`; a file that they make is closed to others. `mend`: rights that others have are taken
    away, where they would be a reason to refuse. `folder`: a descriptor that the path is relative to.
    Raises Unsafe, and OSError as `open` does.
    """
    descriptor: int = posix.open(path, how | _FLAGS, 0o600, dir_fd=folder)
    try:
        status = posix.fstat(descriptor)
        if status.st_nlink > 1 and folder is None:
            _remove_drafts(path, status)
            status = posix.fstat(descriptor)
        if mend and status.st_mode & 0o777 & ~0o700 and status.st_uid == posix.geteuid():
            posix.fchmod(descriptor, 0o600)
            status = posix.fstat(descriptor)
        why = fault(status, others)
        if why:
            raise Unsafe(errno.EPERM, f"`{path}` {why}")
    except BaseException:
        posix.close(descriptor)
        raise
    return descriptor


def read_own(path: str, most: int = -1, others: int = SEEN) -> bytes:
    """Return what is in a file of the engine's own, at most `most` bytes of it. Raises as `open_own`."""
    descriptor = open_own(path, posix.O_RDONLY, others)
    try:
        return read_all(descriptor, most)
    finally:
        posix.close(descriptor)


def read_all(descriptor: int, most: int = -1) -> bytes:
    """Return the bytes from here to the end, at most `most`. Raises OSError."""
    parts, left = [], most
    while part := posix.read(descriptor, _CHUNK if left < 0 else min(_CHUNK, left)):
        parts.append(part)
        left -= len(part) if left > 0 else 0
    return b"".join(parts)


def create_own(path: str, data: bytes, mode: int = 0o600, sync: bool = False) -> None:
    """Write a file that is not there yet, whole or not at all, whatever the umask; `sync`: onto the disk.

    Raises OSError, FileExistsError if the name is taken.
    """
    descriptor = posix.open(path, posix.O_WRONLY | posix.O_CREAT | posix.O_EXCL | _FLAGS, 0o600)
    try:
        try:
            posix.fchmod(descriptor, mode)
            rest = memoryview(data)
            while rest:
                rest = rest[posix.write(descriptor, rest) :]
            if sync:
                posix.fsync(descriptor)
        finally:
            posix.close(descriptor)
    except BaseException:
        posix.unlink(path)
        raise


def replace_own(path: str, data: bytes, mode: int = 0o600, sync: bool = False) -> None:
    """Put a file in its place, so that a reader sees it as it was or as it is, never half; its folder must exist.

    Whatever had the name before, a link or a file with more names, keeps what it held. Raises OSError, and then the
    file is as it was.
    """
    folder, _, name = path.rpartition("/")
    draft = f"{folder}/.{name[:200]}.{posix.getpid()}-{time.monotonic_ns()}.new"
    create_own(draft, data, mode, sync)
    try:
        posix.rename(draft, path)
    except BaseException:
        posix.unlink(draft)
        raise
    if sync:
        sync_folder(folder)


def put_own(path: str, data: bytes) -> bool:
    """Make a file unless there is one, whole at once; return whether this process was first. Raises OSError."""
    draft = draft_of(path)
    create_own(draft, data)
    try:
        posix.link(draft, path)
    except FileExistsError:
        return False
    finally:
        unlink(draft)
    return True


def sync_folder(folder: str) -> None:
    """Bring the names in a folder onto the disk. Raises OSError."""
    handle = posix.open(folder or "/", posix.O_RDONLY | posix.O_DIRECTORY | posix.O_CLOEXEC)
    try:
        posix.fsync(handle)
    finally:
        posix.close(handle)


def is_same(one: str, other: str) -> bool:
    """Detect whether two names are of one folder."""
    try:
        first, second = posix.stat(one), posix.stat(other)
    except OSError:
        return False
    return (first.st_dev, first.st_ino) == (second.st_dev, second.st_ino)


def lies_within(folder: str, around: str) -> bool:
    """Detect whether a folder is another one or lies below it, by what the folders are, not by their names.

    Of a folder that does not exist, its nearest ancestor counts. False where `around` cannot be looked at.
    """
    try:
        wanted = posix.stat(around)
    except OSError:
        return False
    at = folder
    while True:
        try:
            status = posix.stat(at or "/")
            break
        except OSError:
            if not at:
                return False
            at = at.rpartition("/")[0]
    before = None
    for _ in range(_DEPTH):
        if (status.st_dev, status.st_ino) == (wanted.st_dev, wanted.st_ino):
            return True
        if before == (status.st_dev, status.st_ino):
            return False  # the root
        before = (status.st_dev, status.st_ino)
        at = f"{at or '/'}/.."
        try:
            status = posix.stat(at)
        except OSError:
            return False
    return True


# ---- the same for the session store, whose faults have words of their own ----------------------------------------


def failure(word: str, text: str) -> StoreError:
    """Return the exception for a stable word and its explanation."""
    return StoreError(f"{word}: {text}")


def check_folder(path: str) -> None:
    """Raises StoreError if others may write the folder of a file."""
    folder = path.rpartition("/")[0] or "/"
    try:
        status = posix.stat(folder)
    except OSError:
        raise failure("readonly", "the folder of the state file cannot be looked at") from None
    if status.st_uid not in (0, posix.geteuid()) or (status.st_mode & 0o022 and not status.st_mode & 0o1000):
        raise failure("unsafe", "others may write the folder of the state file")


def inode(path: str) -> int:
    """Return the number of the file, 0 if there is none. Raises StoreError for what others could have put there."""
    try:
        handle = posix.open(path, posix.O_RDWR | _FLAGS)
    except OSError as error:
        if error.errno == errno.ENOENT:
            return 0
        raise refused(error) from None
    try:
        number = check(handle, path)
    finally:
        posix.close(handle)
    for side in ("-wal", "-journal"):
        try:
            if posix.lstat(path + side).st_nlink > 1:
                raise failure("unsafe", f"the log of the state file has several names (hard links); {ONE_NAME}")
        except OSError:
            continue
    return number


def check(handle: int, path: str = "") -> int:
    """Return the number of an open file; it is for its owner only from now on. Raises StoreError if it is not ours.

    `path` is where it was opened: a name that a process left which died while it made the file is taken away.
    """
    status = posix.fstat(handle)
    if status.st_nlink > 1 and path:
        _remove_drafts(path, status)
        status = posix.fstat(handle)
    why = fault(status, 0)
    if why:
        raise failure("unsafe", f"the state file {why}")
    if status.st_mode & 0o077:
        posix.fchmod(handle, 0o600)
    return status.st_ino


def draft_of(path: str) -> str:
    """Return a name beside a file under which it is made before it is linked to its place."""
    return f"{path}.new-{posix.getpid()}-{time.time_ns()}"


def _remove_drafts(path: str, original: posix.stat_result) -> None:
    """Take away the names of a file that `draft_of` gave."""
    folder, _, name = path.rpartition("/")
    try:
        names = [one for one in posix.listdir(folder or "/") if one.startswith(f"{name}.new-")]
    except OSError:
        return
    for one in names:
        try:
            status = posix.lstat(f"{folder}/{one}")
            if (status.st_dev, status.st_ino) == (original.st_dev, original.st_ino):
                posix.unlink(f"{folder}/{one}")
        except OSError:
            continue  # its maker was quicker


def refused(error: OSError) -> StoreError:
    """Return the exception of the store for an error of the system."""
    if isinstance(error, Unsafe):
        return failure("unsafe", error.strerror or "")
    if error.errno in (errno.ELOOP, errno.ENXIO):
        return failure("unsafe", "the state file is a link or no regular file")
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return failure("full", "there is no room for the state file")
    word = errno.errorcode.get(error.errno or 0, "an error")
    return failure("readonly", f"the state file cannot be opened for writing ({word})")


def exists(path: str) -> bool:
    """Detect whether something has this name; what cannot be looked at may be there."""
    try:
        posix.lstat(path)
    except FileNotFoundError:
        return False
    except OSError:
        return True
    return True


def unlink(path: str) -> None:
    """Remove a name, if that can be done."""
    try:
        posix.unlink(path)
    except OSError:
        return  # the session is LOST once more than it needs be

"""A file that only its user may write → its inode, or why it is not to be trusted. Imported by the hook path."""

from __future__ import annotations

import errno
import posix

from policy_engine.model.errors import StoreError


def failure(word: str, text: str) -> StoreError:
    """The exception for a stable word and its explanation."""
    return StoreError(f"{word}: {text}")


def check_folder(path: str) -> None:
    folder = path.rpartition("/")[0] or "/"
    try:
        found = posix.stat(folder)
    except OSError:
        raise failure("readonly", "the folder of the state file cannot be looked at") from None
    if found.st_uid not in (0, posix.geteuid()) or (found.st_mode & 0o022 and not found.st_mode & 0o1000):
        raise failure("unsafe", "others may write the folder of the state file")


def inode(path: str) -> int:
    """The number of the file, 0 if there is none. Raises StoreError for what others could have put there."""
    try:
        handle = posix.open(path, posix.O_RDWR | posix.O_NOFOLLOW | posix.O_NONBLOCK | posix.O_CLOEXEC)
    except OSError as error:
        if error.errno == errno.ENOENT:
            return 0
        raise refused(error) from None
    try:
        return check(handle)
    finally:
        posix.close(handle)


def check(handle: int) -> int:
    """The number of an open file; it is for its owner only from now on. Raises StoreError if it is not ours."""
    found = posix.fstat(handle)
    if found.st_mode & 0o170000 != 0o100000:
        raise failure("unsafe", "the state file is no regular file")
    if found.st_uid != posix.geteuid():
        raise failure("unsafe", "the state file belongs to another user")
    if found.st_mode & 0o077:
        posix.fchmod(handle, 0o600)
    return found.st_ino


def refused(error: OSError) -> StoreError:
    if error.errno in (errno.ELOOP, errno.ENXIO):
        return failure("unsafe", "the state file is a link or no regular file")
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return failure("full", "there is no room for the state file")
    word = errno.errorcode.get(error.errno or 0, "an error")
    return failure("readonly", f"the state file cannot be opened for writing ({word})")


def exists(path: str) -> bool:
    try:
        posix.lstat(path)
    except FileNotFoundError:
        return False
    except OSError:
        return True
    return True


def unlink(path: str) -> None:
    try:
        posix.unlink(path)
    except OSError:
        return  # the session is LOST once more than it needs be

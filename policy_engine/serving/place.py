"""Open the folder of the resident engine: its lock and its listening socket, or why it cannot listen."""

from __future__ import annotations

import fcntl
import os
import socket
import stat
from collections.abc import Callable
from dataclasses import dataclass

from policy_engine.hook_process.resident import Foreign, own_folder
from policy_engine.model.errors import ConfigurationError
from policy_engine.state.own_file import open_own
from policy_engine.state.places import SOCKET, make_folder, serve_folder

BACKLOG = 128
LOCK = "lock"


@dataclass(frozen=True, slots=True)
class Place:
    """The place where this process listens; the lock is held as long as the process lives, whatever becomes of it."""

    folder: str
    handle: int
    listener: socket.socket
    entry: tuple[int, int]

    def leave(self) -> None:
        """From now on nobody finds the way here. Those who have connected wait in the listener."""
        try:
            os.unlink(SOCKET, dir_fd=self.handle)
        except FileNotFoundError:
            return

    def is_found(self) -> bool:
        """Detect whether the socket of the folder is still the one of this process."""
        try:
            named = os.stat(SOCKET, dir_fd=self.handle, follow_symlinks=False)
        except OSError:
            return False
        return (named.st_dev, named.st_ino) == self.entry


def take_place(prepare: Callable[[], None]) -> Place:
    """Listen for this user; `prepare` what takes its time when the place is taken and nobody can connect yet.

    Raises ConfigurationError if another one does, or if the folder is not this user's."""
    if not hasattr(socket, "SO_PEERCRED"):
        raise ConfigurationError("this system does not tell who is at the other end of a socket (SO_PEERCRED)")
    folder = serve_folder()
    try:
        make_folder(folder)
        handle = own_folder(folder)
        _lock(handle, folder)
        prepare()
        listener = _listen(handle, folder)
        made = os.stat(SOCKET, dir_fd=handle, follow_symlinks=False)
        return Place(folder, handle, listener, (made.st_dev, made.st_ino))
    except Foreign as error:
        raise ConfigurationError(f"{error}; nothing is decided there") from None
    except OSError as error:
        raise ConfigurationError(f"cannot listen in `{folder}`: {(error.strerror or '').lower()}") from None


def _lock(handle: int, folder: str) -> None:
    """A lock and no number of a process: it goes with whoever holds it, and nobody else can be taken for him."""
    lock = open_own(LOCK, os.O_RDWR | os.O_CREAT, folder=handle)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise ConfigurationError(f"`policy serve` runs already in `{folder}`") from None


def _listen(handle: int, folder: str) -> socket.socket:
    try:
        status = os.stat(SOCKET, dir_fd=handle, follow_symlinks=False)
    except FileNotFoundError:
        pass
    else:
        if not stat.S_ISSOCK(status.st_mode) or status.st_uid != os.geteuid():
            raise ConfigurationError(f"`{folder}/{SOCKET}` is no socket of this user; it is left alone")
        os.unlink(SOCKET, dir_fd=handle)  # of a process that is gone: who holds the lock is the only one
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    before = os.umask(0o177)
    try:
        listener.bind(f"/proc/self/fd/{handle}/{SOCKET}")
    finally:
        os.umask(before)
    listener.listen(BACKLOG)
    listener.setblocking(False)
    return listener

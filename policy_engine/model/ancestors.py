"""Find the processes that a session needs: those that started the hook process, by the kernel's word (Linux).

The coding agent is among them, and so are the terminal and the shell that it was started from. Imported by the hook
path, for a command that ends processes.
"""

from __future__ import annotations

import posix

PARENT, START = 1, 19  # fields of `stat` behind the name, from 0
_MOST = 32  # processes above one another
_READ = 4096  # bytes
_told = [0]


class Process:
    """A process by its number, the name that the kernel keeps of it, and its words."""

    __slots__ = ("number", "name", "line")

    def __init__(self, number: int, name: str, line: str) -> None:
        self.number = number
        self.name = name
        self.line = line


def answer_for(process: int) -> None:
    """Look for the processes above another hook process than this one: a resident engine answers for it."""
    _told[0] = process


def ancestors() -> tuple[Process, ...]:
    """Return the processes above the hook, nearest first, without the first of the system; empty if nobody tells."""
    at = _told[0] or posix.getpid()
    processes: list[Process] = []
    while len(processes) < _MOST:
        at = stat_field(at, PARENT)
        if at <= 1:
            break
        name = read_start(f"/proc/{at}/comm").decode("utf-8", "replace").rstrip("\n")
        line = read_start(f"/proc/{at}/cmdline").rstrip(b"\0").replace(b"\0", b" ").decode("utf-8", "replace")
        processes.append(Process(at, name, line))
    return tuple(processes)


def stat_field(process: int, place: int) -> int:
    """Return a field of a process, 0 if it cannot be had."""
    fields = read_start(f"/proc/{process}/stat").rpartition(b")")[2].split()
    return int(fields[place]) if len(fields) > place and fields[place].isdigit() else 0


def read_start(path: str) -> bytes:
    """Return the beginning of a file of the kernel, empty if it cannot be read."""
    try:
        file = posix.open(path, posix.O_RDONLY | posix.O_CLOEXEC)
    except OSError:
        return b""
    try:
        content: bytes = posix.read(file, _READ)
        return content
    except OSError:
        return b""
    finally:
        posix.close(file)

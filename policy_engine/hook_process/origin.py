"""Tell whether an event comes from the process that began its session, by the kernel's word on who started whom.

Whatever the agent starts can run the hook with a payload of its own, also from a script that was written before. What
the host starts is its child, with nothing but the registered shell line between; what an agent's shell starts has that
shell, or whatever the shell ran, between, or has lost the host if it was let go. Only where `/proc` tells (Linux).
Imported by the hook path.
"""

from __future__ import annotations

from policy_engine.model.ancestors import PARENT, START, read_start, stat_field
from policy_engine.state.side_files import content, path_of, replace

FOLDER = "origins"
BEGINS = b"trap 'echo policy: "
"""How every registered line begins (hosts/registration.py)."""
_MOST = 8  # shells of registered lines in a row; there is one


def is_foreign(session: str, process: int, one_process: bool) -> bool:
    """Return whether another process than the one that began the session started the hook `process`; 0 is not known.

    The first event of a session tells which that is, where `one_process` says that it is always the same; so does one
    that comes when that process has ended, for the session was taken up again.
    """
    if not process:
        return False
    try:
        path = path_of(FOLDER, session)
        kept = (content(path) or b"").decode("ascii", "replace")
        if not kept and not one_process:
            return False
        host = _host_of(process)
        if host == kept:
            return False
        if kept and _is_alive(kept):
            return True
        if host and one_process:
            replace(path, host.encode())
    except OSError:
        return False  # nothing of the session's past can be had then, and that is said
    return False


def child_of(process: int, parent: int) -> bool:
    """Return whether a process was started by another one."""
    return stat_field(process, PARENT) == parent


def _host_of(process: int) -> str:
    """The process that had the hook started, as `PID START`; empty if that cannot be known."""
    at = process
    for _ in range(_MOST):
        at = stat_field(at, PARENT)
        if at <= 1:
            return ""
        if not is_registered(at):
            return f"{at} {stat_field(at, START)}"
    return ""


def _is_alive(host: str) -> bool:
    number, _, start = host.partition(" ")
    return number.isdigit() and start.isdigit() and stat_field(int(number), START) == int(start) > 0


def is_registered(process: int) -> bool:
    """Detect the shell of a registered line."""
    words = read_start(f"/proc/{process}/cmdline").rstrip(b"\0").split(b"\0")
    return len(words) > 1 and words[-1].startswith(BEGINS)

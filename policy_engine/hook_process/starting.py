"""Start a resident engine after an event that this process had to decide itself, where nobody says otherwise.

The answer is out by then. Only a hook that a host started by its registered line does this, by the kernel's word, so
that whatever else runs the script leaves no process behind; and at most once in AGAIN seconds, so that an engine which
cannot run is not tried at every event. The new process has the interpreter and the script of this one, no descriptor of
it, and of the environment only what names the folders of the engine: every event brings its own.
"""

from __future__ import annotations

import posix
import sys
import time

from policy_engine.hook_process.origin import is_registered
from policy_engine.state.places import (
    ORGANISATION_FOLDER,
    OWN_VARIABLES,
    SETTINGS_FILE,
    config_folder,
    make_folder,
    serve_folder,
)

IDLE = 300  # seconds without an event after which it leaves
AGAIN = 60.0  # seconds between two starts
STARTED = "started"
"""The file of its folder whose age says when one was last started."""
_MOST_BYTES = 1 << 16


def start_resident() -> bool:
    """Start a resident engine if that is allowed and due; raises nothing, for the event has its answer."""
    try:
        if sys.platform != "linux" or not is_registered(posix.getppid()) or not is_allowed() or not _is_due():
            return False
        _start(f"{__file__.rsplit('/', 2)[0]}/serve.py")
        return True
    except Exception:  # the next event decides itself as well, and `policy doctor` says so
        return False


def is_allowed() -> bool:
    """Detect whether the settings of the organisation and the user leave it at `resident = "auto"`.

    What says something else of it, or cannot be read, does not allow it; the meaning of the file is for others.
    """
    return all(_allows(f"{folder}/{SETTINGS_FILE}") for folder in (ORGANISATION_FOLDER, config_folder()))


def _allows(path: str) -> bool:
    try:
        file = posix.open(path, posix.O_RDONLY | posix.O_CLOEXEC | posix.O_NONBLOCK)
    except FileNotFoundError:
        return True
    try:
        data: bytes = posix.read(file, _MOST_BYTES)
    finally:
        posix.close(file)
    lines = [line.replace(b" ", b"") for line in data.splitlines() if b"resident" in line and line.strip()[:1] != b"#"]
    return all(line == b'resident="auto"' for line in lines)


def _is_due() -> bool:
    folder = serve_folder()
    make_folder(folder)
    path = f"{folder}/{STARTED}"
    try:
        if 0 <= time.time() - posix.lstat(path).st_mtime < AGAIN:
            return False
    except FileNotFoundError:
        pass
    posix.close(posix.open(path, posix.O_WRONLY | posix.O_CREAT | posix.O_NOFOLLOW | posix.O_CLOEXEC, 0o600))
    posix.utime(path)
    return True


def _start(script: str) -> None:
    names = [name.encode() for name in OWN_VARIABLES]
    environment = {name: posix.environ[name] for name in names if name in posix.environ}
    inherited = [int(name) for name in posix.listdir("/proc/self/fd") if int(name) > 2]
    actions: list[tuple[object, ...]] = [(posix.POSIX_SPAWN_OPEN, 0, "/dev/null", posix.O_RDWR, 0)]
    actions += [(posix.POSIX_SPAWN_DUP2, 0, number) for number in (1, 2)]
    actions += [(posix.POSIX_SPAWN_CLOSE, number) for number in inherited]
    words = [sys.executable, "-I", "-S", script, f"--idle={IDLE}"]
    posix.posix_spawn(sys.executable, words, environment, file_actions=actions, setsid=True, setsigmask=())

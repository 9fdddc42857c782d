"""Parse the arguments of `policy_engine/serve.py` and run the daemon or its HTTP door; return the exit status."""

from __future__ import annotations

import errno
import os
import socket
import subprocess
import sys
import time

from policy_engine.hook_process.resident import Foreign, own_folder
from policy_engine.model.errors import ConfigurationError, PolicyEngineError
from policy_engine.serving.daemon import QUEUE, SLOTS, Daemon
from policy_engine.serving.evaluation import preload
from policy_engine.serving.place import take_place
from policy_engine.serving.token import token
from policy_engine.state.places import serve_folder

ADDRESS = "127.0.0.1"
MISUSED = 2
FREE = 3.0  # seconds until the port must be free
HTTP, DOOR, TERMINAL = "--http=", "--door=", "--terminal="


def main(arguments: list[str]) -> int:
    """Serve until told to end."""
    sys.path += [word[12:] for word in arguments if word.startswith("--libraries=/")]
    try:
        door = _number(arguments, DOOR, -1)
        return _serve(arguments) if door < 0 else _open_door(door, _number(arguments, TERMINAL, -1))
    except (PolicyEngineError, Foreign, OSError) as error:
        sys.stderr.write(f"error: {error}\n")
        return MISUSED


def _number(arguments: list[str], name: str, default: int) -> int:
    return next((int(word[len(name) :]) for word in arguments if word.startswith(name)), default)


def _serve(arguments: list[str]) -> int:
    place, port = take_place(preload), _number(arguments, HTTP, -1)
    listener, terminal = None, -1
    if port >= 0:
        token(place.handle)
        listener, terminal = _listener(port), _terminal()
    os.chdir("/")
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, 0)
    slots, queue = _number(arguments, "--slots=", SLOTS), _number(arguments, "--queue=", QUEUE)
    daemon = Daemon(place, slots, queue, _number(arguments, "--idle=", 0))
    sys.stdout.write(f"policy serve: listening in {place.folder}\n")
    sys.stdout.flush()
    if listener is not None:
        libraries = [word for word in arguments if word.startswith("--libraries=/")]
        given = [f"{DOOR}{listener.fileno()}", f"{TERMINAL}{terminal}"]
        handles = [number for number in (listener.fileno(), terminal) if number >= 0]
        command = [sys.executable, "-I", "-S", sys.argv[0], *given, *libraries]
        # whatever becomes of this process, its end closes the pipe, and that ends the door
        door = subprocess.Popen(command, stdin=subprocess.PIPE, pass_fds=handles)
        daemon.watch(door, f"http://{ADDRESS}:{listener.getsockname()[1]}")
        listener.close()  # who connects when the door is gone is told so
        if terminal >= 0:
            os.close(terminal)
    daemon.run()
    return 0


def _listener(port: int) -> socket.socket:
    """A socket at the port; the door of an engine that has just ended may hold it for a moment."""
    until = time.monotonic() + FREE
    while True:
        try:
            return socket.create_server((ADDRESS, port))
        except OSError as error:
            if error.errno != errno.EADDRINUSE or time.monotonic() > until:
                raise ConfigurationError(f"cannot listen on {ADDRESS}:{port}: {error.strerror}") from None
            time.sleep(0.05)


def _terminal() -> int:
    """Open the terminal of the person who starts this, for codes that they alone see; -1 if there is no such person."""
    from policy_engine.consent.person import no_person

    return -1 if no_person() else os.open("/dev/tty", os.O_WRONLY | os.O_NOCTTY | os.O_NONBLOCK | os.O_CLOEXEC)


def _open_door(listener: int, terminal: int) -> int:
    from policy_engine.serving.door import open_door

    folder = serve_folder()
    handle = own_folder(folder)
    open_door(socket.socket(fileno=listener), folder, token(handle), terminal)
    return 0

"""The arguments of `policy_engine/serve.py` → a daemon that listens, or its HTTP door, or why not; the exit status."""

from __future__ import annotations

import os
import subprocess
import sys

from policy_engine.loading.resident import Foreign, own_folder
from policy_engine.model.errors import PolicyEngineError
from policy_engine.model.places import serve_folder
from policy_engine.serving.daemon import QUEUE, SLOTS, Daemon
from policy_engine.serving.evaluation import preload
from policy_engine.serving.place import take_place
from policy_engine.serving.token import token

MISUSED = 2
HTTP, DOOR = "--http=", "--door="


def main(arguments: list[str]) -> int:
    """Serve until told to end."""
    sys.path += [word[12:] for word in arguments if word.startswith("--libraries=/")]
    try:
        door = _number(arguments, DOOR, -1)
        return _serve(arguments) if door < 0 else _open_door(door)
    except (PolicyEngineError, Foreign, OSError) as error:
        sys.stderr.write(f"error: {error}\n")
        return MISUSED


def _number(arguments: list[str], name: str, default: int) -> int:
    return next((int(word[len(name) :]) for word in arguments if word.startswith(name)), default)


def _serve(arguments: list[str]) -> int:
    place, port = take_place(), _number(arguments, HTTP, -1)
    if port >= 0:
        token(place.handle)
    os.chdir("/")
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, 0)
    preload()
    daemon = Daemon(place, _number(arguments, "--slots=", SLOTS), _number(arguments, "--queue=", QUEUE))
    sys.stdout.write(f"policy serve: listening in {place.folder}\n")
    sys.stdout.flush()
    if port >= 0:
        libraries = [word for word in arguments if word.startswith("--libraries=/")]
        command = [sys.executable, "-I", "-S", sys.argv[0], f"{DOOR}{port}", *libraries]
        # whatever becomes of this process, its end closes the pipe, and that ends the door
        door = subprocess.Popen(command, stdin=subprocess.PIPE)
        daemon.watch(door)
    daemon.run()
    return 0


def _open_door(port: int) -> int:
    from policy_engine.serving.door import open_door

    folder = serve_folder()
    handle = own_folder(folder)
    open_door(port, folder, token(handle))
    return 0

"""The arguments of `policy_engine/serve.py` → a daemon that listens, or why it cannot; the exit status."""

from __future__ import annotations

import os
import sys

from policy_engine.model.errors import PolicyEngineError
from policy_engine.serving.daemon import QUEUE, SLOTS, Daemon
from policy_engine.serving.evaluation import preload
from policy_engine.serving.place import take_place

MISUSED = 2


def main(arguments: list[str]) -> int:
    """Serve until told to end."""
    limits = {"--slots=": SLOTS, "--queue=": QUEUE}
    for word in arguments:
        if word.startswith("--libraries=/"):
            sys.path.append(word[12:])
        for name in limits:
            if word.startswith(name):
                limits[name] = int(word[len(name) :])
    try:
        place = take_place()
    except PolicyEngineError as error:
        sys.stderr.write(f"error: {error}\n")
        return MISUSED
    os.chdir("/")
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, 0)
    preload()
    daemon = Daemon(place, limits["--slots="], limits["--queue="])
    sys.stdout.write(f"policy serve: listening in {place.folder}\n")
    sys.stdout.flush()
    daemon.run()
    return 0

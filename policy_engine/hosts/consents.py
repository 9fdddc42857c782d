"""Ask a host that runs only trusted hooks which of ours it trusts, and tell it to.

Codex passes over every other hook in silence. What it compares is a digest of its own, whose form changes with its
versions, so it is asked: its app server lists the hooks of a folder with their state, and keeps its own settings. It
speaks JSON-RPC, one object per line.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from policy_engine import __version__
from policy_engine.adapters.base import Adapter
from policy_engine.hosts.layers import Layer
from policy_engine.hosts.registration import parts

SECONDS = 60  # it unpacks itself when it is first started
_PARTING = 5
_LINE = 1 << 24  # characters of one answer
TRUSTED = "trusted"


class Silent(Exception):
    """The host cannot be asked; the text says why."""


@dataclass(frozen=True, slots=True)
class Consent:
    """One of our hooks as the host sees it: its key and digest there, and its state (`trusted`, `modified`, …)."""

    key: str
    digest: str
    state: str
    enabled: bool


def consents(adapter: Adapter, layer: Layer, project: Path) -> list[Consent]:
    """Return what the host was told of our hooks in a settings file. Raises Silent."""
    with _server(adapter, project) as ask:
        return _ours(ask, adapter, layer, project)


def give(adapter: Adapter, layer: Layer, project: Path) -> list[Consent]:
    """Tell the host to trust our hooks in a settings file; what it says of them then. Raises Silent."""
    with _server(adapter, project) as ask:
        consents = _ours(ask, adapter, layer, project)
        asked = [one for one in consents if one.state != TRUSTED]
        if asked:
            entries = {one.key: {"trusted_hash": one.digest} for one in asked}
            _write(ask, [{"keyPath": "hooks.state", "value": entries, "mergeStrategy": "upsert"}])
            consents = _ours(ask, adapter, layer, project)
        return consents


def take_back(adapter: Adapter, project: Path, given: Sequence[Consent]) -> None:
    """Let the host forget what it was told of hooks that are gone. Raises Silent."""
    with _server(adapter, project) as ask:
        _write(
            ask,
            [
                {"keyPath": f"hooks.state.{json.dumps(one.key)}", "value": None, "mergeStrategy": "replace"}
                for one in given
            ],
        )


class _Ask:
    """Call a method with parameters and return its result. Raises Silent."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process
        self._number = 0

    def __call__(self, method: str, **params: Any) -> dict[str, Any]:
        self._number += 1
        self.say({"id": self._number, "method": method, "params": params})
        assert self._process.stdout is not None
        while line := self._process.stdout.readline(_LINE):
            answer = json.loads(line)
            if type(answer) is dict and answer.get("id") == self._number and "method" not in answer:
                result = answer.get("result")
                if type(result) is not dict:
                    raise Silent(f"`{method}` was answered with {json.dumps(answer.get('error'))[:200]}")
                return result
        raise Silent("it ended without an answer")

    def say(self, message: dict[str, Any]) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(f"{json.dumps(message)}\n")
        self._process.stdin.flush()


@contextmanager
def _server(adapter: Adapter, project: Path) -> Iterator[_Ask]:
    program = _program(adapter, project)
    words = [program, *adapter.registration.asked[1:]]
    try:
        process = subprocess.Popen(
            words,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd="/",
            encoding="utf-8",
            start_new_session=True,  # the program may be a script around the one that answers
        )
    except OSError as error:
        raise Silent(f"`{program}` cannot be started: {error.strerror}") from None
    timer = threading.Timer(SECONDS, _end, (process,))
    timer.start()
    try:
        ask = _Ask(process)
        ask("initialize", clientInfo={"name": "policy-engine", "version": __version__})
        ask.say({"method": "initialized"})
        yield ask
    except (OSError, ValueError, LookupError, TypeError, AttributeError) as fault:
        raise Silent(f"`{' '.join(words)}` did not answer as it should ({type(fault).__name__})") from None
    finally:
        timer.cancel()
        _left(process)


def _left(process: subprocess.Popen[str]) -> None:
    """It ends when nobody speaks any more, or is ended."""
    try:
        process.communicate(timeout=_PARTING)
    except (OSError, ValueError, subprocess.TimeoutExpired):
        _end(process)
        process.communicate()


def _end(process: subprocess.Popen[str]) -> None:
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        return


def _program(adapter: Adapter, project: Path) -> str:
    """The host's program by its absolute path; one that lies in the repository is not started."""
    name = adapter.registration.asked[0]
    program = shutil.which(name)
    if program is None:
        raise Silent(f"there is no program `{name}` on the PATH")
    path = os.path.realpath(program)
    if Path(path).is_relative_to(os.path.realpath(project)) or not os.path.isabs(program):
        raise Silent(f"`{program}` lies in the repository, and is not started from here")
    return program


def _ours(ask: _Ask, adapter: Adapter, layer: Layer, project: Path) -> list[Consent]:
    file = os.path.realpath(layer.path)
    return [
        Consent(one["key"], one["currentHash"], one["trustStatus"], one.get("enabled", True) is not False)
        for folder in ask("hooks/list", cwds=[str(project)])["data"]
        for one in folder["hooks"]
        if os.path.realpath(one["sourcePath"]) == file
        and type(one.get("command")) is str
        and parts(one["command"], adapter.name) is not None
    ]


def _write(ask: _Ask, edits: list[dict[str, Any]]) -> None:
    ask("config/batchWrite", edits=edits)

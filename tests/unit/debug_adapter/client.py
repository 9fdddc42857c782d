"""A client of the Debug Adapter Protocol that shares no code with the adapter: frames of JSON over two pipes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

ROOT = Path(__file__).resolve().parents[3]
PATH = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])  # has `policy`
COMMAND = (sys.executable, "-m", "policy_engine", "dap")
SECONDS = 300  # in which an adapter that says nothing is taken for gone


class Debugger:
    """`policy dap` as a process; the events that it sends are kept in `heard`."""

    def __init__(self, folder: Path, home_folder: Path, command: Sequence[str] = COMMAND) -> None:
        home = {name: str(home_folder) for name in ("HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME")}
        self.heard: list[dict[str, Any]] = []
        self._number = 0
        self._process = subprocess.Popen(
            command,
            cwd=folder,
            env={**os.environ, **home, "PYTHONPATH": str(ROOT), "PATH": PATH},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        self._guard = threading.Timer(SECONDS, self._process.kill)
        self._guard.start()

    def __enter__(self) -> Debugger:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        try:
            if kind is None:
                self.ask("disconnect")
                assert self._process.wait(SECONDS) == 0
        finally:
            self._guard.cancel()
            self._process.kill()
            self._process.communicate()

    def answer(self, command: str, **arguments: Any) -> dict[str, Any]:
        """Ask, and return the whole answer, which may be a failure."""
        self._number += 1
        data = json.dumps({"seq": self._number, "type": "request", "command": command, "arguments": arguments}).encode()
        assert self._process.stdin is not None
        self._process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(data), data))
        self._process.stdin.flush()
        while (message := self._read()).get("request_seq") != self._number:
            self.heard.append(message)
        return message

    def ask(self, command: str, **arguments: Any) -> Any:
        """Ask, and return what is answered."""
        answer = self.answer(command, **arguments)
        assert answer["success"], answer
        return answer.get("body")

    def heed(self, name: str) -> dict[str, Any]:
        """Read until an event comes; return its body."""
        while True:
            for number, message in enumerate(self.heard):
                if message["event"] == name:
                    del self.heard[: number + 1]
                    return message["body"] or {}
            self.heard.append(self._read())

    def _read(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        length = 0
        while line := self._process.stdout.readline().strip():
            name, _, value = line.partition(b":")
            length = int(value) if name.lower() == b"content-length" else length
        if not length:
            raise EOFError("the adapter is gone")
        message: dict[str, Any] = json.loads(self._process.stdout.read(length))
        return message

    # ---- as a person at an editor ------------------------------------------------------------------------------------

    def launch(self, path: Path, *lines: int, filters: tuple[str, ...] = (), **arguments: Any) -> list[Any]:
        """Begin, with breakpoints at these lines; return what was said of them."""
        self.ask("initialize", adapterID="policy", linesStartAt1=True, columnsStartAt1=True)
        self.ask("launch", program=str(path), **arguments)
        self.heed("initialized")
        said = self.ask("setBreakpoints", source={"path": str(path)}, breakpoints=[{"line": line} for line in lines])
        self.ask("setExceptionBreakpoints", filters=list(filters))
        self.ask("configurationDone")
        found: list[Any] = said["breakpoints"]
        return found

    def move(self, command: str) -> str:
        """Go on until it stops; return the name of the innermost frame and its line."""
        self.ask(command, threadId=1)
        return self.here()

    def here(self) -> str:
        """Wait until it stops."""
        self.heed("stopped")
        frame = self.frames()[0]
        return f"{frame['line']}: {frame['name']}"

    def frames(self) -> list[Any]:
        found: list[Any] = self.ask("stackTrace", threadId=1)["stackFrames"]
        return found

    def scope(self, name: str, frame: int = 0) -> dict[str, str]:
        """Return the variables of a scope of a frame."""
        scopes = self.ask("scopes", frameId=self.frames()[frame]["id"])["scopes"]
        [found] = [one for one in scopes if one["name"] == name]
        return self.inside(found)

    def inside(self, variable: dict[str, Any]) -> dict[str, str]:
        """Return the parts of a variable."""
        found = self.ask("variables", variablesReference=variable["variablesReference"])["variables"]
        return {one["name"]: one["value"] for one in found}

    def watch(self, expression: str, frame: int = 0) -> str:
        """Evaluate an expression in a frame."""
        found: str = self.ask("evaluate", expression=expression, frameId=self.frames()[frame]["id"])["result"]
        return found

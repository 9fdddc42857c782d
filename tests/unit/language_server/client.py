"""A client of the Language Server Protocol that shares no code with the server: frames of JSON over two pipes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

ROOT = Path(__file__).resolve().parents[3]
PATH = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])  # has `policy`
SECONDS = 300  # in which a server that says nothing is taken for gone
CAPABILITIES = {"textDocument": {"completion": {"completionItem": {"snippetSupport": True}}}}


COMMAND = (sys.executable, "-m", "policy_engine", "lsp")


class Editor:
    """`policy lsp` as a process; what the server says by itself is kept in `heard` by method."""

    def __init__(
        self, folder: Path, capabilities: dict[str, Any] | None = None, command: Sequence[str] = COMMAND
    ) -> None:
        home = {name: str(folder.parent / "home") for name in ("HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME")}
        self.folder = folder
        self.heard: list[tuple[str, Any]] = []
        self.edits: list[Any] = []
        self._number = 0
        self._versions: dict[str, int] = {}
        self._process = subprocess.Popen(
            command,
            cwd=folder,
            env={**os.environ, **home, "PYTHONPATH": str(ROOT), "PATH": PATH},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        wanted = CAPABILITIES if capabilities is None else capabilities
        self.server = self.ask("initialize", processId=None, rootUri=folder.as_uri(), capabilities=wanted)
        self._send("initialized", {})

    def __enter__(self) -> Editor:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        try:
            if kind is None:
                self.ask("shutdown")
                self._send("exit", None)
                assert self._process.wait(SECONDS) == 0
        finally:
            self._process.kill()
            self._process.communicate()

    # ---- messages ----------------------------------------------------------------------------------------------------

    def _send(self, method: str, params: Any, number: int | None = None) -> None:
        message = {"jsonrpc": "2.0", "method": method, "params": params}
        self._write(message if number is None else {**message, "id": number})

    def _write(self, message: dict[str, Any]) -> None:
        data = json.dumps(message).encode()
        assert self._process.stdin is not None
        self._process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(data), data))
        self._process.stdin.flush()

    def _read(self) -> dict[str, Any]:
        """The next message; a request of the server is answered. Raises EOFError when it is gone."""
        guard = threading.Timer(SECONDS, self._process.kill)
        guard.start()
        try:
            return self._message()
        finally:
            guard.cancel()

    def _message(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        length = 0
        while line := self._process.stdout.readline().strip():
            name, _, value = line.partition(b":")
            length = int(value) if name.lower() == b"content-length" else length
        if not length:
            raise EOFError("the server is gone")
        message: dict[str, Any] = json.loads(self._process.stdout.read(length))
        if "method" in message:
            self.heard.append((message["method"], message.get("params")))
            if message["method"] == "workspace/applyEdit":
                self.edits.append(message["params"]["edit"])
            if "id" in message:
                applied = {"applied": True} if message["method"] == "workspace/applyEdit" else None
                self._write({"jsonrpc": "2.0", "id": message["id"], "result": applied})
        return message

    def answer(self, method: str, **params: Any) -> dict[str, Any]:
        """Ask, and return the whole answer, which may be an error."""
        self._number += 1
        self._send(method, params or None, self._number)
        while True:
            message = self._read()
            if "method" not in message and message.get("id") == self._number:
                return message

    def ask(self, method: str, **params: Any) -> Any:
        """Ask, and return the result."""
        answer = self.answer(method, **params)
        assert "error" not in answer, answer
        return answer["result"]

    def heed(self, wanted: Callable[[str, Any], bool]) -> Any:
        """Read until the server says something by itself that is wanted; return it."""
        for method, params in self.heard:
            if wanted(method, params):
                return params
        while True:
            message = self._read()
            if "method" in message and wanted(message["method"], message.get("params")):
                return message["params"]

    # ---- documents ---------------------------------------------------------------------------------------------------

    def uri(self, name: str) -> str:
        return (self.folder / name).as_uri()

    def open(self, name: str, text: str | None = None) -> None:
        """Open a file, with its text on the disk if no other is given."""
        content = (self.folder / name).read_text("utf-8") if text is None else text
        self._versions[name] = 1
        document = {"uri": self.uri(name), "languageId": "policy", "version": 1, "text": content}
        self._send("textDocument/didOpen", {"textDocument": document})

    def type(self, name: str, text: str) -> None:
        """Replace the text of an open file."""
        self._versions[name] += 1
        document = {"uri": self.uri(name), "version": self._versions[name]}
        self._send("textDocument/didChange", {"textDocument": document, "contentChanges": [{"text": text}]})

    def findings(self, name: str, wanted: Callable[[list[Any]], bool]) -> list[Any]:
        """Wait until what is said of a file is what is wanted, and return that."""
        uri = self.uri(name)

        def is_it(method: str, params: Any) -> bool:
            return (
                method == "textDocument/publishDiagnostics" and params["uri"] == uri and wanted(params["diagnostics"])
            )

        found: list[Any] = self.heed(is_it)["diagnostics"]
        self.heard.clear()
        return found

    def at(self, method: str, name: str, text: str, needle: str, after: bool = False, **more: Any) -> Any:
        """Ask at the place of `needle` in the text of a file, or behind it."""
        return self.ask(f"textDocument/{method}", **self.place(name, text, needle, after), **more)

    def place(self, name: str, text: str, needle: str, after: bool = False) -> dict[str, Any]:
        """The document and the position of `needle`."""
        offset = text.index(needle) + (len(needle) if after else 0)
        before = text[:offset].rpartition("\n")[2]
        position = {"line": text.count("\n", 0, offset), "character": len(before.encode("utf-16-le")) // 2}
        return {"textDocument": {"uri": self.uri(name)}, "position": position}


def applied(text: str, edits: list[Any]) -> str:
    """The text after the edits, which are in the protocol's form."""
    lines = text.split("\n")

    def offset(position: dict[str, int]) -> int:
        line = lines[position["line"]] if position["line"] < len(lines) else ""
        inside = line.encode("utf-16-le")[: 2 * position["character"]].decode("utf-16-le")
        return sum(len(one) + 1 for one in lines[: position["line"]]) + len(inside)

    for edit in sorted(edits, key=lambda one: offset(one["range"]["start"]), reverse=True):
        text = text[: offset(edit["range"]["start"])] + edit["newText"] + text[offset(edit["range"]["end"]) :]
    return text

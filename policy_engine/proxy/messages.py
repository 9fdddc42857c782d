"""One line of an MCP session → what goes to the other side: the line, an answer in its place, or nothing.

Only `tools/call` is judged; everything else passes as it came: other requests of either side, notifications, batches.
What cannot be read beyond doubt does not pass: a message that two readers understand in two ways would be judged in
one and obeyed in the other. A fault of ours refuses.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Any
from unicodedata import normalize

from policy_engine.adapters.base import paragraphs, visible
from policy_engine.integrations.base import LOG, Call, Guard, Run, Stopped
from policy_engine.model.errors import EventError
from policy_engine.model.limits import EVENT_BYTES
from policy_engine.model.strict_json import read_json, write_json

PENDING = 4096  # calls without an answer; a client that has more is not one that waits for answers
PARSE, INVALID, ARGUMENTS, INTERNAL = -32700, -32600, -32602, -32603  # JSON-RPC's own numbers
_WORDS = frozenset(("jsonrpc", "id", "method", "params", "name", "arguments", "requestid"))
# What some readers of lines take for an end of line, and JSON does not.
_BREAKS = (b"\r", b"\v", b"\f", b"\x1c", b"\x1d", b"\x1e", b"\xc2\x85", b"\xe2\x80\xa8", b"\xe2\x80\xa9")

Sent = tuple[bytes, bytes]
"""What goes to the server, and what goes to the client."""


class Session:
    """One client, one server called `server`; both directions may be used at the same time."""

    def __init__(self, guard: Guard, server: str) -> None:
        self.guard = guard
        self.server = server
        self.run: Run = guard.run()
        self._stop: Stopped | None = None
        self._pending: dict[str | int, tuple[Call, str]] = {}
        self._lock = threading.Lock()

    def from_client(self, line: bytes) -> Sent:
        """A line of the client's."""
        try:
            value = read_json(_bounded(line))
            messages = value if isinstance(value, list) else [value]
            kept, answers = [], []
            for message in messages:
                refusal = self._judged(message)
                if refusal is None:
                    kept.append(message)
                elif refusal:
                    answers.append(refusal)
        except EventError as error:
            self.guard.unread("", "", error)
            return b"", _line(_error(None, PARSE, f"{error.code}: {error}"))
        except Exception as fault:
            return b"", _line(_error(None, INTERNAL, f"E-INTERNAL: {type(fault).__name__}: {fault}"))
        if len(kept) == len(messages):
            return _as_it_came(line, value), b""
        batch = isinstance(value, list)
        answer = answers if batch else answers[0] if answers else None
        return _line(kept) if kept else b"", _line(answer) if answer else b""

    def from_server(self, line: bytes) -> Sent:
        """A line of the server's."""
        try:
            value = read_json(_bounded(line))
            told = [self._seen(message) for message in (value if isinstance(value, list) else [value])]
            return b"", _line(value) if any(told) else _as_it_came(line, value)
        except EventError as error:
            LOG.warning("a line of the server is left out: %s: %s", error.code, error)
            if error.code == "E-LIMIT":
                return b"", self._too_large(error)
        except Exception as fault:
            LOG.error("a line of the server is left out: E-INTERNAL: %s: %s", type(fault).__name__, fault)
        return b"", b""

    def _judged(self, message: Any) -> dict[str, Any] | None:
        """None if it may pass, else the answer in its place; an empty one where none is expected."""
        if not isinstance(message, dict):
            raise EventError("E-TYPE", "a message is not an object")
        params = message.get("params")
        for word in (*message, *(params if isinstance(params, dict) else ())):
            _plainly_spelt(word)
        method, identity = message.get("method"), message.get("id")
        if method == "notifications/cancelled":
            self._cancelled(params)
        if method != "tools/call":
            return None
        if identity is not None and type(identity) not in (str, int):
            raise EventError("E-TYPE", "the id of a call is neither text nor a whole number")
        answered = "id" in message
        try:
            refusal = self._call(identity, params, answered)
        except EventError as error:
            self.guard.unread(method, "before_tool", error)
            return _error(identity, ARGUMENTS, f"{error.code}: {error}") if answered else {}
        if refusal is None:
            return None
        content = [{"type": "text", "text": refusal}]
        result = {"content": content, "isError": True}
        return {"jsonrpc": "2.0", "id": identity, "result": result} if answered else {}

    def _call(self, identity: Any, params: Any, answered: bool) -> str | None:
        """Why a call must not pass, or None; one that passes is remembered until it is answered."""
        if not isinstance(params, dict) or type(params.get("name")) is not str:
            raise EventError("E-FIELD", "`params.name` is missing or not a string")
        args = params.get("arguments", {})
        if args is None:
            args = {}
        if not isinstance(args, dict):
            raise EventError("E-TYPE", "`params.arguments` is not an object")
        if self._stop is not None:
            self.guard.kept(self._stop.decision)
            return str(self._stop)
        known = "" if identity is None else str(identity)
        call = Call(f"mcp__{self.server}__{params['name']}", args, known, self.server)
        try:
            ruling = self.guard.before(self.run, call)
        except Stopped as stop:
            self._stop = stop
            return str(stop)
        if ruling.refused:
            return ruling.refusal
        if answered:
            with self._lock:
                if identity in self._pending or len(self._pending) >= PENDING:
                    raise EventError("E-ID", "a call with this id, or too many calls, wait for their answer")
                self._pending[identity] = call, ruling.told
        return None

    def _seen(self, message: Any) -> bool:
        """Tell the engine what a call gave; whether the answer was added to."""
        if not isinstance(message, dict) or "method" in message or type(message.get("id")) not in (str, int):
            return False
        with self._lock:
            waiting = self._pending.pop(message["id"], None)
        if waiting is None:
            return False
        call, told = waiting
        result = message.get("result")
        failed = not isinstance(result, dict) or result.get("isError") is True
        try:
            ruling = self.guard.after(self.run, call, message.get("error") if result is None else result, failed)
            told = paragraphs(told, ruling.told)
        except Stopped as stop:
            self._stop, told = stop, str(stop)
        if not told or not isinstance(result, dict):
            return False
        content = result.get("content")
        result["content"] = [*(content if isinstance(content, list) else ()), {"type": "text", "text": told}]
        return True

    def _too_large(self, error: EventError) -> bytes:
        """An answer in the place of one that is too large, if it is plain which call waits for it."""
        with self._lock:
            if len(self._pending) != 1:
                return b""
            identity, (call, _) = self._pending.popitem()
        self.guard.rule(self.run, "after_tool", call, value=str(error), failed=True)
        return _line(_error(identity, INTERNAL, f"{error.code}: {error}"))

    def _cancelled(self, params: Any) -> None:
        identity = params.get("requestId") if isinstance(params, dict) else None
        if not isinstance(identity, str | int):
            return
        with self._lock:
            waiting = self._pending.pop(identity, None)
        if waiting is not None:
            self.guard.rule(self.run, "after_tool", waiting[0], value="cancelled", failed=True)


def lines(stream: Any) -> Iterator[bytes]:
    """The lines of a stream, none longer than what `from_client` and `from_server` need to refuse it."""
    while line := stream.readline(EVENT_BYTES + 2):
        cut = not line.endswith(b"\n")
        while cut and (rest := stream.readline(65_536)):
            cut = not rest.endswith(b"\n")
        if line.strip():
            yield line


def _bounded(line: bytes) -> bytes:
    if len(line) > EVENT_BYTES:
        raise EventError("E-LIMIT", f"the message is longer than EVENT_BYTES ({EVENT_BYTES})")
    return line


def _plainly_spelt(word: str) -> None:
    """Refuse a key that a lenient reader takes for one that decides: other case, full width, no width."""
    folded = normalize("NFKC", word).casefold().strip()
    if not word.isascii():
        folded = "".join(char for char in folded if char.isascii())
    if folded in _WORDS and word != folded and word != "requestId":
        raise EventError("E-DUPKEY", f"the key `{visible(word)}` reads as `{folded}`")


def _as_it_came(line: bytes, value: Any) -> bytes:
    """The very bytes, unless some reader would see more than one line in them."""
    body = line.rstrip(b"\r\n")
    return _line(value) if any(one in body for one in _BREAKS) else body + b"\n"


def _line(value: Any) -> bytes:
    return write_json(value) + b"\n"


def _error(identity: Any, code: int, text: str) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": identity, "error": {"code": code, "message": f"policy engine: {text}"}}

"""Decide what becomes of each line of an MCP session: it passes, is answered in its place, or is left out.

`tools/call` is judged and `tools/list` compared with what is known; other requests of either side (resources, prompts,
sampling, elicitation, roots), notifications and batches pass as they came. What cannot be read beyond doubt does not
pass: a message that two readers understand in two ways would be judged in one and obeyed in the other. An answer is
matched as the laxest client would, and passes on in the form that the strictest one takes for the same. Each request
gets an answer. A fault of ours refuses.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from unicodedata import normalize

from policy_engine.adapters.base import paragraphs, visible
from policy_engine.integrations.base import LOG, Call, Guard, Run, Stopped
from policy_engine.model.errors import EventError
from policy_engine.model.limits import EVENT_BYTES
from policy_engine.model.strict_json import read_json, write_json
from policy_engine.proxy.definitions import Pins
from policy_engine.proxy.outline import Cut, Outline, outline_of
from policy_engine.runtime.engine import failure

PENDING = 4096  # requests without an answer; a client that has more waits for none
PARSE, INVALID, ARGUMENTS, INTERNAL = -32700, -32600, -32602, -32603  # JSON-RPC's own numbers
_ANSWER_WORDS = frozenset(("jsonrpc", "id", "method", "params", "result", "error"))
_WORDS = frozenset(("jsonrpc", "id", "method", "params", "name", "arguments", "requestid"))
# What some readers of lines take for an end of line, and JSON does not.
_BREAKS = (b"\r", b"\v", b"\f", b"\x1c", b"\x1d", b"\x1e", b"\xc2\x85", b"\xe2\x80\xa8", b"\xe2\x80\xa9")

Sent = tuple[bytes, bytes]
"""What goes to the server, and what goes to the client."""


@dataclass(frozen=True, slots=True)
class Waiting:
    """A request of the client that has no answer yet; `call` and what was `told` about it if it is a tool's."""

    identity: str | int | float
    method: str
    call: Call | None = None
    context: str = ""


class Session:
    """One client, one server called `server`; both directions may be used at the same time.

    `pins` hold the server to its tools' definitions (None: they are not compared).
    """

    def __init__(self, guard: Guard, server: str, pins: Pins | None = None) -> None:
        self.guard = guard
        self.server = server
        self.run: Run = guard.run()
        self._pins = pins
        self._stop: Stopped | None = None
        self._pending: dict[str, Waiting] = {}
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
            return b"", _line(_error(_identity(line), PARSE, f"{error.code}: {error}"))
        except Exception as fault:
            return b"", _line(_error(_identity(line), INTERNAL, f"E-INTERNAL: {type(fault).__name__}: {fault}"))
        if len(kept) == len(messages):
            return _as_it_came(line, value), b""
        batch = isinstance(value, list)
        answer = answers if batch else answers[0] if answers else None
        return _line(kept) if kept else b"", _line(answer) if answer else b""

    def from_server(self, line: bytes) -> Sent:
        """A line of the server's."""
        try:
            value = read_json(_bounded(line))
            batch = isinstance(value, list)
            messages = value if batch else [value]
            before = write_json(value)
            kept = [message for message in map(self._seen, messages) if message is not None]
            if not kept:
                return b"", b""
            after = kept if batch else kept[0]
            return b"", _as_it_came(line, value) if write_json(after) == before else _line(after)
        except EventError as error:
            LOG.warning("a line of the server is left out: %s: %s", error.code, error)
            return b"", self._unreadable(line, error)
        except Exception as fault:
            LOG.error("a line of the server is left out: E-INTERNAL: %s: %s", type(fault).__name__, fault)
            return b"", self._unreadable(line, EventError("E-INTERNAL", f"{type(fault).__name__}: {fault}"))

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
        if identity is not None and _matched(identity) is None:
            raise EventError("E-TYPE", "the id of a request is neither text nor a whole number")
        if method != "tools/call":
            if type(method) is str and identity is not None:
                self._wait(Waiting(identity, method))
            return None
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
        """Return why a call must not pass, or None; one that passes is remembered until it is answered."""
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
        objection = self._pins.objection(params["name"]) if self._pins is not None else ""
        if objection:
            event = {"hook": "before_tool", "session": self.run.session, "id": str(identity)}
            self.guard.kept(failure(event, "E-CHANGED", objection, ""))
            return objection
        known = "" if identity is None else str(identity)
        call = Call(f"mcp__{self.server}__{params['name']}", args, known, self.server)
        try:
            ruling = self.guard.before(self.run, call)
        except Stopped as stop:
            self._stop = stop
            return str(stop)
        if ruling.refused:
            return ruling.refusal
        if answered and identity is not None:
            self._wait(Waiting(identity, "tools/call", call, ruling.context))
        return None

    def _wait(self, request: Waiting) -> None:
        """Remember a request until it is answered. Raises EventError if another one waits under its id."""
        key = _matched(request.identity)
        with self._lock:
            if key is None or key in self._pending or len(self._pending) >= PENDING:
                raise EventError("E-ID", "a request with this id, or too many of them, wait for their answer")
            self._pending[key] = request

    def _seen(self, value: Any) -> dict[str, Any] | None:
        """A message of the server's as it passes on; None if it is an answer that nobody waits for."""
        if not isinstance(value, dict):
            raise EventError("E-TYPE", "a message is not an object")
        message = _respelt(value)
        answers = "result" in message or "error" in message
        if "method" in message and not answers:
            return message  # a request or a notification of the server's own
        key = _matched(message.get("id"))
        with self._lock:
            waiting = self._pending.pop(key, None) if key is not None else None
        if waiting is None:
            if message.get("id") is None and "error" in message and "result" not in message:
                return message  # about a line that the server could not read
            LOG.warning("an answer of the server is left out: nobody waits for it")
            return None
        answer: dict[str, Any] = {"jsonrpc": "2.0", "id": waiting.identity}
        if message.get("error") is not None:
            answer["error"] = message["error"]
        elif "result" in message:
            answer["result"] = message["result"]
        else:
            answer["error"] = {"code": INTERNAL, "message": "policy engine: the server's answer holds no result"}
        self._told(waiting, answer)
        return answer

    def _told(self, waiting: Waiting, answer: dict[str, Any]) -> None:
        """Tell the engine what a call gave, and put what rules say about it into the answer."""
        result = answer.get("result")
        if waiting.method == "tools/list" and self._pins is not None and isinstance(result, dict):
            self._pins.see(result)
        if waiting.call is None:
            return
        failed = not isinstance(result, dict) or result.get("isError") is True
        value = answer.get("error") if "error" in answer else result
        try:
            ruling = self.guard.after(self.run, waiting.call, value, failed)
            context = paragraphs(waiting.context, ruling.context)
        except Stopped as stop:
            self._stop, context = stop, str(stop)
        if context and isinstance(result, dict):
            content = result.get("content")
            result["content"] = [*(content if isinstance(content, list) else ()), {"type": "text", "text": context}]

    def _unreadable(self, line: bytes, error: EventError) -> bytes:
        """Answers in the place of a line that cannot pass: to the request that it answers, or to every one that waits
        where nobody can tell which that is. What is no message at all gets none."""
        if line.lstrip()[:1] not in (b"{", b"["):
            return b""
        outline = outline_of(line)
        key = _matched(outline.get("id")) if isinstance(outline, dict) else None
        if isinstance(outline, dict) and "method" in outline and not {"result", "error"} & outline.keys():
            return b""
        with self._lock:
            keys = [one for one in self._pending if key is None or one == key]
            waiting = [self._pending.pop(one) for one in keys]
        answers = []
        for one in waiting:
            if one.call is not None:
                self.guard.rule(self.run, "after_tool", one.call, value=str(error), failed=True)
            answers.append(_line(_error(one.identity, INTERNAL, f"{error.code}: {error}")))
        return b"".join(answers)

    def _cancelled(self, params: Any) -> None:
        identity = params.get("requestId") if isinstance(params, dict) else None
        key = _matched(identity)
        with self._lock:
            waiting = self._pending.pop(key, None) if key is not None else None
        if waiting is not None and waiting.call is not None:
            self.guard.rule(self.run, "after_tool", waiting.call, value="cancelled", failed=True)


def lines(stream: Any) -> Iterator[bytes]:
    """The lines of a stream; of one that is longer than EVENT_BYTES its beginning with its outline (`Cut`)."""
    while line := stream.readline(EVENT_BYTES + 2):
        if not line.endswith(b"\n") and len(line) > EVENT_BYTES:
            outline = Outline()
            outline.feed(line)
            while rest := stream.readline(65_536):
                outline.feed(rest)
                if rest.endswith(b"\n"):
                    break
            line = Cut(line)
            line.outline = outline.value()
        if line.strip():
            yield line


def _matched(identity: Any) -> str | None:
    """An id as the laxest client compares it: `1`, `1.0`, `1e0` and `"1"` are one. None if it is none."""
    if type(identity) is str:
        try:
            number = float(identity)
        except ValueError:
            return f"text {identity.strip()}"
        return _matched(number) or f"text {identity.strip()}"
    if type(identity) is int or (type(identity) is float and identity.is_integer()):
        return f"number {int(identity)}"
    return None


def _identity(line: bytes) -> Any:
    """The id of a request that cannot be read as a whole, None if that cannot be told either."""
    outline = outline_of(line)
    identity = outline.get("id") if isinstance(outline, dict) else None
    return identity if _matched(identity) is not None else None


def _respelt(message: dict[str, Any]) -> dict[str, Any]:
    """The message with the words that decide in their own spelling. Raises EventError if one stands there twice."""
    fields: dict[str, Any] = {}
    for key, value in message.items():
        folded = _folded(key)
        word = folded if folded in _ANSWER_WORDS else key
        if word in fields:
            raise EventError("E-DUPKEY", f"the key `{visible(key)}` reads as `{word}`")
        fields[word] = value
    return fields


def _bounded(line: bytes) -> bytes:
    if len(line) > EVENT_BYTES:
        raise EventError("E-LIMIT", f"the message is longer than EVENT_BYTES ({EVENT_BYTES})")
    return line


def _plainly_spelt(word: str) -> None:
    """Refuse a key that a lenient reader takes for one that decides: other case, full width, no width."""
    folded = _folded(word)
    if folded in _WORDS and word != folded and word != "requestId":
        raise EventError("E-DUPKEY", f"the key `{visible(word)}` reads as `{folded}`")


def _folded(word: str) -> str:
    folded = normalize("NFKC", word).casefold().strip()
    return folded if word.isascii() else "".join(char for char in folded if char.isascii())


def _as_it_came(line: bytes, value: Any) -> bytes:
    """The very bytes, unless some reader would see more than one line in them."""
    body = line.rstrip(b"\r\n")
    return _line(value) if any(one in body for one in _BREAKS) else body + b"\n"


def _line(value: Any) -> bytes:
    return write_json(value) + b"\n"


def _error(identity: Any, code: int, text: str) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": identity, "error": {"code": code, "message": f"policy engine: {text}"}}

"""A script of turns → a server on 127.0.0.1 that real clients take for their model; what it was told is kept.

A member file speaks one protocol as a stream. Only requests that offer tools advance a script: titles, summaries and
quota probes offer none. A request in whose conversation a sub-agent's task was given is answered from the sub-agent's
script. The server stands in for the clients' proxy too and lets nobody out.
"""

from __future__ import annotations

import gzip
import json
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

TASK = "the task of the sub-agent"
PATIENCE = 20  # answers after a script's end; a client that wants more goes round in circles


@dataclass(frozen=True)
class Call:
    """A turn that calls a tool; a tool of free text is given a text."""

    name: str
    given: dict[str, Any] | str
    namespace: str = ""


Turn = str | Call | Callable[[], "str | Call"]
"""A text, a call, or a function that does something first and gives one of them."""


Events = list[tuple[str, dict[str, Any] | str]]
"""The names and data of a stream's events."""


@dataclass(frozen=True)
class Wire:
    """One protocol: requests to `path` are answered with `stream(turn, number)`, pairs of an event's name and its data,
    which is JSON or a bare word.

    `said` are the texts of a request that nobody called a tool with; `offers` tells whether it offers tools.
    """

    path: str
    stream: Callable[[str | Call, int], Events]
    said: Callable[[dict[str, Any]], Iterator[str]]
    offers: Callable[[dict[str, Any]], bool] = lambda body: bool(body.get("tools"))


class Model:
    """The server, as a context manager; `told` are the requests that advanced a script, as text.

    `endless`: the client came back again and again after the script had ended, and was refused an answer.
    """

    def __init__(self, wire: Wire, script: list[Turn], sub: list[Turn]) -> None:
        self.wire = wire
        self.told: list[str] = []
        self.endless = False
        self._over = 0
        self._scripts = {False: iter(script), True: iter(sub)}
        self._number = 0
        self._lock = threading.Lock()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self._server.daemon_threads = True

    @property
    def url(self) -> str:
        """Where it listens."""
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self) -> Model:
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    def answer(self, body: dict[str, Any]) -> Events | None:
        """The next turn for a request, as a stream; `DONE` after the last, and at some time nothing any more."""
        with self._lock:
            self._number += 1
            if not self.wire.offers(body):
                return self.wire.stream("ok", self._number)
            self.told.append(json.dumps(body, ensure_ascii=False))
            turn = next(self._scripts[any(TASK in text for text in self.wire.said(body))], None)
            self._over += turn is None
            self.endless = self._over > PATIENCE
            if self.endless:
                return None
            turn = "DONE" if turn is None else turn
            return self.wire.stream(turn() if callable(turn) else turn, self._number)


def texts(value: Any) -> Iterator[str]:
    """Every text in a nest of contents; a bare string is one too. What one agent tells another is called encrypted."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for each in value:
            yield from texts(each)
    elif isinstance(value, dict):
        yield from texts([value[key] for key in ("text", "encrypted_content") if key in value])


def _handler(model: Model) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_: object) -> None:
            """Nothing."""

        def do_CONNECT(self) -> None:
            """There is no way out."""
            self._send(b"{}", "application/json", 403)

        def do_GET(self) -> None:
            """There is nothing to get."""
            self._send(b"{}", "application/json", 404)

        def do_HEAD(self) -> None:
            """It is there."""
            self._send(b"", "application/json")

        def do_POST(self) -> None:
            """One request of the client."""
            body = json.loads(self._body() or b"{}")
            if model.wire.path not in self.path.partition("?")[0] or "count" in self.path:
                self._send(b'{"input_tokens": 10, "totalTokens": 10}', "application/json")
                return
            events = model.answer(body)
            if events is None:
                self._send(b'{"error": {"message": "this goes round in circles"}}', "application/json", 400)
                return
            parts = [
                f"event: {event}\n" * bool(event) + f"data: {data if isinstance(data, str) else json.dumps(data)}\n\n"
                for event, data in events
            ]
            self._send("".join(parts).encode(), "text/event-stream")

        def _body(self) -> bytes:
            if "chunked" in (self.headers.get("transfer-encoding") or "").lower():
                data = b"".join(iter(self._chunk, b""))
            else:
                data = self.rfile.read(int(self.headers.get("content-length") or 0))
            return gzip.decompress(data) if self.headers.get("content-encoding") == "gzip" else data

        def _chunk(self) -> bytes:
            size = int(self.rfile.readline().partition(b";")[0], 16)
            data = self.rfile.read(size)
            self.rfile.readline()
            return data

        def _send(self, data: bytes, kind: str, status: int = 200) -> None:
            self.send_response(status)
            self.send_header("content-type", kind)
            self.send_header("content-length", str(len(data)))
            self.send_header("connection", "close")
            self.end_headers()
            self.wfile.write(data)
            self.close_connection = True

    return Handler

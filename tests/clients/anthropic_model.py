"""A script of turns → a server on 127.0.0.1 that speaks Anthropic's messages as a stream, for real clients.

Only requests that offer tools advance a script: titles and quota probes offer none. A request whose conversation
begins with the words of a sub-agent's task is answered from the sub-agent's script.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Turn = dict[str, Any] | str
"""A text, or `{"name": …, "input": …}`."""


class Model:
    """The server, as a context manager; `told` is what the model read that is new in each request."""

    def __init__(self, script: list[Turn], sub: list[Turn], task: str) -> None:
        self.scripts = {False: iter(script), True: iter(sub)}
        self.task = task
        self.told: list[str] = []
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

    def take(self, body: dict[str, Any]) -> Turn:
        """The next turn for a request."""
        messages = body.get("messages") or [{"content": ""}]
        if not body.get("tools"):
            return "ok"
        with self._lock:
            self.told += [json.dumps(message["content"], ensure_ascii=False) for message in messages[-2:]]
            return next(self.scripts[self.task in json.dumps(messages[0])], "DONE")


def events(turn: Turn, number: int) -> Iterator[dict[str, Any]]:
    """A turn as the events of a stream."""
    usage = {"input_tokens": 10, "output_tokens": 5}
    message = {"id": f"msg_{number}", "type": "message", "role": "assistant", "model": "scripted", "usage": usage}
    yield {"type": "message_start", "message": {**message, "content": [], "stop_reason": None, "stop_sequence": None}}
    if isinstance(turn, str):
        block: dict[str, Any] = {"type": "text", "text": ""}
        delta = {"type": "text_delta", "text": turn}
    else:
        block = {"type": "tool_use", "id": f"toolu_{number:08}", "name": turn["name"], "input": {}}
        delta = {"type": "input_json_delta", "partial_json": json.dumps(turn["input"])}
    yield {"type": "content_block_start", "index": 0, "content_block": block}
    yield {"type": "content_block_delta", "index": 0, "delta": delta}
    yield {"type": "content_block_stop", "index": 0}
    reason = "end_turn" if isinstance(turn, str) else "tool_use"
    yield {"type": "message_delta", "delta": {"stop_reason": reason, "stop_sequence": None}, "usage": usage}
    yield {"type": "message_stop"}


def _handler(model: Model) -> type[BaseHTTPRequestHandler]:
    numbers = iter(range(1, 10_000))

    class Handler(BaseHTTPRequestHandler):
        def log_message(self, *_: object) -> None:
            """Nothing."""

        def do_GET(self) -> None:
            """There is nothing to get."""
            self._send(b"{}", "application/json", 404)

        def do_HEAD(self) -> None:
            """It is there."""
            self._send(b"", "application/json")

        def do_POST(self) -> None:
            """One request of the client."""
            body = json.loads(self.rfile.read(int(self.headers.get("content-length") or 0)) or b"{}")
            if "/messages" not in self.path or "count_tokens" in self.path:
                self._send(b'{"input_tokens": 10}', "application/json")
                return
            parts = [
                f"event: {event['type']}\ndata: {json.dumps(event)}\n\n"
                for event in events(model.take(body), next(numbers))
            ]
            self._send("".join(parts).encode(), "text/event-stream")

        def _send(self, data: bytes, kind: str, status: int = 200) -> None:
            self.send_response(status)
            self.send_header("content-type", kind)
            self.send_header("content-length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

    return Handler

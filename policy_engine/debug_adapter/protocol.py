"""Frame messages of the Debug Adapter Protocol: a header with the length, then JSON."""

from __future__ import annotations

import json
from typing import Any, BinaryIO

Message = dict[str, Any]
LONGEST = 16_000_000  # bytes of a message that is taken for one


class Channel:
    """Two streams; what is sent is numbered."""

    def __init__(self, source: BinaryIO, target: BinaryIO) -> None:
        self._source = source
        self._target = target
        self._number = 0

    def read(self) -> Message | None:
        """Return the next message; None at the end, or where it cannot be told where the next one begins."""
        length = -1
        while line := self._source.readline(1000).strip():
            name, _, value = line.partition(b":")
            if name.strip().lower() == b"content-length" and value.strip().isdigit():
                length = int(value)
        if not 0 <= length <= LONGEST:
            return None
        try:
            message = json.loads(self._source.read(length))
        except (ValueError, RecursionError):
            return {}
        return message if type(message) is dict else {}

    def event(self, name: str, **body: Any) -> None:
        """Tell the client something."""
        self._send({"type": "event", "event": name, "body": body})

    def answer(self, request: Message, body: Any = None, problem: str = "") -> None:
        """Answer a request; with a `problem` it failed, which the client shows."""
        answer = {"type": "response", "request_seq": request.get("seq", 0), "command": request.get("command", "")}
        if problem:
            body = {"error": {"id": 1, "format": problem.replace("{", "(").replace("}", ")"), "showUser": True}}
            answer["message"] = problem
        self._send({**answer, "success": not problem, **({} if body is None else {"body": body})})

    def _send(self, message: Message) -> None:
        self._number += 1
        data = json.dumps({"seq": self._number, **message}).encode()
        self._target.write(b"Content-Length: %d\r\n\r\n%s" % (len(data), data))
        self._target.flush()

"""A turn → OpenAI's chat completions, as a stream."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from tests.clients.models.base import Call, Events, Wire, texts


def stream(turn: str | Call, number: int) -> Events:
    """The pieces of an answer; the last is a word that is no JSON."""
    head = {"id": f"chat_{number}", "object": "chat.completion.chunk", "created": 1, "model": "scripted"}
    usage = {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}
    delta: dict[str, Any] = {"role": "assistant", "content": turn if isinstance(turn, str) else ""}
    if isinstance(turn, Call):
        function = {"name": turn.name, "arguments": json.dumps(turn.given)}
        delta["tool_calls"] = [{"index": 0, "id": f"call_{number:08}", "type": "function", "function": function}]
    reason = "stop" if isinstance(turn, str) else "tool_calls"
    pieces: list[dict[str, Any]] = [
        {"choices": [{"index": 0, "delta": delta, "finish_reason": None}]},
        {"choices": [{"index": 0, "delta": {}, "finish_reason": reason}]},
        {"choices": [], "usage": usage},
    ]
    return [*(("", {**head, **piece}) for piece in pieces), ("", "[DONE]")]


def said(body: dict[str, Any]) -> Iterator[str]:
    """What stands in messages that are no results of tools."""
    for message in body.get("messages", []):
        if message.get("role") != "tool":
            yield from texts(message.get("content"))


WIRE = Wire("/chat/completions", stream, said)

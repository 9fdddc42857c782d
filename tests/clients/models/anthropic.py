"""A turn → Anthropic's messages, as a stream."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from tests.clients.models.base import Call, Events, Wire, texts


def stream(turn: str | Call, number: int) -> Events:
    """The events of one answer."""
    usage = {"input_tokens": 10, "output_tokens": 5}
    message = {"id": f"msg_{number}", "type": "message", "role": "assistant", "model": "scripted", "usage": usage}
    if isinstance(turn, str):
        block: dict[str, Any] = {"type": "text", "text": ""}
        delta = {"type": "text_delta", "text": turn}
    else:
        block = {"type": "tool_use", "id": f"toolu_{number:08}", "name": turn.name, "input": {}}
        delta = {"type": "input_json_delta", "partial_json": json.dumps(turn.given)}
    reason = "end_turn" if isinstance(turn, str) else "tool_use"
    events: list[dict[str, Any]] = [
        {"type": "message_start", "message": {**message, "content": [], "stop_reason": None, "stop_sequence": None}},
        {"type": "content_block_start", "index": 0, "content_block": block},
        {"type": "content_block_delta", "index": 0, "delta": delta},
        {"type": "content_block_stop", "index": 0},
        {"type": "message_delta", "delta": {"stop_reason": reason, "stop_sequence": None}, "usage": usage},
        {"type": "message_stop"},
    ]
    return [(event["type"], event) for event in events]


def said(body: dict[str, Any]) -> Iterator[str]:
    """What stands in messages outside of tool calls and their results."""
    for message in body.get("messages", []):
        yield from texts(message.get("content"))


WIRE = Wire("/messages", stream, said)

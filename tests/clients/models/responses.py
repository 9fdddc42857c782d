"""A turn → OpenAI's responses, as a stream."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from tests.clients.models.base import Call, Events, Wire, texts


def stream(turn: str | Call, number: int) -> Events:
    """The events of one answer; the client reads whole items."""
    item = {"id": f"item_{number}", "status": "completed", **_item(turn, f"call_{number:08}")}
    usage = {
        "input_tokens": 10, "input_tokens_details": {"cached_tokens": 0}, "output_tokens": 5,
        "output_tokens_details": {"reasoning_tokens": 0}, "total_tokens": 15,
    }  # fmt: skip
    answer = {"id": f"resp_{number}", "object": "response", "model": "scripted", "created_at": 1}
    events: list[dict[str, Any]] = [
        {"type": "response.created", "response": {**answer, "status": "in_progress", "output": []}},
        {"type": "response.output_item.added", "output_index": 0, "item": {**item, "status": "in_progress"}},
        {"type": "response.output_item.done", "output_index": 0, "item": item},
        {"type": "response.completed", "response": {**answer, "status": "completed", "output": [item], "usage": usage}},
    ]
    return [(event["type"], {**event, "sequence_number": place}) for place, event in enumerate(events)]


def _item(turn: str | Call, identity: str) -> dict[str, Any]:
    if isinstance(turn, str):
        content = [{"type": "output_text", "text": turn, "annotations": []}]
        return {"type": "message", "role": "assistant", "content": content}
    item: dict[str, Any] = {"name": turn.name, "call_id": identity}
    if turn.namespace:
        item["namespace"] = turn.namespace
    if isinstance(turn.given, str):
        return {"type": "custom_tool_call", "input": turn.given, **item}
    return {"type": "function_call", "arguments": json.dumps(turn.given), **item}


def said(body: dict[str, Any]) -> Iterator[str]:
    """What stands in items with content: messages of people and of other agents."""
    for item in body.get("input", []):
        yield from texts(item.get("content"))


def offers(body: dict[str, Any]) -> bool:
    """In code mode the tools come in an item of the input."""
    return bool(body.get("tools")) or any(item.get("type") == "additional_tools" for item in body.get("input", []))


WIRE = Wire("/responses", stream, said, offers)

"""A turn → Gemini's generateContent, as a stream of one piece."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tests.clients.models.base import Call, Events, Wire, texts


def stream(turn: str | Call, number: int) -> Events:
    """The one piece of an answer."""
    part = {"text": turn} if isinstance(turn, str) else {"functionCall": {"name": turn.name, "args": turn.given}}
    candidate = {"content": {"role": "model", "parts": [part]}, "finishReason": "STOP", "index": 0}
    usage = {"promptTokenCount": 10, "candidatesTokenCount": 5, "totalTokenCount": 15}
    answer = {"candidates": [candidate], "usageMetadata": usage, "modelVersion": "scripted", "responseId": f"r{number}"}
    return [("", answer)]


def said(body: dict[str, Any]) -> Iterator[str]:
    """What stands in parts that are text."""
    for message in body.get("contents", []):
        yield from texts(message.get("parts"))


WIRE = Wire(":streamGenerateContent", stream, said)

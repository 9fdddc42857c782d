"""Objects → what a form of recordings reads of them."""

from __future__ import annotations

from typing import Any

from policy_engine.transcripts.base import Recorded, recorded


def read(*objects: Any) -> list[Recorded]:
    """The events of these lines."""
    return list(recorded(enumerate(objects, 1), "a file"))


def events(*objects: Any) -> list[dict[str, Any]]:
    """The events that could be read, as dictionaries."""
    return [each.event for each in read(*objects) if isinstance(each.event, dict)]

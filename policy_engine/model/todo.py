"""One entry of a host's todo list → `Todo`, as rules see it. Imported by the hook path."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class Todo:
    """One todo as rules see it; `required` defaults to true, `owned` to true, `retries` to 0."""

    __slots__ = ("id", "owned", "required", "retries", "status", "title")

    def __init__(self, raw: dict[str, Any]) -> None:
        status = raw.get("status", "pending")
        self.id = raw["id"]
        self.title = raw.get("title", self.id)
        self.status = "canceled" if status == "cancelled" else status
        self.required = raw.get("required", True)
        self.owned = raw.get("owned", True)
        self.retries = raw.get("retries", 0)

    def __str__(self) -> str:
        return str(self.title)

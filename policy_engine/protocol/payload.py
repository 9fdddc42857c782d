"""Read the strings, lists and results of a host's payload; a value of a wrong type is an EventError.

Imported by the hook path.
"""

from __future__ import annotations

from policy_engine.model.errors import EventError
from policy_engine.model.strict_json import write_json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    Environment = Mapping[bytes, bytes] | Mapping[str, str]


def needed(payload: dict[str, Any], key: str, empty: bool = False) -> str:
    """The string `payload[key]`, or EventError: a host that does not say it cannot be judged. `empty` allows ""."""
    value = payload.get(key)
    if type(value) is not str:
        raise EventError("E-TYPE" if key in payload else "E-FIELD", f"`{key}` is missing or not a string")
    if not value and not empty:
        raise EventError("E-FIELD", f"`{key}` is empty")
    return value


def optional(payload: dict[str, Any], key: str) -> str:
    """The string `payload[key]`, empty if it is not there or null; EventError if it is something else."""
    value = payload.get(key)
    if value is None:
        return ""
    if type(value) is not str:
        raise EventError("E-TYPE", f"`{key}` is not a string")
    return value


def variable(environment: Environment, name: str) -> str:
    """A variable of the environment, given as bytes or as text; empty if unset. EventError if it is not UTF-8."""
    raw: Any = environment
    value: bytes | str = raw.get(name.encode()) or raw.get(name) or ""
    try:
        return value.decode("utf-8") if isinstance(value, bytes) else value
    except UnicodeDecodeError:
        raise EventError("E-UTF8", f"the variable {name} is not UTF-8") from None


_STRUCTURED = "structuredContent"
_TEXTS = ("text", "content", "result", "file", _STRUCTURED, "resource")


def result_text(response: Any) -> str:
    """Return what a tool gave back, as text: a string, a list of content blocks, or an object in one of the usual
    forms.

    The same result gives the same text: durations (`…Ms`) are left out.
    """
    if type(response) is str:
        return response
    if type(response) is list:
        return "\n".join(result_text(part) for part in response)
    if type(response) is not dict:
        return "" if response is None else write_json(response).decode()
    if type(response.get("stdout")) is str:
        parts = (response["stdout"], response.get("stderr"))
        return "\n".join(part for part in parts if type(part) is str and part)
    known = [key for key in _TEXTS if type(response.get(key)) in (str, list, dict)]
    if known:
        texts = [_as_json(response[key]) if key == _STRUCTURED else result_text(response[key]) for key in known]
        return "\n".join(text for text in dict.fromkeys(texts) if text)
    return write_json({key: value for key, value in response.items() if not key.endswith("Ms")}).decode()


def _as_json(value: Any) -> str:
    return write_json(value).decode()


def records(items: list[Any]) -> list[tuple[int, dict[str, Any]]]:
    """The objects of a list with their places, from 1; what is no object is an empty one, so that it is refused."""
    return [(place, item if type(item) is dict else {}) for place, item in enumerate(items, 1)]


def todo(item: dict[str, Any], identity: object) -> dict[str, Any]:
    """A host's todo as the canonical one; a key that the host left out is left out."""
    fields: dict[str, Any] = {"id": identity if type(identity) is str else ""}
    for key in ("content", "subject"):
        if key in item:
            fields["title"] = item[key]
    if "status" in item:
        fields["status"] = "canceled" if item["status"] == "deleted" else item["status"]
    return fields


def ended(text: str, code: str) -> dict[str, Any]:
    """The result of a shell command that ended by itself with `code`, digits as the host wrote them."""
    number = int(code)
    return {
        "ok": number == 0,
        "exit_code": number,
        "text": text,
        "timed_out": False,
        "status": "completed" if number == 0 else "failed",
    }


def mark_plan(event: dict[str, Any], approved: bool) -> None:
    """Say how far the plan of the session's own agent is; of the plan of a sub-agent no person has heard."""
    if event["agent"]["kind"] == "main":
        event["plan"] = {"status": "approved" if approved else "draft"}


def plan(items: list[Any], title: str) -> list[dict[str, Any]]:
    """A list of todos that a host sends as a whole; one without identity has its place, `title` is the host's key."""
    steps = []
    for place, item in records(items):
        named = {**item, "content": item[title]} if title in item else item
        steps.append(todo(named, item.get("id", str(place))))
    return steps

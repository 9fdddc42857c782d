"""Compute the budget of the next call from earlier timeouts of its key: `timeout 60s backoff to 160s by (…)`.

Each timeout of a key doubles, any other result of that key resets. Imported by the hook path.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_KEYS = 1024  # the key used longest ago is forgotten
_MOST = 40  # doublings; far above every cap


def call_ended(namespace: dict[str, Any], key: str, timed_out: bool) -> None:
    """Record that a call with this key ended."""
    before = namespace.pop(key, 0)
    if timed_out:
        namespace[key] = min(before + 1, _MOST)
        if len(namespace) > _KEYS:
            del namespace[next(iter(namespace))]


def call_budget(namespace: dict[str, Any], key: str, base: int, cap: int) -> int:
    """Return the budget in ms: `base` doubled once per timeout in a row, never above `cap` (0: no back-off)."""
    return min(base << namespace.get(key, 0), cap) if cap > base else base

"""The failure verdict of each lifecycle point, and whether it can refuse anything.

A point that can refuse fails closed; a point that can only speak fails visibly (language §1, security R1). The
house tests hold this table equal to the hooks family. Imported by the hook path.
"""

from __future__ import annotations

FAILURE_VERDICT = {
    "session_start": "warn",
    "prompt": "deny",
    "before_tool": "deny",
    "before_permission": "deny",
    "after_tool": "warn",
    "before_verification": "warn",
    "after_verification": "warn",
    "before_completion": "deny",
    "before_stop": "warn",
    "subagent_start": "deny",
    "subagent_completion": "deny",
    "before_compact": "deny",
    "after_compact": "warn",
    "after_round": "warn",
    "session_end": "warn",
}
ENGINE = "policy-engine"
"""The rule id under which the engine itself speaks."""
COMPLETIONS = ("before_completion", "subagent_completion")
"""Where an agent proposes to be done."""
RECORDING = frozenset(("after_tool", "prompt", "after_round", "session_start", "after_verification"))
"""Where something happened that a session's history keeps; a session that missed one has lost a part of its past."""


def failure_verdict(point: object) -> str:
    """The verdict for an event that could not be decided."""
    return FAILURE_VERDICT.get(point, "deny") if type(point) is str else "deny"

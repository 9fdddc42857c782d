"""`sleep`: waits."""

from __future__ import annotations

from policy_engine.programs.base import Program, nothing

PROGRAM = Program(
    "sleep",
    touched=nothing,
    raw=True,
    read_only=True,
)

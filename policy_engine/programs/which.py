"""`which`: looks up programs by name."""

from __future__ import annotations

from policy_engine.programs.base import Program, nothing

PROGRAM = Program(
    "which",
    short="as",
    touched=nothing,
    read_only=True,
)

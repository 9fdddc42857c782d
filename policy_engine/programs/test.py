"""`test`: looks at files and compares words."""

from __future__ import annotations

from policy_engine.programs.base import Program, nothing

PROGRAM = Program(
    "test",
    touched=nothing,
    raw=True,
    read_only=True,
    no_option_harms=True,
)

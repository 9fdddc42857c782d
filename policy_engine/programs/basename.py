"""`basename`: takes the last name of a path."""

from __future__ import annotations

from policy_engine.programs.base import Program, nothing

PROGRAM = Program(
    "basename",
    short="az",
    short_values="s",
    touched=nothing,
    read_only=True,
    no_option_harms=True,
)

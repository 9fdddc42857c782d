"""`true`: does nothing; so do `:` and `false`."""

from __future__ import annotations

from policy_engine.programs.base import Program, nothing

PROGRAM = Program(
    "true",
    touched=nothing,
    raw=True,
    read_only=True,
    no_option_harms=True,
)

"""`seq`: counts."""

from __future__ import annotations

from policy_engine.programs.base import Program, nothing

PROGRAM = Program(
    "seq",
    short="w",
    short_values="fs",
    touched=nothing,
    tolerant=True,
    read_only=True,
    no_option_harms=True,
)

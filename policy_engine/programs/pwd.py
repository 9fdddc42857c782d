"""`pwd`: prints the folder it runs in."""

from __future__ import annotations

from policy_engine.programs.base import Program, nothing

PROGRAM = Program(
    "pwd",
    short="LP",
    touched=nothing,
    read_only=True,
)

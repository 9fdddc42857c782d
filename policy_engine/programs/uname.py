"""`uname` and others that tell about the machine, the user or numbers, and touch nothing."""

from __future__ import annotations

from policy_engine.programs.base import Program, nothing

PROGRAM = Program(
    "uname",
    touched=nothing,
    raw=True,
    read_only=True,
    informs=("--help", "--version"),
)

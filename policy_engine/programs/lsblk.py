"""`lsblk`: looks at devices."""

from __future__ import annotations

from policy_engine.programs.base import Program, reading

PROGRAM = Program(
    "lsblk",
    short="abdDefhiIJlmMnOpPrsStTVxyz",
    touched=reading,
    looks=True,
    read_only=True,
    tolerant=True,
)

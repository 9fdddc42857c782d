"""`readlink`: looks where its operands point to."""

from __future__ import annotations

from policy_engine.programs.base import Program, reading

PROGRAM = Program(
    "readlink",
    short="femnqsvz",
    touched=reading,
    looks=True,
    read_only=True,
    tolerant=True,
)

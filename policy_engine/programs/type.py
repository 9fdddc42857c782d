"""`type`: looks up programs by name."""

from __future__ import annotations

from policy_engine.programs.base import Program, nothing

PROGRAM = Program(
    "type",
    short="afptP",
    touched=nothing,
    read_only=True,
    informs=(),
)

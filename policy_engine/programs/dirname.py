"""`dirname`: takes the folders of a path."""

from __future__ import annotations

from policy_engine.programs.base import Program, nothing

PROGRAM = Program(
    "dirname",
    short="z",
    touched=nothing,
    read_only=True,
    no_option_harms=True,
)

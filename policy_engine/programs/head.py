"""`head`: reads the beginning of its operands."""

from __future__ import annotations

from policy_engine.programs.base import FLAG, VALUE, Program, reading

PROGRAM = Program(
    "head",
    short="qvz0123456789",
    short_values="cn",
    long={
        "bytes": VALUE, "lines": VALUE, "quiet": FLAG, "silent": FLAG, "verbose": FLAG, "zero-terminated": FLAG,
        "help": FLAG, "version": FLAG,
    },
    touched=reading,
    read_only=True,
    no_option_harms=True,
    shows_content=True,
    abbreviates=True,
    tolerant=True,
)  # fmt: skip

"""`tail`: reads the end of its operands."""

from __future__ import annotations

from policy_engine.programs.base import FLAG, OPTIONAL, VALUE, Program, reading

PROGRAM = Program(
    "tail",
    short="fFqvz0123456789",
    short_values="cns",
    long={
        "bytes": VALUE, "lines": VALUE, "follow": OPTIONAL, "pid": VALUE, "quiet": FLAG, "silent": FLAG,
        "retry": FLAG, "sleep-interval": VALUE, "verbose": FLAG, "zero-terminated": FLAG, "help": FLAG,
        "version": FLAG,
    },
    touched=reading,
    read_only=True,
    no_option_harms=True,
    shows_content=True,
    abbreviates=True,
    tolerant=True,
)  # fmt: skip

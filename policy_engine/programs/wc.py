"""`wc`: counts what its operands hold."""

from __future__ import annotations

from policy_engine.programs.base import FLAG, VALUE, Program, reading

PROGRAM = Program(
    "wc",
    short="cmlLw",
    long={
        "bytes": FLAG, "chars": FLAG, "lines": FLAG, "max-line-length": FLAG, "words": FLAG, "files0-from": VALUE,
        "total": VALUE, "help": FLAG, "version": FLAG,
    },
    touched=reading,
    read_only=True,
    no_option_harms=True,
    looks=True,
    abbreviates=True,
    tolerant=True,
)  # fmt: skip

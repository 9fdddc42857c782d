"""`stat`: looks at the attributes of its operands."""

from __future__ import annotations

from policy_engine.programs.base import FLAG, VALUE, Program, reading

PROGRAM = Program(
    "stat",
    short="fLtxnq",
    short_values="c",
    long={
        "dereference": FLAG, "file-system": FLAG, "cached": VALUE, "format": VALUE, "printf": VALUE, "terse": FLAG,
        "help": FLAG, "version": FLAG,
    },
    touched=reading,
    read_only=True,
    no_option_harms=True,
    looks=True,
    tolerant=True,
)  # fmt: skip

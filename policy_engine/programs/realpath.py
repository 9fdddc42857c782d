"""`realpath`: resolves its operands."""

from __future__ import annotations

from policy_engine.programs.base import FLAG, VALUE, Program, reading

PROGRAM = Program(
    "realpath",
    short="eEmLPqsz",
    long={
        "relative-to": VALUE, "relative-base": VALUE, "canonicalize-existing": FLAG, "canonicalize-missing": FLAG,
        "strip": FLAG, "no-symlinks": FLAG, "logical": FLAG, "physical": FLAG, "quiet": FLAG, "zero": FLAG,
        "help": FLAG, "version": FLAG,
    },
    touched=reading,
    looks=True,
    read_only=True,
    abbreviates=True,
)  # fmt: skip

"""`sha256sum`: reads its operands to sum them up."""

from __future__ import annotations

from policy_engine.programs.base import FLAG, VALUE, Program, reading

PROGRAM = Program(
    "sha256sum",
    short="bctwz",
    long={
        "binary": FLAG, "check": FLAG, "tag": FLAG, "text": FLAG, "zero": FLAG, "ignore-missing": FLAG,
        "quiet": FLAG, "status": FLAG, "strict": FLAG, "warn": FLAG, "algorithm": VALUE, "length": VALUE,
        "help": FLAG, "version": FLAG,
    },
    touched=reading,
    read_only=True,
    abbreviates=True,
    tolerant=True,
)  # fmt: skip

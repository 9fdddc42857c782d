"""`df`: looks at file systems."""

from __future__ import annotations

from policy_engine.programs.base import FLAG, Program, reading

PROGRAM = Program(
    "df",
    short="aBhHiklPTtx",
    long={
        "all": FLAG, "human-readable": FLAG, "inodes": FLAG, "local": FLAG, "portability": FLAG, "print-type": FLAG,
        "total": FLAG, "help": FLAG, "version": FLAG,
    },
    touched=reading,
    looks=True,
    read_only=True,
    tolerant=True,
)  # fmt: skip

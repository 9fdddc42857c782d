"""`du`: looks at the sizes below its operands."""

from __future__ import annotations

from policy_engine.programs.base import FLAG, OPTIONAL, VALUE, Program, reading

PROGRAM = Program(
    "du",
    short="0abcDhHklLmPsSx",
    short_values="BdtX",
    long={
        "null": FLAG, "all": FLAG, "apparent-size": FLAG, "block-size": VALUE, "bytes": FLAG, "total": FLAG,
        "dereference-args": FLAG, "max-depth": VALUE, "files0-from": VALUE, "human-readable": FLAG, "inodes": FLAG,
        "dereference": FLAG, "no-dereference": FLAG, "separate-dirs": FLAG, "si": FLAG, "summarize": FLAG,
        "threshold": VALUE, "time": OPTIONAL, "time-style": VALUE, "exclude-from": VALUE, "exclude": VALUE,
        "one-file-system": FLAG, "help": FLAG, "version": FLAG,
    },
    touched=reading,
    looks=True,
    read_only=True,
    tolerant=True,
)  # fmt: skip

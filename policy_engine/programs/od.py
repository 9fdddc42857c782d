"""`od`: shows the bytes of its operands."""

from __future__ import annotations

from policy_engine.programs.base import FLAG, OPTIONAL, VALUE, Program, reading

PROGRAM = Program(
    "od",
    short="abcdfiloCsxvqrnpo",
    short_values="AjNSwtn",
    long={
        "address-radix": VALUE, "endian": VALUE, "skip-bytes": VALUE, "read-bytes": VALUE, "strings": OPTIONAL,
        "format": VALUE, "output-duplicates": FLAG, "width": OPTIONAL, "traditional": FLAG, "all": FLAG,
        "print-file-name": FLAG, "bytes": VALUE, "help": FLAG, "version": FLAG,
    },
    touched=reading,
    read_only=True,
    shows_content=True,
    abbreviates=True,
    tolerant=True,
)  # fmt: skip

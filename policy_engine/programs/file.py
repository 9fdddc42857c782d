"""`file`: looks at the beginning of its operands to name their kind."""

from __future__ import annotations

from policy_engine.programs.base import FLAG, VALUE, Program, reading

PROGRAM = Program(
    "file",
    short="bhiklLNnprsSvzZ0dE",
    short_values="efFmP",
    long={
        "brief": FLAG, "mime": FLAG, "mime-type": FLAG, "mime-encoding": FLAG, "dereference": FLAG,
        "no-dereference": FLAG, "keep-going": FLAG, "files-from": VALUE, "separator": VALUE, "magic-file": VALUE,
        "help": FLAG, "version": FLAG,
    },
    read_only=True,
    touched=reading,
    looks=True,
    tolerant=True,
)  # fmt: skip

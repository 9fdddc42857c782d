"""`cat`: reads its operands and shows what they hold; so do the other plain readers."""

from __future__ import annotations

from policy_engine.programs.base import FLAG, Program, reading

PROGRAM = Program(
    "cat",
    short="AbeEnstTuv",
    long={
        "show-all": FLAG, "number-nonblank": FLAG, "show-ends": FLAG, "number": FLAG, "squeeze-blank": FLAG,
        "show-tabs": FLAG, "show-nonprinting": FLAG, "help": FLAG, "version": FLAG,
    },
    touched=reading,
    read_only=True,
    no_option_harms=True,
    shows_content=True,
    abbreviates=True,
    tolerant=True,
)  # fmt: skip

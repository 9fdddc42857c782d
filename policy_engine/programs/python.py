"""`python`: its own options, up to `-m NAME`, `-c CODE` or the script; what the code does is not modelled."""

from __future__ import annotations

from policy_engine.programs.base import FLAG, VALUE, Program

PROGRAM = Program(
    "python",
    short="bBdEhiIOPqsSuvVx?",
    short_values="cmWX",
    long={
        "check-hash-based-pycs": VALUE,
        "help": FLAG,
        "help-env": FLAG,
        "help-xoptions": FLAG,
        "help-all": FLAG,
        "version": FLAG,
    },
    stops=True,
    final="cm",
)

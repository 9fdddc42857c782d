"""`git`: its own options before the subcommand; what a subcommand touches is not modelled."""

from __future__ import annotations

from policy_engine.programs.base import FLAG, OPTIONAL, VALUE, Program

PROGRAM = Program(
    "git",
    short="hpPv",
    short_values="cC",
    long={
        "version": FLAG, "help": FLAG, "exec-path": OPTIONAL, "html-path": FLAG, "man-path": FLAG, "info-path": FLAG,
        "paginate": FLAG, "no-pager": FLAG, "no-replace-objects": FLAG, "no-lazy-fetch": FLAG,
        "no-optional-locks": FLAG, "bare": FLAG, "git-dir": VALUE, "work-tree": VALUE, "namespace": VALUE,
        "config-env": VALUE, "literal-pathspecs": FLAG, "glob-pathspecs": FLAG, "noglob-pathspecs": FLAG,
        "icase-pathspecs": FLAG, "super-prefix": VALUE, "attr-source": VALUE,
    },
    stops=True,
)  # fmt: skip

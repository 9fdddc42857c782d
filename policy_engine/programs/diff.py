"""`diff`: shows in what its operands differ."""

from __future__ import annotations

from policy_engine.programs.base import FLAG, OPTIONAL, VALUE, Program, reading

PROGRAM = Program(
    "diff",
    short="abBcdeEiHlnNpqrstTuvwyZ",
    short_values="CDFILSUWxX",
    long={
        "normal": FLAG, "brief": FLAG, "report-identical-files": FLAG, "context": OPTIONAL, "unified": OPTIONAL,
        "ed": FLAG, "rcs": FLAG, "side-by-side": FLAG, "width": VALUE, "left-column": FLAG,
        "suppress-common-lines": FLAG, "show-c-function": FLAG, "show-function-line": VALUE, "label": VALUE,
        "expand-tabs": FLAG, "initial-tab": FLAG, "tabsize": VALUE, "suppress-blank-empty": FLAG, "paginate": FLAG,
        "recursive": FLAG, "no-dereference": FLAG, "new-file": FLAG, "unidirectional-new-file": FLAG,
        "ignore-file-name-case": FLAG, "no-ignore-file-name-case": FLAG, "exclude": VALUE, "exclude-from": VALUE,
        "starting-file": VALUE, "from-file": VALUE, "to-file": VALUE, "ignore-case": FLAG,
        "ignore-tab-expansion": FLAG, "ignore-trailing-space": FLAG, "ignore-space-change": FLAG,
        "ignore-all-space": FLAG, "ignore-blank-lines": FLAG, "ignore-matching-lines": VALUE, "text": FLAG,
        "strip-trailing-cr": FLAG, "ifdef": VALUE, "minimal": FLAG, "speed-large-files": FLAG, "color": OPTIONAL,
        "palette": VALUE, "bytes": VALUE, "quiet": FLAG, "silent": FLAG, "help": FLAG, "version": FLAG,
    },
    touched=reading,
    read_only=True,
    shows_content=True,
    tolerant=True,
)  # fmt: skip

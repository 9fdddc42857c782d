"""`pytest`: reads the files that it is pointed at and writes the reports that it is asked for.

What the tests themselves do is not seen: no analysis of a command line could.
"""

from __future__ import annotations

from policy_engine.model.paths import PathValue
from policy_engine.programs.base import FLAG, OPTIONAL, VALUE, Arguments, Program, Scene

_REPORTS = ("--junitxml", "--junit-xml", "--log-file")


def _touched(arguments: Arguments, scene: Scene) -> list[PathValue]:
    paths = [scene.path(text.partition("::")[0] or ".", "read", True) for text in arguments.operands or ["."]]
    for name, value in arguments.options:
        if value is not None and name in _REPORTS:
            paths.append(scene.path(value, "write"))
        elif value is not None and name == "--basetemp":
            paths.append(scene.path(value, "delete", True))
        elif value is not None and name in ("-c", "--config-file"):
            paths.append(scene.path(value, "read"))
    return paths


PROGRAM = Program(
    "pytest",
    short="hlqsvVx",
    short_values="ckmnoprW",
    long={
        "verbose": FLAG, "quiet": FLAG, "exitfirst": FLAG, "maxfail": VALUE, "strict-markers": FLAG,
        "strict-config": FLAG, "strict": FLAG, "lf": FLAG, "last-failed": FLAG, "ff": FLAG, "failed-first": FLAG,
        "nf": FLAG, "new-first": FLAG, "cache-show": OPTIONAL, "cache-clear": FLAG, "sw": FLAG, "stepwise": FLAG,
        "sw-skip": FLAG, "stepwise-skip": FLAG, "durations": VALUE, "durations-min": VALUE, "no-header": FLAG,
        "no-summary": FLAG, "showlocals": FLAG, "no-showlocals": FLAG, "tb": VALUE, "show-capture": VALUE,
        "full-trace": FLAG, "color": VALUE, "code-highlight": VALUE, "junitxml": VALUE, "junit-xml": VALUE,
        "junit-prefix": VALUE, "junitprefix": VALUE, "disable-warnings": FLAG, "collect-only": FLAG, "co": FLAG,
        "pyargs": FLAG, "ignore": VALUE, "ignore-glob": VALUE, "deselect": VALUE, "confcutdir": VALUE,
        "noconftest": FLAG, "keep-duplicates": FLAG, "import-mode": VALUE, "doctest-modules": FLAG,
        "doctest-glob": VALUE, "basetemp": VALUE, "version": FLAG, "help": FLAG, "setup-only": FLAG,
        "setup-show": FLAG, "setup-plan": FLAG, "override-ini": VALUE, "config-file": VALUE, "rootdir": VALUE,
        "capture": VALUE, "runxfail": FLAG, "markers": FLAG, "fixtures": FLAG, "funcargs": FLAG,
        "fixtures-per-test": FLAG, "trace": FLAG, "pdb": FLAG, "log-level": VALUE, "log-cli-level": VALUE,
        "log-file": VALUE, "no-cov": FLAG,
    },
    touched=_touched,
    looks=True,  # what it reads it runs, and shows little of it
)  # fmt: skip

"""`Failure`: its class, where it is, one line about it, and the lines of the output that show it.

The classes are closed, and few, since teams write rules over them. Each says what there is to do:

    test_failure       a test ran and did not hold, whether by an assertion, an error or a panic of its own
    no_tests           no test ran
    type_error         a type checker found types that do not fit
    lint               a linter, a formatter, or a warning that is treated as an error
    syntax             a file cannot be parsed
    compile_error      a compiler or linker refused text that it could parse
    import_error       a module, package, header or dependency is not there
    configuration      the tool's own configuration cannot be used
    usage              the tool refused its arguments: the stage itself is wrong
    missing_command    the program, or one that it calls, is not there
    permission_denied  the program is there and may not be run
    timeout            the stage, or the tool's own time limit, ended it
    crash              a signal, a lack of memory, an uncaught exception, an internal error of the tool
    unexpected         the stage's `expect` does not hold
    unknown            something failed and nothing says what
"""

from __future__ import annotations

from dataclasses import dataclass

ERROR_CLASSES = (
    "test_failure", "no_tests", "type_error", "lint", "syntax", "compile_error", "import_error", "configuration",
    "usage", "missing_command", "permission_denied", "timeout", "crash", "unexpected", "unknown",
)  # fmt: skip
"""Every class, in the order of the page."""


@dataclass(frozen=True, slots=True)
class Failure:
    """One failure. `file` is as the tool wrote it, relative to the workspace where it is below it."""

    error_class: str
    file: str | None
    line: int | None
    column: int | None
    summary: str
    excerpt: str

"""A line that is not understood → its text without quoting, or "" if it may start anything.

What a line certainly does not start is worth knowing: `git log | head` says nothing about the tests. A program that the
line starts under a constant name stands in the text; a name that is put together (variables, globs, substitutions in
the place of a program, or anywhere behind a program that starts others) makes the line one that may start anything.
Every doubt goes that way: quotes do not protect separators here. Imported by the hook path.
"""

from __future__ import annotations

from policy_engine.shell.names import RESERVED, RUNS_ANOTHER

_MAKES_NAMES = "$`*?[{\1"
_TESTS = ("[", "[[", "{", "}", "!", "]", "]]")


def glimpse(line: str) -> str:
    """The line with quotes and backslashes taken out, or ""."""
    text = line.replace("\\\n", "").replace("'", "").replace('"', "").replace("\\", "")
    # A substitution leaves a mark where it stands and begins a command of its own behind it.
    cut = text.replace("$(", "\1;").replace("`", "\1;").replace("<(", "\1;").replace(">(", "\1;")
    for separator in "\n|&()<>":
        cut = cut.replace(separator, ";")
    return "" if any(_may_start_anything(piece) for piece in cut.split(";")) else text


def _may_start_anything(piece: str) -> bool:
    for word in piece.split():
        if word in RESERVED or word in _TESTS:
            continue
        name, equals, _ = word.partition("=")
        if equals and name.isidentifier():
            continue
        if any(char in word for char in _MAKES_NAMES):
            return True
        program = word.rpartition("/")[2]
        if program not in RUNS_ANOTHER or (program == "find" and "-exec" not in piece and "-ok" not in piece):
            return False
        return any(char in piece for char in _MAKES_NAMES)
    return False


def may_run(program: str, plain: str) -> bool:
    """Whether a line, as `glimpse` gives it, may start a program of this first token of a pattern."""
    name = program.rpartition("/")[2]
    return not plain or "*" in name or program in ("...", "-*") or name in plain

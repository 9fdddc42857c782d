"""`psql`, `mysql`, `mongosh`: statements for a database; what they write to files, and what they start."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.model.partial import is_known
from policy_engine.programs.base import Arguments, EffectAnalysis
from policy_engine.programs.sql import files_named

_PIPES = ("\\o ", "\\g ", "\\w ", "\\copy ")
_SCRIPT_BYTES = 65_536


def touched(arguments: Arguments, analysis: EffectAnalysis) -> list[PathValue]:
    analysis.does("network")
    paths = [analysis.path(text, "read") for text in arguments.values("-f", "--file") if text != "-"]
    for text in arguments.values("-o", "--output", "-L", "--log-file"):
        if text.lstrip()[:1] == "|":
            analysis.shell(text.lstrip("| "))
        else:
            paths.append(analysis.path(text, "write"))
    for line in arguments.values("--pager"):
        analysis.shell(line)
    paths += [analysis.path(text, "write") for text in arguments.values("--tee")]
    statements = arguments.values("-c", "--command", "-e", "--execute", "--eval", "-Q", "-q", "--query")
    for text in arguments.values("-f", "--file"):
        file = analysis.path(text, "read")
        inside = file.known and analysis.filesystem.relative(file) is not None
        statements += (analysis.filesystem.script(file, _SCRIPT_BYTES) or "").split("\n") if inside else []
    if not statements and analysis.feed is not None and is_known(analysis.feed):
        statements = analysis.feed.split("\n")
    for statement in statements:
        if statement.split()[:1] == ["system"]:
            analysis.shell(statement.partition("system")[2])
        if _empties(statement):
            analysis.does("destroys")
        elif not is_known(statement):
            analysis.doubt("destroys", f"what `{analysis.name[:80]}` is told to do is not known")
        paths += [analysis.path(name, access) for name, access in files_named(statement)]
        if statement.lstrip("\\ ").startswith(("source ", ". ", "i ", "ir ")):
            paths.append(analysis.path(statement.split()[-1].rstrip(";"), "read"))
        before, starts, line = statement.partition("\\!")
        if starts:
            analysis.shell(line.strip())
        if " program " in " ".join(before.lower().split()) and "copy" in before.lower():
            for line in _quoted(before):
                analysis.shell(line)
        if before.lstrip().startswith(_PIPES):
            target = before.split()[-1].strip("'")
            if "|" in before or "program" in before.lower():
                analysis.doubt("*", "the statement starts a program")
            else:
                paths.append(analysis.path(target, "read" if " from " in before.lower() else "write"))
    return paths


def _quoted(statement: str) -> list[str]:
    """The literals of a statement: `'…'`, `$$…$$`, `$name$…$name$`."""
    import re

    return [
        match[1] or match[3] or "" for match in re.finditer(r"'((?:[^']|'')*)'|(\$\w*\$)(.*?)\2", statement, re.DOTALL)
    ]


def _empties(statement: str) -> bool:
    """Return whether a statement drops or empties what it names, or deletes without saying which rows."""
    pieces = statement.lower().split("/*")  # a comment stands for a blank, but for `/*! … */`, which is run
    bare = [piece if piece[:1] == "!" else piece.partition("*/")[2] for piece in pieces[1:]]
    text = " ".join(" ".join([pieces[0], *bare]).split())
    if any(word in text for word in ("drop ", "truncate ", "dropdatabase(", ".drop(", "deletemany({})", "remove({})")):
        return True
    return any(
        part.lstrip().startswith(("delete from", "update ")) and " where " not in part for part in text.split(";")
    )

"""`sqlite3`: reads and writes a database file."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.model.partial import is_known
from policy_engine.programs.base import Arguments, EffectAnalysis, script_lines
from policy_engine.programs.sql import files_named

_WRITES = ("output", "once", "backup", "save", "clone", "log", "excel", "trace", "archive")
_READS = ("import", "read", "restore", "load")
_STARTS = ("shell", "system")
_OPENS = ("readfile(", "writefile(", "load_extension(", "attach ", "vacuum into")
_MOST = 4  # scripts within scripts


def touched(arguments: Arguments, analysis: EffectAnalysis) -> list[PathValue]:
    words = arguments.operands
    texts = [words[place + 1] for place, word in enumerate(words[:-1]) if word == "-cmd"]
    paths_run = [analysis.run(words[place + 1]) for place, word in enumerate(words[:-1]) if word == "-init"]
    files = [word for place, word in enumerate(words) if word[:1] != "-" and words[place - 1 : place] not in
             (["-cmd"], ["-init"], ["-separator"], ["-newline"], ["-nullvalue"])]  # fmt: skip
    access = ("read",) if "-readonly" in words else ("read", "write")
    paths = [analysis.path(text, way) for text in files[:1] if text not in (":memory:", "") for way in access]
    if len(files) < 2 and not texts and analysis.feed is not None and is_known(analysis.feed):
        texts.append(analysis.feed)
    paths += paths_run
    texts += ["\n".join(script_lines(path.text, analysis)) for path in paths_run]
    for text in [*texts, *files[1:]]:
        paths += _played(text.split("\n"), analysis, 0)
    return paths


def _played(lines: list[str], analysis: EffectAnalysis, depth: int) -> list[PathValue]:
    """Commands and statements, a line each."""
    statements = "\n".join(line for line in lines if line.lstrip()[:1] != ".")
    paths = _statement(statements, analysis)
    for line in lines:
        paths += _dot(line.strip(), analysis, depth) if line.lstrip()[:1] == "." else []
    return paths


def _dot(line: str, analysis: EffectAnalysis, depth: int) -> list[PathValue]:
    """One of the commands of the shell of sqlite, which may be abbreviated."""
    name, _, rest = line[1:].partition(" ")
    names = [word.strip("'\"") for word in rest.split() if word[:1] != "-"]
    if name and any(known.startswith(name) for known in _STARTS):
        analysis.shell(rest)
    elif name and any(known.startswith(name) for known in _WRITES) and names:
        if names[-1][:1] == "|":
            analysis.shell(rest.partition("|")[2])
        return [analysis.path(names[-1], "write")]
    elif name and any(known.startswith(name) for known in _READS) and names:
        if name == "read" and names[0] in ("/dev/stdin", "-"):
            analysis.does("executes-input")
        elif name == "read" and names[0][:1] == "|":
            analysis.shell(rest.partition("|")[2].strip("'\""))
            return []
        elif name == "read" and depth < _MOST:
            lines = script_lines(names[0], analysis)
            return [analysis.path(names[0], "read"), *_played(lines, analysis, depth + 1)]
        return [analysis.path(names[0], "read")]
    return []


def _statement(text: str, analysis: EffectAnalysis) -> list[PathValue]:
    """Files that functions and statements of SQL name."""
    small = text.lower()
    if "edit(" in small:
        analysis.doubt("*", "`edit()` starts a command that the statement names")
    named = files_named(text)
    paths = [analysis.path(name, access) for name, access in named]
    if any(opens in small for opens in _OPENS) and ("||" in small or not named):
        paths.append(analysis.unknown(text, "which file is meant is not known", "write"))
    return paths

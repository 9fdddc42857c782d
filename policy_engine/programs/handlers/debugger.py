"""`gdb`, `lldb`: do what commands of their words and of their scripts say (lines for a shell, Python, files)."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.inline.code import analyse
from policy_engine.inline.effect_analysis import EffectAnalysis
from policy_engine.programs.base import Arguments, script_lines

_FILES = ("-x", "-ix", "-command", "-init-command", "-s", "-S", "-source", "-source-before-file")
_OTHERS = ("-p", "-pid", "-n", "-attach-name", "-cd", "-tty", "-c", "-core")
_SHELL = ("shell", "platform shell", "make")
_SOURCES = ("source", "command source")
_CODE = ("python-interactive", "python", "py", "pi", "script")
_WRITES = ("dump", "append", "generate-core-file", "gcore", "save", "set logging file", "process save-core")
_FUNCTIONS = ("system", "popen", "execl", "execlp")
_MOST = 4  # scripts within scripts


def touched(arguments: Arguments, analysis: EffectAnalysis) -> list[PathValue]:
    paths: list[PathValue] = []
    for name, value in arguments.options:
        if value is None:
            continue
        if name in _FILES:
            paths += _source(value, analysis, 0)
        elif name not in _OTHERS:
            paths += _play(value.split("\n"), analysis, 0)
    return paths + [analysis.path(text, "read") for text in arguments.operands[:1] if not text.isdigit()]


def _source(name: str, analysis: EffectAnalysis, depth: int) -> list[PathValue]:
    """A script, in Python where its name says so."""
    path, lines = analysis.run(name), script_lines(name, analysis)
    if name.endswith(".py"):
        return [path, *_python("\n".join(lines), analysis)]
    return [path, *(_play(lines, analysis, depth + 1) if depth < _MOST else [])]


def _play(lines: list[str], analysis: EffectAnalysis, depth: int) -> list[PathValue]:
    paths: list[PathValue] = []
    waiting = list(reversed(lines))
    while waiting:
        line = waiting.pop().strip()
        head, rest = _divided(line)
        if line[:1] == "!" or head in _SHELL:
            analysis.shell(f"make {rest}" if head == "make" else line[1:] if line[:1] == "!" else rest)
        elif line[:1] == "|" or head == "pipe":
            analysis.shell(line.rpartition("|")[2])
        elif head in _SOURCES and rest:
            paths += _source(rest.split()[-1], analysis, depth)
        elif head in _CODE:
            code = [rest] if rest else []
            while not rest and waiting and waiting[-1].strip() != "end":
                code.append(waiting.pop())
            paths += _python("\n".join(code), analysis)
        elif head in _WRITES and rest:
            paths += [analysis.path(text, "write") for text in rest.split()[-1:] if head != "dump" or "." in rest]
        else:
            for name in _FUNCTIONS:
                called, _, after = line.partition(f'{name}("')
                if after and not called[-1:].isalnum():
                    analysis.shell(after.partition('")')[0].replace('\\"', '"'))
    return paths


def _divided(line: str) -> tuple[str, str]:
    """The command that a line begins with, of one or several words, and what follows."""
    for known in (*_SHELL, *_SOURCES, *_CODE, *_WRITES):
        if line == known or line.startswith(f"{known} "):
            return known, line[len(known) :].strip()
    head, _, rest = line.partition(" ")
    return head, rest.strip()


def _python(code: str, analysis: EffectAnalysis) -> list[PathValue]:
    """Code in the language that the debugger runs by itself."""
    inner = EffectAnalysis(analysis.cwd, analysis.filesystem, "python")
    analyse(code, inner)
    analysis.lines += inner.lines
    analysis.views.update(inner.views)
    paths, inner.paths = inner.paths, []
    analysis.absorb(inner)
    return paths

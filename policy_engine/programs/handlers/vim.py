"""`vim`: opens its operands, to read and to write."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.model.undecided import Undecided
from policy_engine.programs.base import Arguments, EffectAnalysis


def touched(arguments: Arguments, analysis: EffectAnalysis) -> list[PathValue]:
    if arguments.has("-c", "-S", "-u", "--cmd", "--eval", "--execute", "--script", "--load"):
        analysis.does("executes")
    if analysis.name == "emacs" and arguments.has("--eval", "--execute", "--load", "--script"):
        raise Undecided("what Lisp does is not read")
    lines = [line for text in arguments.values("-S") for line in _lines_of(text, analysis)]
    lines += [*arguments.values("-c", "--cmd"), *(text[1:] for text in arguments.operands if text[:1] == "+")]
    paths = [path for line in lines for path in editor_line(line, analysis)]
    files = [text for text in arguments.operands if text[:1] not in "-+"]
    changes = not lines or any(_changes(line) for line in lines)
    paths += [analysis.path(text, way) for text in files for way in (("read", "write") if changes else ("read",))]
    return paths + [analysis.path(text, "write") for text in arguments.values("-w", "-W")]


def _lines_of(name: str, analysis: EffectAnalysis) -> list[str]:
    """The commands of a script that are plain: what is certain of a file."""
    path = analysis.path(name, "read")
    text = (
        analysis.filesystem.script(path, _SCRIPT_BYTES)
        if path.known and analysis.filesystem.relative(path) is not None
        else None
    )
    return [line for line in (text or "").split("\n") if line.lstrip(": ")[:1] == "!" or line.startswith("w")]


def editor_line(line: str, analysis: EffectAnalysis) -> list[PathValue]:
    """Tell what a command of the editor starts, and return the files that it names."""
    command = line.strip().lstrip(":%0123456789,$. ")
    name, _, rest = command.partition(" ")
    if command[:1] == "!":
        analysis.shell(command[1:])
    elif rest.lstrip()[:1] == "!" and name.rstrip("!") in (*_WRITES, *_READS):
        analysis.shell(rest.lstrip()[1:])
    elif name in ("silent", "silent!", "sil", "exe", "execute", "noautocmd", "keepalt", "bufdo", "argdo", "windo"):
        return editor_line(rest.strip("'\""), analysis)
    elif name.startswith(("system(", "call")) or "system(" in command or "writefile(" in command:
        analysis.doubt("*", "what the function of the editor does is not read")
    elif name.rstrip("!") in (*_WRITES, *_READS) and rest.strip():
        target = rest.strip().lstrip("> ").lstrip("+")
        target = f"{analysis.filesystem.home}{target[1:]}" if target[:2] == "~/" else target
        return [analysis.path(target, "read" if name.rstrip("!") in _READS else "write")]
    return []


def _changes(line: str) -> bool:
    """Return whether the file that is open may be written by a command."""
    command = line.strip().lstrip(":%0123456789,$. ")
    return not command.startswith(("w ", "w! ", "sav", "r ", "q", "set ", "p", "!"))


_SCRIPT_BYTES = 65_536
_WRITES = ("w", "wr", "write", "sav", "saveas", "up", "update", "wq", "x", "W", "f")
_READS = ("r", "read", "so", "source", "e", "edit", "E")

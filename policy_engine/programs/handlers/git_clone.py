"""`git clone` and `git init`: make a repository, whose settings and hooks may be chosen by their options."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.programs.base import Arguments, EffectAnalysis
from policy_engine.programs.git_programs import starts_program

_VALUES = ("-c", "--config", "--template", "-b", "--branch", "-o", "--origin", "-u", "--upload-pack", "--depth",
           "--reference", "--separate-git-dir", "-j", "--jobs", "--filter", "--initial-branch", "--object-format",
           "--shallow-since", "--bundle-uri", "--revision", "--server-option")  # fmt: skip


def touched(arguments: Arguments, analysis: EffectAnalysis) -> list[PathValue]:
    operands: list[str] = []
    waiting = list(reversed(arguments.operands))
    while waiting:
        word = waiting.pop()
        name, equals, value = word.partition("=") if word[:2] == "--" else (word, "", "")
        if name in _VALUES and not equals:
            value = waiting.pop() if waiting else ""
        if name in ("-c", "--config") and value.lower().startswith("core.hookspath"):
            analysis.does("skips-hooks")
        elif name in ("-c", "--config"):
            analysis.doubt("executes", f"what `{value[:80]}` configures is not known")
            key, _, line = value.partition("=")
            if starts_program(key.lower()) and line not in ("", "true", "false"):
                analysis.shell(line.removeprefix("!"))
        elif name == "--template":
            analysis.doubt("skips-hooks", "a template brings hooks of its own, or none")
        elif name in ("-u", "--upload-pack") or word.startswith("ext::"):
            analysis.does("executes")
        elif word[:1] != "-":
            operands.append(word)
    if analysis.name == "git-init":
        hooks = [analysis.path(f"{text}/.git/hooks", "write") for text in operands[:1] or ["."]]
        templates = any(word.startswith("--template") for word in arguments.operands)
        return [*(analysis.path(text, "write") for text in operands[:1] or ["."]), *(hooks if templates else [])]
    analysis.does("network")
    if len(operands) > 1:
        return [analysis.path(operands[1], "write", True)]
    name = operands[0].rstrip("/").removesuffix(".git").rpartition("/")[2].rpartition(":")[2] if operands else ""
    return [analysis.path(name, "write", True)] if name else []

"""`git clone` and `git init`: make a repository, whose settings and hooks may be chosen by their options."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.programs.base import Arguments, Scene

_VALUES = ("-c", "--config", "--template", "-b", "--branch", "-o", "--origin", "-u", "--upload-pack", "--depth",
           "--reference", "--separate-git-dir", "-j", "--jobs", "--filter", "--initial-branch", "--object-format",
           "--shallow-since", "--bundle-uri", "--revision", "--server-option")  # fmt: skip


def touched(arguments: Arguments, scene: Scene) -> list[PathValue]:
    operands: list[str] = []
    waiting = list(reversed(arguments.operands))
    while waiting:
        word = waiting.pop()
        name, equals, value = word.partition("=") if word[:2] == "--" else (word, "", "")
        if name in _VALUES and not equals:
            value = waiting.pop() if waiting else ""
        if name in ("-c", "--config") and value.lower().startswith("core.hookspath"):
            scene.does("skips-hooks")
        elif name in ("-c", "--config"):
            scene.doubt("executes", f"what `{value[:80]}` configures is not known")
        elif name == "--template":
            scene.doubt("skips-hooks", "a template brings hooks of its own, or none")
        elif name in ("-u", "--upload-pack") or word.startswith("ext::"):
            scene.does("executes")
        elif word[:1] != "-":
            operands.append(word)
    if scene.name == "git-init":
        hooks = [scene.path(f"{text}/.git/hooks", "write") for text in operands[:1] or ["."]]
        templates = any(word.startswith("--template") for word in arguments.operands)
        return [*(scene.path(text, "write") for text in operands[:1] or ["."]), *(hooks if templates else [])]
    scene.does("network")
    if len(operands) > 1:
        return [scene.path(operands[1], "write", True)]
    name = operands[0].rstrip("/").removesuffix(".git").rpartition("/")[2].rpartition(":")[2] if operands else ""
    return [scene.path(name, "write", True)] if name else []

"""`zip`: packs files into an archive."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.programs.base import Arguments, Scene


def touched(arguments: Arguments, scene: Scene) -> list[PathValue]:
    words = _packed(arguments.operands)
    scene.complete = len(words) < len(arguments.operands)
    deep = any(word[:1] == "-" and word[:2] != "--" and "r" in word for word in words)
    if any(word in ("-TT", "--unzip-command") or word.startswith("-TT") for word in words):
        scene.does("executes")
    names = [word for word in words if word[:1] != "-" or word == "-"]
    paths = [scene.path(text, "write") for text in names[:1] if text != "-"]
    moved = any(word in ("-m", "--move") or (word[:1] == "-" and word[:2] != "--" and "m" in word) for word in words)
    if "-@" in words or "--names-stdin" in words:
        fed = scene.fed_names()
        names = [*names[:1], *names[1:], *(fed or [])]
        if fed is None:
            paths.append(scene.unknown("zip", "which files its input names is not known", "read", True))
    for text in names[1:]:
        paths.append(scene.path(text, "read", deep))
        if moved:
            paths.append(scene.path(text, "delete", deep))
    return paths


def _packed(words: list[str]) -> list[str]:
    """The words without the patterns that follow `-x` and `-i`: up to `@` or another option."""
    kept: list[str] = []
    picking = False
    for word in words:
        if word[:1] == "-":
            picking = word in ("-x", "--exclude", "-i", "--include")
        elif word == "@":
            picking = False
            continue
        if not picking or word[:1] == "-":
            kept.append(word)
    return kept

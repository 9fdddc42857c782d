"""`grep`: searches files for a pattern."""

from __future__ import annotations

from policy_engine.model.paths import PathValue
from policy_engine.programs.base import Arguments, Scene


def touched(arguments: Arguments, scene: Scene) -> list[PathValue]:
    given = arguments.has("-e", "-f", "--regexp", "--file")
    files = list(arguments.operands) if given else arguments.operands[1:]
    deep = arguments.has("-r", "-R", "--recursive", "--dereference-recursive") or scene.name == "rgrep"
    deep = deep or "recurse" in arguments.values("-d", "--directories")
    names = arguments.has("-l", "-L", "--files-with-matches", "--files-without-match", "-c", "--count", "-q", "--quiet")
    if deep and not files:
        files = ["."]
    paths = [scene.path(text, "read") for text in arguments.values("-f", "--file") if text != "-"]
    for text in files:
        if text != "-":
            path = scene.path(text, "read")
            paths.append(path.with_access("read", deep and not names and scene.is_folder(path)))
    return paths

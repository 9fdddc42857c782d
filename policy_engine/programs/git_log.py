"""`git log`: shows history and differences; `--output` writes a file, `--no-index` reads any."""

from __future__ import annotations

from policy_engine.model.paths import PathValue
from policy_engine.programs.base import Arguments, Program, Scene


def _touched(arguments: Arguments, scene: Scene) -> list[PathValue]:
    paths: list[PathValue] = []
    words = arguments.operands
    options = words[: words.index("--")] if "--" in words else words
    for place, word in enumerate(options):
        if word.startswith("--outpu"):
            value = word.partition("=")[2] if "=" in word else "".join(words[place + 1 : place + 2])
            paths.append(scene.path(value, "write"))
        elif word in ("--ext-diff", "--textconv"):
            scene.does("executes")
    if "--no-index" in options:
        for word in words:
            if word[:1] != "-":
                path = scene.path(word, "read")
                paths.append(path.with_access("read", scene.is_folder(path)))
    return paths


PROGRAM = Program(
    "git-log",
    touched=_touched,
    raw=True,
    informs=(),
)

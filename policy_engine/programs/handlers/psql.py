"""`psql`: statements for a database; what they write to files of this machine, and what they start."""

from __future__ import annotations

from policy_engine.model.paths import PathValue
from policy_engine.programs.base import Arguments, Scene

_PIPES = ("\\o ", "\\g ", "\\w ", "\\copy ")


def touched(arguments: Arguments, scene: Scene) -> list[PathValue]:
    scene.does("network")
    paths = [scene.path(text, "read") for text in arguments.values("-f", "--file") if text != "-"]
    for text in arguments.values("-o", "--output", "-L", "--log-file"):
        if text.lstrip()[:1] == "|":
            scene.shell(text.lstrip("| "))
        else:
            paths.append(scene.path(text, "write"))
    for statement in arguments.values("-c", "--command"):
        before, starts, line = statement.partition("\\!")
        if starts:
            scene.shell(line.strip())
        if before.lstrip().startswith(_PIPES):
            target = before.split()[-1].strip("'")
            if "|" in before or "program" in before.lower():
                scene.doubt("*", "the statement starts a program")
            else:
                paths.append(scene.path(target, "read" if " from " in before.lower() else "write"))
    return paths

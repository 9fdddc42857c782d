"""`git bisect`: searches the commit that broke something; `run` starts a program for it."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.model.quoting import quote_words
from policy_engine.programs.base import Arguments, Scene


def touched(arguments: Arguments, scene: Scene) -> list[PathValue]:
    if arguments.operands[:1] == ["run"] or scene.name != "git-bisect":
        scene.does("executes")
    if arguments.operands[:1] == ["run"]:
        scene.shell(quote_words(arguments.operands[1:]))
    return []

"""`kubectl`: talks to a cluster."""

from __future__ import annotations

from policy_engine.model.paths import PathValue
from policy_engine.programs.base import Arguments, Program, Scene


def _touched(arguments: Arguments, scene: Scene) -> list[PathValue]:
    words = arguments.operands
    scene.does("network")
    if words[:1] == ["exec"] or words[:1] == ["run"]:
        scene.does("executes")
    if words[:2] in (["get", "secret"], ["get", "secrets"]) or (words[:2] == ["config", "view"] and "--raw" in words):
        scene.does("discloses")
    return [scene.path(words[place + 1], "read") for place, word in enumerate(words[:-1])
            if word in ("-f", "--filename") and words[place + 1] != "-"]  # fmt: skip


PROGRAM = Program(
    "kubectl",
    touched=_touched,
    raw=True,
)

"""`policy`: the engine itself: everything but looking and testing changes who guards."""

from __future__ import annotations

from policy_engine.model.paths import PathValue
from policy_engine.programs.base import Arguments, Program, Scene

_LOOKS = (
    "check",
    "test",
    "eval",
    "explain",
    "explain-code",
    "status",
    "log",
    "dump",
    "bench",
    "replay",
    "fmt",
    "doctor",
    "new",
    "init",
)


def _touched(arguments: Arguments, scene: Scene) -> list[PathValue]:
    words = arguments.operands
    if "--help" in words or "-h" in words or words[:1] in (["--version"], []):
        return []
    if words[0] == "trust" and ("--show" in words or "--list" in words):
        return []
    if words[0] not in _LOOKS:
        scene.does("controls-engine")
    elif words[0] in ("fmt", "new", "init") and "--check" not in words:
        return [
            scene.path(text, "write") for text in (words[1:] if words[0] == "fmt" else [".policy"]) if text[:1] != "-"
        ]
    return []


PROGRAM = Program(
    "policy",
    touched=_touched,
    raw=True,
    informs=(),
)

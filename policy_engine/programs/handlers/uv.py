"""`uv`: manages Python projects and packages."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.programs.base import Arguments, Scene, find_program


def touched(arguments: Arguments, scene: Scene) -> list[PathValue]:
    words = arguments.operands
    verb = next((word for word in words if word[:1] != "-"), "")
    if words[:2] == ["python", "uninstall"]:
        scene.doubt("controls-engine", "the version of Python that runs the engine may be removed")
    if verb == "venv":
        places = [word for word in words if word[:1] != "-" and word != "venv"]
        return [scene.path(text, "write", True) for text in places[:1] or [".venv"]]
    if words[:2] == ["run", "-"]:
        scene.does("executes", "executes-input")
    if verb == "publish" and "--dry-run" not in words:
        scene.does("publishes", "network")
    elif verb in ("pip", "tool", "add", "sync", "remove") and verb != words[-1]:
        program = find_program("pip")
        if program is not None:
            return program.touched(program.arguments(tuple(words)), scene)
    elif verb in ("run", "x"):
        scene.does("executes")
        script = next((word for word in words[words.index(verb) + 1 :] if word[:1] != "-"), "")
        return [scene.run(script)] if script.endswith(".py") else []
    return []

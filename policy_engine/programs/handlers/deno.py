"""`deno`: runs scripts, also straight from the network."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.inline.code import analyse
from policy_engine.programs.base import Arguments, Scene


def touched(arguments: Arguments, scene: Scene) -> list[PathValue]:
    scene.does("executes")
    if scene.env.get("DENO_DIR"):
        scene.does("configures")
    words = [word for word in arguments.operands if word[:1] != "-" or word == "-"]
    verb = words[0] if words else ""
    if any("://" in word or word.startswith(("npm:", "jsr:")) for word in words[:2]):
        scene.does("network", "executes-remote")
    if verb == "publish" and "--dry-run" not in arguments.operands:
        scene.does("publishes")
    elif verb in ("eval", "repl") or "--eval" in arguments.operands:
        for text in arguments.operands:
            if text not in ("eval", "repl") and text[:1] != "-":
                analyse(text, scene)
    elif not words or words[1:2] in (["-"], ["/dev/stdin"]) or verb == "-":
        scene.does("executes-input")
    elif verb == "run" and len(words) > 1 and "://" not in words[1] and ":" not in words[1]:
        return [scene.run(words[1])]
    return []

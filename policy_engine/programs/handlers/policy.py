"""`policy`, the engine's own command: looking is fine, whatever changes trust, installation or state is not."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.programs.base import Arguments, Scene

_LOOKS = frozenset(
    "check test eval explain explain-code status log dump bench replay fmt doctor new init migrate "
    "scan diff why".split()
)
_WRITES = ("--html", "--state", "--to", "--folder", "--output", "-o", "--write")
_READS = ("-p", "--policy", "--events", "--event", "--from")


def touched(arguments: Arguments, scene: Scene) -> list[PathValue]:
    words = arguments.operands
    if "--help" in words or "-h" in words or words[:1] in (["--version"], []):
        return []
    if words[0] in ("trust", "adopt") and ("--show" in words or "--list" in words):
        return []
    if words[0] not in _LOOKS:
        scene.does("controls-engine")
        return []
    if "--run-hooks" in words:
        scene.does("executes")
        scene.doubt("*", "which commands the policy names is not known")
    paths: list[PathValue] = []
    for place, word in enumerate(words[1:], 1):
        option, equals, value = word.partition("=")
        value = value if equals else "".join(words[place + 1 : place + 2])
        if option in _WRITES and value[:1] != "-" and value:
            paths.append(scene.path(value, "write"))
        elif option in _READS and value:
            paths.append(scene.path(value, "read"))
    if words[0] == "fmt" and "--check" not in words and "--diff" not in words:
        paths += [scene.path(text, "write") for text in words[1:] if text[:1] != "-"]
    elif words[0] in ("new", "init"):
        paths.append(scene.path(".policy", "write"))
    return paths

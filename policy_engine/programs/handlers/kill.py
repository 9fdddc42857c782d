"""`kill`, `pkill`, `killall`: end processes; a pattern that fits the engine's own ends the guard."""

from __future__ import annotations

from policy_engine.model.partial import is_known
from policy_engine.model.paths import PathValue
from policy_engine.programs.base import Arguments, Scene

_NAMES = (
    "policy",
    "policy-engine",
    "hook.py",
    "serve.py",
    "python",
    "python3",
    "python3.11",
    "python3.12",
    "python3.13",
)
_AGENTS = ("claude", "codex", "gemini", "opencode", "copilot", "cursor-agent", "qwen", "droid", "kiro-cli")
_LINES = (
    "/usr/bin/python3 -I -S /usr/lib/python3/site-packages/policy_engine/hook.py claude-code",
    "/usr/bin/python3 -I -S /usr/lib/python3/site-packages/policy_engine/serve.py",
    "policy serve",
)
_SIGNALS = frozenset("hup int quit kill usr1 usr2 alrm term stop cont".split())


def touched(arguments: Arguments, scene: Scene) -> list[PathValue]:
    operands = [word for word in arguments.operands if not _is_signal(word)]
    if arguments.has("-l", "-L", "--list", "-0", "--table") and scene.name not in ("pkill", "killall"):
        return []
    scene.does("kills")
    if scene.name == "kill":
        targets = [*arguments.rest, *operands, *(name for name, _ in arguments.options)]
        if "-1" in targets[-1:] or "-1" in arguments.rest:
            scene.does("controls-engine")  # every process of the user
        return []
    if not operands and not arguments.has("-P", "-F", "-t", "-g", "--parent"):
        scene.doubt("controls-engine", "whole groups of processes are ended")
    full = arguments.has("-f", "--full")
    for pattern in operands:
        if is_known(pattern) and _fits(pattern, scene.name, full or arguments.has("-r", "--regexp")):
            if "hook" in pattern or "policy" in pattern or "serve" in pattern:
                scene.does("controls-engine")
            else:
                scene.doubt("controls-engine", f"`{pattern[:80]}` fits the process that guards this session")
    return []


def _is_signal(word: str) -> bool:
    return word[:1] == "-" and word[1:].lower().removeprefix("sig") in _SIGNALS


def _fits(pattern: str, program: str, loose: bool) -> bool:
    """Whether a process of the engine is called so: `pkill` reads an expression, `killall` a name."""
    import re

    if program == "killall" and not loose:
        return pattern in (*_NAMES, *_AGENTS)
    lines = _LINES if loose and program != "killall" else ()
    try:
        return any(re.search(pattern, text) for text in (*_NAMES, *_AGENTS, *lines))
    except re.error:
        return True

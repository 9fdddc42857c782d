"""`git submodule`: changes submodules; `foreach` runs a shell line in each."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.programs.base import Arguments, EffectAnalysis


def touched(arguments: Arguments, analysis: EffectAnalysis) -> list[PathValue]:
    words = [word for word in arguments.operands if word not in ("-q", "--quiet", "--recursive")]
    verb = words[0] if words else ""
    if verb == "foreach" and len(words) > 1:
        analysis.shell(" ".join(words[1:]))
    elif verb in ("add", "update"):
        analysis.does("network")
        if verb == "update" and any(word in ("-f", "--force") for word in words):
            analysis.does("discards")
        places = [word for word in words[1:] if word[:1] != "-"]
        if verb == "add":
            return [
                analysis.path(".gitmodules", "write"),
                *(analysis.path(text, "write", True) for text in places[1:2]),
            ]
    elif verb == "deinit" and any(word in ("-f", "--force") for word in words):
        analysis.does("discards")
    return [analysis.path(".gitmodules", "write")] if verb in ("set-url", "set-branch") else []

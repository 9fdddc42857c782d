"""`policy`, the engine's own command: looking is fine, whatever changes trust, installation or state is not."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.programs.base import Arguments, EffectAnalysis

_LOOKS = frozenset(
    "check test eval explain explain-code status log dump load bench replay fmt doctor new init migrate "
    "scan suggest diff why packs prove report man completion lsp prompt draft".split()
)
_WRITES = ("--html", "--state", "--to", "--folder", "--output", "-o", "--out")
_READS = ("-p", "--policy", "--events", "--event", "--from")


def touched(arguments: Arguments, analysis: EffectAnalysis) -> list[PathValue]:
    words = arguments.operands
    if "--help" in words or "-h" in words or words[:1] in (["--version"], []):
        return []
    if words[0] in ("trust", "adopt", "approve") and ("--show" in words or "--list" in words):
        return []
    if words[0] not in _LOOKS and not (words[0] == "install" and "--dry-run" in words):
        analysis.does("controls-engine")
        return []
    if "--run-hooks" in words:
        analysis.does("executes")
        analysis.doubt("*", "which commands the policy names is not known")
    paths: list[PathValue] = []
    for place, word in enumerate(words[1:], 1):
        option, equals, value = word.partition("=")
        value = value if equals else "".join(words[place + 1 : place + 2])
        if option in _WRITES and value[:1] != "-" and value:
            paths.append(analysis.path(value, "write"))
        elif option in _READS and value:
            paths.append(analysis.path(value, "read"))
    if words[0] == "fmt" and "--check" not in words and "--diff" not in words:
        named = [text for text in words[1:] if text[:1] != "-" or text == "-"] or [".policy"]
        paths += [analysis.path(text, "write", text == ".policy") for text in named if text != "-"]
    elif words[0] in ("new", "init"):
        paths.append(analysis.path(".policy", "write"))
    elif (words[0] == "check" and "--fix" in words) or (words[0] in ("migrate", "test") and "--write" in words):
        files = [text for text in words[1:] if text[:1] != "-" and text.endswith(".policy")]
        paths += [analysis.path(text, "write", True) for text in files or [".policy"]]
    return paths

"""`7z`, `unrar`, `lha` and others: pack and unpack archives, as their first word says."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.programs.base import Arguments, EffectAnalysis

_REMOVES = {"-sdel", "-df", "-dr", "-dw"}
"""Options with which it deletes what it has packed."""


def touched(arguments: Arguments, analysis: EffectAnalysis) -> list[PathValue]:
    words = [word for word in arguments.operands if word[:1] != "-"]
    folder = next((word[2:] for word in arguments.operands if word[:2] == "-o"), "")
    verb, names = (words or [""])[0], words[1:]
    if verb in ("a", "u", "d", "rn", "m"):
        lists = [text[1:] for text in names[1:] if text[:1] == "@"]
        packed = [analysis.path(text, "read", True) for text in names[1:] if text[:1] != "@"]
        packed += [
            analysis.unknown(text, f"which files `{text[:80]}` names is not known", "read", True) for text in lists
        ]
        if verb == "m" or not _REMOVES.isdisjoint(arguments.operands):
            packed += [path.with_access("delete", path.recursive) for path in packed]
        return [*(analysis.path(text, "write") for text in names[:1]), *packed]
    paths = [analysis.path(text, "read") for text in names[:1]]
    if verb == "p" or "-so" in arguments.operands:
        analysis.does("decodes")
        analysis.contents += [analysis.path(text, "read") for text in names[1:]]  # members, by the names that they had
    if verb in ("x", "e") and "-so" not in arguments.operands:
        folder = folder or next((text for text in names[1:] if text[-1:] == "/"), "")
        return paths + analysis.unpacks("archive", folder)
    return paths

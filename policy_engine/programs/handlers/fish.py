"""`fish` and other shells whose language is not read: they run a line, a script or their input."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.programs.base import Arguments, EffectAnalysis


def touched(arguments: Arguments, analysis: EffectAnalysis) -> list[PathValue]:
    words = arguments.operands
    analysis.does("executes")
    if any(word in ("-c", "--command", "-C", "--init-command") for word in words):
        analysis.doubt("*", f"what `{analysis.name}` runs is written in a language that is not read")
        return [
            analysis.may_touch(analysis.name, "what the line touches is not known", way, True)
            for way in ("read", "write", "delete")
        ]
    scripts = [word for word in words if word[:1] != "-"]
    if not scripts:
        analysis.does("executes-input")
    return [analysis.run(text) for text in scripts[:1]]

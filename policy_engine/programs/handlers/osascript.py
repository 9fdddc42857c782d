"""`osascript`: runs AppleScript, which may ask for more rights and start a shell."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.programs.base import Arguments, EffectAnalysis


def touched(arguments: Arguments, analysis: EffectAnalysis) -> list[PathValue]:
    analysis.does("executes")
    for text in arguments.operands:
        if "administrator privileges" in text:
            analysis.does("elevates")
        if "keystroke" in text or "key code" in text or "do script" in text:
            analysis.doubt("controls-engine", "what it types may answer a question that a person is asked")
        if 'do script "' in text:
            analysis.shell(text.partition('do script "')[2].partition('"')[0])
        if 'do shell script "' in text:
            analysis.shell(text.partition('do shell script "')[2].partition('"')[0])
    if not any(word == "-e" for word in arguments.operands) and not arguments.operands:
        analysis.does("executes-input")
    return []

"""`sh`: runs a script, a line after `-c`, or what it reads; all shells share it."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.model.partial import is_known, spelled
from policy_engine.programs.base import Arguments, EffectAnalysis


def touched(arguments: Arguments, analysis: EffectAnalysis) -> list[PathValue]:
    if any(analysis.env.get(name) for name in ("BASH_ENV", "ENV", "PROMPT_COMMAND")):
        analysis.does("executes")
    shown: list[PathValue] = []  # what it runs at its start: what that sets, the line may print
    if history := analysis.env.get("HISTFILE"):
        analysis.paths.append(analysis.path(history, "write"))
        shown.append(analysis.path(history, "read"))
    asked = analysis.env.get("ENV") if arguments.has("-i", "--interactive") else None
    for text in (analysis.env.get("BASH_ENV"), asked, *arguments.values("--rcfile", "--init-file")):
        if text:
            analysis.run(text)
            shown.append(analysis.path(text, "read"))
            if not is_known(text):
                analysis.doubt("*", "what the shell runs at its start is not known")
    if arguments.has("-n") and not arguments.has("-c"):
        return [analysis.path(text, "read") for text in arguments.operands[:1]]  # it only checks the syntax
    if arguments.has("--rcfile", "--init-file", "-i", "--interactive", "-l", "--login"):
        analysis.does("executes")
    if arguments.has("-c"):
        analysis.does("executes")
        if arguments.operands and not is_known(spelled(arguments.operands[0])):
            analysis.does("executes-input")
            analysis.doubt("*", "the line that the shell runs is not known")
        return shown
    if arguments.unsure:
        lines = [word for word in arguments.operands if is_known(word) and " " in word]
        if lines:
            analysis.doubt("*", f"whether the shell runs `{lines[0][:80]}` is not known")
    return shown + analysis.script([] if arguments.has("-s") else arguments.operands)

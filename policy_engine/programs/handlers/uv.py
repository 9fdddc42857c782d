"""`uv`: manages Python projects and packages."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.programs.base import Arguments, EffectAnalysis, find_program
from policy_engine.programs.invocation import verb_place


def touched(arguments: Arguments, analysis: EffectAnalysis) -> list[PathValue]:
    words = arguments.operands
    place = verb_place(("uv", *words)) or 1
    words = words[place - 1 :]
    verb = next((word for word in words if word[:1] != "-"), "")
    if words[:2] == ["python", "uninstall"]:
        analysis.doubt("controls-engine", "the version of Python that runs the engine may be removed")
    if verb == "venv":
        places = [word for word in words if word[:1] != "-" and word != "venv"]
        return [analysis.path(text, "write", True) for text in places[:1] or [".venv"]]
    if words[:2] == ["run", "-"]:
        analysis.does("executes", "executes-input")
    if verb == "publish" and "--dry-run" not in words:
        analysis.does("publishes", "network")
    elif verb in ("pip", "tool", "add", "sync", "remove") and verb != words[-1]:
        program = find_program("pip")
        if program is not None:
            return program.touched(program.arguments(tuple(words)), analysis)
    elif verb in ("run", "x"):
        analysis.does("executes")
        script = next((word for word in words[words.index(verb) + 1 :] if word[:1] != "-"), "")
        if "://" in script:
            analysis.does("network", "executes-remote")
        named = not {"--script", "-s", "--gui-script"}.isdisjoint(words)
        return [analysis.run(script)] if script.endswith((".py", ".pyw")) or (script and named) else []
    return []

"""`ruby`: runs a script or code."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.inline.code import analyse
from policy_engine.inline.marks import evaluates
from policy_engine.model.quoting import quote_words
from policy_engine.programs.base import Arguments, EffectAnalysis


def touched(arguments: Arguments, analysis: EffectAnalysis) -> list[PathValue]:
    analysis.does("executes")
    if any(analysis.env.get(name) for name in ("RUBYOPT", "RUBYLIB")):
        analysis.does("configures")
    if "un" in arguments.values("-r"):
        return _tool("".join(arguments.values("-e")[:1]).strip(), arguments.operands, analysis)
    folders = [*arguments.values("-I"), *analysis.env.get("RUBYLIB", "").split(":")]
    for name in arguments.values("-r"):
        places = [name] if name[:1] in "./" else [f"{folder}/{name}" for folder in folders if folder]
        analysis.loads([f"{place.removesuffix('.rb')}.rb" for place in places])
    for code in arguments.values("-e"):
        analyse(code, analysis)
    if arguments.has("-i", "-n", "-p"):
        if not arguments.operands and any(evaluates(code, "ruby") for code in arguments.values("-e", "-E")):
            analysis.does("executes-input")
        return analysis.each_line(arguments.operands, arguments.has("-e"), arguments.has("-i"))
    if arguments.has("-e"):
        return []
    return analysis.script(arguments.operands)


def _tool(verb: str, words: list[str], analysis: EffectAnalysis) -> list[PathValue]:
    """`ruby -run -e httpd FOLDER`, `-e cp A B`: commands of the library `un`."""
    if verb.startswith("httpd"):
        analysis.does("network")
        return [analysis.path(text, "read", True) for text in [one for one in words if one[:1] != "-"] or ["."]]
    analysis.shell(f"{verb} {quote_words([word for word in words if word != '--'])}")
    return []

"""`perl`: runs a script or code; with `-i` it writes its operands."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.inline.code import analyse
from policy_engine.inline.marks import evaluates
from policy_engine.programs.base import Arguments, EffectAnalysis

_WAYS = ("read", "write")


def touched(arguments: Arguments, analysis: EffectAnalysis) -> list[PathValue]:
    analysis.does("executes")
    if any(analysis.env.get(name) for name in ("PERL5OPT", "PERL5LIB")):
        analysis.does("configures")
    modules = [module.lstrip("-").partition("=")[0].replace("::", "/") for module in arguments.values("-M", "-m")]
    folders = [*arguments.values("-I"), *analysis.env.get("PERL5LIB", "").split(":")]
    analysis.loads([f"{folder}/{module}.pm" for folder in folders if folder for module in modules])
    for code in arguments.values("-e", "-E"):
        analyse(code, analysis, " ".join(arguments.values("-M", "-m")))
    if arguments.has("-i", "-n", "-p"):
        if not arguments.operands and any(evaluates(code, "perl") for code in arguments.values("-e", "-E")):
            analysis.does("executes-input")
        return analysis.each_line(arguments.operands, arguments.has("-e", "-E"), arguments.has("-i"))
    for module in arguments.values("-M", "-m"):
        if not module.replace("::", "").replace("=", "").replace(",", "").replace("_", "").isalnum():
            analysis.doubt("*", f"`-M{module[:80]}` is code")
    codes = arguments.values("-e", "-E")
    if codes and arguments.unsure:  # a word before `-e` is no script, so that it may be `-i`
        return [analysis.may_touch(text, arguments.unsure, way) for text in arguments.operands for way in _WAYS]
    if codes:
        reads = any(mark in code for code in codes for mark in ("<", "ARGV", "shift"))
        return [analysis.path(text, "read") for text in arguments.operands] if reads else []
    return analysis.script(arguments.operands)

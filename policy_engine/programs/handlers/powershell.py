"""`powershell`: runs a line of PowerShell; what it fetches and runs shows in its words."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.programs.base import Arguments, EffectAnalysis

_RUNS = ("iex", "invoke-expression", "start-process", "invoke-command")
_FETCHES = ("iwr", "irm", "invoke-webrequest", "invoke-restmethod", "downloadstring", "downloadfile", "net.webclient",
            "start-bitstransfer", "curl ", "wget ")  # fmt: skip


def touched(arguments: Arguments, analysis: EffectAnalysis) -> list[PathValue]:
    text = " ".join(arguments.operands).lower()
    analysis.does("executes")
    if "frombase64string" in text or any(word[:2] in ("-e", "-E") and "nc" in word for word in arguments.operands):
        analysis.does("decodes", "executes-remote")
    if any(word in text for word in _FETCHES):
        analysis.does("network")
        if any(word in text for word in _RUNS):
            analysis.does("executes-remote")
    if "-verb runas" in text:
        analysis.does("elevates")
    reason = "what a line of PowerShell does is not modelled"
    analysis.doubt("*", reason)
    analysis.contents.append(analysis.may_touch(text, reason, "read"))
    return [analysis.may_touch(text, reason, access, True) for access in ("write", "delete")]

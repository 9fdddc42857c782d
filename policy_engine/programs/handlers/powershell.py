"""`powershell`: runs a line of PowerShell; what it fetches and runs shows in its words."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.programs.base import Arguments, Scene

_RUNS = ("iex", "invoke-expression", "start-process", "invoke-command")
_FETCHES = ("iwr", "irm", "invoke-webrequest", "invoke-restmethod", "downloadstring", "downloadfile", "net.webclient",
            "start-bitstransfer", "curl ", "wget ")  # fmt: skip


def touched(arguments: Arguments, scene: Scene) -> list[PathValue]:
    text = " ".join(arguments.operands).lower()
    scene.does("executes")
    if "frombase64string" in text or any(word[:2] in ("-e", "-E") and "nc" in word for word in arguments.operands):
        scene.does("decodes", "executes-remote")
    if any(word in text for word in _FETCHES):
        scene.does("network")
        if any(word in text for word in _RUNS):
            scene.does("executes-remote")
    if "-verb runas" in text:
        scene.does("elevates")
    reason = "what a line of PowerShell does is not modelled"
    scene.doubt("*", reason)
    scene.contents.append(scene.may_touch(text, reason, "read"))
    return [scene.may_touch(text, reason, access, True) for access in ("write", "delete")]

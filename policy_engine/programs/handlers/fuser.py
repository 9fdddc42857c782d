"""`fuser`: lists the processes that use a file or a port; with `-k` it ends them."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.programs.base import Arguments, EffectAnalysis

_PROTOCOLS = ("/tcp", "/udp", "/tcp4", "/tcp6")


def touched(arguments: Arguments, analysis: EffectAnalysis) -> list[PathValue]:
    if arguments.has("-k", "--kill"):
        analysis.does("kills")
        ports = arguments.last("-n", "--namespace") in ("tcp", "udp")
        for operand in arguments.operands:
            if not ports and not operand.endswith(_PROTOCOLS) and operand[:1] != "-":
                analysis.doubt("controls-engine", f"what uses `{operand[:80]}` may keep this session")
    return []

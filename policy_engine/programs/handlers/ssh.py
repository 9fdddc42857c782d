"""`ssh`: logs in elsewhere, and runs what follows there."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.programs.base import Arguments, EffectAnalysis

_HERE = ("localhost", "127.0.0.1", "::1", "[::1]", "0.0.0.0")  # this machine, so that another user is gone over to


def touched(arguments: Arguments, analysis: EffectAnalysis) -> list[PathValue]:
    analysis.does("network")
    host = "".join(arguments.operands[:1]).removeprefix("ssh://")
    user, _, machine = host.rpartition("@")
    if machine.partition(":")[0] in _HERE and "root" in (user, *arguments.values("-l")):
        analysis.does("elevates")
    for value in arguments.values("-o"):
        name = value.partition("=")[0].strip().lower()
        if name in ("proxycommand", "localcommand", "permitlocalcommand", "knownhostscommand"):
            analysis.shell(value.partition("=")[2])
    return [
        *(analysis.path(text, "write") for text in arguments.values("-E")),
        *(analysis.path(text, "read") for text in arguments.values("-F")),
    ]

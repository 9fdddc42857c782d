"""`http`: HTTPie and `xh`, whose items may name files."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.programs.base import Arguments, EffectAnalysis

_SHORT = {
    "-o": "write",
    "--output": "write",
    "--cert": "read",
    "--cert-key": "read",
    "--verify": "",
    "--session": "write",
}


def touched(arguments: Arguments, analysis: EffectAnalysis) -> list[PathValue]:
    analysis.does("network")
    paths: list[PathValue] = []
    waiting = list(reversed(arguments.operands))
    while waiting:
        word = waiting.pop()
        name, equals, value = word.partition("=")
        if name in _SHORT and (equals or waiting):
            value = value if equals else waiting.pop()
            if _SHORT[name]:
                paths.append(analysis.path(value, _SHORT[name]))
        elif word[:1] != "-" and "@" in word and "://" not in word.partition("@")[0]:
            file = word.partition("@")[2].partition(";")[0]  # `@file`, `field@file`, `field=@file`, `field:=@file`
            paths += [analysis.path(file, "read")] if file else []
            analysis.does("sends")
        elif word in ("POST", "PUT", "PATCH"):
            analysis.does("sends")
    return paths

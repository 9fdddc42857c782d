"""`http`: HTTPie and `xh`, whose items may name files."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.programs.base import Arguments, EffectAnalysis, stays_here

_SHORT = {
    "-o": "write",
    "--output": "write",
    "--cert": "read",
    "--cert-key": "read",
    "--verify": "",
    "--session": "write",
}
_FLAGS = ("-f", "--form", "-j", "--json", "-v", "--verbose", "--ignore-stdin", "--multipart")


def touched(arguments: Arguments, analysis: EffectAnalysis) -> list[PathValue]:
    analysis.does("network")
    plain = [word for word in arguments.operands if word not in _FLAGS and not (word.isalpha() and word.isupper())]
    here = stays_here(plain[:1]) and not any(word.startswith("--proxy") for word in plain)
    sent = () if here else ("sends",)
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
            analysis.does(*sent)
        elif word in ("POST", "PUT", "PATCH"):
            analysis.does(*sent)
    return paths

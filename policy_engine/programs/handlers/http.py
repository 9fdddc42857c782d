"""`http`: HTTPie and `xh`, whose items may name files."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.model.partial import is_known
from policy_engine.programs.base import Arguments, EffectAnalysis, stays_here
from policy_engine.programs.requests import has_credential, tell_request

_SHORT = {
    "-o": "write",
    "--output": "write",
    "--cert": "read",
    "--cert-key": "read",
    "--verify": "",
    "--session": "write",
}
_FLAGS = ("-f", "--form", "-j", "--json", "-v", "--verbose", "--ignore-stdin", "--multipart")


def _bodies(words: list[str]) -> list[str]:
    """The texts that the options for a body name."""
    values = [words[place + 1] for place, word in enumerate(words[:-1]) if word in ("--raw", "--data", "-d")]
    return values + [word.partition("=")[2] for word in words if word.startswith(("--raw=", "--data="))]


def touched(arguments: Arguments, analysis: EffectAnalysis) -> list[PathValue]:
    analysis.does("network")
    bare = [word for word in arguments.operands if word[:1] != "-"]
    method = bare[0] if len(bare) > 1 and (bare[0].isalpha() or not is_known(bare[0])) else ""
    methods = [word for word in arguments.operands if word == method or (word.isalpha() and word.isupper())]
    plain = [word for word in arguments.operands if word not in _FLAGS and word not in methods]
    proxied = any(word.startswith("--proxy") for word in plain)
    here = stays_here(plain[:1]) and not proxied
    deletes = "DELETE" if "DELETE" in methods else method
    bodies = _bodies(arguments.operands)
    items = [word for word in plain[1:] if word[:1] != "-"]
    bodies += [word for word in items if "=" in word.replace("==", "")]
    named = not {"-a", "--auth", "-A", "--bearer"}.isdisjoint(plain) or has_credential(
        [word for word in items if ":" in word]
    )
    tell_request(deletes, bodies, [word for word in plain[:1] if word[:1] != "-"], analysis, proxied, named)
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

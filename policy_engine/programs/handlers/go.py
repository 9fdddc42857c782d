"""`go`: builds, runs and fetches Go modules."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.programs.base import Arguments, EffectAnalysis


def touched(arguments: Arguments, analysis: EffectAnalysis) -> list[PathValue]:
    words = arguments.operands
    if words[:1] == ["version"]:
        analysis.informs = True
        return []
    analysis.does("executes")
    if words[:1] in (["run"], ["install"], ["get"]) and any(map(_is_remote, words[1:])):
        analysis.does("network")
        if words[0] == "run":
            analysis.doubt("executes-remote", "a module is fetched from the network and run")
    if words[:1] == ["install"]:
        places = [analysis.env[name] for name in ("GOBIN", "GOPATH") if analysis.env.get(name)]
        return [analysis.path(text, "write", True) for text in places]
    targets = [words[place + 1] for place, word in enumerate(words[:-1]) if word == "-o"]
    targets += [word[3:] for word in words if word.startswith("-o=")]
    if words[:1] == ["env"] and "-w" in words:
        analysis.does("configures")
    return [analysis.path(text, "write") for text in targets]


def _is_remote(word: str) -> bool:
    """`x.example/cmd@latest` names a module of the network, `./cmd` and `cmd/x` do not."""
    return "@" in word or ("/" in word and "." in word.partition("/")[0] and word[:1] not in "./")

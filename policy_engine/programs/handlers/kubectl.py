"""`kubectl`: talks to a cluster."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.programs.actions import written
from policy_engine.programs.base import Arguments, EffectAnalysis

_PLACES = ("-n", "--namespace", "--context", "--kubeconfig", "--cluster", "--user", "-s")
_FILES = ("-f", "--filename", "--from-env-file", "--from-file", "--cert", "--key", "-k", "--kustomize")
_LOCAL = frozenset(("localhost", "127.0.0.1", "::1"))


def _names_secrets(word: str) -> bool:
    """Return whether a word names secrets among the kinds: `secret/x`, `cm,secret`; all kinds do not hold them."""
    return any(kind.startswith("secret") for kind in word.lower().split(","))


def touched(arguments: Arguments, analysis: EffectAnalysis) -> list[PathValue]:
    words = list(arguments.operands)
    while words[:1] and words[0] in _PLACES:
        words[:2] = []
    analysis.does("network")
    if words[:1] == ["exec"] or words[:1] == ["run"]:
        analysis.does("executes")
    printed = any(
        word.startswith(("-o", "--output", "--template"))
        and not (f"{word} {after}" if word in ("-o", "--output") else word).endswith(("name", "wide"))
        for word, after in zip(words, [*words[1:], ""], strict=True)
    )
    if (words[:1] == ["get"] and printed and any(map(_names_secrets, words[1:]))) or (
        words[:2] == ["config", "view"] and "--raw" in words
    ):
        analysis.does("discloses")
    elif words[:1] == ["config"] and words[1:2] != ["view"] and not "".join(words[1:2]).startswith(("get", "current")):
        analysis.does("configures")
        given = written("--kubeconfig", [], arguments, analysis) or [
            analysis.env.get("KUBECONFIG", "").partition(":")[0]
        ]
        return [analysis.path(given[0] or f"{analysis.filesystem.home}/.kube/config", "write")]
    paths: list[PathValue] = []
    if words[:1] == ["cp"]:
        names = [word for word in words[1:] if word[:1] != "-"]
        paths = [analysis.path(text, "read", True) for text in names[:1] if ":" not in text]
        paths += analysis.fetched(names[:1], names[1], True, True) if ":" not in "".join(names[1:2] or ":") else []
    for place, word in enumerate(words):
        name, equals, value = word.partition("=")
        value = value if equals else "".join(words[place + 1 : place + 2])
        if name == "--address" and not _LOCAL.issuperset(value.split(",")):
            analysis.does("exposes")
        if name in _FILES and value not in ("", "-"):
            file = value.rpartition("=")[2] if name == "--from-file" else value
            paths.append(analysis.path(file, "read"))
    return paths

"""`git stash`: puts changes aside; `drop` and `clear` throw them away."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.programs.base import Arguments, EffectAnalysis
from policy_engine.programs.git_pathspecs import PRESENT, TRACKED, fitted


def touched(arguments: Arguments, analysis: EffectAnalysis) -> list[PathValue]:
    words = arguments.operands
    verb = words[0] if words and words[0][:1] != "-" else "push"
    if verb in ("drop", "clear"):
        analysis.does("discards")
    if verb in ("push", "save", "pop", "apply"):
        # Its operands are files whose changes are taken back; with `-u` and `-a` files that git does not know go, too.
        takes = any(word in ("--include-untracked", "--all") or _bundles(word) for word in words)
        if takes and (verb == "save" or (verb == "push" and not _named(words))):
            if not analysis.has(".git/index"):
                return []  # there is no commit, without which nothing is put aside
            return [analysis.path(text, "delete", True) for text in analysis.untracked()]
        named = [text for text in words[1:] if text[:1] != "-" and verb == "push"]
        return fitted(named, "write", analysis, PRESENT if takes else TRACKED, True)
    return []


def _bundles(word: str) -> bool:
    return word[:1] == "-" and word[1:2] != "-" and ("u" in word or "a" in word)


def _named(words: list[str]) -> list[str]:
    """The files that are named, behind the options and the message."""
    return [
        word
        for place, word in enumerate(words[1:], 1)
        if word[:1] != "-" and words[place - 1] not in ("-m", "--message")
    ]

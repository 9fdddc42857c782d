"""`zip`: packs files into an archive."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.programs.base import Arguments, EffectAnalysis

_TESTING = ("-TT", "--unzip-command")  # with the command that tests the archive


def touched(arguments: Arguments, analysis: EffectAnalysis) -> list[PathValue]:
    words = _packed(arguments.operands)
    analysis.complete = len(words) < len(arguments.operands)
    recursive = any(word[:1] == "-" and word[:2] != "--" and "r" in word for word in words)
    testing = [number for number, word in enumerate(words) if word.startswith(_TESTING)]
    for number in testing:
        given = words[number].removeprefix(_TESTING[0]).removeprefix(_TESTING[1]).removeprefix("=")
        analysis.shell(given or "".join(words[number + 1 : number + 2]))
    words = [
        word for number, word in enumerate(words) if number - 1 not in testing or words[number - 1] not in _TESTING
    ]
    names = [word for word in words if word[:1] != "-" or word == "-"]
    paths = [analysis.path(text, "write") for text in names[:1] if text != "-"]
    moved = any(word in ("-m", "--move") or (word[:1] == "-" and word[:2] != "--" and "m" in word) for word in words)
    if "-@" in words or "--names-stdin" in words:
        fed = analysis.fed_names()
        names = [*names[:1], *names[1:], *(fed or [])]
        if fed is None:
            paths.append(analysis.unknown("zip", "which files its input names is not known", "read", True))
    for text in names[1:]:
        paths.append(analysis.path(text, "read", recursive))
        if moved:
            paths.append(analysis.path(text, "delete", recursive))
    return paths


def _packed(words: list[str]) -> list[str]:
    """The words without the patterns that follow `-x` and `-i`: up to `@` or another option."""
    kept: list[str] = []
    picking = False
    for word in words:
        if word[:1] == "-":
            picking = word in ("-x", "--exclude", "-i", "--include")
        elif word == "@":
            picking = False
            continue
        if not picking or word[:1] == "-":
            kept.append(word)
    return kept

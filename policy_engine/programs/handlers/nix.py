"""`nix`: starts what stands behind `-c` in a shell of packages, and with `run` a package's program.

What it copies to a store at an address is handed to others, and a package of the own flake is what its sources hold.
"""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.model.partial import is_known
from policy_engine.model.quoting import quote_words
from policy_engine.programs.base import Arguments, EffectAnalysis

_STARTS = ("-c", "--command")
_HERE = ("file:", "local", "daemon", "unix:", "auto")  # stores on this machine


def touched(arguments: Arguments, analysis: EffectAnalysis) -> list[PathValue]:
    words = list(arguments.operands)
    if analysis.name == "nix-copy-closure" or words[:1] == ["copy"]:
        _copy(words, analysis)
        return []
    place = next((place for place, word in enumerate(words) if word in _STARTS), len(words))
    given = words[place + 1 :]
    if "run" in words[:1] and "--" in words:
        before, given = words[1 : words.index("--")], words[words.index("--") + 1 :]
        names = [word.rpartition("#")[2] for word in before if "#" in word]
        given = [names[0].rpartition(".")[2], *given] if names else []
    if given and words[0] in ("develop", "shell", "run", "env"):
        analysis.shell(quote_words(given))
    return []


def _copy(words: list[str], analysis: EffectAnalysis) -> None:
    """Tell that the places, or packages of flakes, that are copied to another machine are handed over."""
    analysis.does("network")
    closure = analysis.name == "nix-copy-closure"
    start = next((place for place, word in enumerate(words) if word.partition("=")[0] == "--to"), None)
    if closure:
        given = [word for word in words if word[:1] != "-"]
        target, given = "".join(given[:1]), given[1:]
    elif start is None:
        return
    else:
        _, equals, target = words[start].partition("=")
        target = target if equals else "".join(words[start + 1 : start + 2])
        given = [word for word in words[1:] if word[:1] != "-" and word != target] or ["."]
    if "--from" in words or not target or target.startswith(_HERE) or (not closure and target[:1] in "./~"):
        return
    own = [word for word in given if not _is_foreign(word.partition("#")[0] or ".")]
    analysis.send([analysis.path(_sent(word), "read", True) for word in own])


def _is_foreign(place: str) -> bool:
    """Return whether a package is one of an address or of a registry of flakes: `nixpkgs`, `github:o/r`."""
    if not is_known(place):
        return False
    return ":" in place or ("/" not in place and place[:1] != "." and place != "result")


def _sent(word: str) -> str:
    """Return the place that is copied, or the recipe of a package that is built and copied."""
    place, mark, _ = word.partition("#")
    return f"{place or '.'}/flake.nix" if mark or word == "." else word

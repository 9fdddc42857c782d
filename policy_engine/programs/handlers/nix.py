"""`nix`: starts what stands behind `-c` in a shell of packages, and with `run` a package's program."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.model.quoting import quote_words
from policy_engine.programs.base import Arguments, EffectAnalysis

_STARTS = ("-c", "--command")


def touched(arguments: Arguments, analysis: EffectAnalysis) -> list[PathValue]:
    words = list(arguments.operands)
    place = next((place for place, word in enumerate(words) if word in _STARTS), len(words))
    given = words[place + 1 :]
    if "run" in words[:1] and "--" in words:
        before, given = words[1 : words.index("--")], words[words.index("--") + 1 :]
        names = [word.rpartition("#")[2] for word in before if "#" in word]
        given = [names[0].rpartition(".")[2], *given] if names else []
    if given and words[0] in ("develop", "shell", "run", "env"):
        analysis.shell(quote_words(given))
    return []

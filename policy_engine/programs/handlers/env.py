"""`env`: starts a command in a changed environment, or prints the one there is."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.programs.base import Arguments, EffectAnalysis


def touched(arguments: Arguments, analysis: EffectAnalysis) -> list[PathValue]:
    words = arguments.operands
    if words in (["--help"], ["--version"]):
        return []
    takes_value = ("-u", "--unset", "-C", "--chdir", "-S", "--split-string")
    place = 0
    while place < len(words) and (words[place][:1] == "-" or "=" in words[place]):
        place += 2 if words[place] in takes_value else 1
    named = [words[number + 1] for number, word in enumerate(words[:-1]) if word in ("-f", "--file")]
    splits = any(word.startswith(("-S", "--split")) for word in words[:place])
    if place >= len(words) and not splits and "-i" not in words and "--ignore-environment" not in words:
        analysis.does("discloses")
    return [analysis.path(text, "read") for text in named if "=" not in text]

"""`cryptsetup`: encrypts devices; some of its verbs erase what is on them."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.model.partial import is_known
from policy_engine.programs.base import Arguments, EffectAnalysis

_ERASES = ("luksFormat", "luksErase", "erase", "reencrypt", "format", "luksKillSlot", "luksRemoveKey")


def touched(arguments: Arguments, analysis: EffectAnalysis) -> list[PathValue]:
    words = arguments.operands
    verb = next((place for place, word in enumerate(words) if word in _ERASES), None)
    if verb is None:
        if not all(map(is_known, words)):
            analysis.doubt("formats", "its words are not known")
        return []
    behind = [word for word in words[verb + 1 :] if word[:1] != "-"]
    return analysis.formats([word for word in words if word[:5] == "/dev/"] or behind[:1])

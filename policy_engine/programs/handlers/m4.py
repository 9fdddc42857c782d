"""`m4`: expands the macros of its files and of its input, of which some read a file or start a command."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.model.limits import READ_BYTES
from policy_engine.model.partial import is_known
from policy_engine.programs.base import Arguments, EffectAnalysis

_READS = ("include", "undivert")
_STARTS = ("syscmd",)
_MOST = 64  # macros of a text


def touched(arguments: Arguments, analysis: EffectAnalysis) -> list[PathValue]:
    texts = [analysis.text_in(analysis.path(name, "read"), READ_BYTES) for name in arguments.operands if name != "-"]
    if not arguments.operands or "-" in arguments.operands:
        texts.append(analysis.feed)
    paths: list[PathValue] = []
    for text in texts:
        for name, value in _calls(text) if text is not None and is_known(text) else ():
            if name in _STARTS:
                analysis.shell(value)
            elif not value.isdecimal():  # else the number of a diversion
                paths.append(analysis.path(value, "read"))
    return paths


def _calls(text: str) -> list[tuple[str, str]]:
    """The macros that read or start what they are given literally, each with that, without its quotes."""
    found = []
    for name in (*_READS, *_STARTS):
        for piece in text.split(f"{name}(")[1:][:_MOST]:
            value = piece.strip().removeprefix("[").removeprefix("`")
            quoted = value != piece.strip()
            ends = [end for end in map(value.find, ("'", "]") if quoted else (")",)) if end >= 0]
            if ends and value[: min(ends)].strip():
                found.append((name, value[: min(ends)].strip()))
    return found

"""`cpio`: packs the files that its input names, or unpacks."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.programs.base import Arguments, EffectAnalysis


def touched(arguments: Arguments, analysis: EffectAnalysis) -> list[PathValue]:
    words = arguments.operands
    letters = "".join(word[1:] for word in words if word[:1] == "-" and word[:2] != "--")
    reason = "which files it packs or unpacks is not known"
    if "p" in letters or "--pass-through" in words:
        places = [word for word in words if word[:1] != "-"]
        made = [analysis.path(text, "write", True) for text in places[-1:]]
        if "l" in letters or "--link" in words:  # hard links: what is packed is written through its other name
            made.append(analysis.unknown("cpio", reason, "write", True))
        return [analysis.unknown("cpio", reason, "read"), *made]
    if "o" in letters or "--create" in words:
        fed = analysis.fed_names()
        return (
            [analysis.unknown("cpio", reason, "read")] if fed is None else [analysis.path(text, "read") for text in fed]
        )
    if "--to-stdout" in words:
        analysis.does("decodes")
        analysis.contents += [analysis.path(text, "read") for text in words if text[:1] != "-"]
    if "t" in letters or "--list" in words:
        return []
    places = [words[number + 1] for number, word in enumerate(words[:-1]) if word in ("-D", "--directory")]
    return analysis.unpacks("cpio", "".join(places[:1]))

"""`gzip`: packs or unpacks files in place, or onto its output."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.programs.base import Arguments, EffectAnalysis


def touched(arguments: Arguments, analysis: EffectAnalysis) -> list[PathValue]:
    prints = arguments.has("-c", "--stdout", "--to-stdout") or analysis.name.endswith("cat")
    if (
        analysis.name.startswith(("un", "gun", "bun"))
        or analysis.name.endswith("cat")
        or arguments.has("-d", "--decompress")
    ):
        analysis.does("decodes")
    recursive = arguments.has("-r", "--recursive")
    paths = [analysis.path(text, "read", recursive) for text in arguments.operands if text != "-"]
    if not prints and not arguments.has("-l", "--list", "-t", "--test"):
        for text in arguments.operands:
            arrival = text.rpartition(".")[0] if "decodes" in analysis.words and "." in text else f"{text}.gz"
            paths += [
                analysis.path(text, "write", recursive),
                analysis.path(text, "delete"),
                analysis.path(arrival, "write"),
            ]
    return paths

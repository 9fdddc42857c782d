"""`patch`: changes the files that a patch names."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.programs.base import Arguments, EffectAnalysis
from policy_engine.programs.patches import PATCH_BYTES, patched


def touched(arguments: Arguments, analysis: EffectAnalysis) -> list[PathValue]:
    paths = [analysis.path(text, "read") for text in arguments.values("-i", "--input") + arguments.operands[1:2]]
    if arguments.has("--dry-run"):
        return paths
    for text in arguments.values("-d", "--directory"):
        paths.append(analysis.path(text, "write"))
    output = arguments.last("-o", "--output")
    if output is not None:
        return [*paths, analysis.path(output, "write")]
    if arguments.operands:
        return [*paths, analysis.path(arguments.operands[0], "write")]
    texts = [analysis.text_in(path, PATCH_BYTES) for path in paths] or [analysis.feed]
    plain = arguments.values("-p", "--strip") == ["1"]
    return [*paths, *patched(texts, analysis, "" if plain else "which files the patch changes is not known")]

"""`patch`: changes the files that a patch names."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.model.partial import is_known
from policy_engine.programs.base import Arguments, EffectAnalysis
from policy_engine.programs.patches import files_changed, text_of_patch


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
    texts = [text_of_patch(path, analysis) for path in paths] or [analysis.feed]
    names = dict.fromkeys(name for text in texts for name in files_changed(text or ""))
    if arguments.values("-p", "--strip") == ["1"] and names and None not in texts:
        if not any("\\" in name or not is_known(name) for name in names):
            return [*paths, *(analysis.path(name, "write") for name in names)]
    return [*paths, analysis.unknown("patch", "which files the patch changes is not known", "write")]

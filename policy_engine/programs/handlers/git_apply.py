"""`git apply`: changes the files that a patch names; with `--cached` what git keeps for the next commit."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.model.partial import is_known
from policy_engine.programs.base import Arguments, EffectAnalysis
from policy_engine.programs.patches import PATCH_BYTES, is_of_files, patched

_LOOKS = ("--check", "--stat", "--numstat", "--summary", "--abort", "--quit", "--skip", "--show-current-patch")
_VALUES = ("-p", "-C", "--directory", "--exclude", "--include", "--whitespace", "--build-fake-ancestor")


def touched(arguments: Arguments, analysis: EffectAnalysis) -> list[PathValue]:
    words = arguments.operands
    operands = [word for before, word in zip(["", *words], words, strict=False) if word[:1] != "-"
                and before not in _VALUES]  # fmt: skip
    paths = [analysis.path(text, "read") for text in operands]
    if "--no-verify" in words:
        analysis.does("skips-hooks")
    if any(word in _LOOKS for word in words) and "--apply" not in words:
        return paths
    if "-R" in words or "--reverse" in words:
        analysis.doubt("discards", "which changes are taken back is not known")
    strips = any(word.startswith(("-p", "--directory", "--unsafe")) and word != "-p1" for word in words)
    texts = [analysis.text_in(path, PATCH_BYTES) for path in paths]
    if "-" in words or not paths:
        texts.append(analysis.feed)
    if "--cached" in words and analysis.name == "git-apply":
        if strips or not all(text and is_known(text) and is_of_files(text, analysis) for text in texts):
            analysis.doubt("skips-hooks", "what goes into the commit stands in no file, so no test and no hook saw it")
        return paths
    plain = analysis.name == "git-apply" and not strips
    return [*paths, *patched(texts, analysis, "" if plain else "which files the patch changes is not known")]

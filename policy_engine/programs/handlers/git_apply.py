"""`git apply`: changes the files that a patch names; with `--cached` what git keeps for the next commit."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.model.partial import is_known
from policy_engine.programs.base import Arguments, EffectAnalysis
from policy_engine.programs.patches import files_changed, text_of_patch

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
    if "--cached" in words and analysis.name == "git-apply":
        return paths
    plain = not any(word.startswith(("-p", "--directory", "--unsafe")) for word in words)
    texts = [text_of_patch(path, analysis) for path in paths] or [analysis.feed]
    if analysis.name != "git-apply" or not plain or any(text is None for text in texts):
        return [*paths, analysis.unknown("patch", "which files the patch changes is not known", "write")]
    names = dict.fromkeys(name for text in texts for name in files_changed(text or ""))
    if any("\\" in name or not is_known(name) for name in names):
        return [*paths, analysis.unknown("patch", "a name in the patch is written with escapes", "write")]
    return [*paths, *(analysis.path(name, "write") for name in names)]

"""`git apply`: changes the files that a patch names; with `--cached` what git keeps for the next commit."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.model.partial import is_known
from policy_engine.model.undecided import Undecided
from policy_engine.programs.base import Arguments, EffectAnalysis

_LOOKS = ("--check", "--stat", "--numstat", "--summary", "--abort", "--quit", "--skip", "--show-current-patch")
_PATCH_BYTES = 262_144
_VALUES = ("-p", "-C", "--directory", "--exclude", "--include", "--whitespace", "--build-fake-ancestor")
_HEADER = "diff --git "
_NAMES = (_HEADER, "--- ", "+++ ", "rename from ", "rename to ", "copy from ", "copy to ")


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
    texts = [_text(path, analysis) for path in paths] or [analysis.feed]
    if analysis.name != "git-apply" or not plain or any(text is None for text in texts):
        return [*paths, analysis.unknown("patch", "which files the patch changes is not known", "write")]
    names = dict.fromkeys(name for text in texts for name in _changed(text or ""))
    if any("\\" in name or not is_known(name) for name in names):
        return [*paths, analysis.unknown("patch", "a name in the patch is written with escapes", "write")]
    return [*paths, *(analysis.path(name, "write") for name in names)]


def _text(path: PathValue, analysis: EffectAnalysis) -> str | None:
    """The text of a patch that is there."""
    try:
        return analysis.filesystem.script(path, _PATCH_BYTES) if path.known else None
    except Undecided:
        return None


def _changed(patch: str) -> list[str]:
    """The files that a patch names, in each form of git's headers, without the first folder of `a/src/x`."""
    names = []
    for line in patch.split("\n"):
        start = next((start for start in _NAMES if line.startswith(start)), "")
        name = line[len(start) :].partition("\t")[0].rstrip().strip('"') if start else ""
        if start == _HEADER:  # all that says which file is changed where only its mode or its bytes are
            names += [part.rstrip().strip('"') for part in name.partition(" b/")[::2]]
        elif name and name != "/dev/null":
            names.append(name if start.endswith(("from ", "to ")) else name.partition("/")[2])
    return [name.removeprefix("a/") if name[:2] == "a/" else name for name in names if name]

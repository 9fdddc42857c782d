"""Read which files a patch changes. Imported by the hook path when a program that applies patches is played."""

from __future__ import annotations

from policy_engine.model.undecided import Undecided

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy_engine.filesystem.paths import PathValue
    from policy_engine.inline.effect_analysis import EffectAnalysis

_PATCH_BYTES = 262_144
_HEADER = "diff --git "
_NAMES = (_HEADER, "--- ", "+++ ", "rename from ", "rename to ", "copy from ", "copy to ")


def text_of_patch(path: PathValue, analysis: EffectAnalysis) -> str | None:
    """Return the text of a patch that is there, None if it cannot be read."""
    try:
        return analysis.filesystem.script(path, _PATCH_BYTES) if path.known else None
    except Undecided:
        return None


def files_changed(patch: str) -> list[str]:
    """Return the files that a patch names, in each form of git's headers, without the first folder of `a/src/x`."""
    names = []
    for line in patch.split("\n"):
        start = next((start for start in _NAMES if line.startswith(start)), "")
        name = line[len(start) :].partition("\t")[0].rstrip().strip('"') if start else ""
        if start == _HEADER:  # all that says which file is changed where only its mode or its bytes are
            names += [part.rstrip().strip('"') for part in name.partition(" b/")[::2]]
        elif name and name != "/dev/null":
            names.append(name if start.endswith(("from ", "to ")) else name.partition("/")[2])
    return [name.removeprefix("a/") if name[:2] == "a/" else name for name in names if name]

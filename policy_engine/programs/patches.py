"""Read which files a patch changes. Imported by the hook path when a program that applies patches is played."""

from __future__ import annotations

from policy_engine.model.partial import is_known

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy_engine.filesystem.paths import PathValue
    from policy_engine.inline.effect_analysis import EffectAnalysis

PATCH_BYTES = 262_144
_HEADER = "diff --git "
_NAMES = (_HEADER, "--- ", "+++ ", "rename from ", "rename to ", "copy from ", "copy to ")


def patched(texts: list[str | None], analysis: EffectAnalysis, why: str = "") -> list[PathValue]:
    """Return the files that patches change; an unknown one where the text of a patch is not known, or `why` says so."""
    plain = [text for text in texts if text is not None and is_known(text)]
    names = dict.fromkeys(name for text in plain for name in files_changed(text))
    if why or not texts or len(plain) < len(texts):
        return [analysis.unknown("patch", why or "which files the patch changes is not known", "write")]
    if any("\\" in name for name in names):
        return [analysis.unknown("patch", "a name in the patch is written with escapes", "write")]
    return [analysis.path(name, "write") for name in names]


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


def is_of_files(patch: str, analysis: EffectAnalysis) -> bool:
    """Return whether what each part of a patch leaves stands so in the file that it names.

    A file that is not there, and that the patch does not add, is none that tests could have run.
    """
    text: str | None = ""
    left, parts, adds = list[str](), 0, False
    for line in [*patch.split("\n"), "@@"]:
        if line.startswith(("@@", _HEADER, "--- ")):
            if left and text is not None and "\n".join(left) not in text:
                return False
            left = []
            parts += line.startswith("@@ ")
            adds = line.startswith("--- /dev/null") or (adds and not line.startswith("--- "))
        elif line.startswith("+++ "):
            name = line[4:].partition("\t")[0].rstrip().strip('"')
            place = name.partition("/")[2]
            file = analysis.path(place, "read")
            text = analysis.text_in(file, PATCH_BYTES)
            if text is None and (adds or analysis.has(place) or analysis.written(file)):
                text = ""  # a file that cannot be read says nothing of the patch
        elif line[:1] in ("+", " ") and parts:
            left.append(line[1:])
    return parts > 0

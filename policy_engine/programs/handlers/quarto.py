"""`quarto`: renders documents into a folder that is named from their project, else from where they lie."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.programs.base import Arguments, EffectAnalysis

_PROJECTS = ("_quarto.yml", "_quarto.yaml")


def touched(arguments: Arguments, analysis: EffectAnalysis) -> list[PathValue]:
    outputs = arguments.values("--output-dir")
    if not outputs:
        return []
    inputs = [text for text in arguments.operands[1:] if "=" not in text] or ["."]
    for text in inputs:
        analysis.mention(text)
    bases = {_base(text, analysis) for text in inputs}
    if len(bases) == 1:
        analysis.cwd = analysis.path(bases.pop(), "")
    return [analysis.path(text, "write", True) for text in outputs]


def _base(text: str, analysis: EffectAnalysis) -> str:
    """Return the folder of the project around a document or folder, else its own folder."""
    place = analysis.path(text, "read")
    own = text if analysis.is_folder(place) else text.rpartition("/")[0] or "."
    files, folder = analysis.filesystem, analysis.path(own, "read").real if place.known else ""
    while folder and folder != "/" and files.relative(analysis.path(folder, "read")) is not None:
        if any(files.present(files.resolve(f"{folder}/{name}", None)) for name in _PROJECTS):
            return folder
        folder = folder.rpartition("/")[0]
    return own

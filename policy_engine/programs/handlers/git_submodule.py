"""`git submodule`: changes submodules; `foreach` runs a shell line in each."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.model.partial import is_known
from policy_engine.model.quoting import quote_words
from policy_engine.programs.base import Arguments, EffectAnalysis

_BYTES = 65_536
_MOST = 8  # submodules whose folders are looked at


def _folders(analysis: EffectAnalysis) -> list[str]:
    """Return the folders of the submodules, one of the workspace where nobody knows of any."""
    text = analysis.text_in(analysis.path(".gitmodules", "read"), _BYTES) or ""
    pairs = (line.partition("=") for line in text.split("\n"))
    named = [value.strip().strip('"') for name, _, value in pairs if name.strip() == "path"]
    return [folder for folder in named if folder and folder[0] not in "/-"][:_MOST] or ["submodule"]


def touched(arguments: Arguments, analysis: EffectAnalysis) -> list[PathValue]:
    words = [word for word in arguments.operands if word not in ("-q", "--quiet", "--recursive")]
    verb = words[0] if words else ""
    if verb == "foreach" and len(words) > 1:
        line = " ".join(words[1:])
        analysis.shell(line)
        if ".." in line and is_known(line):  # what lies beside a submodule, as the line finds it from there
            for folder in _folders(analysis):
                analysis.shell(f"cd {quote_words([folder])} && {{ {line}; }}")
    elif verb in ("add", "update"):
        analysis.does("network")
        if verb == "update" and any(word in ("-f", "--force") for word in words):
            analysis.does("discards")
        places = [word for word in words[1:] if word[:1] != "-"]
        if verb == "add":
            return [
                analysis.path(".gitmodules", "write"),
                *(analysis.path(text, "write", True) for text in places[1:2]),
            ]
    elif verb == "deinit" and any(word in ("-f", "--force") for word in words):
        analysis.does("discards")
    return [analysis.path(".gitmodules", "write")] if verb in ("set-url", "set-branch") else []

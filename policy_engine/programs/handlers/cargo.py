"""`cargo`: builds, tests and publishes Rust packages."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.model.partial import is_known
from policy_engine.programs.base import Arguments, EffectAnalysis
from policy_engine.programs.invocation import verb_place


def touched(arguments: Arguments, analysis: EffectAnalysis) -> list[PathValue]:
    words = arguments.operands
    place = verb_place(("cargo", *words))
    verb, behind = (words[place - 1], words[place:]) if place is not None and place <= len(words) else ("", [])
    if verb in ("workspaces", "ws", "dist", "smart-release", "hack"):
        verb = next((word for word in behind if word[:1] != "-"), verb)
        verb = "publish" if verb == "host" else verb
    if "--help" in words or "-h" in words:
        return []
    if (
        verb in ("publish", "yank", "owner", "release", "smart-release")
        and "--dry-run" not in words
        and "-n" not in words
    ):
        analysis.does("publishes", "network")
    elif verb and not is_known(verb):
        analysis.doubt("*", "which subcommand is meant is not known")
    else:
        analysis.does("executes")
    if verb == "install":
        places = [analysis.env[name] for name in ("CARGO_INSTALL_ROOT", "CARGO_HOME") if analysis.env.get(name)]
        analysis.paths += [analysis.path(text, "write", True) for text in places]
    targets = [
        words[place + 1] for place, word in enumerate(words[:-1]) if word in ("--target-dir", "--out-dir", "--root")
    ]
    if verb == "clean" and "-n" not in words and "--dry-run" not in words:
        variables = ("CARGO_TARGET_DIR", "CARGO_BUILD_TARGET_DIR")
        emptied = targets or [analysis.env[name] for name in variables if analysis.env.get(name)]
        emptied = emptied or [one for file in _SETTINGS for one in _target(file, analysis)] or ["target"]
        return [analysis.path(text, "delete", True) for text in emptied[:1]]
    return [analysis.path(text, "write", True) for text in targets]


_SETTINGS = (".cargo/config.toml", ".cargo/config")
_SETTINGS_BYTES = 65_536


def _target(file: str, analysis: EffectAnalysis) -> list[str]:
    """Return the folder for what is built that a file of settings names."""
    import re

    text = analysis.text_in(analysis.path(file, "read"), _SETTINGS_BYTES) or ""
    return re.findall(r"""^\s*(?:build\.)?target-dir\s*=\s*["']([^"'\n]+)""", text, re.MULTILINE)

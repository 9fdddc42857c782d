"""`apt`: installs and removes programs of the machine; the package managers of other systems share it."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.model.partial import is_known
from policy_engine.programs.base import Arguments, EffectAnalysis

_CHANGES = ("install", "remove", "purge", "upgrade", "dist-upgrade", "full-upgrade", "autoremove", "reinstall",
            "uninstall", "add", "del", "-S", "-R", "-Sy", "-Syu", "-i", "-r", "update", "link", "tap", "erase",
            "localinstall", "refresh")  # fmt: skip

_FILES = (".deb", ".rpm", ".apk", ".pkg", ".snap", ".flatpak", ".zst", ".rb")
"""Endings of packages that lie in a file."""


def touched(arguments: Arguments, analysis: EffectAnalysis) -> list[PathValue]:
    if analysis.name == "dpkg" and {"-x", "-X", "--extract", "--vextract"} & set(arguments.operands):
        return analysis.unpacks(analysis.name, arguments.operands[-1])
    changes = [word for word in arguments.operands if word in _CHANGES]
    if not changes or (analysis.name == "dpkg" and changes == ["-S"]):  # which package a file is of
        return []
    analysis.does("network", "executes")
    if not any("/" in word or word.endswith(_FILES) or not is_known(word) for word in arguments.operands):
        analysis.mentions.append(analysis.path("/usr", ""))  # of the system; the engine's own are known by name
        return []
    return [analysis.unknown(analysis.name, f"where `{analysis.name}` puts programs is not known", "write")]

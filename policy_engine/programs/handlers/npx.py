"""`npx`: runs a package, fetched from the registry or a URL if it is not there."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.programs.base import Arguments, EffectAnalysis, fetches_address, is_registry_name, play_package


def touched(arguments: Arguments, analysis: EffectAnalysis) -> list[PathValue]:
    words = arguments.operands
    analysis.does("network", "executes")
    if fetches_address(words):
        analysis.does("executes-remote")
    for place, word in enumerate(words[:-1]):
        if word in ("-c", "--call"):
            analysis.shell(words[place + 1])
    start = 0
    while start < len(words) and words[start][:1] == "-":
        start += 2 if words[start] in ("-p", "--package", "-c", "--call", "--registry") else 1
    for word in (*words[start : start + 1], *named_packages(words[:start])):
        if not is_registry_name(word):
            analysis.doubt("executes-remote", f"`{word[:80]}` is fetched from somewhere else than the registry and run")
    return play_package(words[start:], analysis)


def named_packages(words: list[str]) -> list[str]:
    """Return the packages that options name: `-p NAME`, `--package=NAME`."""
    packages = [words[place + 1] for place, word in enumerate(words[:-1]) if word in ("-p", "--package")]
    return packages + [word.partition("=")[2] for word in words if word.startswith("--package=")]

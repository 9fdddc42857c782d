"""`gzip`: packs or unpacks files in place, or onto its output."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.programs.base import Arguments, Scene


def touched(arguments: Arguments, scene: Scene) -> list[PathValue]:
    prints = arguments.has("-c", "--stdout", "--to-stdout") or scene.name.endswith("cat")
    if scene.name.startswith(("un", "gun", "bun")) or scene.name.endswith("cat") or arguments.has("-d", "--decompress"):
        scene.does("decodes")
    deep = arguments.has("-r", "--recursive")
    paths = [scene.path(text, "read", deep) for text in arguments.operands if text != "-"]
    if not prints and not arguments.has("-l", "--list", "-t", "--test"):
        for text in arguments.operands:
            arrival = text.rpartition(".")[0] if "decodes" in scene.words and "." in text else f"{text}.gz"
            paths += [scene.path(text, "write", deep), scene.path(text, "delete"), scene.path(arrival, "write")]
    return paths

"""`cpio`: packs the files that its input names, or unpacks."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.programs.base import Arguments, Scene


def touched(arguments: Arguments, scene: Scene) -> list[PathValue]:
    words = arguments.operands
    letters = "".join(word[1:] for word in words if word[:1] == "-" and word[:2] != "--")
    reason = "which files it packs or unpacks is not known"
    if "p" in letters or "--pass-through" in words:
        places = [word for word in words if word[:1] != "-"]
        made = [scene.path(text, "write", True) for text in places[-1:]]
        if "l" in letters or "--link" in words:  # hard links: what is packed is written through its other name
            made.append(scene.unknown("cpio", reason, "write", True))
        return [scene.unknown("cpio", reason, "read"), *made]
    if "o" in letters or "--create" in words:
        fed = scene.fed_names()
        return [scene.unknown("cpio", reason, "read")] if fed is None else [scene.path(text, "read") for text in fed]
    if "--to-stdout" in words:
        scene.does("decodes")
        scene.contents += [scene.path(text, "read") for text in words if text[:1] != "-"]
    if "t" in letters or "--list" in words:
        return []
    places = [words[number + 1] for number, word in enumerate(words[:-1]) if word in ("-D", "--directory")]
    return scene.unpacks("cpio", "".join(places[:1]))

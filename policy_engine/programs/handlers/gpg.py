"""`gpg`: encrypts, decrypts and signs files."""

from __future__ import annotations

from policy_engine.model.paths import PathValue
from policy_engine.programs.base import Arguments, Scene


def touched(arguments: Arguments, scene: Scene) -> list[PathValue]:
    paths: list[PathValue] = []
    words = arguments.operands
    skip = False
    for place, word in enumerate(words):
        if word in ("-o", "--output") and place + 1 < len(words):
            paths.append(scene.path(words[place + 1], "write"))
            skip = True
        elif word[:2] == "-o" and len(word) > 2:
            paths.append(scene.path(word[2:], "write"))
        elif word.startswith("--output="):
            paths.append(scene.path(word.partition("=")[2], "write"))
        elif word[:1] != "-" and not skip:
            paths.append(scene.path(word, "read"))
        else:
            skip = False
    if any(word in ("--export-secret-keys", "--export-secret-subkeys") for word in words):
        scene.does("discloses")
    if any(word in ("-d", "--decrypt") for word in words):
        scene.does("decodes")
    return paths

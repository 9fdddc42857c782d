"""`sed`: edits lines; with `-i` files in place, and its script can write, read and start programs."""

from __future__ import annotations

from policy_engine.model.paths import PathValue
from policy_engine.model.sed_script import read_script
from policy_engine.programs.base import Arguments, Scene


def touched(arguments: Arguments, scene: Scene) -> list[PathValue]:
    scripts = arguments.values("-e", "--expression")
    files = list(arguments.operands)
    paths: list[PathValue] = []
    if arguments.has("-f", "--file"):
        scene.doubt("*", "what the script of `sed` does is not read")
    elif not scripts and files:
        scripts = [files.pop(0)]
        if arguments.has("-i") and scripts == [""] and files:
            scripts = [files.pop(0)]  # `sed -i '' SCRIPT` of BSD
    for script in scripts:
        paths += read_script(script, scene)
    inplace = arguments.has("-i", "-I", "--in-place")
    for text in files:
        if text != "-":
            paths.append(scene.path(text, "read"))
            if inplace:
                paths.append(scene.path(text, "write"))
    return paths

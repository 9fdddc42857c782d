"""`sed`: edits lines; with `-i` files in place, and its script can write, read and start programs."""

from __future__ import annotations

from policy_engine.model.paths import PathValue
from policy_engine.programs.base import FLAG, OPTIONAL, VALUE, Arguments, Program, Scene


def _touched(arguments: Arguments, scene: Scene) -> list[PathValue]:
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
        paths += _script(script, scene)
    inplace = arguments.has("-i", "-I", "--in-place")
    for text in files:
        if text != "-":
            paths.append(scene.path(text, "read"))
            if inplace:
                paths.append(scene.path(text, "write"))
    return paths


def _script(script: str, scene: Scene) -> list[PathValue]:
    """Files that `w` and `r` name; `e` starts programs. What is not plain is looked at with suspicion."""
    paths: list[PathValue] = []
    for line in script.replace(";", "\n").split("\n"):
        command = line.strip().lstrip("0123456789,$!{} \t")
        if command[:1] == "/" and command.count("/") > 1:
            command = command[1:].partition("/")[2].lstrip("I!,{ ")
        if command[:1] in ("w", "W", "r", "R") and command[1:].strip():
            paths.append(scene.path(command[1:].strip(), "write" if command[0] in "wW" else "read"))
        elif command[:1] == "e":
            scene.does("executes")
        elif command[:1] == "s" and len(command) > 3:
            paths += _substitution(command, scene)
    return paths


def _substitution(command: str, scene: Scene) -> list[PathValue]:
    mark, place, seen = command[1], 2, 0
    while place < len(command) and seen < 2:
        if command[place] == "\\":
            place += 1
        elif command[place] == mark:
            seen += 1
        place += 1
    flags = command[place:]
    head = flags.partition("w")[0]
    if "e" in head:
        scene.does("executes")
    return (
        [scene.path(flags.partition("w")[2].strip(), "write")]
        if "w" in flags and flags.partition("w")[2].strip()
        else []
    )


PROGRAM = Program(
    "sed",
    short="nrEsuz",
    short_values="efl",
    short_optional="iI",
    long={
        "quiet": FLAG, "silent": FLAG, "debug": FLAG, "expression": VALUE, "file": VALUE, "follow-symlinks": FLAG,
        "in-place": OPTIONAL, "line-length": VALUE, "null-data": FLAG, "posix": FLAG, "regexp-extended": FLAG,
        "separate": FLAG, "sandbox": FLAG, "unbuffered": FLAG, "zero-terminated": FLAG, "help": FLAG,
        "version": FLAG,
    },
    touched=_touched,
    abbreviates=True,
    shows_content=True,
    read_only=True,
)  # fmt: skip

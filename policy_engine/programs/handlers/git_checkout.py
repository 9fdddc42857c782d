"""`git checkout`: changes branches or restores files; `git switch` and `git restore` share it."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.programs.base import Arguments, Scene


def touched(arguments: Arguments, scene: Scene) -> list[PathValue]:
    if arguments.has("-f", "--force", "--discard-changes"):
        scene.does("discards")
    if arguments.has("--pathspec-from-file") and not (arguments.has("-S", "--staged") and not arguments.has("-W")):
        scene.does("discards")
    if arguments.has("-p", "--patch"):
        scene.doubt("discards", "which changes are thrown away is asked one by one")
        return []
    if arguments.has("--force-create") or (scene.name != "git-restore" and arguments.has("-B", "-C")):
        scene.doubt("discards", "commits may be left without a branch")
    if scene.name == "git-switch":
        return [scene.path(".", "write", arguments.has("--orphan"))] if arguments.operands or arguments.options else []
    if scene.name == "git-restore":
        if arguments.has("-S", "--staged") and not arguments.has("-W", "--worktree"):
            return []
        files = arguments.operands
    else:
        making = arguments.has("-b", "-B", "--orphan", "-t", "--track")
        files = arguments.rest or ([] if making else [text for text in arguments.operands if _is_file(text, scene)])
        if not arguments.rest and len(arguments.operands) > 1 and not making:
            files = arguments.operands[1:]
    if files:
        scene.does("discards")
    return [scene.path(text, "write", True) for text in files]


def _is_file(text: str, scene: Scene) -> bool:
    """Git takes a word for a file if it is there and no branch is called so."""
    path = scene.path(text, "write")
    return (
        text in (".", "..", ":/") or any(char in text for char in "*?[") or (path.known and scene.world.present(path))
    )

"""`mdadm`: makes, stops and takes apart arrays of devices."""

from __future__ import annotations

from policy_engine.model.partial import is_known
from policy_engine.model.paths import PathValue
from policy_engine.programs.base import Arguments, Scene

_CHANGES = ("--zero-superblock", "--create", "--build", "--stop", "--fail", "--remove", "--grow", "--set-faulty")
_LETTERS = "CBSfrG"


def touched(arguments: Arguments, scene: Scene) -> list[PathValue]:
    words = arguments.operands
    short = [word for word in words[:1] if word[:1] == "-" and word[:2] != "--" and word[1:2] in _LETTERS]
    if short or any(word in _CHANGES for word in words):
        scene.does("formats")
    elif not all(map(is_known, words)):
        scene.doubt("formats", "its words are not known")
    return []

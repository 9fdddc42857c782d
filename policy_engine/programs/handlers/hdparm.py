"""`hdparm`: reads and sets parameters of drives; some of its options erase them."""

from __future__ import annotations

from policy_engine.model.partial import is_known
from policy_engine.model.paths import PathValue
from policy_engine.programs.base import Arguments, Scene

_ERASES = ("--security-erase", "--trim-sector-ranges", "--make-bad-sector", "--write-sector", "--fwdownload",
           "--repair-sector", "--sanitize", "--security-set-pass", "--dco-restore")  # fmt: skip


def touched(arguments: Arguments, scene: Scene) -> list[PathValue]:
    words = arguments.operands
    if any(word.startswith(_ERASES) for word in words):
        scene.does("formats")
    elif not all(map(is_known, words)):
        scene.doubt("formats", "its words are not known")
    return []

"""`nvme`: reads and manages NVMe drives; some of its verbs erase them."""

from __future__ import annotations

from policy_engine.model.partial import is_known
from policy_engine.model.paths import PathValue
from policy_engine.programs.base import Arguments, Scene

_ERASES = ("format", "sanitize", "delete-ns", "create-ns", "write-zeroes", "write", "write-uncor", "dsm", "fw-download")


def touched(arguments: Arguments, scene: Scene) -> list[PathValue]:
    verb = (arguments.operands or [""])[0]
    if verb in _ERASES:
        scene.does("formats")
    elif not is_known(verb):
        scene.doubt("formats", "which command of `nvme` is meant is not known")
    return []

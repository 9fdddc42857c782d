"""Describe the Program in force, and make importable what compiling one needs. Imported by the hook path."""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from policy_engine.evaluators.base import Program
    from policy_engine.loading.layered import Layered

    Folders = Sequence[tuple[str, str]]


class Live:
    """A Program in force, with the errors that kept a newer one out, and what is lacking altogether.

    `active` names the `folders` of its layers in the cache; `layered` is what was loaded, where that was just done.
    """

    __slots__ = ("active", "errors", "folders", "lacking", "layered", "program")

    def __init__(
        self,
        program: Program,
        errors: tuple[str, ...] = (),
        lacking: tuple[str, ...] = (),
        active: str = "",
        folders: Folders = (),
        layered: Layered | None = None,
    ) -> None:
        self.program = program
        self.errors = errors
        self.lacking = lacking
        self.active = active
        self.folders = folders
        self.layered = layered


def add_site_packages() -> None:
    """Make the installed libraries importable in a process started with `-I -S`; appended, so they shadow nothing."""
    prefix = sys.executable.rsplit("/", 2)[0]
    version = f"python{sys.version_info[0]}.{sys.version_info[1]}"
    folders = [f"{prefix}/lib/{version}/site-packages", f"{prefix}/lib64/{version}/site-packages"]
    folders += [f"{prefix}/local/lib/{version}/dist-packages", f"{prefix}/lib/python3/dist-packages"]
    sys.path += [folder for folder in folders if folder not in sys.path]

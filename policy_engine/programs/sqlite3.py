"""`sqlite3`: reads and writes a database file."""

from __future__ import annotations

from policy_engine.model.paths import PathValue
from policy_engine.programs.base import Arguments, Program, Scene


def _touched(arguments: Arguments, scene: Scene) -> list[PathValue]:
    files = [word for word in arguments.operands if word[:1] != "-"]
    access = ("read",) if "-readonly" in arguments.operands else ("read", "write")
    if any(text.lstrip().startswith((".shell", ".system", ".output", ".once", ".import")) for text in files[1:]):
        scene.doubt("*", "what the dot command of `sqlite3` does is not modelled")
    return [scene.path(text, way) for text in files[:1] if text != ":memory:" for way in access]


PROGRAM = Program(
    "sqlite3",
    touched=_touched,
    raw=True,
)

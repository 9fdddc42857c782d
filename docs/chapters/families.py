"""Write `families.md`: every member of every family; those that no other chapter describes with their first line."""

from __future__ import annotations

import ast
import importlib
import pkgutil
from pathlib import Path

import policy_engine
from docs.chapters.base import Chapter, code, first_line, page, table, words

ABOUT = """A plural folder is a family: each file is one member, found by its name. [How to add one](../how-
to/README.md)."""
_ELSEWHERE = {
    "adapters": "[Hosts](hosts.md)",
    "commands": "[Commands](commands.md)",
    "hooks": "[Lifecycle points](points.md)",
    "lints": "[Lints](lints.md)",
}
"""Family -> the chapter that describes its members."""


def _files() -> dict[str, str]:
    rooms = [importlib.import_module(name) for name in _rooms()]
    parts = [_family(room.__name__, room.__doc__ or "") for room in rooms if (room.__doc__ or "").startswith("Family")]
    return {"families.md": page("Families", ABOUT, *parts)}


def _rooms() -> list[str]:
    found = pkgutil.walk_packages(policy_engine.__path__, "policy_engine.")
    return sorted(info.name for info in found if info.ispkg)


def _family(name: str, about: str) -> str:
    members = _members(name)
    title = name.removeprefix("policy_engine.").replace(".", "/")
    if title in _ELSEWHERE:
        listed = f"Described in {_ELSEWHERE[title]}: {words(path.stem for path in members)}."
    else:
        rows = [
            (code(path.stem), first_line(ast.get_docstring(ast.parse(path.read_text("utf-8"))))) for path in members
        ]
        listed = table(("member", "what it is"), rows)
    return f"## {title}\n\n{about}\n\n{listed}"


def _members(name: str) -> list[Path]:
    """Return the files of the members, which may need what is not installed."""
    files = Path(importlib.import_module(name).__path__[0]).glob("*.py")
    return sorted(path for path in files if path.stem != "base" and not path.stem.startswith("_"))


CHAPTER = Chapter("Families", "every member of every family", _files)

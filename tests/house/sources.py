"""The files of the repository, as the house rules see them: name relative to the root → text."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CODE = ("policy_engine", "bench", "examples", "tests", "tools", "docs")
_NOT_OURS = {"__pycache__", "node_modules", "recorded"}


@cache
def python_files(*folders: str) -> tuple[Path, ...]:
    """Every Python file below the folders, relative to the root, sorted."""
    found = (path for folder in folders for path in (ROOT / folder).rglob("*.py"))
    return tuple(sorted(path.relative_to(ROOT) for path in found if not _NOT_OURS & set(path.parts)))


@cache
def text_of(path: Path) -> str:
    """The text of a file named relative to the root."""
    return (ROOT / path).read_text("utf-8")


@cache
def tree_of(path: Path) -> ast.Module:
    """The syntax tree of a Python file named relative to the root."""
    return ast.parse(text_of(path), str(path))


def families() -> list[str]:
    """The rooms, and rooms within rooms, that call themselves a family in their first line: `a` or `a/b`, sorted."""
    package = ROOT / "policy_engine"
    rooms = sorted(str(path.parent.relative_to(package)) for path in package.rglob("*/__init__.py"))
    return [room for room in rooms if text_of(Path("policy_engine", room, "__init__.py")).startswith('"""Family')]


def member_files(family: str) -> list[Path]:
    """The member files of a family, sorted."""
    files = python_files(f"policy_engine/{family}")
    return [path for path in files if path.stem != "base" and not path.stem.startswith("_")]

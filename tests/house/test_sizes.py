"""Small rooms: files up to 600 lines, functions up to 60 without their docstring; each exception gives its reason."""

from __future__ import annotations

import ast
from pathlib import Path

from tests.house.sources import CODE, python_files, text_of, tree_of

FILE_LINES = 600
FUNCTION_LINES = 60
LARGER_FILES: dict[str, tuple[int, str]] = {
    "policy_engine/programs/_rows.py": (2_300, "a line for each program, made from programs.toml"),
}


def test_files_are_small() -> None:
    too_long = []
    for path in python_files(*CODE):
        limit, _ = LARGER_FILES.get(str(path), (FILE_LINES, ""))
        lines = text_of(path).count("\n")
        if lines > limit:
            too_long.append(f"{path}: {lines} lines, at most {limit}")
    assert too_long == []


def test_no_exception_outlives_its_need() -> None:
    stale = [name for name in LARGER_FILES if text_of(Path(name)).count("\n") <= FILE_LINES]
    assert stale == []


def _length(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    body = function.body
    first = body[1] if ast.get_docstring(function) is not None and len(body) > 1 else body[0]
    return (function.end_lineno or first.lineno) - first.lineno + 1


def test_functions_are_small() -> None:
    too_long = []
    for path in python_files("policy_engine", "bench", "examples", "tools", "docs"):
        for node in ast.walk(tree_of(path)):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and _length(node) > FUNCTION_LINES:
                too_long.append(f"{path}:{node.lineno}: `{node.name}` has {_length(node)} lines")
    assert too_long == []

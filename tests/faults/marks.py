"""The sources of the tests → which test injects which fault and proves which requirement; nothing is run."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from tests.house.sources import python_files, tree_of

Proof = tuple[Path, str]
"""The file, relative to the root, and the name of the test."""


@cache
def proofs(mark: str) -> dict[object, tuple[Proof, ...]]:
    """Argument of `pytest.mark.<mark>(…)` → the tests that carry it, in the order of the files."""
    found: dict[object, list[Proof]] = {}
    for path in python_files("tests"):
        for name, marked in _tests(tree_of(path)):
            for argument in dict.fromkeys(_arguments(marked, mark)):
                found.setdefault(argument, []).append((path, name))
    return {argument: tuple(tests) for argument, tests in found.items()}


def stray(mark: str) -> list[str]:
    """Where the mark stands and is not counted: on no test, or with an argument that is not written out."""
    found = []
    for path in python_files("tests"):
        tree = tree_of(path)
        counted = {id(node) for _, marked in _tests(tree) for node in _calls(marked, mark)}
        for node in _calls([tree], mark):
            if id(node) not in counted or not all(isinstance(one, ast.Constant) for one in node.args):
                found.append(f"{path}:{node.lineno}")
    return found


def _tests(tree: ast.Module) -> Iterator[tuple[str, list[ast.AST]]]:
    """Each test and the expressions whose marks it carries: its decorators, its class's and the module's."""
    ours: list[ast.AST] = [node.value for node in tree.body if _is_pytestmark(node)]  # type: ignore[attr-defined]
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            for inner in node.body:
                if isinstance(inner, ast.FunctionDef) and inner.name.startswith("test_"):
                    yield inner.name, [*ours, *node.decorator_list, *inner.decorator_list]
        elif isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
            yield node.name, [*ours, *node.decorator_list]


def _is_pytestmark(node: ast.AST) -> bool:
    targets = node.targets if isinstance(node, ast.Assign) else []
    return any(isinstance(target, ast.Name) and target.id == "pytestmark" for target in targets)


def _calls(nodes: list[ast.AST], mark: str) -> Iterator[ast.Call]:
    for root in nodes:
        for node in ast.walk(root):
            if isinstance(node, ast.Call) and ast.unparse(node.func) == f"pytest.mark.{mark}":
                yield node


def _arguments(nodes: list[ast.AST], mark: str) -> Iterator[object]:
    for call in _calls(nodes, mark):
        yield from (one.value for one in call.args if isinstance(one, ast.Constant))

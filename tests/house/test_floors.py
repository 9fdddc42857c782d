"""Imports fall, siblings are strangers, each library has one home: `.importlinter` holds, and covers every family."""

from __future__ import annotations

import ast
import configparser
import subprocess
import sys
from graphlib import CycleError, TopologicalSorter

from tests.house.sources import ROOT, families, python_files, tree_of

RUN = "from importlinter.cli import lint_imports_command; lint_imports_command()"


def test_the_floors_hold() -> None:
    done = subprocess.run(
        [
            sys.executable,
            "-c",
            "from importlinter.cli import lint_imports_command; lint_imports_command()",
            "--no-cache",
        ],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_every_family_has_its_contract() -> None:
    contracts = configparser.ConfigParser()
    contracts.read(ROOT / ".importlinter", "utf-8")
    names = [name.replace("/", "-") for name in families()]
    missing = [name for name in names if f"importlinter:contract:family-{name}" not in contracts]
    assert missing == []


# Modules that import one another, at their first use at least. Take a group out when it is done; nothing is ever added.
_CIRCLES = (
    "inline.python inline.python_calls",
    "shell.builtins shell.environment shell.listing shell.printing shell.walk_command shell.wrapping_lists",
    "test_runs.classify test_runs.environment test_runs.inner_shells test_runs.managers test_runs.options",
)


def test_no_modules_import_one_another() -> None:
    group = {f"policy_engine.{name}": names for names in _CIRCLES for name in names.split()}
    graph: dict[str, set[str]] = {}
    for module, imported in _imports().items():
        graph.setdefault(group.get(module, module), set()).update(group.get(name, name) for name in imported)
    for module, imported in graph.items():
        imported.discard(module)
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        raise AssertionError(" → ".join(error.args[1])) from None


def _imports() -> dict[str, set[str]]:
    """Return the modules that each module imports when it runs, at its beginning or later."""
    modules = {".".join(path.with_suffix("").parts): path for path in python_files("policy_engine")}
    found = {}
    for module, path in modules.items():
        tree = tree_of(path)
        types = {id(inner) for node in ast.walk(tree) if _is_for_types(node) for inner in ast.walk(node)}
        named: set[str] = set()
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and id(node) not in types:
                named |= {f"{node.module}", *(f"{node.module}.{alias.name}" for alias in node.names)}
            elif isinstance(node, ast.Import) and id(node) not in types:
                named |= {alias.name for alias in node.names}
        found[module] = named & modules.keys()
    return found


def _is_for_types(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"

"""What tests of the syntax share: text → tree without places, or the tree and its complaints in one line each."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from policy_engine.model.source import Source
from policy_engine.syntax import ast
from policy_engine.syntax.json_form import plain
from policy_engine.syntax.parser import parse

HERE = Path(__file__).parent


def text_of(name: str) -> str:
    return (HERE / name).read_text(encoding="utf-8")


def read(text: str) -> tuple[ast.File, list[str]]:
    """The tree, and complaints as `line:column code message`."""
    source = Source("test.policy", text)
    file, found = parse(source)
    return file, ["{}:{} {} {}".format(*source.position(d.span.start), d.code, d.message) for d in found]


def expression(text: str) -> ast.Expr:
    """The expression that `text` is; it must be without mistakes."""
    file, found = read(f"language 1\ndefine it = {text}\n")
    assert found == []
    item = file.items[0]
    assert isinstance(item, ast.Define)
    return item.value


def rule(clauses: str) -> ast.Rule:
    """The rule with these clauses; it must be without mistakes."""
    file, found = read(f"language 1\nrule r {{\n{clauses}\n}}\n")
    assert found == []
    item = file.items[0]
    assert isinstance(item, ast.Rule)
    return item


def tree(file: ast.File) -> list[Any]:
    """The items without places, comparable."""
    return [plain(item) for item in file.items]

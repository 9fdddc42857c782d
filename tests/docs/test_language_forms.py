"""The page on new forms of the language names places that exist, and every form that there is stands in them."""

from __future__ import annotations

import re

import pytest

from policy_engine.checker import tree
from policy_engine.syntax import ast, tree_clauses
from policy_engine.syntax.print_clauses import _ORDER
from policy_engine.syntax.resume import _CLAUSES
from tests.docs.blocks import ROOT

PAGE = (ROOT / "docs" / "how-to" / "add-a-language-form.md").read_text("utf-8")
ROWS = [[cell.strip() for cell in line.strip("|").split(" | ")] for line in PAGE.split("\n") if line.startswith("| `")]
PLACES = sorted({path for row in ROWS for cell in (row[0], row[-1]) for path in re.findall(r"`(\w+/[^` ]+)`", cell)})
EXPRESSIONS = sorted(one.__name__ for one in tree.Expr.__subclasses__())
EVERYWHERE = ("policy_engine/compiler/emit.py", "policy_engine/analysis/terms.py", "tests/reference/conditions.py")
"""Places in which every sort of expression has its part."""
GRAMMAR = (ROOT / "grammar" / "policy.lark").read_text("utf-8")
CLAUSES = {name for line in re.findall(r"^\?rule_clause: (.*)$", GRAMMAR, re.M) for name in line.split(" | ")}


@pytest.mark.parametrize("place", PLACES)
def test_a_place_is_there(place: str) -> None:
    assert (ROOT / place).exists()


@pytest.mark.parametrize("place", EVERYWHERE)
def test_every_sort_of_expression_stands_in(place: str) -> None:
    assert f"`{place}`" in PAGE
    text = (ROOT / place).read_text("utf-8")
    assert [name for name in EXPRESSIONS if not re.search(rf"\btree\.{name}\b", text)] == []


def test_a_clause_of_a_rule_is_built_printed_and_kept() -> None:
    assert {name for name in CLAUSES if not hasattr(tree_clauses, name)} == {"test"}
    assert {name.removeprefix("on_") for name in CLAUSES} == set(_ORDER[ast.Rule].split())


def test_reading_goes_on_at_every_word_that_begins_a_clause_of_a_rule() -> None:
    verdicts = re.findall(r"^!verdict_below_stop: (.*)$", GRAMMAR, re.M)[0]
    own = [found[1] for name in CLAUSES if (found := re.search(rf'^!?{name}: "(\w+)"', GRAMMAR, re.M))]
    words = {*own, *re.findall(r"\w+", verdicts), "stop"} - {"test"}
    assert {"when", "approve", "deny"} <= words <= _CLAUSES


def test_every_module_that_builds_or_prints_a_tree_is_named() -> None:
    named = {path.rpartition("/")[2] for path in PLACES}
    room = {path.name for path in (ROOT / "policy_engine" / "syntax").glob("*.py")}
    assert {name for name in room if name.startswith(("tree_", "print_"))} <= named

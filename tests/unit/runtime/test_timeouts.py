"""A rule may set the tool's time budget: clamped, and doubled for each timeout of its key in a row."""

from __future__ import annotations

from typing import Any

import pytest

from tests.unit.compiler.asking import engine, event


def tool(name: str, **args: Any) -> dict[str, Any]:
    return {"name": name, "kind": "other", "args": args}


@pytest.mark.parametrize(
    ("wish", "budget"), [(None, 10_000), (5, 10_000), (15_000, 15_000), (99_000, 20_000), ("x", 10_000)]
)
def test_a_range_clamps_what_the_host_wishes(wish: Any, budget: int) -> None:
    made = engine("rule r { on before_tool timeout 10s..20s }")
    args = {} if wish is None else {"timeout": wish}
    decision = made.decide(event(tool=tool("a", **args)))
    assert (decision.verdict, decision.rules, decision.timeout_ms) == ("allow", (), budget)


def test_timeouts_in_a_row_double_the_budget_of_their_key_up_to_the_cap() -> None:
    made = engine("rule r { on before_tool timeout 10s backoff to 30s by (tool.name) }")
    found = []
    for number, (name, late) in enumerate([("a", True), ("a", True), ("b", True), ("a", False), ("a", True)]):
        made.decide(event("after_tool", id=f"e{number}", tool=tool(name), result={"timed_out": late}))
        found.append([made.decide(event(tool=tool(which))).timeout_ms for which in "ab"])
    assert found == [[20_000, 10_000], [30_000, 10_000], [30_000, 20_000], [10_000, 20_000], [20_000, 20_000]]


def test_of_several_budgets_the_largest_counts_and_a_shadow_sets_none() -> None:
    made = engine("rule a { on before_tool timeout 10s } rule b { on before_tool timeout 20s }"
                  " rule c { on before_tool shadow timeout 90s }")  # fmt: skip
    assert made.decide(event()).timeout_ms == 20_000


def test_an_undecided_budget_is_reported_and_not_set() -> None:
    decision = engine("rule r { on before_tool when git.clean timeout 10s }").decide(event())
    assert (decision.verdict, decision.timeout_ms) == ("warn", None)

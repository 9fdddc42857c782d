"""History forms share monitors by meaning: one for each, whatever rule or spelling asks."""

from __future__ import annotations

from policy_engine.evaluators.base import Program
from policy_engine.loading.loader import load_text


def program(*conditions: str) -> Program:
    rules = [f"rule r{n} {{ on before_completion when {text} deny }}" for n, text in enumerate(conditions)]
    return load_text('language 1\ndefine src = glob("src/**")\n' + "\n".join(rules)).require_program()


def forms(*conditions: str) -> list[str]:
    return [spec[1] for spec in program(*conditions).monitors]


def test_equal_atoms_share_a_monitor() -> None:
    assert forms('wrote("src/**")', "wrote(src) since prompted()", 'not wrote(glob("src/**"))') == ["latest", "latest"]


def test_one_and_true_are_watched_apart() -> None:
    assert forms("tool_fact(n, 1) since tool_fact(n, true)") == ["latest", "latest"]
    either = program("tool_fact(n, 0)", "count(tool_fact(n, false)) > 1", "count(tool_fact(n, 0)) > 1")
    assert len({spec[0] for spec in either.monitors}) == 3


def test_the_order_of_a_union_means_nothing() -> None:
    either = '(prompted() or wrote(src)) since ran("ls")', '(wrote(src) or prompted()) since ran("ls")'
    assert len(program(*either).monitors) == 2
    facts = ["tool_fact(n, 1)", 'tool_fact(n, "x")', "tool_fact(n)", "prompted()", "tool_fact(n, true)"]
    unions = [f"count({' or '.join(order)}) > 1" for order in (facts, facts[::-1], facts[2:] + facts[:2])]
    assert len(program(*unions).monitors) == 1


def test_a_count_is_told_apart_by_window_and_reset() -> None:
    counts = ("count(prompted()) > 1", "count(prompted(), within: 2m) > 1", "count(prompted(), within: 2 rounds) > 1",
              "count(prompted(), since: wrote(src)) > 1", "count(prompted(), within: 120s) > 2")  # fmt: skip
    assert len([form for form in forms(*counts) if form == "count"]) == 4


def test_a_monitor_keeps_its_key_whatever_stands_around_it() -> None:
    alone, among = program("wrote(src)"), program("prompted()", "wrote(src)", "read(src)")
    assert {spec[0] for spec in alone.monitors} < {spec[0] for spec in among.monitors}


def test_only_the_facts_that_rules_ask_for_are_collected() -> None:
    assert program('agent.name == "a"').facts == frozenset()
    assert program("wrote(src)").facts == frozenset(("wrote",))
    assert program("every f in changed(src) { read(f) since wrote(f) }").facts == {"wrote", "deleted", "read"}


def test_variables_need_no_monitor() -> None:
    assert forms("every f in changed(src) { read(f) since wrote(f) }") == ["changed"]

"""Running all lints: found by file name, in the order of the text, each finding once."""

from __future__ import annotations

import sys
from datetime import date

from policy_engine.checker.tree import CheckedPolicy
from policy_engine.lints.base import Context, lints, run_all, shorten
from tests.unit.analysis.conditions import policy

TODAY = date(2026, 1, 1)


def test_a_lint_has_the_code_of_its_file() -> None:
    names = {lint.code: lint.run.__module__.rpartition(".")[2].replace("_", "-") for lint in lints()}
    assert names == {code: code for code in names}


def test_a_lint_begins_its_page_with_its_code() -> None:
    pages = {lint.code: (sys.modules[lint.run.__module__].__doc__ or "").partition("\n")[0] for lint in lints()}
    assert pages == {lint.code: f"{lint.code}: {lint.title}" for lint in lints()}


def test_a_lint_never_gives_an_error() -> None:
    assert {lint.severity for lint in lints()} <= {"warning", "note"}


def test_findings_come_in_the_order_of_the_text() -> None:
    found = policy(
        'define b = glob("x")\n'
        'rule a "A" { on before_tool(shell) when git.clean and not git.clean deny "Not allowed." fail open }\n'
        'define c = glob("x")\n'
    )
    diagnostics = run_all(Context(found, None, TODAY))
    assert [(d.source.position(d.span.start)[0], d.code) for d in diagnostics] == [
        (2, "unused-define"),
        (3, "fail-open"),
        (3, "rule-without-test"),
        (3, "always-false"),
        (3, "message-without-next-step"),
        (4, "unused-define"),
    ]


def test_a_finding_in_a_define_is_reported_once() -> None:
    found = policy(
        "define never = git.clean and not git.clean\n"
        'rule a "A" { on prompt when never warn "No." }\n'
        'rule b "B" { on prompt when never warn "No." }\n'
    )
    codes = [d.code for d in run_all(Context(found, None, TODAY))]
    assert codes.count("always-false") == 1


def test_the_same_work_is_done_once_for_all_lints() -> None:
    context = Context(policy('rule a "A" { on prompt warn "No." }'), None, TODAY)
    calls: list[CheckedPolicy] = []

    def work(found: CheckedPolicy) -> int:
        calls.append(found)
        return len(calls)

    assert [context.once(work), context.once(work)] == [1, 1]


def test_long_conditions_are_cut() -> None:
    assert shorten("a   and\n b") == "a and b"
    assert shorten("x" * 70) == "x" * 59 + "…"

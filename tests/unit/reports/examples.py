"""Findings, outcomes and decisions that the tests of the reports share: a plain one and one that means harm."""

from __future__ import annotations

from policy_engine.model.decision import Decision, RuleResult
from policy_engine.model.diagnostic import Diagnostic, Related
from policy_engine.model.page import Page
from policy_engine.model.source import Source, Span
from policy_engine.reports.base import Findings, TestOutcome

SOURCE = Source("rules/main.policy", 'language 1\nrule r "R" {\n  on befor_tool\n  deny "no"\n}\n')
AT = Span(SOURCE.text.index("befor_tool"), SOURCE.text.index("befor_tool") + len("befor_tool"))

UNKNOWN_POINT = Diagnostic(
    "PE204",
    "error",
    "unknown lifecycle point `befor_tool`",
    SOURCE,
    AT,
    help="did you mean `before_tool`?",
    related=(Related("the language is named here", SOURCE, Span(0, 8)),),
)
UNTESTED = Diagnostic("untested-rule", "warning", "`r` has no test", SOURCE, Span(11, 17), witness='shell "ls" => deny')
REMARK = Diagnostic("old-wording", "note", "`r` may be shorter", SOURCE, Span(11, 17))

CLEAN = Findings((), ("rules/main.policy",))
MIXED = Findings(
    (UNTESTED, REMARK, UNKNOWN_POINT),
    ("rules/main.policy", "rules/other.policy"),
    {"PE204": Page("PE204", "unknown lifecycle point", "A rule listens at a point that there is not.")},
)

HARM = "\x1b[31m\u202e]]> <b>\x00%0A::error::x\r\n# SKIP [click](evil) \udc80\ufffe\\"
EVIL_SOURCE = Source(f"a,b:{HARM}", f"language 1 {HARM}")
EVIL = Findings(
    (
        Diagnostic(
            "PE101", "error", HARM, EVIL_SOURCE, Span(11, 20), HARM, HARM, (Related(HARM, EVIL_SOURCE, Span(0, 1)),)
        ),
    ),
    (EVIL_SOURCE.name,),
)

PASSED = TestOutcome("rules/main.policy", 7, "r", "blocks", True, duration_ms=12.0)
FAILED = TestOutcome("rules/main.policy", 12, "r", "allows", False, "expected allow\ngot deny by r", 3.0)
OTHER = TestOutcome("rules/other.policy", 3, "", "whole", True)
OUTCOMES = (PASSED, FAILED, OTHER)
EVIL_OUTCOMES = (
    TestOutcome(HARM, 1, HARM, HARM, False, HARM),
    TestOutcome("b", 2, HARM, HARM, False, HARM),
)

DENIED = Decision(
    "e-17",
    "before_tool",
    "s-1",
    "deny",
    "sha256:0",
    rules=(
        RuleResult(
            "no-recursive-delete",
            "violated",
            "deny",
            "`rm -rf /etc` deletes /etc.\nDelete only below the workspace.",
            "main.policy:7:1",
            (("not (p inside workspace)", {"p": "/etc"}),),
            ("e-17",),
            satisfy=("`p inside workspace`",),
        ),
        RuleResult("tests-pass", "undecided", "warn", "", "main.policy:20:1", undecided=("no `cwd` was sent",)),
    ),
)


def controls_in(text: str) -> set[str]:
    """The characters of `text` that a terminal would obey: everything below blank but the line end, and more."""
    return {char for char in text if (char < " " and char != "\n") or char in "\x7f\u202e\u2028\ufffe\udc80"}

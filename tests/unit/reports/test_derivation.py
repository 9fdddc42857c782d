"""A derivation for people: what decided first, each condition with mark, values and witness, a tree on a terminal."""

from __future__ import annotations

from policy_engine.evaluators.base import RuleSpec
from policy_engine.evaluators.trace import Seen
from policy_engine.model.decision import Decision, RuleResult
from policy_engine.reports.base import Style
from policy_engine.reports.derivation import derivation_json, derivation_text
from policy_engine.runtime.explanation import Explained

RESULT = RuleResult("no-rm", "violated", "deny", "Do not \x1b[31mremove.", "a.policy:3:1", satisfy=("nothing",))
DECISION = Decision("e-1", "before_tool", "s-1", "deny", "sha256:0", (RESULT,))


def _rule(name: str) -> RuleSpec:
    spec = (name, "rule", "deny", "", "a.policy:3:1", "closed", False, "", "high", (), None, (), None, {})
    return RuleSpec(spec, {})


def _any() -> Seen:
    leaf = Seen('c.program == "rm"', True, because=(('c.program == "rm"', {"c.program": "rm"}),))
    return Seen('any c in commands { c.program == "rm" }', True, bound={3: "rm a"}, parts=(leaf,))


EXPLAINED = (
    Explained(_rule("a-quiet"), "not_applicable", (("when", Seen("wrote(source)", False)),)),
    Explained(_rule("b-unsure"), "undecided", (("when", Seen("git.clean", None, ("no git",))),)),
    Explained(_rule("no-rm"), "violated", (("when", _any()),), RESULT, "rules"),
)


def test_piped_it_is_indented_lines_strictest_first() -> None:
    assert derivation_text(DECISION, EXPLAINED, Style(), terminal=False) == (
        "deny  before_tool  e-1  s-1\n"
        "  violated  no-rm  → deny  a.policy:3:1\n"
        '    when ✓ any c in commands { … }  c = "rm a"\n'
        '      ✓ c.program == "rm"  c.program = "rm"\n'
        "    says  Do not \\x1b[31mremove.\n"
        "    to pass  nothing\n"
        "  undecided  b-unsure  a.policy:3:1\n"
        "    when ? git.clean  (no git)\n"
        "  not applicable  a-quiet  a.policy:3:1\n"
        "    when ✗ wrote(source)\n"
    )


def test_on_a_terminal_it_is_a_tree_that_fits_with_colour_only_if_wanted() -> None:
    plain = derivation_text(DECISION, EXPLAINED, Style(width=44), terminal=True)
    assert "├── violated  no-rm  → deny  a.policy:3:1\n│   ├── when ✓ any c in commands { … }" in plain
    assert max(map(len, plain.splitlines())) <= 44
    assert "\x1b" not in plain
    assert "\x1b[" in derivation_text(DECISION, EXPLAINED, Style(color=True, width=80), terminal=True)


def test_as_json_it_is_nested_like_the_policy() -> None:
    rules = derivation_json(DECISION, EXPLAINED)["rules"]
    assert [(rule["rule"], rule["outcome"], rule["enforced"]) for rule in rules] == [
        ("a-quiet", "not_applicable", False),
        ("b-unsure", "undecided", False),
        ("no-rm", "violated", True),
    ]
    clause = rules[2]["clauses"][0]
    assert (clause["clause"], clause["witness"], clause["values"]) == ("when", {"c": "rm a"}, {})
    assert clause["parts"][0]["values"] == {"c.program": "rm"}

"""What a decision says to a person and to an agent: one sentence per cause, and never more than a dialog holds."""

from __future__ import annotations

import pytest

from policy_engine.model.decision import Decision, RuleResult, could_not_be_decided
from policy_engine.protocol.answer import ASK_CHARS, CONTINUED, REFUSAL_CHARS, explain, reason, refusal_of

EVERY = frozenset(("warn", "remind", "ask", "deny", "stop"))
OPTION = "the option `--foo=src` of `pytest` is not modelled"
VALUE = "what `$X` stands for is not known"


def open_rule(name: str, *reasons: str, message: str = "`x` is deleted. Keep it.", verdict: str = "ask") -> RuleResult:
    text = could_not_be_decided(reasons) + message
    because = (("any c in commands { c.program == 1 }", {"c": "x"}),)
    return RuleResult(name, "undecided", verdict, text, "p.policy:1:1", because, (), reasons, ("not wrote(source)",))


def decided(*rules: RuleResult, hook: str = "before_tool") -> Decision:
    verdict = rules[0].verdict if rules else "allow"
    return Decision("e", hook, "s", verdict, "sha256:0", rules)


def test_one_cause_is_one_sentence_however_many_rules_it_leaves_open() -> None:
    text = reason(decided(*(open_rule(f"r{n:02}", OPTION) for n in range(15))), EVERY)
    assert text.count(OPTION) == 1
    assert text == (
        f"Could not be decided: {OPTION}. 15 rules depend on it: r00, r01, r02 and 12 more."
        " Leave out what is not modelled, or spell it as its manual does. `policy why` shows each."
    )


def test_rules_with_several_reasons_are_covered_by_the_fewest() -> None:
    rules = [open_rule("a", OPTION), open_rule("b", OPTION, VALUE), open_rule("c", "another reason", OPTION)]
    assert f"Could not be decided: {OPTION}. 3 rules" in reason(decided(*rules), EVERY)
    rules.append(open_rule("d", VALUE))
    assert f"Could not be decided: {OPTION}; {VALUE}. 4 rules" in reason(decided(*rules), EVERY)


@pytest.mark.parametrize("asked", [True, False])
@pytest.mark.parametrize("hook", ["before_tool", "before_completion"])
@pytest.mark.parametrize("count", [1, 2, 3, 40])
@pytest.mark.parametrize("causes", [1, 5, 200])
def test_no_number_of_rules_makes_a_dialog_longer(asked: bool, hook: str, count: int, causes: int) -> None:
    rules = [open_rule(f"open-{n}", f"{'y' * 90} {n % causes}", message="z" * 1000) for n in range(count)]
    broken = [RuleResult(f"broken-{n}", "violated", "ask", f"`{'x' * 500}` is bad {n}. Stop.") for n in range(count)]
    for each in (rules, broken, [*broken, *rules]):
        text = refusal_of(decided(*each, hook=hook), asked, nobody=not asked)
        assert 40 < len(text) <= (ASK_CHARS if asked else REFUSAL_CHARS - len(CONTINUED) - 1)
    first = refusal_of(decided(*broken), asked, nobody=False)
    assert "is bad 0. Stop." in first, "code is cut before words"


def test_what_is_left_out_is_counted() -> None:
    rules = [RuleResult(f"r{n}", "violated", "deny", "A sentence about something. " * 6) for n in range(9)]
    text = reason(decided(*rules), EVERY)
    assert text.endswith(f"… and {9 - text.count('[r')} more rules; `policy why` shows each.")


@pytest.mark.parametrize("hook", ["before_tool", "before_completion", "subagent_completion"])
def test_no_source_of_an_expression_is_shown(hook: str) -> None:
    broken = RuleResult(
        "tests-pass", "violated", "deny", "src/a.py changed. Run `pytest`.", "p.policy:1:1",
        (("command_success(tests) since wrote(source)", {"f": "a"}),), (), (),
        ("every f in changed(files) { read(f) }",),
    )  # fmt: skip
    text = reason(decided(broken, open_rule("a", VALUE), open_rule("b", VALUE), hook=hook), EVERY)
    assert not any(source in text for source in ("since", "every f", "any c in", "not wrote"))
    assert "Run `pytest`." in text


def test_at_a_completion_every_open_rule_still_says_what_to_do() -> None:
    rules = (open_rule("a", VALUE, message="Run the tests."), open_rule("b", VALUE, message="Read README.md."))
    text = reason(decided(*rules, hook="before_completion"), EVERY)
    assert text.count(VALUE) == 1
    assert text.endswith("Run the tests. [a]\nRead README.md. [b]")


def test_a_rule_without_words_is_named() -> None:
    text = reason(decided(RuleResult("r", "violated", "deny", at="p:1:1")), EVERY)
    assert text == "The rule `r` says deny. [r, p:1:1]"
    assert refusal_of(decided(), asked=False, nobody=False) == "Policy says allow."


def test_the_place_of_a_rule_is_told_from_the_repository() -> None:
    def told(at: str) -> str:
        rule = {"rule": "a", "outcome": "violated", "verdict": "deny", "message": "No.", "at": at}
        return explain(RuleResult.from_dict(rule))

    assert told("/home/x/repo/.policy/sub/main.policy:5:1") == "No. [a, .policy/sub/main.policy:5:1]"
    assert told("pack:security/no-sudo:5:1") == "No. [a, pack:security/no-sudo:5:1]"
    assert told("/home/x/.config/policy-engine/a.policy:5:1") == "No. [a, /home/x/.config/policy-engine/a.policy:5:1]"


@pytest.mark.parametrize(
    ("why", "advice"),
    [
        ("what `…` stands for is not known", "Write the value itself in place of the variable, pattern or list"),
        (VALUE, "Write the value itself in place of the variable, pattern or list that is read."),
        ("which files `a.tgz` holds is not known", "Unpack it below a folder of its own, as `tar -C`"),
        ("what happened before is not known: events were lost", "Do again what the rules ask for."),
    ],
)
def test_the_advice_can_be_followed(why: str, advice: str) -> None:
    assert advice in reason(decided(*(open_rule(name, why) for name in "abc")), EVERY)

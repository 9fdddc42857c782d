"""What counts as seen: rules by their outcomes, conditions by their truths, wherever they stand."""

from __future__ import annotations

from policy_engine.reports.base import Style
from policy_engine.testing.coverage_table import coverage_text
from tests.unit.testing.playing import coverage_of

RULE = """rule r "t" { on before_tool(shell)
  when any c in commands { c.program == "rm" and c.has_flag("-r") }
  unless git.branch == "topic"
  deny "no"
"""


def _seen(tests: str, text: str = RULE) -> dict[str, set[bool | None]]:
    coverage = coverage_of(f"{text} {tests} }}")
    return {condition.text: condition.seen for condition in coverage.rules["r"].conditions.values()}


def test_a_condition_is_seen_both_ways_by_two_tests() -> None:
    one = 'test { given git.branch = "main"  shell "rm -r x" => deny }'
    two = 'test { given git.branch = "topic"  shell "rm x" => allow }'
    three = 'test { given git.branch = "topic"  shell "ls" => allow }'
    names = ('c.program == "rm"', 'c.has_flag("-r")', 'git.branch == "topic"')
    assert _seen(one) == dict(zip(names, ({True}, {True}, {False}), strict=True))
    assert _seen(one + two) == dict(zip(names, ({True}, {True, False}, {False, True}), strict=True))
    assert _seen(one + two + three) == {name: {True, False} for name in names}


def test_an_undecided_condition_is_neither_true_nor_false() -> None:
    assert _seen('test { shell "rm -r x" => deny }')['git.branch == "topic"'] == {None}


def test_every_member_of_a_quantifier_counts() -> None:
    text = 'rule r "t" { on before_tool(shell)  when any c in goal.commands { c == "a" }  deny "no"\n'
    assert _seen('test { given goal.commands = ["b", "a"]  shell "ls" => deny }', text) == {'c == "a"': {True, False}}


def test_conditions_inside_a_count_are_conditions() -> None:
    text = 'rule r "t" { on before_tool(shell)  when count x in goal.commands { x == "a" or x == "b" } > 1  deny "no"\n'
    seen = _seen('test { given goal.commands = ["a", "b"]  shell "ls" => deny }', text)
    assert seen['x == "a"'] == {True, False}
    assert seen['count x in goal.commands { x == "a" or x == "b" } > 1'] == {True}


def test_rules_that_the_index_passes_over_are_asked_too() -> None:
    cover = coverage_of(f'{RULE} test {{ shell "ls" => allow  write "a" => allow }} }}').rules["r"]
    assert (cover.events, dict(cover.outcomes)) == (1, {"not_applicable": 1})


def test_the_percentage_is_of_goals() -> None:
    text = 'rule r "t" { on before_completion  when wrote("a")  require file_exists("b")  deny "no"\n'
    coverage = coverage_of(text + 'test { finish => allow  write "a"  finish => deny  file "b"  finish => allow } }')
    assert (coverage.reached, coverage.goals, coverage.percent, coverage.missing()) == (6, 6, 100.0, [])
    coverage = coverage_of(text + 'test { write "a"  finish => deny } }')
    assert (coverage.reached, coverage.goals, coverage.percent) == (3, 6, 50.0)
    assert coverage.missing() == [
        ("main.policy:2:6", "r", "never satisfied"),
        ("main.policy:2:41", "r", '`wrote("a")` never false'),
        ("main.policy:2:61", "r", '`file_exists("b")` never true'),
    ]


def test_a_limit_is_covered_when_it_speaks() -> None:
    text = 'limit r "t" { on after_tool  when tool.kind == "shell"  counts called("Bash")  at 2 remind "enough"\n'
    coverage = coverage_of(text + 'test { run "ls" exit 0  write "a"  run "ls" exit 0 => remind } }')
    assert dict(coverage.rules["r"].outcomes) == {"not_applicable": 2, "violated": 1}
    assert coverage.percent == 100.0


def test_a_rule_that_no_test_asks_says_so_once() -> None:
    coverage = coverage_of(
        'rule r "t" { on prompt  when prompt contains "x"  deny "no" }\ntest { shell "ls" => allow }'
    )
    assert coverage.missing() == [("main.policy:2:6", "r", "never asked: there is no event at which it listens")]
    assert coverage_text(coverage, Style()) == (
        "  rule  events  violated  satisfied  not applicable  undecided  conditions\n"
        "  r          0         0          -               0          0      0 of 1\n"
        "\n"
        "not seen in any test\n"
        "  main.policy:2:6  r  never asked: there is no event at which it listens\n"
        "\n"
        "coverage 0 %, 0 of 3 goals\n"
    )


def test_the_json_form_has_every_condition() -> None:
    text = 'rule r "t" { on prompt  when prompt contains "x"  deny "no"\n test { prompt "x" => deny } }'
    assert coverage_of(text).to_dict() == {
        "percent": 66.6,
        "goals": 3,
        "reached": 2,
        "rules": [
            {
                "rule": "r",
                "at": "main.policy:2:6",
                "events": 1,
                "violated": 1,
                "satisfied": 0,
                "not_applicable": 0,
                "undecided": 0,
                "conditions": [
                    {
                        "expr": 'prompt contains "x"',
                        "at": "main.policy:2:30",
                        "true": True,
                        "false": False,
                        "undecided": False,
                    }
                ],
            }
        ],
    }


def test_a_command_is_one_condition_that_no_other_command_meets() -> None:
    rule = 'rule r "A" { on command kubectl apply, terraform apply deny "No."'
    seen = _seen('test { shell "terraform apply" => deny shell "ls" => allow }', rule)
    assert seen == {"kubectl apply": {False}, "terraform apply": {True, False}}

"""What a test is about, how failures read, which tests run."""

from __future__ import annotations

from pathlib import Path

import pytest

from policy_engine.loading.loader import load
from policy_engine.model.errors import PolicyLoadError
from policy_engine.testing.runner import run, suite
from tests.unit.testing.playing import messages, outcomes

GUARD = 'rule guard "t" { on before_tool(shell)  when any c in commands { c.program == "rm" }  deny "no {c.text}"\n'


def test_a_wrong_verdict_says_what_was_decided_and_why() -> None:
    assert messages(GUARD + '  test { shell "rm x" => allow } }') == [
        "main.policy:3:10: expected allow, got deny\n"
        "  |\n"
        '3 |   test { shell "rm x" => allow } }\n'
        "  |                       ^^^^^^^^\n"
        "  decided at before_tool: deny\n"
        "    guard deny: no rm x\n"
        '      because  c.program == "rm"  c.program = "rm"'
    ]


def test_a_rule_that_did_not_speak_says_why() -> None:
    rule = 'rule r "t" { on before_completion  when wrote("a")  require file_exists("b")  deny "no"\n'
    assert messages(rule + "test { finish => deny } }") == [
        "main.policy:3:8: expected deny, got allow\n"
        "  |\n"
        "3 | test { finish => deny } }\n"
        "  |               ^^^^^^^\n"
        "  decided at before_completion: allow, no rule spoke\n"
        "  r does not apply at before_completion, because\n"
        '      wrote("a") is false'
    ]
    message = messages(rule + 'test { write "a"  file "b"  finish => deny } }')[0]
    assert "  r is satisfied at before_completion, because\n" in message
    assert '      file_exists("b") is true' in message


def test_an_undecided_rule_names_what_is_unknown() -> None:
    rule = 'rule r "t" { on before_tool(shell)  when git.branch == "main"  deny "no"\n'
    message = messages(rule + 'test { shell "ls" => allow } }')[0]
    assert "      unknown  `git.branch` is not known: " in message
    assert "      help     `given FIELD = VALUE` says in a test what the host would send" in message


def test_every_failing_step_is_reported() -> None:
    message = messages(GUARD + 'test { shell "rm x" => allow  shell "ls" => deny  shell "ls" => allow } }')[0]
    assert message.startswith("2 of 3 steps failed\n\nmain.policy:3:8: expected allow, got deny\n")
    assert "\n\nmain.policy:3:31: expected deny, got allow\n" in message


def test_the_named_rule_must_have_spoken() -> None:
    other = 'rule other "t" { on before_tool(shell)  when any c in commands { c.program == "mv" }  deny "no" }\n'
    text = GUARD + "}\n" + other
    assert messages(text + 'test { shell "rm x" => deny by guard }') == [""]
    assert messages(text + 'test { shell "mv x y" => allow by guard }')[0].startswith(
        "main.policy:5:8: expected allow by guard, got deny"
    )
    message = messages(text + 'test { shell "rm x" => deny by other }')[0]
    assert message.startswith("main.policy:5:8: expected deny by other, got deny\n")
    assert "  other does not apply at before_tool, because\n" in message
    assert "other does not listen at any event" in messages(text + "test { finish => deny by other }")[0]


@pytest.mark.parametrize(
    ("steps", "problem"),
    [
        ("", "nothing runs in this test: add"),
        ('shell "ls"', "no step says what it expects: add"),
        ('file "a" => allow', "nothing is decided at `file`: expect"),
        ("call shell => deny", "the engine could not decide this step: E-TYPE: `tool.args.command`"),
        ('file "/workspace"  shell "ls" => allow', "this step cannot be played: "),
    ],
)
def test_a_test_that_shows_nothing_fails(steps: str, problem: str) -> None:
    assert problem in messages(f"{GUARD} test {{ {steps} }} }}")[0]


def test_a_rule_is_tested_alone_and_a_file_as_a_whole() -> None:
    strict = 'rule strict "t" { on before_tool(shell)  deny "nothing runs" }\n'
    alone = GUARD + '  test { shell "ls" => allow } }\n'
    assert messages(strict + alone + 'test { shell "ls" => deny by strict }') == ["", ""]


def test_alone_means_with_the_limits_and_modes_that_are_read_but_without_their_word() -> None:
    limit = 'limit calls "t" { on after_tool  counts called("Bash")  at 1 remind "no" }\n'
    mode = 'mode careful "t" { enter when limit.calls.count >= 2 }\n'
    rule = """rule counted "t" { on before_tool(write)  when limit.calls.count >= 2  ask "sure?"
  test { run "ls" exit 0  run "ls" exit 0 => allow  shell "ls" => allow  write "a" => ask } }
"""
    reader = """rule careful-write "t" { on before_tool(write)  when mode.careful  ask "sure?"
  test { write "a" => allow  given mode.careful = true  write "a" => ask }
  test { given limit.calls.count = 2  write "a"  write "a" => ask }
  test { undecided mode.careful  write "a" => ask } }
"""
    assert [message for message in messages(limit + mode + rule + reader) if message] == []


def test_shadow_and_waivers_hold_for_the_file_and_not_for_the_rule_alone() -> None:
    shadow = 'rule s "t" { on before_tool(shell)  shadow  deny "no"\n test { shell "ls" => deny } }\n'
    waived = 'rule w "t" { on before_tool(write)  deny "no"\n test { write "a" => deny } }\n'
    waive = 'waive w "t" { until 2026-01-05  owner "me" }\n'
    whole = (
        'test { shell "ls" => allow  write "a" => allow  given time.now = "2026-01-06T00:00:00Z"  write "a" => deny }'
    )
    assert messages(shadow + waived + waive + whole) == ["", "", ""]


def test_limits_modes_hooks_and_verifies_have_tests_of_their_own() -> None:
    limit = 'limit l "t" { on after_tool  counts called("Bash")  at 2 remind "enough"\n' + (
        'test { run "ls" exit 0 => allow  run "ls" exit 0 => remind } }\n'
    )
    mode = 'mode m "t" { enter when called("Bash")\n test { run "ls" exit 0  write "a" => deny } }\n'
    reader = 'rule r "t" { on before_tool(write)  when mode.m  deny "no" }\n'
    hook = 'hook h "t" { on before_tool(write)  run ["check"]  fail closed\n'
    hook += 'test { write "a" => deny  read "a" => allow } }\n'
    verify = 'verify v "t" { stage s run ["check"] timeout 1s\n test { finish => allow'
    verify += (
        '  write "a"  given verified(s) = false  finish => deny  given verified(v) = undecided  finish => deny } }\n'
    )
    ended = outcomes(limit + mode + reader + hook + verify + 'test { write "a" => allow }')
    assert [(one.rule, one.passed) for one in ended] == [
        ("l", True), ("m", True), ("h", True), ("v", True), ("", True),
    ]  # fmt: skip


def test_the_completion_budget_holds_in_tests() -> None:
    rule = 'rule r "t" { on before_completion  require wrote("a")  deny "no"\n'
    test = "test { finish => deny  finish => deny  finish => deny  finish => stop } }"
    assert messages(rule + test) == [""]


def test_a_top_level_test_sees_what_its_file_imports_and_nothing_else(tmp_path: Path) -> None:
    rule = 'language 1\nrule {0} "t" {{ on before_tool({1})  deny "no" }}\n'
    (tmp_path / "a.policy").write_text(
        'language 1\nimport "b.policy"\ntest { shell "x" => deny by shells  write "x" => allow }\n'
    )
    (tmp_path / "b.policy").write_text(rule.format("shells", "shell") + 'test { shell "x" => deny }\n')
    (tmp_path / "c.policy").write_text(rule.format("writes", "write") + 'test { shell "x" => allow }\n')
    ended = run(suite(load([tmp_path]), [tmp_path]))
    assert [(Path(one.file).name, one.message) for one in ended] == [
        ("a.policy", ""),
        ("b.policy", ""),
        ("c.policy", ""),
    ]
    only = run(suite(load([tmp_path / "a.policy"]), [tmp_path / "a.policy"]))
    assert [Path(one.file).name for one in only] == ["a.policy"]


def test_the_filter_looks_at_file_rule_and_title(tmp_path: Path) -> None:
    path = tmp_path / "main.policy"
    tests = 'test "Harmless" { shell "ls" => allow }  test "harm" { shell "rm x" => deny }'
    path.write_text(f"language 1\n{GUARD} {tests} }}\n")
    loaded = load([path])
    assert [test.title for test in suite(loaded, [path], "harmless").tests] == ["Harmless"]
    assert [test.title for test in suite(loaded, [path], "GUARD").tests] == ["Harmless", "harm"]
    assert suite(loaded, [path], "nothing").tests == ()


def test_a_policy_that_does_not_load_has_no_suite() -> None:
    with pytest.raises(PolicyLoadError):
        suite(load([Path("no such file.policy")]), [Path("no such file.policy")])


def test_a_test_starts_no_program(monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[object] = []
    monkeypatch.setattr("policy_engine.runtime.process.run", lambda *task: started.append(task) or (0, b"", ""))
    hook = 'hook h "t" { on before_tool(write)  run ["check"]  fail closed  test { write "a" => deny } }'
    assert (messages(hook), started) == ([""], [])

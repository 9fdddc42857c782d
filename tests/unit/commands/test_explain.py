"""`policy explain`: why an event is decided as it is, rule by rule, by the same engine that decides."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.unit.commands.running import ALONE, GOOD, UNDECIDED, Shell, event, lines

RULES = """\
language 1

rule deletes "Deletes stay inside" {
  severity high
  on before_tool(shell)
  when any c in commands { c.program == "rm" and any p in c.paths { not (p inside workspace) } }
  deny "`{c.text}` deletes {p}. Delete below the workspace only."
}

rule green "Tests pass before a commit" {
  severity medium
  on before_tool(shell)
  when any c in commands { c.program == "git" }
  require command_success(command("pytest -*"))
  deny "Run `pytest` first."
}

rule tree "The tree is clean" {
  severity low
  on before_tool(shell)
  when not git.clean
  warn "Commit first."
}

rule finish "Never asked here" {
  severity low
  on before_completion
  when answer == ""
  deny "Say something."
}

limit often "Not too often" {
  on before_tool(shell)
  counts any c in commands { c.program == "git" }
  at 2 remind "Twice is enough."
}
"""
GIT = {"git": {"clean": True}}


def _rules(policy: Shell, *events: Any, arguments: tuple[str, ...] = ()) -> dict[str, Any]:
    policy.write("a.policy", RULES)
    done = policy("explain", "-p", "a.policy", "--format", "json", *arguments, stdin=lines(*events))
    return {rule["rule"]: rule for rule in done.json["rules"]}


def test_all_four_outcomes_are_told_and_only_of_rules_that_listen(policy: Shell) -> None:
    rules = _rules(policy, event(1, "rm /etc/hosts"))
    outcomes = {name: rule["outcome"] for name, rule in rules.items()}
    assert outcomes == {"green": "not_applicable", "deletes": "violated", "often": "satisfied", "tree": "undecided"}


def test_a_condition_shows_its_truth_its_values_and_its_witness(policy: Shell) -> None:
    clause = _rules(policy, event(1, "rm /etc/hosts"))["deletes"]["clauses"][0]
    assert (clause["clause"], clause["truth"], clause["witness"]) == ("when", True, {"c": "rm /etc/hosts"})
    program, paths = clause["parts"][0]["parts"]
    assert (program["expr"], program["values"]) == ('c.program == "rm"', {"c.program": "rm"})
    assert (paths["witness"], paths["truth"]) == ({"p": "/etc/hosts"}, True)


def test_an_undecided_rule_says_what_is_missing(policy: Shell) -> None:
    tree = _rules(policy, event(1, "ls"))["tree"]
    assert (tree["verdict"], tree["enforced"]) == ("warn", True)
    assert tree["clauses"][0]["truth"] is None
    assert "git" in tree["clauses"][0]["undecided"][0]


def test_what_would_satisfy_it_and_the_history_before_it_count(policy: Shell) -> None:
    ran = event(1, "pytest -q", hook="after_tool", result={"ok": True, "exit_code": 0, "status": "completed"})
    failing = _rules(policy, event(2, "git commit", **GIT))["green"]
    assert (failing["outcome"], failing["satisfy"]) == ("violated", ['command_success(command("pytest -*"))'])
    assert _rules(policy, ran, event(2, "git commit", **GIT))["green"]["outcome"] == "satisfied"


def test_the_event_to_explain_can_be_named(policy: Shell) -> None:
    events = (event(1, "git add", **GIT), event(2, "git push", **GIT))
    assert _rules(policy, *events)["often"]["outcome"] == "violated"
    assert _rules(policy, *events, arguments=("--at", "1"))["often"]["outcome"] == "satisfied"


def test_one_rule_alone(policy: Shell) -> None:
    assert list(_rules(policy, event(1, "ls"), arguments=("--rule", "tree"))) == ["tree"]
    done = policy("explain", "-p", "a.policy", "--rule", "gren", stdin=lines(event(1)))
    assert (done.status, done.err) == (2, "error: no rule `gren`; did you mean `green`?\n")


def test_the_decision_is_that_of_eval_and_so_is_the_status(policy: Shell) -> None:
    policy.write("a.policy", RULES)
    for given in (event(1, "rm /etc"), event(1, "ls"), event(1, "ls", **GIT), event(1, "git add && ls | wc", **GIT)):
        explained = policy("explain", "-p", "a.policy", "--format", "json", stdin=lines(given))
        decided = policy("eval", "-p", "a.policy", stdin=lines(given))
        assert (explained.json["decision"], explained.status) == (decided.lines[0], decided.status)


def test_an_event_may_fill_many_lines(policy: Shell) -> None:
    policy.write("a.policy", GOOD)
    policy.write("event.json", json.dumps(event(1, "rm a"), indent=2))
    done = policy("explain", "-p", "a.policy", "--event", "event.json")
    assert (done.status, done.err) == (1, ALONE)
    assert done.out == (
        "deny  before_tool  e-1  s-1\n"
        "  violated  no-rm  → deny  a.policy:3:1\n"
        '    when ✓ any c in commands { … }  c = "rm a"\n'
        '      ✓ c.program == "rm"  c.program = "rm"\n'
        "    says  `rm a` removes files. Move them to the folder `old` instead.\n"
        "    evidence  e-1\n"
    )


def test_an_event_that_cannot_be_read_is_explained_by_its_error(policy: Shell) -> None:
    policy.write("a.policy", GOOD)
    done = policy("explain", "-p", "a.policy", stdin=b"nonsense\n")
    assert (done.status, done.err) == (1, ALONE)
    assert "error  E-JSON: line 1: the input is not JSON" in done.out
    assert "E-FIELD" in policy("explain", "-p", "a.policy", stdin=b'{"hook": "before_tool"}').out


def test_a_point_where_nothing_listens_says_so(policy: Shell) -> None:
    policy.write("a.policy", GOOD)
    done = policy("explain", "-p", "a.policy", stdin=lines({"hook": "session_start", "session": "s"}))
    assert (done.status, done.out) == (0, "allow  session_start  s\n  no rule listens here\n")


@pytest.mark.parametrize(
    ("arguments", "stdin", "said"),
    [
        ((), b"", "there is no event to explain"),
        (("--at", "2"), lines(event(1)), "there is no event 2: the input holds 1 event"),
        (("--event", "nothing"), b"", "cannot read `nothing`: no such file or directory"),
        (("--event", "."), b"", "cannot read `.`: it is a folder without events"),
    ],
)
def test_nothing_to_explain_is_a_usage_error(
    policy: Shell, arguments: tuple[str, ...], stdin: bytes, said: str
) -> None:
    policy.write("a.policy", GOOD)
    done = policy("explain", "-p", "a.policy", *arguments, stdin=stdin)
    assert (done.status, done.out, done.err) == (2, "", f"error: {said}\n")


def test_a_policy_that_does_not_load_is_status_3(policy: Shell) -> None:
    policy.write("a.policy", "language 1\nrule {")
    assert policy("explain", "-p", "a.policy", stdin=lines(event(1))).status == 3


def test_undecided_is_status_4(policy: Shell) -> None:
    policy.write("a.policy", UNDECIDED)
    assert policy("explain", "-p", "a.policy", stdin=lines(event(1))).status == 4


def test_the_whole_command(policy: Shell) -> None:
    policy.write(".policy/main.policy", GOOD)
    done = policy.process("explain", stdin=lines(event(1, "rm a")))
    assert (done.status, done.err, "violated  no-rm" in done.out) == (1, "", True)


@pytest.mark.requirement("R15")
def test_the_layers_in_force_explain_an_event(policy: Shell) -> None:
    policy.write(".policy/main.policy", GOOD)
    done = policy("explain", "--layers", stdin=lines(event(1, "rm .policy/a")))
    assert (done.status, done.err) == (1, "")
    assert "violated  builtin/no-tamper" in done.out and "violated  no-rm" in done.out
    assert "builtin" not in policy("explain", "--layers", "--rule", "no-rm", stdin=lines(event(1, "rm a"))).out
    assert policy("explain", "--layers", "-p", ".policy", stdin=lines(event(1))).status == 2


def test_a_shell_line_is_asked_about_without_an_event(policy: Shell) -> None:
    policy.write(".policy/main.policy", RULES)
    done = policy("explain", "--shell", "git status", "--shell", "rm /etc/hosts")
    assert done.status == 1 and "violated  deletes  → deny" in done.out and "`rm /etc/hosts` deletes" in done.out
    assert policy("explain", "--shell", "git status", "--rule", "often").out.count("often") == 1


def test_lines_of_a_person_are_calls_of_one_session(policy: Shell) -> None:
    policy.write(".policy/main.policy", RULES.partition("rule green")[0] + "limit" + RULES.partition("\nlimit")[2])
    done = policy("explain", "--shell", "-", stdin=b"ls\ngit log\ngit log\nrm /etc/hosts\n\nnever read\n")
    first, *_ = done.out.splitlines()
    assert first == "allow: no rule says anything" and done.status == 1
    assert done.out.splitlines()[1] == first and "remind  before_tool  line-3" in done.out
    assert "deny  before_tool  line-4" in done.out and "`rm /etc/hosts` deletes" in done.out
    assert "never read" not in done.out


SINCE = """\
language 1

rule tests "Tests pass after the last write" {
  severity high
  on before_completion
  require command_success(command("pytest ...")) since wrote("src/**")
  deny "Run them."
}
"""


def test_a_comparison_of_two_moments_shows_both_and_their_events(policy: Shell) -> None:
    policy.write("a.policy", SINCE)
    ran = {**event(1, "pytest -q"), "hook": "after_tool", "result": {"ok": True, "exit_code": 0, "status": "completed"}}
    written = {"id": "w2", "tool": {"name": "Write", "kind": "write", "args": {"file_path": "src/a.py"}}}
    end = {"id": "c3", "hook": "before_completion"}
    events = (ran, {**ran, **written}, {**{key: ran[key] for key in ("session", "workspace", "cwd")}, **end})
    text = policy("explain", "-p", "a.policy", stdin=lines(*events)).out
    assert f'✓ command_success(command("pytest ..."))  at event {ran["id"]}' in text
    assert '✓ wrote("src/**")  at event w2' in text
    first = policy("explain", "-p", "a.policy", "--format", "json", stdin=lines(events[1], events[2])).json
    [clause] = first["rules"][0]["clauses"]
    assert [(one["truth"], one["evidence"]) for one in clause["parts"]] == [(False, []), (True, ["w2"])]

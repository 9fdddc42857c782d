"""`policy prove`: claims proved, refuted by a session, or not decided; formats, statuses, the standard questions."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET

import pytest

from tests.unit.commands.running import ALONE, Shell

RULES = """language 1

rule no-root "No root" {
  on before_tool(shell)
  when any c in commands { c.program in ["sudo", "doas"] }
  deny "No."
}
"""
PROVED = """
claim root "No sudo" {
  on before_tool(shell)
  when any c in commands { c.program == "sudo" }
  expect deny
}
"""
REFUTED = """
claim push "No push" {
  on before_tool(shell)
  when any c in commands { c matches "git push ..." }
  expect deny
}
"""
OPEN = """
claim odd "What cannot be" {
  on before_tool
  when tool.name ends_with "1" and tool.name ends_with "2"
  expect deny
}
"""
TEXT = """\
✓ proved   root  No sudo (p.policy:9:7)
      other rules refuse all of it
✗ refuted   push  No push (p.policy:15:7)
      the engine answers allow, not deny, to:
        test "No push" {
          shell "git push"  => deny
        }
1 proved, 1 refuted, 0 not decided
"""


def test_each_claim_is_answered_and_what_a_proof_says_is_said(policy: Shell) -> None:
    policy.write("p.policy", RULES + PROVED + REFUTED)
    done = policy("prove", "p.policy")
    assert done.status == 1
    assert done.out.startswith(TEXT)
    assert "not about what a program does once it runs" in done.out
    assert done.err == ALONE


@pytest.mark.parametrize(
    ("claims", "status"), [(PROVED, 0), (PROVED + REFUTED, 1), ("", 4), ("claim x { on prompt }", 3)]
)
def test_the_status_says_the_worst_answer(policy: Shell, claims: str, status: int) -> None:
    policy.write("p.policy", RULES + claims)
    assert policy("prove", "p.policy").status == status


def test_what_was_neither_proved_nor_shown_is_not_decided(policy: Shell) -> None:
    policy.write("p.policy", RULES + OPEN)
    done = policy("prove", "p.policy", "--format", "json")
    (claim,) = done.json["claims"]
    assert (done.status, claim["state"], claim["session"]) == (4, "not decided", None)
    assert "tool.name" in claim["why"]


def test_json_has_the_events_and_a_test_that_fails_until_the_claim_holds(policy: Shell) -> None:
    policy.write("p.policy", RULES + PROVED + REFUTED)
    first, second = policy("prove", "p.policy", "--format", "json").json["claims"]
    assert (first["state"], first["session"], first["test"]) == ("proved", None, None)
    assert second["events"][0]["tool"]["args"] == {"command": "git push"}
    policy.write("events.jsonl", json.dumps(second["events"][0]) + "\n")
    assert policy("eval", "-p", "p.policy", "--events", "events.jsonl").lines[0]["verdict"] == second["verdict"]
    policy.write("p.policy", RULES + second["test"])
    assert policy("test", "p.policy").status == 5
    policy.write("p.policy", RULES.replace('"doas"]', '"doas"] or c matches "git push"') + second["test"])
    assert policy("test", "p.policy").status == 0


def test_formats_for_pull_requests_name_what_does_not_hold(policy: Shell) -> None:
    policy.write("p.policy", RULES + PROVED + REFUTED)
    github = policy("prove", "p.policy", "--format", "github")
    assert github.out.count("::error") == 1 and "push" in github.out
    results = policy("prove", "p.policy", "--format", "sarif").json["runs"][0]["results"]
    assert [result["ruleId"] for result in results] == ["refuted"]
    found = policy("prove", "p.policy", "--format", "rdjson").json["diagnostics"]
    assert [one["code"]["value"] for one in found] == ["refuted"]
    suite = ET.fromstring(policy("prove", "p.policy", "--format", "junit").out)
    assert [len(case) for case in suite.iter("testcase")] == [0, 1]


def test_possible_holds_by_a_session_and_is_refuted_by_proof(policy: Shell) -> None:
    can = "claim can { on before_completion expect possible allow }\n"
    policy.write("p.policy", RULES + can)
    assert policy("prove", "p.policy").status == 0
    policy.write("p.policy", RULES + can + 'rule never { on before_completion deny "Never." }\n')
    done = policy("prove", "p.policy", "--format", "json")
    assert (done.status, done.json["claims"][0]["state"], done.json["claims"][0]["session"]) == (1, "refuted", None)


def test_what_can_never_be_true_is_not_possible(policy: Shell) -> None:
    both = 'any c in commands { c.program == "git" and c matches "npm install ..." }'
    policy.write(
        "p.policy", RULES + f"claim can {{\n  on before_tool(shell)\n  when {both}\n  expect possible allow\n}}\n"
    )
    done = policy("prove", "p.policy", "--format", "json")
    assert (done.status, done.json["claims"][0]["state"], done.json["claims"][0]["session"]) == (1, "refuted", None)


def test_not_knowing_is_part_of_the_claim(policy: Shell) -> None:
    policy.write("p.policy", RULES.replace('deny "No."', 'fail open\n  deny "No."') + PROVED)
    done = policy("prove", "p.policy", "--format", "json")
    assert (done.status, done.json["claims"][0]["session"]) == (1, ['shell "$TOOL x"'])


def test_the_standard_questions_need_no_claim_and_name_rules_that_fail_open(policy: Shell) -> None:
    policy.write("p.policy", RULES.replace('deny "No."', 'fail open\n  deny "No."'))
    done = policy("prove", "p.policy", "--standard", "--builtin", "--format", "json")
    found = {claim["claim"]: claim["state"] for claim in done.json["claims"]}
    assert done.err == "" and done.status == 1
    assert found["fail-open/no-root"] == "refuted" and found["completion"] == "proved"
    assert found["publishing"] == "refuted"


def test_only_the_wanted_claims_are_answered(policy: Shell) -> None:
    policy.write("p.policy", RULES + PROVED + REFUTED)
    done = policy("prove", "p.policy", "--filter", "ROOT", "--format", "json")
    assert (done.status, [claim["claim"] for claim in done.json["claims"]]) == (0, ["root"])


def test_a_solver_proves_what_two_rules_refuse_together(policy: Shell) -> None:
    rule = 'rule {0} "{0}" {{\n  on before_completion\n  when git.ahead {1} session.turn\n  deny "No."\n}}\n'
    claim = 'claim c "c" {\n  on before_completion\n  when git.ahead != session.turn\n  expect deny\n}\n'
    text = "language 1\n" + rule.format("less", "<") + rule.format("more", ">") + claim
    (policy.folder / "rules.policy").write_text(text)
    assert policy("prove", "rules.policy").status == 4
    done = policy("prove", "rules.policy", "--solver")
    assert (done.status, done.out.splitlines()[-2][:8]) == (0, "1 proved")

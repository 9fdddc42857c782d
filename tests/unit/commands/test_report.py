"""`policy report`: what is covered by which rule, with its tests."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.generated.play import decided
from tests.unit.commands.running import Shell

TEXT = """language 1

rule no-keys "Keys stay here" {
  severity high
  incident "a key was published in March"
  control "owasp-asi:T2"
  control "soc2:CC6.1"
  on before_tool(read)
  when any p in paths { p matches ".env" }
  deny "{paths} holds keys. Ask a person for what is needed."

  test "both ways" {
    read ".env"   => deny
    read "a.txt"  => allow
  }
}

rule bare "No control" {
  on prompt
  when prompt == ""
  warn "Say something."
}

limit calls {
  control "owasp-asi:T2"
  on before_tool
  counts tool.name != ""
  at 2 ask "The second call: a person decides."
}
"""


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "main.policy"
    path.write_text(TEXT)
    return str(path)


def test_controls_have_their_rules_and_the_rest_comes_last(policy: Shell, file: str) -> None:
    done = policy("report", "--controls", file)
    assert (done.status, done.err) == (0, "")
    heads = [line for line in done.out.splitlines() if not line.startswith(" ")]
    assert heads == ["owasp-asi:T2", "soc2:CC6.1", "no control"]
    assert "  no-keys  deny  high, 1 test  Keys stay here\n    incident: a key was published in March\n" in done.out
    assert "  bare  warn  medium, 0 tests  No control\n" in done.out


def test_the_json_form_says_where_each_test_stands(policy: Shell, file: str) -> None:
    found = {
        group["control"]: group["rules"] for group in policy("report", "--controls", "--format", "json", file).json
    }
    assert [one["rule"] for one in found["owasp-asi:T2"]] == ["calls", "no-keys"]
    (keys,) = found["soc2:CC6.1"]
    assert [(test["title"], test["steps"]) for test in keys["tests"]] == [("both ways", 2)]
    (rules,) = policy("report", "--format", "json", file).json
    assert [one["rule"] for one in rules["rules"]] == ["bare", "calls", "no-keys"]


def test_a_policy_that_does_not_load_is_not_reported(policy: Shell, tmp_path: Path) -> None:
    (tmp_path / "bad.policy").write_text("language 1\nrule x {")
    done = policy("report", str(tmp_path / "bad.policy"))
    assert done.status == 3 and "PE" in done.out


def test_a_refusal_says_what_it_answers_and_covers() -> None:
    event = {"hook": "before_tool", "session": "s", "workspace": "/workspace", "cwd": "/workspace",
             "host": {"name": "generic", "interactive": True},
             "tool": {"name": "Read", "kind": "read", "args": {"file_path": ".env"}}}  # fmt: skip
    first, second = decided(TEXT, [event, event])
    about = "Incident: a key was published in March. Control: owasp-asi:T2, soc2:CC6.1."
    assert [one.message for one in first.rules] == [f".env holds keys. Ask a person for what is needed. {about}"]
    assert second.rules[0].message.endswith("a person decides. Control: owasp-asi:T2.") or second.rules[
        1
    ].message.endswith("a person decides. Control: owasp-asi:T2.")


def test_a_step_without_a_message_says_it_too() -> None:
    event = {"hook": "prompt", "session": "s", "workspace": "/workspace", "prompt": "again"}
    policy = 'limit asked "Asked often" { control "x:1" incident "a loop" on prompt counts true at 1 warn }'
    (decision,) = decided(f"language 1\n{policy}\n", [event])
    assert [one.message for one in decision.rules] == ["Asked often Incident: a loop. Control: x:1."]

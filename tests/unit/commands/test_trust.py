"""`policy trust` in this process: what it shows and lists, and that it asks nobody who is not at a terminal."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from policy_engine.consent.agents import FAMILIES, SETTINGS, VARIABLES, is_agents
from policy_engine.consent.trust import record_path, write_record
from policy_engine.loading.effects import effects
from tests.unit.commands.running import Shell

POLICY = """\
language 1

rule no-rm "Nothing is removed" {
  on before_tool(shell)
  when any c in commands { c.program == "rm" }
  deny "No."
}

limit calls "Many calls" {
  on before_tool
  counts called(shell)
  at 5 warn "Five."
  at 9 ask "Nine."
}

hook guard "What the guard says" {
  on before_tool(write, "Special")
  when host.interactive
  run ["sh", "tools/guard.sh"]
  fail open
}

hook python "Python" { on before_tool(shell) call asked }

verify checks "The checks pass" {
  stage one run ["true"] timeout 20s env ["A=tools/a.env"]
}
"""


@pytest.fixture(autouse=True)
def nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever runs the tests may be an agent."""
    for name in [name for name in os.environ if is_agents(name)]:
        monkeypatch.delenv(name)


@pytest.fixture
def repository(policy: Shell) -> Shell:
    """With a policy whose commands nobody trusts yet."""
    put(policy, ".policy/main.policy", POLICY)
    put(policy, "tools/guard.sh", "exit 0\n")
    return policy


def put(shell: Shell, name: str, text: str) -> Path:
    path = shell.folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def trust(shell: Shell) -> None:
    found = effects(str(shell.folder))
    write_record(found.folder, found.found, 1_700_000_000_000, "dev at /dev/pts/1")


def test_the_effects_are_shown_as_text(repository: Shell) -> None:
    done = repository("trust", "--show")
    assert done.status == 1
    for text in (
        "work  untrusted",
        "rules  1 deny, 1 ask, 1 warn; they hold without trust",
        "deny       no-rm",
        "ask, warn  calls",
        "hook guard  What the guard says",
        'at before_tool(write, "Special")  when host.interactive',
        "runs  sh tools/guard.sh  for up to 10 s",
        "only warns if that cannot be asked",
        "calls `asked` of a Python program; it starts nothing here",
        "one  A=tools/a.env true  for up to 20 s",
        "2 files  bound by their content",
        "digest  sha256:",
    ):
        assert text in done.out


def test_the_effects_are_shown_as_json(repository: Shell) -> None:
    found = repository("trust", "--show", "--format", "json").json
    assert (found["state"], found["trusted"], found["changes"]) == ("untrusted", None, {})
    assert [rule["verdicts"] for rule in found["rules"]] == [["deny"], ["ask", "warn"]]
    assert [(one["name"], [run["run"] for run in one["runs"]]) for one in found["commands"]] == [
        ("guard", [["sh", "tools/guard.sh"]]),
        ("python", []),
        ("checks", [["true"]]),
    ]
    assert found["files"]["tools/a.env"] == "missing"


def test_what_is_trusted_says_so_and_lists_what_changed(repository: Shell) -> None:
    trust(repository)
    assert repository("trust", "--show").status == 0
    assert "trusted 2023-11-14T22:13:20Z by dev at /dev/pts/1" in repository("trust", "--show").out
    put(repository, "tools/a.env", "")
    put(repository, "tools/guard.sh", "exit 1\n")
    put(repository, ".policy/main.policy", POLICY.replace('["true"]', '["true", "x"]'))
    found = repository("trust", "--show", "--format", "json")
    assert (found.status, found.json["state"]) == (1, "changed")
    assert found.json["changes"] == {
        "command checks.one": "changed", ".policy/main.policy": "changed", "tools/a.env": "added",
        "tools/guard.sh": "changed",
    }  # fmt: skip


def test_nobody_is_asked_without_a_terminal(repository: Shell) -> None:
    done = repository("trust", stdin=b"y\n")
    assert (done.status, done.out) == (2, "")
    assert done.err.startswith("error: nobody can be asked: ") and "policy trust --show" in done.err


def test_a_policy_without_commands_needs_no_trust(policy: Shell) -> None:
    put(policy, ".policy/main.policy", 'language 1 rule a "A" { on prompt warn "x" }\n')
    done = policy("trust")
    assert (done.status, "no command would run" in done.err) == (0, True)
    assert policy("trust", "--show").status == 0


def test_what_cannot_be_shown_cannot_be_trusted(policy: Shell) -> None:
    assert policy("trust").status == 2
    put(policy, ".policy/main.policy", "language 1 rule {")
    assert policy("trust").status == 3


def test_options_that_exclude_one_another_are_refused(repository: Shell) -> None:
    assert repository("trust", "--show", "--list").status == 2


def test_the_list_names_what_is_trusted_and_what_is_damaged(repository: Shell) -> None:
    assert repository("trust", "--list").out == "nothing is trusted\n"
    trust(repository)
    kept = Path(record_path(str(repository.folder)))
    (kept.parent / "0.json").write_text("{}")
    (kept.parent / "0.json").chmod(0o600)
    out = repository("trust", "--list").out
    assert f"{repository.folder}  2023-11-14T22:13:20Z by dev" in out and "0.json  damaged: no trust" in out
    found = repository("trust", "--list", "--format", "json").json
    assert [one["digest"] is None for one in found] == [True, False]


def test_revoking_removes_the_record(repository: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("policy_engine.commands.trust.under_agent", str)
    trust(repository)
    assert repository("trust", "--revoke").out.endswith("is no longer trusted\n")
    assert repository("trust", "--revoke", "--format", "json").json["removed"] is False
    assert repository("trust", "--show").status == 1


def test_untrusted_text_is_made_visible(policy: Shell) -> None:
    put(
        policy,
        ".policy/main.policy",
        POLICY.replace('"sh", "tools', '"s\\th", "tools'),
    )
    put(policy, ".policy/a\x1b]0;b.txt", "")
    done = policy("trust", "--show")
    assert "\x1b" not in done.out and "a\\x1b]0;b.txt" in done.out and "s\\th" in done.out


def test_status_and_doctor_say_that_commands_do_not_run(repository: Shell) -> None:
    said = repository("status").out
    assert "untrusted 2 commands as sha256:" in said and "a person runs `policy trust`" in said
    warned = [row for row in repository("doctor", "--format", "json").json["checks"] if row["check"] == "trust"]
    assert [(row["state"], "do not run (2)" in row["message"]) for row in warned] == [("warning", True)]
    trust(repository)
    found = repository("status", "--format", "json").json["trust"]
    assert (found["state"], found["commands"], found["problem"]) == ("trusted", 2, "")
    put(repository, "tools/guard.sh", "exit 1\n")
    assert "`tools/guard.sh` changed" in repository("status").out
    rows = json.loads(repository("doctor", "--format", "json").out)["checks"]
    assert [row["state"] for row in rows if row["check"] == "trust"] == ["warning"]


def test_what_a_profile_sets_is_no_trace_of_an_agent() -> None:
    assert not any(is_agents(name) for name in ("PATH", "CODEX_HOME", "GEMINI_API_KEY", "CLAUDE_CONFIG_DIR", ""))
    assert all(map(is_agents, VARIABLES))
    assert all(is_agents(f"{family}X") for family in FAMILIES)
    assert not any(is_agents(f"{FAMILIES[0]}X{end}") for end in SETTINGS)

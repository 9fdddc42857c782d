"""`policy migrate`: prints or writes the policy, keeps what it replaces, lists what a policy cannot say."""

from __future__ import annotations

import pytest

from policy_engine.migrations.base import formats
from tests.unit.commands.running import Shell

GOOD = '["go test ./...", "README.md"]'
LACKING = '[{"kind": "command_success", "target": "go test | tee x"}]'


def test_the_policy_is_printed_and_nothing_is_written(policy: Shell) -> None:
    policy.write("checks.json", GOOD)
    done = policy("migrate", "--from", "accept-checks", "checks.json", "--to", "x.policy")
    assert (done.status, done.out.startswith("language 1\n")) == (0, True)
    assert [path.name for path in policy.folder.iterdir()] == ["checks.json"]


def test_what_cannot_be_said_is_listed_and_is_the_exit_status(policy: Shell) -> None:
    policy.write("checks.json", LACKING)
    done = policy("migrate", "--from", "accept-checks", "checks.json")
    assert done.status == 1
    assert done.err.startswith("not expressed: checks.json:1: check `command_success go test | tee x`: ")
    assert "# NOT EXPRESSED: 1 thing of the source." in done.out


def test_what_is_written_checks_tests_and_is_in_layout(policy: Shell) -> None:
    policy.write("checks.json", GOOD)
    done = policy("migrate", "--from", "accept-checks", "checks.json", "--write")
    assert (done.status, done.out) == (0, "wrote .policy/accept-checks.policy\n")
    assert (policy("check").status, policy("fmt", "--check").status, policy("test").status) == (0, 0, 0)


def test_what_is_replaced_is_kept(policy: Shell) -> None:
    policy.write("checks.json", GOOD)
    policy.write("mine.policy", "language 1\n")
    arguments = ("migrate", "--from", "accept-checks", "checks.json", "--to", "mine.policy", "--write")
    assert policy(*arguments).out == "wrote mine.policy; what it was is kept in mine.policy.bak\n"
    assert (policy.folder / "mine.policy.bak").read_text() == "language 1\n"
    assert policy(*arguments).out == "mine.policy already says so\n"
    assert (policy.folder / "mine.policy.bak").read_text() == "language 1\n"


def test_an_id_that_is_taken_is_refused_before_anything_is_written(policy: Shell) -> None:
    policy.write(".policy/main.policy", 'language 1\nrule output-only "x" { on before_completion deny "y" }\n')
    policy.write("checks.json", "[]")
    done = policy("migrate", "--from", "accept-checks", "checks.json", "--write")
    assert (done.status, done.out) == (2, "")
    assert done.err.startswith("error: the id `output-only` is taken, at .policy/main.policy:2:")
    assert not (policy.folder / ".policy/accept-checks.policy").exists()


def test_an_invalid_source_is_refused_with_its_places(policy: Shell) -> None:
    policy.write("hooks.yaml", "hooks:\n  items:\n    - {id: x, point: nowhere}\n    - {id: ''}\n")
    done = policy("migrate", "--from", "hooks-yaml", "hooks.yaml", "--write")
    assert (done.status, done.out) == (2, "")
    assert [line.removeprefix("error: ").split(": ")[0] for line in done.err.splitlines()][:1] == ["hooks.yaml:3"]
    assert not (policy.folder / ".policy").exists()


def test_a_configuration_is_rewritten_in_place(policy: Shell) -> None:
    path = policy.write("config.yaml", "runtime:\n  max_no_progress_streak: 3\n  max_turns: 5\n")
    assert policy("migrate", "--from", "seed-config", "config.yaml").out.startswith("runtime:\n  max_turns: 5\n")
    done = policy("migrate", "--from", "seed-config", "config.yaml", "--write")
    assert done.out == "wrote config.yaml; what it was is kept in config.yaml.bak\n"
    assert path.read_text() == "runtime:\n  max_turns: 5\ngenerate_start_timeout_sec: 90\n"
    policy.write("second.yaml", "")
    assert policy("migrate", "--from", "seed-config", "config.yaml", "second.yaml").status == 2


def test_several_files_make_one_policy(policy: Shell) -> None:
    policy.write("a.json", '{"permissions": {"deny": ["Bash(rm:*)"]}}')
    policy.write("b.json", '{"permissions": {"deny": ["Bash(dd:*)"]}}')
    out = policy("migrate", "--from", "claude-settings", "a.json", "b.json").out
    assert ("deny-bash-rm" in out, "deny-bash-dd" in out, "from a.json, b.json." in out) == (True, True, True)


def test_json(policy: Shell) -> None:
    policy.write("checks.json", LACKING)
    done = policy("migrate", "--from", "accept-checks", "checks.json", "--format", "json")
    assert (done.status, done.err, done.json["written"], done.json["backup"]) == (1, "", None, None)
    (lacking,) = done.json["not_expressed"]
    assert (lacking["where"], lacking["why"]) == ("checks.json:1", "`|` means something to a shell")


def test_an_unknown_format_is_refused_with_the_nearest(policy: Shell) -> None:
    policy.write("x", "")
    done = policy("migrate", "--from", "claude-setings", "x")
    assert (done.status, "did you mean `claude-settings`?" in done.err) == (2, True)


@pytest.mark.parametrize("name", sorted(formats()))
def test_a_file_that_cannot_be_read_is_refused(policy: Shell, name: str) -> None:
    policy.write("x", b"\xff\xfe")
    assert (
        policy("migrate", "--from", name, "missing").err == "error: cannot read `missing`: no such file or directory\n"
    )
    assert policy("migrate", "--from", name, "x").err == "error: `x` is not UTF-8 at byte 0\n"


def test_the_whole_command(policy: Shell) -> None:
    policy.write("checks.json", GOOD)
    done = policy.process("migrate", "--from", "accept-checks", "checks.json")
    assert (done.status, done.out.endswith("}\n")) == (0, True)
    assert done.err.splitlines()[-1].startswith("rules compared: 2; ")


def test_rules_are_compared_with_their_source(policy: Shell) -> None:
    policy.write("settings.json", '{"permissions": {"deny": ["Bash(curl:*)", "mcp__x"]}}')
    done = policy("migrate", "--from", "claude-settings", "settings.json")
    assert done.status == 0
    first, second, last = done.err.splitlines()
    assert first.startswith('stricter: `deny-bash-curl`: shell "') and first.endswith("=> deny")
    assert second.startswith("equal: `deny-mcp-x`, sessions tried: ") and last.startswith("rules compared: 2; ")
    report = policy("migrate", "--from", "claude-settings", "settings.json", "--format", "json").json
    assert [(one["source"], one["state"]) for one in report["compared"]] == [
        ("deny Bash(curl:*)", "stricter"),
        ("deny mcp__x", "equal"),
    ]


def test_what_is_weaker_on_purpose_says_why_and_is_no_finding(policy: Shell) -> None:
    policy.write("checks.json", '["README.md"]')
    done = policy("migrate", "--from", "accept-checks", "checks.json")
    assert done.status == 0
    assert (
        done.err.startswith("weaker: `file-exists-readme-md`: ")
        and "=> allow (on purpose: there only a file" in done.err
    )


def test_a_weaker_rule_is_written_only_if_that_is_allowed(policy: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    from policy_engine.migrations import claude_settings

    monkeypatch.setattr(claude_settings, "speaks_of", lambda permission, event: True)
    policy.write("settings.json", '{"permissions": {"deny": ["Bash(curl:*)"]}}')
    arguments = ("migrate", "--from", "claude-settings", "settings.json", "--write")
    done = policy(*arguments)
    assert (done.status, done.err.startswith("weaker: `deny-bash-curl`: ")) == (1, True)
    assert done.err.endswith("weaker than their source: 1; without --allow-weaker nothing is written\n")
    assert not (policy.folder / ".policy").exists()
    assert policy(*arguments, "--allow-weaker").out == "wrote .policy/claude-settings.policy\n"

"""`policy doctor` against the hook that `policy install` registers; its other findings are in test_install.py."""

from __future__ import annotations

import json
from pathlib import Path

from tests.unit.commands.running import GOOD, Shell


def test_a_denial_reaches_the_host_through_the_registered_command(policy: Shell) -> None:
    policy.write(".policy/main.policy", GOOD)
    assert policy("install", "claude-code", "--scope", "local").status == 0
    done = policy("doctor", "claude-code", "--format", "json")
    assert (done.status, done.err) == (0, "")


def test_a_registered_command_that_cannot_start_is_found(policy: Shell) -> None:
    policy.write(".policy/main.policy", GOOD)
    policy("install", "claude-code", "--scope", "local")
    settings = policy.folder / ".claude" / "settings.local.json"
    settings.write_text(settings.read_text().replace("hook.py", "gone.py"))
    assert policy("doctor", "claude-code").status == 1


def test_nothing_registered_is_a_finding(policy: Shell) -> None:
    policy.write(".policy/main.policy", GOOD)
    done = policy("doctor", "claude-code", "--format", "json")
    assert done.status == 1
    assert json.loads(done.out)


def test_without_a_host_every_registered_one_is_proved(policy: Shell) -> None:
    policy.write(".policy/main.policy", GOOD)
    done = policy("doctor", "--format", "json")
    assert (done.status, json.loads(done.out)["live"]) == (1, False)
    assert "codex" in policy("doctor").out
    for host in ("claude-code", "gemini"):
        assert policy("install", host, "--scope", "user" if host == "gemini" else "local").status == 0
    done = policy("doctor", "--format", "json")
    assert (done.status, json.loads(done.out)["host"]) == (0, "claude-code gemini")
    text = policy("doctor").out
    assert text.startswith("claude-code\n") and "\n\ngemini\n" in text and text.count("ok       canary") == 2
    settings = Path.home() / ".gemini" / "settings.json"
    settings.write_text(settings.read_text() + "}")
    assert policy("doctor").status == 1

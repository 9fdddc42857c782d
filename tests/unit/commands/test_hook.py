"""`policy hook` in help and completion; the call itself goes to the host's adapter, by its rules."""

from __future__ import annotations

import json

from tests.unit.commands.running import GOOD, Shell


def test_help_shows_it_and_how_to_call_it(policy: Shell) -> None:
    done = policy("hook", "--help")
    assert (done.status, done.err) == (0, "")
    assert "policy hook claude-code < payload.json" in done.out
    assert "  hook " in policy("--help").out


def test_a_call_is_answered_in_the_words_of_the_host(policy: Shell) -> None:
    policy.write(".policy/main.policy", GOOD)
    payload = {
        "session_id": "s",
        "hook_event_name": "PreToolUse",
        "cwd": str(policy.folder),
        "tool_name": "Bash",
        "tool_input": {"command": "rm a"},
    }
    done = policy.process("hook", "claude-code", stdin=json.dumps(payload).encode())
    answer = json.loads(done.out)["hookSpecificOutput"]
    assert answer["permissionDecision"] == "deny"
    assert policy("log", "--format", "json").lines[0]["rules"][0]["rule"] == "no-rm"

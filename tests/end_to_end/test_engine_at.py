"""`Engine.at`: an engine in a process of its own decides as the hook does there, and follows every layer."""

from __future__ import annotations

import posix
import shutil
from pathlib import Path
from typing import Any

import pytest

from policy_engine import Engine
from tests.end_to_end.host import BROKEN, NO_LS, POLICY, Host


@pytest.fixture
def at(host: Host, monkeypatch: pytest.MonkeyPatch) -> Host:
    """A host whose home is this process's, too."""
    monkeypatch.setenv("HOME", str(host.home))
    monkeypatch.setitem(posix.environ, b"HOME", str(host.home).encode())
    for name in ("XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delitem(posix.environ, name.encode(), raising=False)
    return host


def shell(host: Host, command: str) -> dict[str, Any]:
    place = str(host.workspace)
    tool = {"name": "Bash", "kind": "shell", "args": {"command": command}}
    return {"hook": "before_tool", "session": "s", "id": "e", "cwd": place, "workspace": place, "tool": tool}


@pytest.mark.requirement("R8", "R15")
def test_every_layer_is_followed_at_the_next_event(at: Host) -> None:
    path, below = at.write_policy(POLICY), at.workspace / "sub"
    below.mkdir()
    engine = Engine.at(below)
    assert engine.decide(shell(at, "rm a")).verdict == "deny"
    assert engine.decide(shell(at, "touch .policy/x")).verdict == "deny"
    assert engine.decide(shell(at, "ls")).verdict == "allow"
    mine = at.home / ".config" / "policy-engine" / "mine.policy"
    mine.parent.mkdir(parents=True)
    mine.write_text(NO_LS)
    found = engine.decide(shell(at, "ls"))
    assert (found.verdict, [one.rule for one in found.rules]) == ("deny", ["user/no-ls", "policy-engine"])
    assert "1 rule new (user/no-ls)" in found.rules[1].message
    path.write_text(BROKEN)
    found = engine.decide(shell(at, "rm a"))
    assert found.verdict == "deny" and "stays in force" in found.errors[0]
    shutil.rmtree(path.parent)
    assert engine.decide(shell(at, "rm a")).verdict == "deny"


def test_a_policy_that_never_loaded_refuses_until_it_does(at: Host) -> None:
    path = at.write_policy(BROKEN)
    engine = Engine.at(at.workspace)
    found = engine.decide(shell(at, "ls"))
    assert found.verdict == "deny" and "E-POLICY" in found.rules[0].message
    assert engine.decide({"hook": "before_tool"}).verdict == "deny"
    path.write_text(POLICY)
    assert engine.decide(shell(at, "ls")).verdict == "warn", "that there is a rule now is said"
    assert engine.decide(shell(at, "ls")).verdict == "allow"


def test_the_hook_and_the_engine_say_the_same(at: Host) -> None:
    at.write_policy(POLICY)
    engine = Engine.at(Path(at.workspace))
    for command in ("rm a", "ls", "policy trust", "mkdir .policy/a"):
        assert engine.decide(shell(at, command)).verdict == at.call(at.shell(command)).verdict, command

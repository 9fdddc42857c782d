"""`policy approve` without a terminal: what waits is listed, and nothing is approved."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

from tests.unit.commands.running import Shell


def kept(policy: Shell, name: str, **more: object) -> Path:
    """A request as a hook keeps it."""
    folder = Path(policy.environment["XDG_STATE_HOME"]) / "policy-engine/approvals"
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    path = folder / name
    request = {"session": "s-1", "workspace": "/w", "action": "git push\x1b", "rules": ["Why. [pushes]"]}
    path.write_text(json.dumps({**request, "at": time.time_ns() // 1_000_000, "granted": False, **more}))
    path.chmod(0o600)
    return path


def test_nothing_waits(policy: Shell) -> None:
    done = policy("approve")
    assert (done.status, done.out) == (0, "nothing waits for a person\n")


def test_what_waits_is_shown_with_its_reasons(policy: Shell) -> None:
    kept(policy, "a" * 32)
    kept(policy, "b" * 32, granted=True)
    kept(policy, "c" * 32, at=0)
    done = policy("approve", "--show")
    assert done.status == 1
    assert done.out.startswith("aaaaaaaa  git push\\x1b\n") and "Why. [pushes]" in done.out
    assert "bbbb" not in done.out and "cccc" not in done.out
    assert [each["id"] for each in policy("approve", "--show", "--format", "json").json] == ["aaaaaaaa"]


@pytest.mark.parametrize(("named", "number"), [("aa", 1), ("b", 0)])
def test_a_request_is_named_by_its_beginning(policy: Shell, named: str, number: int) -> None:
    kept(policy, "a" * 32)
    assert len(policy("approve", named, "--show", "--format", "json").json) == number


def test_without_a_terminal_nothing_is_approved(policy: Shell) -> None:
    path = kept(policy, "a" * 32)
    before = path.read_bytes()
    done = policy("approve")
    assert done.status == 2 and "nobody can be asked" in done.err
    assert path.read_bytes() == before

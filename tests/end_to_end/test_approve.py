"""A call that a person should have been asked about, where nobody can be: a person approves it, and it passes once."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.end_to_end.host import Host
from tests.end_to_end.terminal import at_terminal

ROOT = str(Path(__file__).resolve().parents[2])
APPROVE = [sys.executable, "-P", "-m", "policy_engine", "approve"]
SECRET = "ghp_" + "1f8KzQ0aWc7LrT2yXb9NvEo5HdJm3UsPi6Gq"  # drawn by lot for this test
POLICY = """\
language 1

rule pushes "A person agrees to a push" {
  on command git push
  ask "`{c.text}` changes what others have."
}

rule no-force "Nobody forces" {
  on command git push --force
  deny "Do not force."
}
"""


@pytest.fixture
def headless(host: Host) -> Host:
    """A session of a host that runs without a person."""
    host.write_policy(POLICY)
    host.environment["CLAUDE_CODE_SESSION_ATTENDED"] = "0"
    host.warm()
    return host


def environment(host: Host) -> dict[str, str]:
    return {**host.environment, "PYTHONPATH": ROOT}


def waiting(host: Host) -> list[dict[str, Any]]:
    """What waits for a person."""
    command = [*APPROVE, "--show", "--format", "json"]
    done = subprocess.run(command, env=environment(host), cwd=host.workspace, capture_output=True, check=False)
    assert done.returncode in (0, 1), done.stderr
    return list(json.loads(done.stdout))


def approve(host: Host, typed: str) -> tuple[int, str]:
    """What a person at a terminal types."""
    return at_terminal(APPROVE, environment(host), host.workspace, lambda said: typed)


def test_an_approved_call_passes_once(headless: Host) -> None:
    refused = headless.call(headless.shell("git push origin main"))
    assert refused.refused and b"policy approve" in refused.out + refused.err.encode()
    [request] = waiting(headless)
    assert (request["action"], request["session"]) == ("git push origin main", "s-1")
    status, said = approve(headless, request["id"])
    assert status == 0 and "changes what others have" in said
    assert headless.call(headless.shell("git push origin other")).refused
    assert headless.call(headless.shell("git push origin main")).verdict == "allow"
    assert headless.call(headless.shell("git push origin main")).refused


def test_the_result_of_an_approved_call_counts(headless: Host) -> None:
    pushed = """
rule pushed "The work is pushed" {
  on before_completion
  require command_success(command("git push ..."))
  deny "Push."
}
"""
    headless.write_policy(POLICY + pushed)
    assert headless.call(headless.shell("git push", tool_use_id="t1")).refused
    assert headless.call(headless.stop()).refused
    approve(headless, waiting(headless)[0]["id"])
    assert headless.call(headless.shell("git push", tool_use_id="t2")).verdict == "allow"
    assert headless.call(headless.ran("git push", "t2")).verdict == "allow"
    assert headless.call(headless.stop()).verdict == "allow"


def test_another_session_folder_or_policy_is_another_call(headless: Host) -> None:
    headless.call(headless.shell("git push"))
    assert approve(headless, waiting(headless)[0]["id"])[0] == 0
    assert headless.call({**headless.shell("git push"), "session_id": "s-2"}).refused
    (headless.workspace / "lib").mkdir()
    assert headless.call({**headless.shell("git push"), "cwd": str(headless.workspace / "lib")}).refused
    headless.write_policy(POLICY.replace("others have", "all have"))
    assert headless.call(headless.shell("git push")).refused


def test_what_another_rule_denies_never_waits(headless: Host) -> None:
    refused = headless.call(headless.shell("git push --force"))
    assert refused.refused and b"policy approve" not in refused.out + refused.err.encode()
    assert waiting(headless) == []


@pytest.mark.parametrize("typed", ["", "yes", "00000000"])
def test_any_other_word_approves_nothing(headless: Host, typed: str) -> None:
    headless.call(headless.shell("git push"))
    assert approve(headless, typed)[0] == 1
    assert headless.call(headless.shell("git push")).refused


def test_a_request_is_over_after_its_time(headless: Host) -> None:
    headless.call(headless.shell("git push"))
    [path] = (headless.state / "approvals").iterdir()
    kept = json.loads(path.read_text())
    path.write_text(json.dumps({**kept, "at": kept["at"] - 601_000, "granted": True}))
    assert waiting(headless) == []
    assert headless.call(headless.shell("git push")).refused


@pytest.mark.parametrize("text", ["", "{", "[]", '{"at": 1, "granted": true}', '{"at": "x", "granted": true}'])
def test_what_cannot_be_read_approves_nothing(headless: Host, text: str) -> None:
    headless.call(headless.shell("git push"))
    [path] = (headless.state / "approvals").iterdir()
    path.write_text(text)
    assert headless.call(headless.shell("git push")).refused


def test_a_link_or_a_file_of_others_approves_nothing(headless: Host, tmp_path: Path) -> None:
    headless.call(headless.shell("git push"))
    [path] = (headless.state / "approvals").iterdir()
    granted = tmp_path / "granted"
    granted.write_text(json.dumps({**json.loads(path.read_text()), "granted": True}))
    path.unlink()
    path.symlink_to(granted)
    assert headless.call(headless.shell("git push")).refused
    path.unlink()
    os.link(granted, path)
    assert headless.call(headless.shell("git push")).refused


def test_nobody_but_a_person_approves(headless: Host) -> None:
    headless.call(headless.shell("git push"))
    done = subprocess.run(APPROVE, env=environment(headless), cwd=headless.workspace, capture_output=True, check=False)
    assert (done.returncode, b"nobody can be asked" in done.stderr) == (2, True)
    assert headless.call(headless.shell("policy approve")).refused
    assert headless.call(headless.shell("policy approve --show")).verdict == "allow"


def test_no_secret_waits(headless: Host) -> None:
    headless.call(headless.shell(f"git push https://u:{SECRET}@h.example/r"))
    assert SECRET not in json.dumps(waiting(headless))
    assert all(SECRET.encode() not in path.read_bytes() for path in (headless.state / "approvals").iterdir())

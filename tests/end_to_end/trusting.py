"""A repository with commands, what a person's consent to them records, and which of them ran."""

from __future__ import annotations

import json
import os
import posix
import re
import sys
from pathlib import Path

import pytest

from policy_engine.consent.trust import write_record
from policy_engine.loading.effects import effects
from policy_engine.state.places import active_name
from tests.end_to_end.host import HOOK, Host

ROOT = HOOK.parents[1]
POLICY = """\
language 1

rule no-rmdir "No folder is removed" {
  severity high
  on before_tool(shell)
  when any c in commands { c.program == "rmdir" }
  deny "Leave folders alone."
}

hook guard "What the guard says" {
  on before_tool(shell)
  run ["/bin/sh", "tools/guard.sh", "--config=tools/guard.conf"]
  timeout 20s
  fail open
}

verify checks "The checks pass" {
  stage one run ["tools/check.sh"] timeout 20s
}
"""
GUARD = '#!/bin/sh\ntouch "$HOME/guard-ran"\nif grep -q "rm a"; then echo "the guard says no"; exit 1; fi\n'
CHECK = '#!/bin/sh\ntouch "$HOME/check-ran"\n'


def put(host: Host, name: str, text: str) -> None:
    path = host.workspace / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(0o755)


def environment(host: Host, **more: str) -> dict[str, str]:
    return {"HOME": str(host.home), "PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), "TERM": "dumb", **more}


def policy(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "policy_engine", *arguments]


def first_characters(said: str) -> str:
    found = re.search(r"digest +sha256:([0-9a-f]{8})", said)
    assert found is not None, said
    return found[1]


def trust(host: Host) -> None:
    """What `policy trust` records when a person agrees; one test goes all the way."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(posix.environ, b"HOME", os.fsencode(host.home))
        patch.delitem(posix.environ, b"XDG_STATE_HOME", raising=False)
        found = effects(str(host.workspace))
        write_record(found.folder, found.found, 0, "a test")


def ran(host: Host) -> set[str]:
    """Which commands ran since the last look."""
    found = {name for name in ("guard", "check") if (host.home / f"{name}-ran").exists()}
    for name in found:
        (host.home / f"{name}-ran").unlink()
    return found


def record(host: Host) -> Path:
    return host.state / "trust" / f"{active_name(str(host.workspace.resolve()))}.json"


def untrusted(host: Host) -> str:
    """What both points say while nothing runs."""
    guarded, stopped = host.call(host.shell("rm a")), host.call(host.stop())
    assert ran(host) == set()
    assert guarded.status == 0 and "did not run" in json.loads(guarded.out)["systemMessage"]  # it fails open, aloud
    assert stopped.refused and "did not run" in stopped.err  # a completion without proof is refused
    assert "policy trust" in stopped.err
    return stopped.err

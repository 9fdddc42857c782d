"""A policy that changes between two hook processes: the next one sees it, however it changed (faults F)."""

from __future__ import annotations

import json
import os
import posix
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from policy_engine.cache.reader import read_head, signature, unchanged
from policy_engine.loading import debounce
from policy_engine.loading.live import live
from policy_engine.loading.loader import Loaded
from policy_engine.loading.status import read_status
from policy_engine.state.sealed import opened, sealed
from tests.end_to_end.host import BROKEN, NO_LS, POLICY, Host


@pytest.mark.fault(100)
@pytest.mark.requirement("R8")
def test_a_hook_sees_a_change_that_keeps_size_and_mtime(host: Host) -> None:
    path = host.write_policy(POLICY)
    host.warm()
    before = path.stat()
    path.write_text(POLICY.replace('"rm"', '"ls"'))
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert host.call(host.shell("ls")).verdict == "deny"


@pytest.mark.fault(95)
@pytest.mark.requirement("R8")
def test_a_hook_sees_files_that_come_go_and_are_swapped(host: Host, tmp_path: Path) -> None:
    host.write_policy(POLICY)
    host.warm()
    second = host.write_policy(NO_LS, "deep/er/second.policy")
    assert host.call(host.shell("ls")).verdict == "deny"
    second.unlink()
    assert host.call(host.shell("ls")).verdict == "allow"
    other = tmp_path / "other"
    other.mkdir()
    (other / "main.policy").write_text(NO_LS)
    host.policy.parent.rename(tmp_path / "away")
    host.policy.parent.symlink_to(other)
    assert host.call(host.shell("ls")).verdict == "deny"
    assert host.call({**host.shell("rm a"), "session_id": "s-2"}).verdict == "allow"


@pytest.mark.fault(58)
@pytest.mark.requirement("R7")
@pytest.mark.requirement("R8")
def test_at_the_start_of_a_session_the_bytes_count_whatever_stat_says(host: Host) -> None:
    host.write_policy(POLICY)
    host.warm()
    path = host.write_policy(NO_LS)
    parts = list(opened(host.head.read_bytes()))
    seen = next(
        place for place, part in enumerate(parts) if type(part) is tuple and signature(str(path))[0] in str(part)
    )
    parts[seen] = tuple(signature(str(path)) if one[0] == str(path) else one for one in parts[seen])
    parts[seen + 1] = parts[seen + 1] + 10**12  # as if it had been read after the change
    host.head.write_bytes(sealed(tuple(parts)))
    assert host.call(host.shell("ls")).verdict == "allow"
    host.call(host.payload("SessionStart", source="startup"))
    assert host.call(host.shell("ls")).verdict == "deny"


@pytest.mark.parametrize("changing", [False, True])
def test_a_file_that_changes_while_it_is_compiled_is_compiled_again(
    host: Host, monkeypatch: pytest.MonkeyPatch, changing: bool
) -> None:
    """The entry in the cache must not pass for the newer file."""
    host.write_policy(POLICY)
    for name, value in host.environment.items():
        monkeypatch.setitem(posix.environ, name.encode(), value.encode())
    monkeypatch.setenv("HOME", str(host.home))
    compiled, looks = debounce.load, []

    def slow(*paths: object, **options: object) -> Loaded:
        found = compiled(*paths, **options)
        looks.append(found.digest)
        host.write_policy(NO_LS + "\n" * (len(looks) if changing else 0))
        return found

    monkeypatch.setattr(debounce, "load", slow)
    found = live(str(host.workspace))
    if changing:
        assert "changes faster than it can be read" in found.lacking[0]
        assert (len(looks), unchanged(read_head(str(host.head)))) == (debounce.LOOKS, False)
        return
    status = read_status(host.head.name)
    assert status is not None and found.lacking == ()
    assert status.layers[-1].digest == looks[-1] != looks[0]
    assert host.call(host.shell("ls")).verdict == "deny"


@pytest.mark.fault(103)
@pytest.mark.requirement("R8")
def test_status_names_the_policy_in_force_and_the_last_error(host: Host) -> None:
    host.write_policy(POLICY)
    host.warm()
    digest = _status(host)["policy"]["digest"]
    host.write_policy(BROKEN)
    host.call(host.shell("ls"))
    broken = _status(host)["policy"]
    assert (broken["state"], broken["digest"]) == ("broken", digest)
    assert "main.policy:4:6: error[" in broken["errors"][0] and broken["last_error"] == broken["errors"]
    host.write_policy(POLICY)
    host.warm()
    fixed = _status(host)["policy"]
    assert (fixed["state"], fixed["errors"], fixed["last_error"]) == ("in force", [], [])


def _status(host: Host) -> Any:
    done = subprocess.run(
        [sys.executable, "-m", "policy_engine", "status", "--format", "json"],
        cwd=host.workspace,
        env={**host.environment, "PYTHONPATH": str(Path(__file__).resolve().parents[2])},
        capture_output=True,
        check=False,
    )
    return json.loads(done.stdout)

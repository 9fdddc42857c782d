"""A hook whose policy or cache is damaged: it refuses, or goes on as before, and says which (faults C and E)."""

from __future__ import annotations

import ctypes
import marshal
import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from policy_engine.cache.bundle import _digest
from policy_engine.cache.reader import read_head, unchanged
from tests.end_to_end.host import BROKEN, HOOK, POLICY, Host

FOREIGN = 65534  # nobody
ROOT = os.geteuid() == 0


def unprivileged() -> None:
    """For `preexec_fn`: without the privilege to read what the mode forbids."""
    libc = ctypes.CDLL(None)
    for capability in (1, 2):  # CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH
        libc.prctl(24, capability, 0, 0, 0)  # PR_CAPBSET_DROP: gone with the next exec


# ---- the policy ------------------------------------------------------------------------------------------------------


@pytest.mark.fault(57)
@pytest.mark.requirement("R7")
def test_a_broken_policy_that_never_loaded_refuses_and_says_where(host: Host) -> None:
    host.write_policy(BROKEN)
    done = host.call(host.shell("ls"))
    assert done.refused
    assert "E-POLICY" in done.err and "main.policy:4:6: error[" in done.err


@pytest.mark.fault(57, 103)
@pytest.mark.requirement("R7")
def test_a_broken_policy_keeps_the_last_good_one_and_says_so(host: Host) -> None:
    host.write_policy(POLICY)
    host.warm()
    host.write_policy(BROKEN)
    for _ in range(2):
        refused, allowed = host.call(host.shell("rm a")), host.call(host.shell("ls"))
        assert (refused.verdict, allowed.verdict) == ("deny", "allow")
        for done in (refused, allowed):
            assert "stays in force" in done.err and "main.policy:4:6: error[" in done.err
    host.write_policy(POLICY)
    assert host.call(host.shell("ls")).err == ""


@pytest.mark.parametrize("good", [False, True])
def test_what_is_wrong_is_found_once_and_said_again_until_it_changes(host: Host, good: bool) -> None:
    if good:
        host.write_policy(POLICY)
        host.warm()
    host.write_policy(BROKEN)
    found = host.call(host.shell("ls"))
    while not unchanged(read_head(str(host.head))):  # the file had only just changed
        assert host.call(host.shell("ls")) == found
    status = (host.state / "status" / f"{host.head.name}.json").read_bytes()
    assert host.call(host.shell("ls")) == found
    assert (host.state / "status" / f"{host.head.name}.json").read_bytes() == status  # written by each compilation
    host.head.write_bytes(host.head.read_bytes()[:-5])
    assert host.call(host.shell("ls")) == found
    host.write_policy(POLICY)
    assert host.call(host.shell("ls")).err == ""


@pytest.mark.fault(57)
@pytest.mark.requirement("R7")
def test_one_broken_file_of_several_changes_nothing_at_all(host: Host) -> None:
    host.write_policy(POLICY)
    host.warm()
    host.write_policy(POLICY.replace("no-rm", "no-ls").replace('"rm"', '"ls"'), "second.policy")
    host.write_policy(BROKEN, "third.policy")
    assert host.call(host.shell("ls")).verdict == "allow"
    (host.policy.parent / "third.policy").unlink()
    assert host.call(host.shell("ls")).verdict == "deny"


@pytest.mark.fault(56)
@pytest.mark.requirement("R7")
def test_a_deleted_policy_folder_keeps_the_last_good_one_and_says_so(host: Host) -> None:
    host.write_policy(POLICY)
    host.warm()
    shutil.rmtree(host.policy.parent)
    done = host.call(host.shell("ls"))
    assert (done.verdict, "stays in force" in done.err) == ("allow", True)
    assert host.call(host.shell("rm a")).refused


@pytest.mark.fault(56)
@pytest.mark.requirement("R7")
def test_an_emptied_policy_folder_keeps_the_last_good_one(host: Host) -> None:
    host.write_policy(POLICY)
    host.warm()
    host.policy.unlink()
    assert host.call(host.shell("rm a")).refused


@pytest.mark.parametrize("what", ["unreadable", "fifo", "folder", "dangling link", "loop", "device"])
def test_a_policy_file_that_cannot_be_read_refuses_everything(host: Host, what: str) -> None:
    host.write_policy(POLICY)
    path = host.policy.parent / "second.policy"
    if what == "unreadable":
        path.write_text(POLICY)
        path.chmod(0)
    elif what == "fifo":
        os.mkfifo(path)
    elif what == "folder":
        path.mkdir()
        (path / "x.policy").write_text(BROKEN)
    else:
        path.symlink_to({"dangling link": "nowhere", "loop": path.name, "device": "/dev/zero"}[what])
    done = host.call(host.shell("ls"), preexec_fn=unprivileged)
    assert done.refused and "second.policy" in done.err


def test_a_policy_folder_that_cannot_be_looked_into_refuses_everything(host: Host) -> None:
    host.write_policy(POLICY)
    host.policy.parent.chmod(0)
    done = host.call(host.shell("ls"), preexec_fn=unprivileged)
    host.policy.parent.chmod(0o700)
    assert done.refused and "E-POLICY" in done.err


# ---- the cache -------------------------------------------------------------------------------------------------------


def _truncate(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def _empty(path: Path) -> None:
    path.write_bytes(b"")


def _garbage(path: Path) -> None:
    path.write_bytes(bytes(range(256)) * 4)


def _flip(path: Path) -> None:
    data = bytearray(path.read_bytes())
    for place in range(len(data) // 3, len(data), 5):
        data[place] ^= 0x40
    path.write_bytes(data)


def _writable(path: Path) -> None:
    path.chmod(0o666)


def _foreign(path: Path) -> None:
    if not ROOT:
        pytest.skip("only root gives files away")
    os.chown(path, FOREIGN, FOREIGN)


def _link(path: Path) -> None:
    path.rename(path.with_name("moved"))
    path.symlink_to("moved")


def _fifo(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


def _gone(path: Path) -> None:
    path.unlink()


DAMAGE = (_truncate, _empty, _garbage, _flip, _writable, _foreign, _link, _fifo, _gone)


@pytest.mark.parametrize("damage", DAMAGE)
def test_a_damaged_cache_is_made_anew_with_the_same_verdicts(host: Host, damage: Callable[[Path], None]) -> None:
    host.write_policy(POLICY)
    host.warm()
    refused, allowed = host.call(host.shell("rm a")), host.call(host.shell("ls"))
    others = ("active", "kept", "floors")
    parts = [path for path in sorted(host.cache.rglob("*")) if path.is_file() and path.parent.name not in others]
    assert {path.name.partition(".")[0] for path in parts} == {"bucket", "bundle", "grammar", "specs"}
    for files in ([host.head], parts):
        for path in files:
            damage(path)
        assert host.call(host.shell("rm a")) == refused
        assert host.call(host.shell("ls")) == allowed
        host.warm()


def test_a_head_of_another_version_is_not_read(host: Host) -> None:
    host.write_policy(POLICY)
    host.warm()
    digest, data = read_head(str(host.head)).digest, host.head.read_bytes()
    host.head.write_bytes(data[:4][::-1] + data[4:])
    assert host.call(host.shell("rm a")).refused
    assert read_head(str(host.head)).digest == digest


def test_no_code_is_taken_from_below_the_working_folder(host: Host) -> None:
    """Whatever `HOME` says: a repository could bring such a file along."""
    root, below = str(HOOK.parent.parent), "policy_engine/__init__.py"
    status = os.stat(f"{root}/{below}")
    sprung = host.home / "sprung"
    code = marshal.dumps(compile(f"open({str(sprung)!r}, 'w').close()", "trap", "exec"))
    path = host.workspace / "relative" / ".cache" / "policy-engine" / "bundle"
    path.parent.mkdir(parents=True)

    def write(path: Path, start: int = 0) -> int:
        entry = (below, status.st_mtime_ns, status.st_size, True, start, len(code), _digest(code))
        table = marshal.dumps((sys.implementation.cache_tag, root, {"policy_engine": entry}))
        path.write_bytes(len(table).to_bytes(8, "little") + _digest(table) + table + code)
        return 16 + len(table)

    write(path, write(path))
    brought = host.workspace / "relative"
    for name, value in (("HOME", "relative"), ("HOME", str(brought)), ("XDG_CACHE_HOME", str(brought / ".cache"))):
        done = host.call(host.shell("ls"), env={name: value})
        assert (done.verdict, sprung.exists()) == ("deny", False)
    host.cache.mkdir(parents=True, exist_ok=True)
    path.rename(host.cache / "bundle")
    host.call(host.shell("ls"))
    assert sprung.exists()  # the trap works where the user's own cache is


def test_a_damaged_cache_of_a_broken_policy_refuses(host: Host) -> None:
    host.write_policy(POLICY)
    host.warm()
    for path in (host.cache / "programs").rglob("*"):
        if path.is_file():
            _garbage(path)
    host.write_policy(BROKEN)
    assert host.call(host.shell("rm a")).refused


def test_a_cache_that_cannot_be_written_costs_time_and_no_decision(host: Host) -> None:
    host.write_policy(POLICY)
    host.cache.parent.mkdir()
    host.cache.write_text("in the way")
    for _ in range(2):
        done = host.call(host.shell("rm a"))
        assert done.refused and "the policy cache cannot be written" in done.err

"""Disks, homes and stores that fail a hook: rules without a past decide, those with one refuse and say why."""

from __future__ import annotations

import errno
import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.end_to_end.host import POLICY, STATEFUL, Host

ROOT = os.geteuid() == 0
NOBODY = 65534


@pytest.fixture
def stateful(tmp_path: Path) -> Host:
    """A session that may be done: it wrote, and the tests passed."""
    host = Host(tmp_path)
    host.write_policy(STATEFUL)
    (host.workspace / "src").mkdir()
    (host.workspace / "src" / "a.py").touch()  # without it, that nothing was written is known all the same
    host.warm()
    _passes(host)
    return host


def _passes(host: Host, again: str = "") -> None:
    for payload in (host.wrote("src/a.py", f"w{again}"), host.ran("pytest -q", f"t{again}")):
        assert host.call(payload).verdict == "allow"
    assert host.call(host.stop()).verdict == "allow"


def _only_stateless_rules_decide(host: Host, said: str, **options: object) -> None:
    assert host.call(host.shell("ls"), **options).verdict == "allow"
    assert "removes files" in host.call(host.shell("rm a"), **options).err
    done = host.call(host.stop(), **options)
    assert done.refused and "E-STORE" in done.err and said in done.err, done.err


@contextmanager
def _mounted(folder: Path, options: str) -> Iterator[None]:
    """A small file system of its own at `folder`, with what was in it."""
    kept = [(path.name, path.read_bytes()) for path in folder.iterdir() if path.is_file()]
    mount = ["mount", "-t", "tmpfs", "-o", f"mode=700,{options}", "tmpfs", str(folder)]
    done = subprocess.run(mount, check=False, capture_output=True)
    if done.returncode:
        pytest.skip(f"no file system can be mounted here: {done.stderr.decode().strip()}")
    try:
        for name, data in kept:
            (folder / name).write_bytes(data)
            (folder / name).chmod(0o600)
        yield
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)


needs_mount = pytest.mark.skipif(not ROOT, reason="only root may mount a file system")


def _fill(path: Path) -> None:
    """Until there is no room."""
    with path.open("wb", buffering=0) as filler:
        try:
            while True:
                filler.write(b"x" * 4096)
        except OSError as error:
            if error.errno != errno.ENOSPC:
                raise


@needs_mount
@pytest.mark.fault(87)
def test_a_full_disk_makes_stateful_rules_refuse(stateful: Host) -> None:
    with _mounted(stateful.state, "size=512k"):
        assert stateful.call(stateful.stop()).verdict == "allow"
        _fill(stateful.state / "filler")
        # the log that is there has room for a little; every event needs more of it in the end
        dones = [stateful.call(stateful.wrote("src/a.py", f"w{number}")) for number in range(8)]
        assert any("E-STORE" in done.err + done.out.decode() for done in dones)
        _only_stateless_rules_decide_or_lost(stateful)
        (stateful.state / "filler").unlink()
        assert stateful.call(stateful.stop()).refused  # what was written meanwhile is not known
        for number in range(2):  # the first event may find out only now
            stateful.call(stateful.wrote("src/a.py", f"x{number}"))
        assert stateful.call(stateful.ran("pytest -q", "t2")).verdict == "allow"
        assert stateful.call(stateful.stop()).verdict == "allow"


def _only_stateless_rules_decide_or_lost(host: Host) -> None:
    assert host.call(host.shell("ls")).verdict == "allow"
    assert "removes files" in host.call(host.shell("rm a")).err
    assert host.call(host.stop()).refused


@needs_mount
@pytest.mark.fault(87)
def test_a_read_only_file_system_makes_stateful_rules_refuse(stateful: Host) -> None:
    with _mounted(stateful.state, "size=4m"):
        subprocess.run(["mount", "-o", "remount,ro", str(stateful.state)], check=True)
        _only_stateless_rules_decide(stateful, "readonly")
        said = stateful.call(stateful.shell("ls")).out.decode()
        assert said.count("Read-only file system") == 1, said
        subprocess.run(["mount", "-o", "remount,rw", str(stateful.state)], check=True)
        assert stateful.call(stateful.stop()).verdict == "allow"


@pytest.mark.fault(87)
@pytest.mark.skipif(ROOT, reason="root may write whatever a mode says")
def test_a_folder_that_may_not_be_written_makes_stateful_rules_refuse(stateful: Host) -> None:
    stateful.state.chmod(0o500)
    try:
        _only_stateless_rules_decide_or_lost(stateful)
    finally:
        stateful.state.chmod(0o700)


@pytest.mark.fault(91)
@pytest.mark.requirement("R20")
def test_a_store_that_is_set_back_is_noticed_by_every_session(stateful: Host) -> None:
    database = stateful.state / "sessions.sqlite3"
    old = {side: database.with_name(database.name + side).read_bytes() for side in ("", "-wal")}
    assert stateful.call(stateful.wrote("src/a.py", "w2")).verdict == "allow"
    for side in ("", "-wal", "-shm"):
        database.with_name(database.name + side).unlink(missing_ok=True)
    for side, data in old.items():
        database.with_name(database.name + side).write_bytes(data)
    done = stateful.call(stateful.stop())  # in the old file the tests passed after the last write
    assert done.refused and "E-STORE" in done.err and "older" in done.err
    assert "not known" in stateful.call(stateful.stop()).err
    assert stateful.call({**stateful.stop(), "session_id": "unknown"}).refused
    _passes(stateful, "-again")


@pytest.mark.fault(91)
def test_a_store_that_is_removed_is_noticed(stateful: Host) -> None:
    for side in ("", "-wal", "-shm"):
        (stateful.state / f"sessions.sqlite3{side}").unlink(missing_ok=True)
    done = stateful.call(stateful.stop())
    assert done.refused and "removed" in done.err
    start = stateful.payload("SessionStart", session_id="new", source="startup")
    assert stateful.call(start).verdict == "allow"
    assert stateful.call({**stateful.stop(), "session_id": "new"}).verdict == "allow"
    resumed = stateful.payload("SessionStart", session_id="old", source="resume")
    assert stateful.call(resumed).verdict == "allow"
    assert stateful.call({**stateful.stop(), "session_id": "old"}).refused
    _passes(stateful, "-again")


@pytest.mark.fault(89)
@pytest.mark.parametrize("kind", ["folder", "pipe", "link", "another's"])
def test_what_stands_in_the_place_of_the_store_is_refused(stateful: Host, kind: str) -> None:
    if kind == "another's" and not ROOT:
        pytest.skip("only root may give a file away")
    database = stateful.state / "sessions.sqlite3"
    if kind == "another's":
        os.chown(database, NOBODY, NOBODY)
    else:
        target = database.rename(database.with_name("moved"))
        {"folder": database.mkdir, "pipe": lambda: os.mkfifo(database), "link": lambda: database.symlink_to(target)}[
            kind
        ]()
    _only_stateless_rules_decide(stateful, "readonly" if kind == "folder" else "unsafe")


@pytest.mark.fault(93)
@pytest.mark.parametrize("home", [None, "", "relative", "."])
def test_without_a_home_nothing_is_allowed_or_written_into_the_workspace(tmp_path: Path, home: str | None) -> None:
    host = Host(tmp_path)
    host.write_policy(POLICY)
    host.environment = {} if home is None else {"HOME": home}
    before = sorted(path.name for path in host.workspace.iterdir())
    for command in ("rm a", "ls"):
        done = host.call(host.shell(command))
        assert done.refused and "HOME" in done.err
    assert sorted(path.name for path in host.workspace.iterdir()) == before


@pytest.mark.fault(93)
def test_a_home_that_does_not_exist_is_made_or_refused(tmp_path: Path) -> None:
    host = Host(tmp_path)
    host.write_policy(POLICY)
    host.environment = {"HOME": str(tmp_path / "gone" / "home")}
    assert host.call(host.shell("rm a")).refused


@pytest.mark.fault(93)
@pytest.mark.skipif(not ROOT, reason="only root may give a folder away")
def test_anothers_home_keeps_no_past_of_ours(stateful: Host) -> None:
    for folder in (stateful.home, stateful.state):
        os.chown(folder, NOBODY, NOBODY)
    done = stateful.call(stateful.stop())
    assert done.refused
    assert "removes files" in stateful.call(stateful.shell("rm a")).err


@pytest.mark.fault(93)
def test_a_home_that_is_a_file_is_no_permission(tmp_path: Path) -> None:
    host = Host(tmp_path)
    host.write_policy(STATEFUL)
    (tmp_path / "file").write_text("")
    host.environment = {"HOME": str(tmp_path / "file")}
    assert host.call(host.shell("rm a")).refused
    assert host.call(host.stop()).refused

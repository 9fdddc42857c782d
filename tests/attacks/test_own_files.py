"""Files that the engine keeps for itself, exchanged below it: none that another name leads to is believed."""

from __future__ import annotations

import json
import marshal
import os
import stat
import subprocess
from _imp import source_hash
from pathlib import Path

import pytest

from policy_engine.cache.bundle import HEAD
from tests.attacks.session import ROOT, Session
from tests.end_to_end.host import STATEFUL, Host


@pytest.fixture
def session(tmp_path: Path) -> Session:
    return Session(tmp_path)


def _harmful(bundle: Path) -> bytes:
    """The bundle with a first module that consents to everything."""
    data = bundle.read_bytes()
    size = int.from_bytes(data[:8], "little")
    tag, home, modules = marshal.loads(data[HEAD : HEAD + size])
    code = marshal.dumps(compile("import posix\nposix._exit(0)\n", "x", "exec"))
    entry = modules["policy_engine.hook_process.native"]
    table = b""
    for _ in range(9):  # the place of the code is part of the table whose length moves it
        made = (*entry[:4], HEAD + len(table), len(code), source_hash(0, code))
        table = marshal.dumps((tag, home, {"policy_engine.hook_process.native": made}))
    return len(table).to_bytes(8, "little") + source_hash(0, table) + table + code


def _refuses(session: Session, **options: object) -> bool:
    done = session.host.call(session.host.shell("sudo ls"), **options)  # type: ignore[arg-type]
    return done.status == 2


def test_the_attack_on_the_bundle_would_work_if_it_were_in_its_place(session: Session) -> None:
    bundle = session.host.cache / "bundle"
    bundle.write_bytes(_harmful(bundle))
    bundle.chmod(0o600)
    assert not _refuses(session)  # whoever may write this file has won: the tests below are about who may


def test_a_bundle_with_two_names_is_not_used(session: Session, tmp_path: Path) -> None:
    bundle = session.host.cache / "bundle"
    os.link(bundle, tmp_path / "b.bin")
    (tmp_path / "b.bin").write_bytes(_harmful(bundle))
    assert _refuses(session)


@pytest.mark.parametrize("mode", [0o620, 0o602, 0o666])
def test_a_bundle_that_others_may_write_is_not_used(session: Session, mode: int) -> None:
    bundle = session.host.cache / "bundle"
    bundle.write_bytes(_harmful(bundle))
    bundle.chmod(mode)
    assert _refuses(session)


@pytest.mark.parametrize("above", ["", "policy-engine"])
def test_a_cache_that_a_link_leads_into_the_workspace_is_not_used(session: Session, above: str) -> None:
    inside = session.workspace / "tmp"
    data = _harmful(session.host.cache / "bundle")
    place = session.home / ".cache" / above
    place.rename(session.home / "old")
    place.symlink_to(inside)
    bundle = inside / ("" if above else "policy-engine") / "bundle"
    bundle.parent.mkdir(parents=True)
    bundle.write_bytes(data)
    bundle.chmod(0o600)
    assert _refuses(session)


@pytest.mark.parametrize("name", ["XDG_CACHE_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "HOME"])
@pytest.mark.parametrize("through", ["plain", "link", "dots", "descriptor"])
def test_a_variable_that_leads_into_the_workspace_refuses(session: Session, name: str, through: str) -> None:
    inside = session.workspace / "x"
    (inside / "policy-engine").mkdir(parents=True)
    (session.home / "l").symlink_to(inside)
    bundle = inside / "policy-engine" / "bundle"
    bundle.write_bytes(_harmful(session.host.cache / "bundle"))
    bundle.chmod(0o600)
    handle = os.open(inside, os.O_RDONLY)
    value = {
        "plain": str(inside), "link": str(session.home / "l"), "dots": f"{session.home}/../work/x",
        "descriptor": f"/proc/self/fd/{handle}",
    }[through]  # fmt: skip
    try:
        assert _refuses(session, env={name: value}, pass_fds=(handle,))
        harmless = session.host.call(session.host.shell("ls"), env={name: value}, pass_fds=(handle,))
        assert harmless.status == 2
    finally:
        os.close(handle)


def test_a_folder_of_the_cache_that_is_writable_by_others_gives_no_bundle(session: Session) -> None:
    bundle = session.host.cache / "bundle"
    bundle.write_bytes(_harmful(bundle))
    bundle.chmod(0o600)
    session.host.cache.chmod(0o777)
    assert _refuses(session)


def test_compiled_rules_with_two_names_are_not_used(session: Session, tmp_path: Path) -> None:
    for number, path in enumerate([path for path in session.host.cache.rglob("*") if path.is_file()]):
        twin = tmp_path / f"t{number}"
        os.link(path, twin)
        twin.write_bytes(b"\0" * twin.stat().st_size)
    assert _refuses(session)


@pytest.mark.parametrize("layer", ["repository", "user", "settings"])
def test_a_policy_with_two_names_keeps_what_was_in_force(session: Session, tmp_path: Path, layer: str) -> None:
    place = session.workspace / ".policy" / "no-sudo.policy"
    if layer != "repository":
        place = session.home / ".config" / "policy-engine" / ("u.policy" if layer == "user" else "policy.toml")
        place.parent.mkdir(parents=True)
        text = (ROOT / "rules/security/no-sudo.policy").read_text().replace("rule no-sudo", "rule mine")
        place.write_text(text if layer == "user" else "require_repository_policy = true\n")
        session.host.warm()
    os.link(place, tmp_path / "twin")
    (tmp_path / "twin").write_text("language 1\n" if layer != "settings" else "")
    done = session.host.call(session.host.shell("sudo ls"))
    assert done.status == 2
    harmless = session.host.call(session.host.shell("ls"))
    said = harmless.err + harmless.out.decode()
    assert "hard link" in said and "cp F F.new" in said, said


def test_one_name_again_is_believed_again(session: Session, tmp_path: Path) -> None:
    place = session.workspace / ".policy" / "no-sudo.policy"
    os.link(place, tmp_path / "twin")
    line = 'f=.policy/no-sudo.policy; cp "$f" "$f.new" && mv "$f.new" "$f"'
    assert session.host.call(session.host.shell("ls")).err or True
    subprocess.run(["sh", "-c", line], cwd=session.workspace, check=True)
    session.host.warm()
    done = session.host.call(session.host.shell("ls"))
    assert done.verdict == "allow" and "hard link" not in done.err + done.out.decode()
    assert _refuses(session)


@pytest.fixture
def stateful(tmp_path: Path) -> Host:
    host = Host(tmp_path)
    host.write_policy(STATEFUL)
    host.warm()
    host.call(host.wrote("src/a.py", "1"))
    return host


@pytest.mark.parametrize("name", ["sessions.sqlite3", "sessions.sqlite3-wal", "sessions.sqlite3.commits"])
def test_a_store_with_two_names_leaves_its_rules_undecided(stateful: Host, tmp_path: Path, name: str) -> None:
    place = stateful.state / name
    if not place.exists():
        pytest.skip(f"no {name} here")
    os.link(place, tmp_path / "twin")
    done = stateful.call(stateful.stop())
    assert done.refused
    assert "hard link" in done.err, done.err


def test_what_a_process_left_that_died_while_it_made_the_store_is_cleared_away(stateful: Host) -> None:
    place = stateful.state / "sessions.sqlite3"
    os.link(place, f"{place}.new-4711-1")
    assert stateful.call(stateful.stop()).refused
    assert "Run the tests" in stateful.call(stateful.stop()).err
    assert place.stat().st_nlink == 1


def test_every_file_of_the_engine_is_private_whatever_the_umask(tmp_path: Path) -> None:
    for mask in (0o000, 0o077, 0o777):
        folder = tmp_path / f"{mask:o}"
        folder.mkdir()
        host = Host(folder, seeded=False)
        host.write_policy(STATEFUL)
        before = os.umask(mask)
        try:
            for _ in range(2):
                assert host.call(host.shell("rm a")).refused
            host.call(host.wrote("src/a.py", "1"))
            assert host.call(host.stop()).refused
        finally:
            os.umask(before)
        places = [path for top in (host.state, host.cache) for path in top.rglob("*")]
        open_ones = {
            str(path): oct(path.stat().st_mode) for path in places if stat.S_IMODE(path.stat().st_mode) & 0o077
        }
        assert open_ones == {}, mask
        assert places


def test_a_status_that_others_could_read_is_closed_again(session: Session) -> None:
    status = next((session.host.state / "status").glob("*.json"))
    assert stat.S_IMODE(status.stat().st_mode) == 0o600
    assert json.loads(status.read_text())["layers"]

"""The record of trust on the disk: written whole, private, never through a link, and believed only as written."""

from __future__ import annotations

import os
import posix
from pathlib import Path
from types import SimpleNamespace

import pytest

from policy_engine.consent import trust
from policy_engine.consent.closure import Closure, closure
from policy_engine.consent.trust import (
    Distrust,
    Gate,
    read_record,
    record_path,
    remove_record,
    standing,
    trusted_folders,
    write_record,
)
from policy_engine.model.errors import ConfigurationError

RUNS = (("checks", "one", ("tools/check.sh",), ()),)


@pytest.fixture
def workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setitem(posix.environ, b"HOME", os.fsencode(tmp_path / "home"))
    monkeypatch.delitem(posix.environ, b"XDG_STATE_HOME", raising=False)
    found = Path(os.path.realpath(tmp_path)) / "work"
    (found / ".policy").mkdir(parents=True)
    (found / "tools").mkdir()
    (found / "tools/check.sh").write_text("exit 0\n")
    return str(found)


def now(workspace: str) -> Closure:
    return closure(workspace, RUNS)


def rule(name: str = "checks", argv: tuple[str, ...] = ("tools/check.sh",)) -> SimpleNamespace:
    return SimpleNamespace(id=name, kind="verify", extra=((("one", argv, 0, (), -1, None),), 0))


@pytest.mark.requirement("R17")
def test_a_record_is_private_and_comes_back_as_it_was(workspace: str) -> None:
    written = write_record(workspace, now(workspace), 7, "dev at /dev/pts/1")
    path = Path(record_path(workspace))
    assert (path.stat().st_mode & 0o777, path.parent.stat().st_mode & 0o777) == (0o600, 0o700)
    found = read_record(workspace)
    assert [getattr(found, name) for name in found.__slots__] == [getattr(written, name) for name in found.__slots__]
    assert standing(workspace).digest == written.digest
    assert os.listdir(path.parent) == [path.name]


@pytest.mark.fault(92)
@pytest.mark.requirement("R17")
def test_a_link_in_the_place_of_the_record_is_replaced_and_its_target_left_alone(workspace: str) -> None:
    path = Path(record_path(workspace))
    path.parent.mkdir(parents=True, mode=0o700)
    victim = path.parent.parent / "victim"
    victim.write_text("mine")
    path.symlink_to(victim)
    write_record(workspace, now(workspace), 7, "dev")
    assert (victim.read_text(), path.is_symlink()) == ("mine", False)


@pytest.mark.fault(87)
@pytest.mark.requirement("R17")
def test_a_full_disk_keeps_the_record_as_it_was(workspace: str, monkeypatch: pytest.MonkeyPatch) -> None:
    write_record(workspace, now(workspace), 7, "dev")
    before = Path(record_path(workspace)).read_bytes()

    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(posix, "fsync", full)
    with pytest.raises(ConfigurationError, match="no space left"):
        write_record(workspace, now(workspace), 8, "dev")
    assert Path(record_path(workspace)).read_bytes() == before
    assert len(os.listdir(trust.trust_folder())) == 1


@pytest.mark.requirement("R13")
def test_a_state_folder_below_the_workspace_takes_no_record(workspace: str, monkeypatch: pytest.MonkeyPatch) -> None:
    (Path(workspace) / ".state").mkdir()
    link = Path(workspace).parent / "link"
    link.symlink_to(Path(workspace) / ".state")
    monkeypatch.setitem(posix.environ, b"XDG_STATE_HOME", os.fsencode(link))
    with pytest.raises(ConfigurationError, match="no say in its own trust"):
        write_record(workspace, now(workspace), 7, "dev")
    with pytest.raises(Distrust, match="no say in its own trust"):
        read_record(workspace)


def test_revoking_and_listing(workspace: str) -> None:
    assert (trusted_folders(), remove_record(workspace)) == ([], False)
    write_record(workspace, now(workspace), 7, "dev")
    assert [folder for folder, _ in trusted_folders()] == [workspace]
    assert remove_record(workspace)
    assert trusted_folders() == []


def test_a_record_under_the_name_of_another_folder_is_damaged(workspace: str) -> None:
    write_record(workspace, now(workspace), 7, "dev")
    other = Path(record_path(f"{workspace}/other"))
    os.rename(record_path(workspace), other)
    assert trusted_folders() == [(str(other), None)]
    with pytest.raises(Distrust, match="not trusted"):
        read_record(workspace)


@pytest.mark.requirement("R14")
def test_only_what_was_trusted_is_let_through(workspace: str) -> None:
    assert "not trusted" in Gate(workspace)(rule())  # type: ignore[arg-type]
    write_record(workspace, now(workspace), 7, "dev")
    gate = Gate(workspace)
    assert gate(rule()) == ""  # type: ignore[arg-type]
    for other in (rule("others"), rule(argv=("tools/check.sh", "--fix")), rule(argv=("rm",))):
        assert "not among the commands" in gate(other)  # type: ignore[arg-type]
    for upper in ("organisation/x", "user/x", "builtin/x"):
        assert gate(rule(upper, ("anything",))) == ""  # type: ignore[arg-type]
    assert "not among" in gate(rule("elsewhere/x", ("anything",)))  # type: ignore[arg-type]


@pytest.mark.requirement("R14")
@pytest.mark.parametrize("name", ["", "relative", "/no/such/folder"])
def test_a_workspace_that_cannot_be_found_is_not_trusted(workspace: str, name: str) -> None:
    assert Gate(name)(rule()) != ""  # type: ignore[arg-type]

"""A settings file is replaced whole, kept once, and never repaired or led astray."""

from __future__ import annotations

import json
import os
import posix
import stat
from pathlib import Path

import pytest

from policy_engine.hosts.settings_file import BACKUP_SUFFIX, read_settings, restore_settings, write_settings
from policy_engine.model.errors import ConfigurationError

ODD = b'{"b":1,   "a": {"\xc3\xa9": [1.50, true]}}'


@pytest.fixture
def path(tmp_path: Path) -> Path:
    target = tmp_path / "settings.json"
    target.write_bytes(ODD)
    target.chmod(0o640)
    return target


def names(folder: Path) -> list[str]:
    return sorted(entry.name for entry in folder.iterdir())


def test_a_missing_file_is_empty_and_is_created_with_its_folder(tmp_path: Path) -> None:
    file = read_settings(tmp_path / "new" / "settings.json")
    assert (file.data, file.settings) == (None, {})
    assert write_settings(file, {"a": 1}) is True
    assert file.path.read_text() == '{\n  "a": 1\n}\n'
    assert stat.S_IMODE(file.path.stat().st_mode) == 0o600
    assert names(tmp_path / "new") == ["settings.json"]


def test_a_rewrite_keeps_order_mode_and_once_the_bytes_from_before(path: Path) -> None:
    file = read_settings(path)
    assert write_settings(file, {**file.settings, "z": 0}) is True
    assert write_settings(read_settings(path), {"only": 1}) is True
    assert json.loads(path.read_bytes()) == {"only": 1}
    assert file.backup.read_bytes() == ODD
    assert [stat.S_IMODE(each.stat().st_mode) for each in (path, file.backup)] == [0o640, 0o640]
    assert names(path.parent) == ["settings.json", f"settings.json{BACKUP_SUFFIX}"]


def test_nothing_is_written_where_nothing_changes(path: Path) -> None:
    file = read_settings(path)
    assert write_settings(file, dict(file.settings)) is False
    assert path.read_bytes() == ODD
    assert names(path.parent) == ["settings.json"]


def test_restoring_brings_the_very_bytes_back(path: Path) -> None:
    file = read_settings(path)
    write_settings(file, {**file.settings, "hooks": {}})
    assert restore_settings(read_settings(path), file.settings) is True
    assert path.read_bytes() == ODD
    assert names(path.parent) == ["settings.json"]


def test_restoring_removes_a_file_that_was_not_there(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    write_settings(read_settings(path), {"hooks": {}})
    assert restore_settings(read_settings(path), {}) is True
    assert names(tmp_path) == []


def test_restoring_keeps_what_the_user_changed_since(path: Path) -> None:
    file = read_settings(path)
    write_settings(file, {**file.settings, "hooks": {}, "theme": "dark"})
    assert restore_settings(read_settings(path), {**file.settings, "theme": "dark"}) is True
    assert json.loads(path.read_bytes()) == {**file.settings, "theme": "dark"}
    assert file.backup.exists()


def test_a_symbolic_link_stays_and_its_target_changes(path: Path, tmp_path: Path) -> None:
    link = tmp_path / "link.json"
    link.symlink_to(path.name)
    write_settings(read_settings(link), {"a": 2})
    assert link.is_symlink()
    assert json.loads(path.read_bytes()) == {"a": 2}


def test_a_link_out_of_the_project_is_refused(path: Path, tmp_path: Path) -> None:
    project = tmp_path / "project"
    project.mkdir()
    (project / "settings.json").symlink_to(path)
    with pytest.raises(ConfigurationError, match="leads out of"):
        read_settings(project / "settings.json", inside=project)


@pytest.mark.parametrize(
    "data",
    [b"{", b"[]", b"null", b'{"a":1,"a":2}', b'{"a":1} // x', b"\xff", b"\xef\xbb\xbf{}", b'{"a":NaN}', b"{'a':1}"],
)
def test_what_is_no_strict_json_object_is_refused_and_left_alone(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "settings.json"
    path.write_bytes(data)
    with pytest.raises(ConfigurationError, match="repair it first"):
        read_settings(path)
    assert path.read_bytes() == data


def test_what_is_no_regular_file_is_refused_without_waiting(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for name in ("pipe", "."):
        with pytest.raises(ConfigurationError):
            read_settings(tmp_path / name)


def test_a_file_that_changed_meanwhile_is_not_overwritten(path: Path) -> None:
    file = read_settings(path)
    path.write_bytes(b'{"new": 1}')
    with pytest.raises(ConfigurationError, match="changed meanwhile"):
        write_settings(file, {"a": 1})
    assert path.read_bytes() == b'{"new": 1}'


def test_a_failed_replacement_leaves_the_old_file_and_no_debris(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    file = read_settings(path)
    for function in ("rename", "fsync"):
        with monkeypatch.context() as patch:
            patch.setattr(posix, function, full)
            with pytest.raises(ConfigurationError, match="No space left"):
                write_settings(file, {"a": 1})
        assert path.read_bytes() == ODD
        assert set(names(path.parent)) <= {"settings.json", f"settings.json{BACKUP_SUFFIX}"}

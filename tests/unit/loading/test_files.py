"""Writing files whole or not at all."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from policy_engine.loading.files import brief, create, write_whole
from policy_engine.model.errors import ConfigurationError


def test_a_new_file_gets_its_folders_and_never_replaces_one(tmp_path: Path) -> None:
    path = tmp_path / "a" / "b.policy"
    create(path, b"one")
    with pytest.raises(ConfigurationError, match="is there already"):
        create(path, b"two")
    assert path.read_bytes() == b"one"


def test_a_replacement_that_fails_leaves_the_file_and_no_scrap(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.policy"
    path.write_bytes(b"one")

    def fail(_source: object, _target: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(ConfigurationError, match="no space left on device"):
        write_whole(path, b"two")
    assert [(each.name, each.read_bytes()) for each in tmp_path.iterdir()] == [("a.policy", b"one")]


def test_a_path_below_the_current_folder_is_shown_without_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert brief(tmp_path / "a" / "b") == "a/b"
    assert brief(Path("/elsewhere")) == "/elsewhere"

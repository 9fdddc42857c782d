"""A file is a recording by what stands in it, or is refused."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from policy_engine.loading import recordings
from policy_engine.loading.recordings import recording
from policy_engine.model.errors import ConfigurationError, EventError


def test_a_document_over_several_lines_that_is_no_recording_is_refused(tmp_path: Path) -> None:
    (tmp_path / "package.json").write_text('{\n "name": "x",\n "version": "1"\n}\n')
    with pytest.raises(ConfigurationError, match="no recording of a known form"):
        list(recording(str(tmp_path / "package.json")))
    (tmp_path / "notes.md").write_text("# Notes\n\n- one\n")
    with pytest.raises(ConfigurationError, match="no recording of a known form"):
        list(recording(str(tmp_path / "notes.md")))


def test_a_folder_without_events_is_no_recording(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="a folder without events"):
        list(recording(str(tmp_path)))


def test_a_document_that_is_too_long_is_read_by_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    data = b'{\n"a": 1\n}\n'
    assert [line[1] for line in recordings.recording_lines(io.BytesIO(data))] == [{"a": 1}]
    monkeypatch.setattr(recordings, "DOCUMENT_BYTES", len(data) - 1)
    assert all(isinstance(line[1], EventError) for line in recordings.recording_lines(io.BytesIO(data)))

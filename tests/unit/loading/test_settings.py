"""`policy.toml` is read strictly: what it says takes effect, what it should not say is an error with advice."""

from __future__ import annotations

from pathlib import Path

import pytest

from policy_engine.loading.settings import read_settings
from policy_engine.model.errors import ConfigurationError
from policy_engine.state.places import SETTINGS_FILE


def test_no_file_means_the_defaults(tmp_path: Path) -> None:
    assert read_settings(tmp_path).host_timeout_seconds == 60


def test_a_setting_takes_effect(tmp_path: Path) -> None:
    (tmp_path / SETTINGS_FILE).write_text("host_timeout_seconds = 10\n")
    assert read_settings(tmp_path).host_timeout_seconds == 10


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("host_timeout_second = 10", "unknown setting `host_timeout_second`; did you mean `host_timeout_seconds`?"),
        ("colour = 1", "unknown setting `colour`; known: host_timeout_seconds"),
        ('host_timeout_seconds = "10"', "`host_timeout_seconds`: input should be a valid integer"),
        ("host_timeout_seconds = 0", "`host_timeout_seconds`: input should be greater than 0"),
        ("host_timeout_seconds = = 1", "at line 1, column"),
    ],
)
def test_what_cannot_be_used_is_named(tmp_path: Path, text: str, says: str) -> None:
    (tmp_path / SETTINGS_FILE).write_text(text)
    with pytest.raises(ConfigurationError) as refused:
        read_settings(tmp_path)
    assert says in str(refused.value)


def test_what_is_no_text_is_refused(tmp_path: Path) -> None:
    (tmp_path / SETTINGS_FILE).write_bytes(b"\xff\xfe")
    with pytest.raises(ConfigurationError):
        read_settings(tmp_path)

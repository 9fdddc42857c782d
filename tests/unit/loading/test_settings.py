"""`policy.toml` is read strictly: what it says takes effect, what it should not say is an error with advice."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
from jsonschema import Draft7Validator

from policy_engine.loading.settings import read_settings
from policy_engine.model.config import settings_schema
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


PAGE = Path(__file__).resolve().parents[3] / "docs" / "how-to" / "sessions-in-a-database.md"
SHOWN = re.findall(r"^```toml\n(.*?)^```", PAGE.read_text("utf-8"), re.M | re.S)
SCHEMA = settings_schema(["leaky-pattern"])
GOOD = [
    "",
    "host_timeout_seconds = 86_400",
    "require_repository_policy = true",
    'store = "sqlite"',
    'store = "postgres://db.example.org/policies?sslmode=require"',
    '[hook]\nresident = "off"',
    '[check]\nignore = {leaky-pattern = "the server refuses every other form"}',
    '[check.ignore]\nleaky-pattern = "the server refuses every other form"',
]
BAD = [
    "colour = 1",
    "host_timeout_seconds = 0",
    "host_timeout_seconds = 86_401",
    'host_timeout_seconds = "10"',
    "require_repository_policy = 1",
    'store = "sqlite3"',
    'store = "mysql://db"',
    "store = 1",
    '[hook]\nresident = "on"',
    "[hook]\nstart = true",
    "hook = true",
    '[check]\nignore = ["leaky-pattern"]',
    '[check.ignore]\nleaky-pattern = " "',
    "[check.ignore]\nleaky-pattern = true",
    '[check]\nselect = "all"',
]


@pytest.mark.parametrize(("text", "fits"), [(text, text not in BAD) for text in [*SHOWN, *GOOD, *BAD]])
def test_the_published_schema_says_what_the_engine_takes(tmp_path: Path, text: str, fits: bool) -> None:
    assert Draft7Validator(SCHEMA).is_valid(tomllib.loads(text)) is fits
    (tmp_path / SETTINGS_FILE).write_text(text)
    if fits:
        read_settings(tmp_path)
        return
    with pytest.raises(ConfigurationError):
        read_settings(tmp_path)


def test_the_published_schema_is_a_schema_and_describes_every_setting() -> None:
    Draft7Validator.check_schema(SCHEMA)
    assert SHOWN
    assert all(one["description"] for one in SCHEMA["properties"].values())

"""What the settings say of a resident engine is read without their reader, and in doubt none is started."""

from __future__ import annotations

from pathlib import Path

import pytest

from policy_engine.hook_process import starting
from policy_engine.loading.settings import read_settings
from policy_engine.state import places


@pytest.fixture
def folders(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, Path]:
    """The folders of the organisation and of the user."""
    found = tmp_path / "organisation", home / ".config" / "policy-engine"
    for folder in found:
        folder.mkdir(parents=True)
    monkeypatch.setattr(starting, "ORGANISATION_FOLDER", str(found[0]))
    assert places.config_folder() == str(found[1])
    return found


@pytest.mark.parametrize(
    ("text", "allowed"),
    [
        ("", True),
        ("host_timeout_seconds = 30\n", True),
        ('[hook]\nresident = "auto"\n', True),
        ('[hook]\n# resident = "off"\n', True),
        ('[hook]\nresident = "off"\n', False),
        ('hook.resident = "off"\n', False),
        ('hook = { resident = "off" }\n', False),
        ('hook = { "resident" = "off" }\n', False),
    ],
)
@pytest.mark.parametrize("layer", [0, 1])
def test_each_of_both_may_keep_hooks_from_it(folders: tuple[Path, Path], text: str, allowed: bool, layer: int) -> None:
    assert starting.is_allowed()
    (folders[layer] / "policy.toml").write_text(text)
    assert starting.is_allowed() is allowed
    assert (read_settings(folders[layer]).hook.resident == "auto") is allowed


def test_what_cannot_be_read_allows_none(folders: tuple[Path, Path]) -> None:
    (folders[1] / "policy.toml").mkdir()
    assert not starting.start_resident()


def test_a_hook_that_no_registered_line_started_starts_none(home: Path) -> None:
    assert not starting.start_resident()
    assert not (home / ".local").exists()

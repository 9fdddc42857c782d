"""Look through large environments in a bounded time: packages of runners first."""

from __future__ import annotations

from itertools import count
from pathlib import Path

import pytest

from policy_engine.test_runs import unaccounted
from policy_engine.test_runs.unaccounted import _LOADED, _changed_below


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """Packages with a changed module each, that of a runner in the middle of them, and files that nobody loads."""
    for at in [*range(20), "pytest", *range(20, 40)]:
        folder = tmp_path / f"{at if at == 'pytest' else f'package{at}'}"
        folder.mkdir()
        (folder / "a.py").touch()
        (folder / "a.html").touch()
    return tmp_path


def test_only_what_is_loaded_is_found(site: Path) -> None:
    (site / "package1" / "link").symlink_to(site / "package2")
    found = set(_changed_below(str(site), 0, endings=_LOADED))
    assert len(found) == 42 and str(site / "package1" / "link") in found


def test_a_runner_is_looked_at_before_the_time_is_over(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = count()
    monkeypatch.setattr(unaccounted, "monotonic", lambda: float(next(clock)))
    assert list(_changed_below(str(site), 0, 2.0, _LOADED)) == [str(site / "pytest" / "a.py")]

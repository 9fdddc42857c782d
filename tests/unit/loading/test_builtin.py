"""The policies that the engine brings along load wherever its own folders are."""

from __future__ import annotations

from pathlib import Path

import pytest

from policy_engine.loading.builtin import builtin_files
from policy_engine.loading.loader import load_given
from policy_engine.state.places import OWN_VARIABLES


def test_a_home_that_is_named_with_dots_is_guarded_where_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a").mkdir()
    for name in OWN_VARIABLES:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", f"{tmp_path}/a/../home")
    files = builtin_files()
    assert load_given(files).errors == ()
    assert f"{tmp_path}/home/.local/state/policy-engine".encode() in files[-1].data

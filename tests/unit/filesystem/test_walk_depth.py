"""A walk that goes so deep and no deeper looks into no folder below that."""

from __future__ import annotations

from pathlib import Path

import pytest

from policy_engine.filesystem import walk
from policy_engine.filesystem.walk import BELOW, files_below
from policy_engine.model.undecided import Undecided


def test_a_bounded_walk_names_the_folders_at_its_bound(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = tmp_path.resolve()
    (root / "a" / "b").mkdir(parents=True)
    for number in range(9):
        (root / "a" / "b" / str(number)).touch()
    (root / "c").touch()
    assert sorted(files_below(str(root), ".", 1)) == [f"{root}/a/{BELOW}", f"{root}/c"]
    assert sorted(files_below(str(root), ".", 2)) == [f"{root}/a/b/{BELOW}", f"{root}/c"]
    assert len(files_below(str(root), ".")) == 10
    monkeypatch.setattr(walk, "WALK_ENTRIES", 5)
    assert len(files_below(str(root), ".", 2)) == 2
    with pytest.raises(Undecided):
        files_below(str(root), ".")

"""workspace_changed: some changed path still exists."""

from __future__ import annotations

from policy_engine.predicates.changes import workspace_changed


def test_a_changed_path_is_a_change() -> None:
    assert workspace_changed(["src/a.py"])
    assert not workspace_changed([])

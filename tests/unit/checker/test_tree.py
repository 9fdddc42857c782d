"""A checked policy is what its golden picture says: every node, its type, its place and its values."""

from __future__ import annotations

import pytest

from policy_engine.loading.loader import load_text
from tests.unit.checker.picture import picture
from tests.unit.golden import LANGUAGE, POLICIES, recorded


@pytest.mark.parametrize("name", POLICIES)
def test_a_checked_policy_looks_as_recorded(name: str) -> None:
    loaded = load_text((LANGUAGE / f"{name}.policy").read_text(), f"{name}.policy")
    assert loaded.errors == () and loaded.policy is not None
    found = picture(loaded.policy)
    assert found == recorded(LANGUAGE / f"{name}.tree", found)

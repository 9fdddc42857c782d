"""A path that is not known has everything but a place."""

from __future__ import annotations

import pytest

from policy_engine.filesystem.paths import PathValue
from policy_engine.model.undecided import Undecided


def test_the_place_of_an_unknown_path_is_undecided() -> None:
    path = PathValue.unknown("$DIR/x", "`$DIR` is not known", "delete", True)
    assert (str(path), path.access, path.recursive, path.known) == ("$DIR/x", "delete", True, False)
    with pytest.raises(Undecided, match="is not known"):
        assert path.real


def test_touching_it_in_another_way_tells_no_more() -> None:
    path = PathValue.unknown("$X", "why").with_access("read")
    assert (path.access, path.known, repr(path)) == ("read", False, "PathValue('$X', unknown, 'read', False)")

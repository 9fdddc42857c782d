"""Index look-ups in pure Python: folders that hold a path, literals in a text, places in a sorted array."""

from __future__ import annotations

import bisect

from hypothesis import given, settings
from hypothesis import strategies as st

from policy_engine.evaluators.lookup import bisect_left, bisect_right, folders, grams, scan_text
from policy_engine.model.globs import glob_matches, literal_prefix
from policy_engine.model.paths import PathValue
from policy_engine.model.world import Virtual

WORLD = Virtual()
TABLE = {"src": (1,), "src/deep": (2, 3), "/etc": (4,), "/": (5,), "/workspace/src": (6,)}


def found(path: str, recursive: bool = False) -> set[int]:
    value = WORLD.resolve(path, "/workspace").with_access("read", recursive)
    return set(folders(TABLE, (value,), WORLD))


def test_a_path_brings_the_rules_of_every_folder_above_it() -> None:
    assert found("src/deep/a.py") == {1, 2, 3, 5, 6}
    assert found("src/a.py") == {1, 5, 6}
    assert found("srcs/a.py") == {5}
    assert found("/etc/passwd") == {4, 5}


def test_a_folder_that_is_meant_with_all_below_it_brings_every_rule() -> None:
    assert found(".", recursive=True) == {1, 2, 3, 4, 5, 6}


NAMES = st.sampled_from(["a", "b", "*", "**", "*.py", "a.py", "[ab]"])
GLOBS = st.lists(NAMES, min_size=1, max_size=4).map("/".join)
PATHS = st.lists(st.sampled_from(["a", "b", "a.py", "b.py"]), min_size=1, max_size=4).map("/".join)


@settings(max_examples=200, deadline=None)
@given(GLOBS, st.sampled_from(["", "/", "/workspace/"]), PATHS, st.sampled_from(["/workspace", "/"]))
def test_the_literal_folder_of_a_glob_that_matches_is_always_found(glob: str, root: str, path: str, cwd: str) -> None:
    value = WORLD.resolve(path, cwd)
    if glob_matches(((root + glob,), ()), WORLD.relative(value), value.real):
        folder = literal_prefix(root + glob)
        assert folder == "" or folders({folder: (7,)}, (PathValue(path, value.real),), WORLD) != []


def test_literals_are_filed_under_the_piece_that_they_share_least() -> None:
    pieces, short = grams({"passwd": (1,), "passport": (2,), "rm": (3,)})
    assert short == ["rm"]
    assert sorted(len(literals) for literals in pieces.values()) == [1, 1]
    assert "pass" not in pieces


def test_a_text_brings_the_rules_whose_literal_occurs_in_it() -> None:
    table = {"passwd": (1,), "passport": (2,), "rm": (3, 4)}
    assert sorted(scan_text(*grams(table), table, "rm /etc/passwd")) == [1, 3, 4]
    assert scan_text(*grams(table), table, "pass wd") == []


@settings(max_examples=200, deadline=None)
@given(st.lists(st.integers(0, 9)).map(sorted).map(tuple), st.integers(-1, 10))
def test_places_in_a_sorted_array_are_those_of_the_standard_library(values: tuple[int, ...], value: int) -> None:
    assert bisect_left(values, value) == bisect.bisect_left(values, value)
    assert bisect_right(values, value) == bisect.bisect_right(values, value)

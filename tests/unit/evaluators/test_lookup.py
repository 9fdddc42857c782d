"""Index look-ups in pure Python: folders that hold a path, literals in a text, places in a sorted array."""

from __future__ import annotations

import bisect

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from policy_engine.evaluators.lookup import bisect_left, bisect_right, folders, grams, scan_text
from policy_engine.filesystem.file_system import Virtual
from policy_engine.filesystem.globs import glob_matches, literal_prefix
from policy_engine.filesystem.paths import PathValue

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


def test_a_folder_brings_its_own_rules_and_a_relative_one_those_of_the_workspace_only() -> None:
    assert found("src") == {1, 5, 6} and found("src/deep") == {1, 2, 3, 5, 6}
    assert found("/srv/src/deep/a.py") == {5} and found(".") == {5}
    assert folders({"src": (1,)}, (WORLD.resolve("/etc/src", None), WORLD.resolve("a", "/workspace")), WORLD) == []


def test_each_path_brings_its_own_rules() -> None:
    paths = [WORLD.resolve(text, "/workspace") for text in ("/etc/a", "docs/a", "src/deep/b")]
    assert set(folders(TABLE, paths, WORLD)) == {1, 2, 3, 4, 5, 6}
    assert folders(TABLE, [], WORLD) == []
    short = [WORLD.resolve(text, "/workspace") for text in ("a/b", "/c")]
    assert folders({"a": (1,), "/": (2,), "/c": (3,)}, short, WORLD) == [1, 2, 3, 2]


def test_a_folder_that_is_meant_with_all_below_it_brings_every_rule() -> None:
    assert found(".", recursive=True) == {1, 2, 3, 4, 5, 6}


def test_where_case_does_not_count_every_rule_is_looked_at() -> None:
    class Folding(Virtual):
        """A workspace in which `A` and `a` name one file."""

        folds_case = True

    filesystem = Folding()
    assert folders(TABLE, (filesystem.resolve("docs/a", "/workspace"),), filesystem) == [1, 2, 3, 4, 5, 6]


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


@pytest.mark.parametrize(
    ("literals", "by_piece", "short"),
    [
        ("", {}, ""), ("a ab abc", {}, "a ab abc"), ("abcd", {"abcd": ["abcd"]}, ""),
        ("abcd abcde", {"abcd": ["abcd"], "bcde": ["abcde"]}, ""), ("abcde", {"abcd": ["abcde"]}, ""),
        ("abcdx abcdy abcd", {"bcdx": ["abcdx"], "bcdy": ["abcdy"], "abcd": ["abcd"]}, ""),
        ("abcdabcde xabcde", {"bcda": ["abcdabcde"], "xabc": ["xabcde"]}, ""),
        ("abcdab bcdabc", {"abcd": ["abcdab"], "dabc": ["bcdabc"]}, ""),
    ],
)  # fmt: skip
def test_every_literal_is_filed_once(literals: str, by_piece: dict[str, list[str]], short: str) -> None:
    table = dict.fromkeys(literals.split(), (1,))
    assert grams(table) == (by_piece, short.split())


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("abcd", [1]), ("xabcd", [1]), ("abcdx", [1]), ("abc", []), ("", []), ("bcde", []), ("xyabcdez", [1, 3, 4]),
        ("xy", [4]), ("abcxabce", []), ("abcd abcde abcd", [1, 3]),
    ],
)  # fmt: skip
def test_a_literal_is_found_once_wherever_it_stands(text: str, expected: list[int]) -> None:
    table = {"abcd": (1,), "bcdef": (2,), "abcde": (3,), "xy": (4,)}
    assert sorted(scan_text(*grams(table), table, text)) == expected


def test_a_text_brings_the_rules_whose_literal_occurs_in_it() -> None:
    table = {"passwd": (1,), "passport": (2,), "rm": (3, 4)}
    assert sorted(scan_text(*grams(table), table, "rm /etc/passwd")) == [1, 3, 4]
    assert scan_text(*grams(table), table, "pass wd") == []


@settings(max_examples=200, deadline=None)
@given(st.lists(st.integers(0, 9)).map(sorted).map(tuple), st.integers(-1, 10))
def test_places_in_a_sorted_array_are_those_of_the_standard_library(values: tuple[int, ...], value: int) -> None:
    assert bisect_left(values, value) == bisect.bisect_left(values, value)
    assert bisect_right(values, value) == bisect.bisect_right(values, value)

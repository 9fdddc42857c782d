"""Globs: the language page's examples, and agreement with a naive matcher that backtracks over everything."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from policy_engine.filesystem.file_system import Virtual
from policy_engine.filesystem.globs import expand_braces, glob_matches, glob_problem, literal_prefix
from policy_engine.filesystem.paths import PathValue
from policy_engine.model.undecided import Undecided


def matches(text: str, relative: str | None, absolute: str = "/w/x", home: str | None = None) -> bool:
    return glob_matches((expand_braces(text), ()), relative, absolute, home)


@pytest.mark.parametrize(
    ("text", "path", "expected"),
    [
        ("src/**", "src/a.py", True),
        ("src/**", "src/a/b.py", True),
        ("src/**", "src", False),
        ("src/**", "srcs/a", False),
        ("**", "a", True),
        ("**", "", False),
        ("**/*.py", "a.py", True),
        ("**/*.py", "a/b/.py", True),
        ("src/**/*.py", "src/a.py", True),
        ("src/**/*.py", "src/x/y/a.py", True),
        ("src/**/*.py", "src.py", False),
        ("*", ".env", True),
        ("*", "a/b", False),
        ("*.txt", "line\nbreak.txt", True),
        ("a?c", "abc", True),
        ("a?c", "a/c", False),
        ("[a-c]x", "bx", True),
        ("[!a-c]x", "bx", False),
        ("[]]", "]", True),
        ("[*]", "*", True),
        ("[*]", "a", False),
        ("a/**/b/**/c", "a/b/b/x/c", True),
        ("a/**/b/**/c", "a/c/b", False),
        ("{src,lib}/**", "lib/a", True),
        ("a{,.bak}", "a.bak", True),
        ("README.md", "readme.md", False),
    ],
)
def test_a_relative_glob_matches_whole_paths(text: str, path: str, expected: bool) -> None:
    assert matches(text, path) is expected


def test_only_absolute_globs_match_paths_outside() -> None:
    assert matches("**", None, "/etc/passwd") is False
    assert matches("/etc/**", None, "/etc/passwd") is True
    assert matches("/w/**", "x", "/w/x") is True


def test_a_home_glob_needs_to_know_the_home() -> None:
    assert matches("~/.ssh/**", None, "/home/u/.ssh/id", "/home/u") is True
    assert matches("~/.ssh/**", ".ssh/id", "/w/.ssh/id", "/home/u") is False
    with pytest.raises(Undecided):
        matches("~/.ssh/**", None, "/home/u/.ssh/id")


def test_except_takes_away() -> None:
    pattern = (("src/**",), ("src/gen/**",))
    assert glob_matches(pattern, "src/a", "/w/src/a") is True
    assert glob_matches(pattern, "src/gen/a", "/w/src/gen/a") is False


@pytest.mark.parametrize(
    ("text", "folder", "expected"),
    [
        ("src/a/b.py", "src", True),
        ("src/**", "src", True),
        ("src/**", "", True),
        ("src/*.py", "src/x", False),
        ("**/*.py", "docs/x", True),
        ("docs/**", "src", False),
    ],
)
def test_a_recursive_access_matches_what_could_lie_below(text: str, folder: str, expected: bool) -> None:
    assert glob_matches(((text,), ()), folder, "/w/" + folder, None, True) is expected


def test_a_recursive_access_is_excluded_only_if_everything_below_is() -> None:
    assert glob_matches((("**",), ("build/**",)), "build/x", "/w/build/x", None, True) is False
    assert glob_matches((("**",), ("build/*",)), "build/x", "/w/build/x", None, True) is True


def test_the_literal_folder_holds_every_match() -> None:
    assert [literal_prefix(text) for text in ("src/**", "src/a.py", "*.py", "/etc/*", "/*", "{a,b}/c/d", "~/x/y")] == [
        "src", "src", "", "/etc", "/", "", "",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "offset", "word"),
    [
        ("", 0, "empty"),
        ("src/[a", 4, "not closed"),
        ("src/[z-a]", 4, "reversed"),
        ("a/{b,c", 2, "not closed"),
        ("a}b", 1, "no `{`"),
        ("{a}", 0, "alternatives"),
        ("a/**.py", 2, "stands alone"),
        ("./a", 0, "without it"),
        ("a/../b", 2, "without it"),
        ("a//b", 1, "without it"),
        ("src/", 3, "ends in"),
        ("/", 0, "ends in"),
        ("a\\*", 1, "escape"),
        ("[a/b]", 0, "never `/`"),
        ("~root/x", 0, "another user"),
        ("{1,2}{1,2}{1,2}{1,2}{1,2}{1,2}{1,2}{1,2}{1,2}", 0, "GLOB_ALTERNATIVES"),
    ],
)
def test_a_text_that_is_no_glob_is_explained(text: str, offset: int, word: str) -> None:
    problem = glob_problem(text)
    assert problem is not None
    assert problem[0] == offset
    assert word in problem[1]


def test_a_star_run_over_a_long_name_needs_no_exponential_time() -> None:
    assert matches("*a*a*a*a*a*a*a*a*a*a*b", "a" * 2000) is False
    assert matches("/".join(["**", "a"] * 20) + "/b", "/".join(["a"] * 400)) is False


def naive_name(pattern: str, name: str) -> bool:
    if not pattern:
        return not name
    if pattern[0] == "*":
        return any(naive_name(pattern[1:], name[cut:]) for cut in range(len(name) + 1))
    if pattern[0] == "[":
        end = pattern.index("]", 2)
        return bool(name) and name[0] in pattern[1:end] and naive_name(pattern[end + 1 :], name[1:])
    return bool(name) and pattern[0] in ("?", name[0]) and naive_name(pattern[1:], name[1:])


def naive_path(parts: list[str], names: list[str]) -> bool:
    if not parts:
        return not names
    if parts[0] == "**":
        least = 1 if len(parts) == 1 else 0
        return any(naive_path(parts[1:], names[cut:]) for cut in range(least, len(names) + 1))
    return bool(names) and naive_name(parts[0], names[0]) and naive_path(parts[1:], names[1:])


NAMES = st.text("ab.", min_size=1, max_size=4).filter(lambda name: name not in (".", ".."))
COMPONENTS = st.one_of(
    st.just("**"),
    NAMES,
    st.lists(st.sampled_from(["a", "b", "*", "?", "[ab]", "."]), min_size=1, max_size=4).map("".join),
).filter(lambda part: part == "**" or ("**" not in part and part not in (".", "..")))


@settings(max_examples=200, deadline=None)
@given(st.lists(COMPONENTS, min_size=1, max_size=5), st.lists(NAMES, min_size=1, max_size=5))
def test_the_matcher_agrees_with_the_naive_one(parts: list[str], names: list[str]) -> None:
    text = "/".join(parts)
    assert glob_problem(text) is None
    collapsed = [part for at, part in enumerate(parts) if part != "**" or parts[at - 1 : at] != ["**"]]
    assert matches(text, "/".join(names)) is naive_path(collapsed, names)


@settings(max_examples=300, deadline=None)
@given(
    st.lists(st.tuples(st.sampled_from(["", "/", "~/"]), st.lists(COMPONENTS, min_size=1, max_size=4)), max_size=6),
    st.lists(NAMES, min_size=1, max_size=4),
    st.sampled_from([("w", "/w"), ("w", "/h"), ("a", "/a")]),
)
def test_globs_asked_together_are_the_globs_one_by_one(
    globs: list[tuple[str, list[str]]], names: list[str], places: tuple[str, str]
) -> None:
    texts = tuple(start + "/".join(parts) for start, parts in globs)
    workspace, home = places
    relative, absolute = "/".join(names), f"/{workspace}/{'/'.join(names)}"
    each = [glob_matches(((text,), ()), relative, absolute, home) for text in texts]
    assert glob_matches((texts, ()), relative, absolute, home) is any(each)
    below = {"": names, "/": absolute[1:].split("/")}
    if absolute.startswith(home + "/"):
        below["~/"] = absolute[len(home) + 1 :].split("/")
    for (start, parts), found in zip(globs, each, strict=True):
        collapsed = [part for at, part in enumerate(parts) if part != "**" or parts[at - 1 : at] != ["**"]]
        assert found is (start in below and naive_path(collapsed, below[start]))


@settings(max_examples=200, deadline=None)
@given(
    st.lists(COMPONENTS, min_size=1, max_size=4),
    st.lists(NAMES, max_size=2),
    st.lists(NAMES, min_size=1, max_size=3),
)
def test_what_matches_below_a_folder_is_reached_from_it(parts: list[str], folder: list[str], rest: list[str]) -> None:
    text, path = "/".join(parts), "/".join(folder + rest)
    prefix = literal_prefix(text)
    if matches(text, path):
        assert glob_matches(((text,), ()), "/".join(folder), "/w", None, True) is True
        assert not prefix or path.startswith(prefix + "/")


@pytest.mark.parametrize(
    ("globs", "path", "expected"),
    [
        (("docs/**",), "docs/a", True), (("docs/**",), "docs", None), (("docs", "docs/**"), "docs", True),
        (("docs/**",), ".", None), (("docs/**",), "src", False), (("**/.env",), "src", None), (("**",), "src", True),
        (("/dev/null",), "/dev", None), (("/dev/null",), "/etc", False), (("/tmp/**",), "/", None),
        (("~/.x/**",), "~/.x/y", True), (("~/.x/**",), "~", None), (("src/*.py",), "src", None),
        (("/**",), "/etc", True), (("src/a",), "src/a", None), (("**/node_modules/**",), "a/node_modules/b", True),
    ],
)  # fmt: skip
def test_a_recursive_path_matches_with_three_values(globs: tuple[str, ...], path: str, expected: bool | None) -> None:
    filesystem = Virtual("/workspace")
    place = filesystem.resolve(path, "/workspace").with_access("delete", True)

    def found(value: PathValue) -> bool | None:
        try:
            return filesystem.matches((globs, ()), value)
        except Undecided:
            return None

    assert found(place) is expected
    assert found(place.any_part) is (expected is not False)
    assert found(place.every_part) is (expected is True)
    assert found(place.with_access("delete").any_part) is found(place.with_access("delete"))


def test_a_recursive_path_does_not_match_whole_where_something_is_left_out() -> None:
    filesystem = Virtual("/workspace")
    place = filesystem.resolve("docs/a", "/workspace").with_access("delete", True)
    assert not filesystem.matches((("docs/**",), ("**/*.md",)), place.every_part)
    with pytest.raises(Undecided):
        filesystem.matches((("docs/**",), ("**/*.md",)), place)

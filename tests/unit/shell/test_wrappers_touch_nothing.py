"""A wrapper touches nothing itself: what it starts is a command of the line, with paths of its own."""

from __future__ import annotations

import pytest

from tests.unit.compiler.asking import shell, truth


@pytest.mark.parametrize(
    "wrapper", ["timeout 60", "time", "nice", "nohup", "exec", "stdbuf -o0", "setsid", "sudo", "env A=1"]
)
def test_the_paths_of_a_wrapped_command_are_decided(wrapper: str) -> None:
    condition = "any p in paths { p outside workspace }"
    assert truth(condition, shell(f"{wrapper} cat README.md")) is False
    assert truth(condition, shell(f"{wrapper} cat /etc/x")) is True


@pytest.mark.parametrize("line", ["cat $F", 'cat "$(cat f)"', "cat src/$F"])
@pytest.mark.parametrize("pattern", [r"/\.env$/", '"**/.env"'])
def test_a_pattern_on_an_unknown_path_is_undecided(line: str, pattern: str) -> None:
    assert truth(f"any p in paths {{ p matches {pattern} }}", shell(line)) is None


@pytest.mark.parametrize(
    ("line", "pattern", "expected"),
    [
        ("cat .env::$DATA", r"/\.env[^\/]*::/", True),
        ("cat .env$X", r"/\.env$/", None),
        ("cat src/$F", r"/\.env/", None),
        ("cat src/$F", r"/^src\//", True),
    ],
)
def test_a_regex_may_be_settled_by_the_known_beginning(line: str, pattern: str, expected: bool | None) -> None:
    assert truth(f"any p in paths {{ p matches {pattern} }}", shell(line)) is expected


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("bash \"$X\" 'pytest -q'", None),
        ('bash "$X" out.txt', False),
        ('bash "$X"', False),
        ("bash 'pytest -q'", False),
    ],
)
def test_what_stands_behind_a_word_that_may_be_an_option_may_be_code(line: str, expected: bool | None) -> None:
    assert truth('any c in commands { c matches "pytest -q" }', shell(line)) is expected


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("find src -name '*.py' -exec rm {} +", False),
        ("find src -name '*.py' -exec cat {} +", True),
        ("find src -name '*.py' -exec \"$X\" {} +", None),
    ],
)
def test_what_find_starts_may_write_what_it_finds(line: str, expected: bool | None) -> None:
    assert truth('any c in commands { c.program == "find" and c.writes == [] }', shell(line)) is expected


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("find src -name '*.py' \"$X\" rm {} \\;", True),
        ('find "$D" -name "$N" -exec ls {} \\;', False),
        ('find . \\( -name a -o -name "$N" \\) -exec ls {} \\;', False),
        ('find src "$X"', False),
    ],
)
def test_an_unknown_word_of_find_that_ends_in_a_semicolon_starts_what_follows(line: str, expected: bool) -> None:
    assert truth('any c in commands { c.program == "rm" }', shell(line)) is expected

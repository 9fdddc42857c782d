"""Comparisons mean the same whatever stands on either side: paths by place, values by type."""

from __future__ import annotations

import pytest

from tests.unit.compiler.asking import called, event, shell, truth

ELSEWHERE = event(cwd="/workspace/src")  # the write of `src/a.py` is one of `/workspace/src/src/a.py` here


@pytest.mark.parametrize(
    "condition",
    [
        'any p in paths { p == "src/src/a.py" }',
        'paths contains "src/src/a.py"',
        'paths == ["src/src/a.py"]',
        'paths != ["src/a.py"]',
        'any p in paths { p in ["src/src/a.py"] }',
        '"src/src/a.py" in paths',
        'not (paths contains "src/a.py")',
        'not ("src/a.py" in paths)',
    ],
)
def test_paths_are_compared_by_place_with_texts_that_are_relative_to_the_workspace(condition: str) -> None:
    assert truth(condition, ELSEWHERE) is True


def test_a_list_with_a_path_in_it_is_not_empty_even_where_nobody_knows_which_path_it_is() -> None:
    assert truth("paths != []", shell("rm $FILE")) is not False
    assert truth("paths == []", shell("rm -rf build")) is False


def test_an_empty_list_contains_no_path_even_where_nobody_knows_which_path_is_meant() -> None:
    nowhere = {"hook": "before_tool", "session": "s", "tool": {"name": "Todos", "kind": "todo", "args": {}}}
    assert truth('paths contains "src/a.py"', nowhere) is False


@pytest.mark.parametrize("operator", ["contains", "starts_with", "ends_with"])
def test_an_argument_that_is_no_text_is_undecided_on_either_side_of_a_text_operator(operator: str) -> None:
    at = called(number=7, text="7")
    guard = 'has tool.args["number"] and'
    assert truth(f'{guard} tool.args["number"] {operator} "7"', at) is None
    assert truth(f'{guard} tool.name {operator} tool.args["number"]', at) is None
    assert truth(f'{guard} ("7" {operator} tool.args["number"] or tool.kind == "other")', at) is True


def test_true_is_not_one_and_texts_are_not_numbers() -> None:
    at = called(flag=True, number=1, list=[True], text="1")
    for name, other in (("flag", "1"), ("number", "true"), ("text", "1"), ("list", '"1"')):
        assert truth(f'has tool.args["{name}"] and tool.args["{name}"] == {other}', at) is False
        assert truth(f'has tool.args["{name}"] and tool.args["{name}"] in [{other}]', at) is False


@pytest.mark.parametrize(
    ("condition", "expected"),
    [("< 2", True), ("<= 1", True), ("> 1", False), (">= 1", True), ("== 1", True), ("!= 1", False)],
)
def test_numbers_are_ordered(condition: str, expected: bool) -> None:
    assert truth(f'has tool.args["number"] and tool.args["number"] {condition}', called(number=1)) is expected


def test_a_flag_has_no_order() -> None:
    assert truth('has tool.args["flag"] and tool.args["flag"] < 2', called(flag=True)) is None


@pytest.mark.parametrize(
    ("operator", "folder", "expected"),
    [
        ("under", "src", True),
        ("under", "src/a.py", True),
        ("under", "sr", False),
        ("inside", "src", True),
        ("inside", "src/a.py", False),
        ("outside", "src", False),
        ("outside", "docs", True),
    ],
)
def test_places_are_told_apart_by_components(operator: str, folder: str, expected: bool) -> None:
    assert truth(f'any p in paths {{ p {operator} "{folder}" }}', event()) is expected


def test_patterns_match_paths_texts_and_commands() -> None:
    assert truth('any p in paths { p matches "src/*.py" and p matches /a.py$/ }', event()) is True
    assert truth('has tool.args["file_path"] and tool.args["file_path"] matches "src/**"', event()) is True
    assert truth(
        'any c in commands { c matches command("git push ...") except command("git push") }', shell("git push -f")
    )
    assert truth('any c in commands { c matches "git push" }', shell("echo git push")) is False

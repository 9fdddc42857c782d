"""The JSON form says all that the text says, and malformed JSON is a complaint with a path."""

from __future__ import annotations

import json
from typing import Any

import jsonschema
import pytest
from hypothesis import HealthCheck, given, settings

from policy_engine.syntax import ast
from policy_engine.syntax.json_form import from_json, json_schema, to_json
from policy_engine.syntax.printer import format_file
from tests.unit.syntax import trees
from tests.unit.syntax.reading import read, text_of, tree
from tests.unit.syntax.test_printer import MESSY

QUICK = settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))


@pytest.mark.parametrize("text", [text_of("sample.policy"), text_of("forms.policy"), MESSY])
def test_text_to_json_and_back_is_the_same_file(text: str) -> None:
    file, _ = read(text)
    form = to_json(file)
    again, found = from_json(json.loads(json.dumps(form)))
    assert found == []
    assert again is not None
    assert tree(again) == tree(file)
    assert [c.text for c in again.comments] == [c.text for c in file.comments]
    assert to_json(again) == form
    jsonschema.Draft202012Validator(json_schema()).validate(form)


@QUICK
@given(trees.files)
def test_every_tree_has_a_json_form(file: ast.File) -> None:
    again, found = from_json(to_json(file))
    assert found == []
    assert again is not None
    assert tree(again) == tree(file)


def _define(value: Any, name: str = "a") -> dict[str, Any]:
    return {"form": 1, "language": 1, "items": [{"node": "define", "name": name, "value": value}]}


@pytest.mark.parametrize(
    ("form", "where"),
    [
        (None, "form"),
        ([], "form"),
        ({"form": 2}, "form"),
        ({"form": 1, "items": 3}, "items"),
        ({"form": 1, "items": [3]}, "items[0]"),
        ({"form": 1, "items": [{"node": "name", "name": "a"}]}, "items[0]"),
        (_define({"node": "nothing"}), "items[0].value"),
        (_define({"node": "int_literal", "value": True}), "items[0].value.value"),
        (_define({"node": "int_literal"}), "items[0].value.value"),
        (_define({"node": "int_literal", "value": 1, "more": 2}), "items[0].value.more"),
        (
            _define({"node": "call", "callee": {"node": "string_literal", "value": "x"}, "arguments": []}),
            "items[0].value.callee",
        ),
        ({"form": 1, "items": [], "comments": [{"after": 0, "text": "no"}]}, "comments[0]"),
    ],
)
def test_a_malformed_form_names_the_first_wrong_value(form: object, where: str) -> None:
    file, found = from_json(form)
    assert file is None
    assert [d.code for d in found] == ["PE152"]
    assert found[0].message.startswith(f"`{where}`")


def test_a_name_cannot_smuggle_in_other_text() -> None:
    _, found = from_json(_define({"node": "name", "name": "x"}, "a = 1 define b"))
    assert [d.code for d in found] == ["PE152"]


def test_a_deep_form_is_refused_by_name() -> None:
    value: dict[str, Any] = {"node": "name", "name": "x"}
    for _ in range(5000):
        value = {"node": "not", "operand": value}
    file, found = from_json(_define(value))
    assert file is None
    assert "POLICY_DEPTH" in found[0].help
    assert format_file(read("")[0]) == ""

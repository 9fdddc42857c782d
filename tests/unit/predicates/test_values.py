"""json_value, toml_value, yaml_value: strict readers; a missing place is absent, a malformed file undecided."""

from __future__ import annotations

import pytest

from policy_engine.filesystem.file_system import Virtual
from policy_engine.model.undecided import ABSENT, Undecided
from policy_engine.predicates.values import json_value, toml_value, yaml_value


def filesystem(name: str, content: str) -> Virtual:
    made = Virtual()
    made.write(made.resolve(name, made.workspace), content.encode())
    return made


@pytest.mark.parametrize(
    ("pointer", "value"),
    [
        ("/a/b", 1),
        ("/a/c/1", "y"),
        ("/a/c/2", ABSENT),
        ("/a/c/01", ABSENT),
        ("/a/c/-", ABSENT),
        ("/x~1y", True),
        ("/t~0u", 1.5),
        ("/null", ABSENT),
        ("/missing/below", ABSENT),
        ("/a/b/below", ABSENT),
    ],
)
def test_a_json_pointer_finds_its_value(pointer: str, value: object) -> None:
    text = '{"a": {"b": 1, "c": ["x", "y"]}, "x/y": true, "t~u": 1.5, "null": null}'
    assert json_value(filesystem("a.json", text), "a.json", pointer) == value


def test_a_missing_file_is_absent() -> None:
    empty = Virtual()
    assert json_value(empty, "a.json", "/a") is ABSENT
    assert toml_value(empty, "a.toml", "a") is ABSENT
    assert yaml_value(empty, "a.yaml", "a") is ABSENT


def test_a_byte_order_mark_is_dropped() -> None:
    assert json_value(filesystem("a.json", '\ufeff{"a": 1}'), "a.json", "/a") == 1


@pytest.mark.parametrize(
    "text", ["", "{", '{"a": 1} {}', '{"a": 1, "a": 2}', '{"a": NaN}', '{"a": 1e999}', "[" * 100_000, "{'a': 1}"]
)
def test_malformed_json_is_undecided(text: str) -> None:
    with pytest.raises(Undecided, match=r"`a\.json` is not readable as JSON"):
        json_value(filesystem("a.json", text), "a.json", "/a")


def test_toml_values_keep_their_types_and_dates_are_texts() -> None:
    text = '[project]\nversion = "1.2.0"\nday = 2026-11-20\nn = 3\n"a.b" = true\n[[list]]\nx = 1\n'
    found = filesystem("p.toml", text)
    places = ("project.version", "project.day", "project.n", 'project."a.b"', "list.0.x", "project.none")
    assert [toml_value(found, "p.toml", place) for place in places] == ["1.2.0", "2026-11-20", 3, True, 1, ABSENT]


@pytest.mark.parametrize("text", ["a = 1\na = 2\n", "a = \n", "[a\n", "a = 'x"])
def test_malformed_toml_is_undecided(text: str) -> None:
    with pytest.raises(Undecided, match=r"`p\.toml` is not readable as TOML"):
        toml_value(filesystem("p.toml", text), "p.toml", "a")


@pytest.mark.fault(66)
@pytest.mark.parametrize(
    ("scalar", "value"),
    [
        ("no", "no"),
        ("off", "off"),
        ("true", True),
        ("10", 10),
        ("-3", -3),
        ("1.50", 1.5),
        ("1_000", "1_000"),
        ("0o17", "0o17"),
        ("017", "017"),
        ("1e3", "1e3"),
        (".inf", ".inf"),
        ("2026-11-20", "2026-11-20"),
        ("22:22", "22:22"),
        ('"10"', "10"),
        ("'true'", "true"),
        ("~", ABSENT),
        ("null", ABSENT),
        ("", ABSENT),
    ],
)
def test_yaml_scalars_stay_texts_unless_no_reader_doubts_them(scalar: str, value: object) -> None:
    assert yaml_value(filesystem("c.yaml", f"a: {scalar}\n"), "c.yaml", "a") == value


def test_yaml_lists_and_objects_are_walked() -> None:
    found = filesystem("c.yaml", "jobs:\n  test:\n    steps:\n    - run: make\n    - {run: tox}\n")
    assert yaml_value(found, "c.yaml", "jobs.test.steps.1.run") == "tox"
    assert yaml_value(filesystem("c.yaml", ""), "c.yaml", "a") is ABSENT


@pytest.mark.fault(66)
@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("a: &x [1]\nb: *x\n", "alias"),
        ("a: !!python/object:os.system x\n", "tag"),
        ("a: !!binary aGk=\n", "tag"),
        ("a: 1\na: 2\n", "stands twice"),
        ("a: {b: 1, b: 2}\n", "stands twice"),
        ("<<: {a: 1}\n", "merge key"),
        ("? [a, b]\n: 1\n", "key is not a text"),
        ("a: 1\n---\na: 2\n", "several documents"),
        ("a:\n\t- 1\n", "cannot start any token"),
        ("a: [1\n", "did not find expected"),
        ("[" * 1000, "EVENT_DEPTH"),
    ],
)
def test_what_readers_understand_differently_is_undecided(text: str, reason: str) -> None:
    with pytest.raises(Undecided, match=r"`c\.yaml` is not readable as YAML") as found:
        yaml_value(filesystem("c.yaml", text), "c.yaml", "a")
    assert reason in found.value.reasons[0]


def test_a_file_that_is_not_utf8_is_undecided() -> None:
    made = Virtual()
    made.write(made.resolve("a.json", made.workspace), b"\xff{}")
    with pytest.raises(Undecided, match=r"`a\.json` is not UTF-8"):
        json_value(made, "a.json", "/a")

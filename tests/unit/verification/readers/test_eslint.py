"""What the recorded outputs of eslint do not show."""

from __future__ import annotations

import pytest

from policy_engine.verification.readers.eslint import READER


@pytest.mark.parametrize(
    ("text", "summary"),
    [
        ("/w/a.js: line 3, col 7, Error - 'x' is not defined. (no-undef)", "'x' is not defined. (no-undef)"),
        ("/w/a.js: line 3, col 7, Error - Parsing error: odd", "Parsing error: odd"),
        ("/w/a.js\n  3:7  error  Odd  text  with gaps  my-plugin/rule", "Odd text with gaps (my-plugin/rule)"),
    ],
)
def test_other_formats_are_read(text: str, summary: str) -> None:
    (found,) = READER.read(text)
    assert (found.file, found.line, found.column, found.summary) == ("/w/a.js", 3, 7, summary)


@pytest.mark.parametrize(
    "text", ['[{"filePath":', '[{"filePath":"a.js"}]', '[{"filePath":"a.js","messages":[{}]}]', '[{"filePath":' * 5000]
)
def test_json_that_is_cut_or_strange_is_no_failure(text: str) -> None:
    assert READER.read(text) == []


def test_a_rule_that_breaks_down_is_a_crash() -> None:
    (found,) = READER.read('Oops! Something went wrong! :(\n\nESLint: 9.0.0\n\nTypeError: x is undefined\nRule: "a/b"')
    assert found.error_class == "crash"

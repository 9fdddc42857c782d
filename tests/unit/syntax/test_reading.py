"""Bytes become text with LF ends, and characters that hide something become located errors."""

from __future__ import annotations

import pytest

from policy_engine.model import limits
from policy_engine.syntax.reading import read_text
from tests.unit.syntax.reading import read, text_of, tree


@pytest.mark.parametrize(
    "change",
    [
        lambda text: text.replace("\n", "\r\n"),
        lambda text: "\ufeff" + text,
        lambda text: text.rstrip("\n"),
        lambda text: text.replace("\n\n", "\n\f\n"),
        lambda text: text.replace("\n", "\r\n", 7),
    ],
    ids=["crlf", "byte order mark", "no final newline", "form feed", "mixed"],
)
def test_the_same_text_in_another_dress_gives_the_same_tree(change: object) -> None:
    assert callable(change)
    text = text_of("sample.policy")
    source, found = read_text("p", change(text).encode())
    assert source is not None
    assert found == []
    again, messages = read(source.text)
    assert messages == []
    assert tree(again) == tree(read(text)[0])


def test_bytes_that_are_not_utf8_are_located() -> None:
    source, found = read_text("p", b"language 1\r\n# caf" + b"\xe9 x\n")
    assert source is None
    assert [(d.code, d.location, d.message) for d in found] == [("PE101", "p:2:6", "byte 0xE9 is not UTF-8")]


def test_a_file_above_the_limit_is_refused_by_name() -> None:
    source, found = read_text("p", b"#" * (limits.POLICY_FILE_BYTES + 1))
    assert source is None
    assert [d.code for d in found] == ["PE102"]
    assert "POLICY_FILE_BYTES" in found[0].message


@pytest.mark.parametrize(
    ("char", "code"),
    [
        ("\r", "PE104"), ("\x85", "PE104"), ("\u2028", "PE104"), ("\0", "PE105"), ("\x1b", "PE105"), ("\x7f", "PE105"),
        ("\u202e", "PE106"), ("\u2066", "PE106"), ("\u200f", "PE106"), ("\ufeff", "PE103"), ("e\u0301", "PE107"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("place", ['define a = "x{}y"', "# x{}y\n", "define a = {} 1"])
def test_hidden_characters_are_refused_everywhere(char: str, code: str, place: str) -> None:
    if char == "e\u0301" and place.startswith("define a = {"):
        place = '# {}\ndefine a = "x"'
    _, found = read("language 1\n" + place.replace("{}", char))
    assert [each.split()[1] for each in found] == [code]

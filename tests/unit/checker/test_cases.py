"""`.case` files → one test for each policy in them: every complaint stands on the line that causes it, and no other."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from policy_engine.checker.checker import check
from policy_engine.checker.vocabulary import Vocabulary, vocabulary
from policy_engine.model.source import Source
from policy_engine.syntax.parser import damaged, independent, parse
from tests.unit.golden import CASES

ROOMS = ("checker", "hooks")
_EXPECTED = re.compile(r'(PE\d{3}) "((?:[^"\\]|\\.)*)"')
_CODE = re.compile(r'error\("(PE\d{3})"')


def sections(path: Path) -> list[tuple[str, str]]:
    """The policies of a file, each with its title."""
    _, *parts = re.split(r"^=== (.*)\n", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return list(zip(parts[::2], parts[1::2], strict=True))


FILES = sorted(path for room in ROOMS for path in (CASES / room).glob("*.case"))
SECTIONS = [(f"{path.stem}: {title}", text) for path in FILES for title, text in sections(path)]


@pytest.fixture(scope="session")
def words() -> Vocabulary:
    return vocabulary()


@pytest.mark.parametrize(("title", "text"), SECTIONS, ids=[title for title, _ in SECTIONS])
def test_complaints_stand_on_the_lines_that_cause_them(title: str, text: str, words: Vocabulary) -> None:
    source = Source("case.policy", f"language 1\n{text}")
    file, syntax = parse(source)
    _, found = check([file], words, damaged(file, syntax))
    found = independent(syntax, found)
    actual = [(source.position(d.span.start)[0], d.code, d.message) for d in [*syntax, *found]]
    wanted = []
    for number, line in enumerate(source.text.split("\n"), 1):
        for code, part in _EXPECTED.findall(line.partition("###")[2]):
            wanted.append((number, code, part.replace('\\"', '"')))
    shown = [(line, code, _part_of(message, line, code, wanted)) for line, code, message in sorted(actual)]
    assert shown == sorted(wanted)


def _part_of(message: str, line: int, code: str, wanted: list[tuple[int, str, str]]) -> str:
    """The expected part if the message has it, so that a failing comparison shows the whole message."""
    parts = [part for number, name, part in wanted if (number, name) == (line, code) and part in message]
    return parts[0] if parts else message


def test_every_code_of_the_checker_has_a_case() -> None:
    room = Path("policy_engine/checker")
    codes = {code for path in room.glob("*messages.py") for code in _CODE.findall(path.read_text(encoding="utf-8"))}
    seen = {code for _, text in SECTIONS for code, _ in _EXPECTED.findall(text)}
    untested = {"PE263"}  # the parser lets no such word through; trees that tools make are tested in test_checker.py
    assert sorted(codes - seen) == sorted(untested)

"""A text in parts: what is parsed again after an edit, and when the whole text is."""

from __future__ import annotations

import pytest

from policy_engine.model.source import Source
from policy_engine.syntax import parts
from policy_engine.syntax.parser import parse
from policy_engine.syntax.parts import Parts, read_parts

RULE = 'rule {0} "R" {{\n  on before_tool\n  when git.clean\n  deny "No."\n}}\n'
TEXT = "language 1\ndefine d = git.clean\n\n" + "\n".join(RULE.format(f"r{number}") for number in range(9))


@pytest.fixture(autouse=True)
def _split_small_texts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parts, "SMALL", 0)


def read(text: str, before: Parts | None = None) -> Parts:
    source = Source("a.policy", text)
    read = read_parts(source, before)
    assert [one.placed() for one in read.diagnostics] == parse(source)[1]
    return read


def anew(text: str, before: Parts) -> int:
    """Return how many trees differ from those before."""
    known = {id(tree) for tree in before.trees}
    return sum(id(tree) not in known for tree in read(text, before).trees)


def test_only_what_changed_is_parsed_again_wherever_it_moved() -> None:
    before = read(TEXT)
    assert len(before.trees) == 11
    assert anew(TEXT.replace("rule r4", "rule r44"), before) == 1
    assert anew(f"# first\n{TEXT}", before) == 1
    assert anew(TEXT.replace('rule r4 "R"', 'rule r4 "R" \n\n'), before) == 1
    assert anew(TEXT + RULE.format("r9"), before) == 1


@pytest.mark.parametrize(
    ("old", "new"),
    [("deny", "deyn"), ("when git.clean", "when"), ('"No."', '"No.'), ("}", ""), ("}", "}}"), ('r3 "R" {', 'r3 "R"')],
)
def test_a_mistake_is_read_with_its_neighbours_only(old: str, new: str) -> None:
    at = TEXT.index(old, TEXT.index("rule r3"))
    wrong = read(TEXT[:at] + new + TEXT[at + len(old) :], read(TEXT))
    assert wrong.diagnostics
    assert len(wrong.trees) == 11


@pytest.mark.parametrize(
    "wrong",
    [
        TEXT.replace("rule r3", "/* rule r3"),
        TEXT.replace("rule r3", "language 1\nrule r3"),
        TEXT.replace("language 1\n", ""),
        TEXT.replace("git.clean\n  deny", "any p in paths {\n  deny"),
    ],
)  # fmt: skip
def test_in_doubt_the_text_is_read_as_one(wrong: str) -> None:
    assert read(wrong, read(TEXT)).diagnostics


def test_a_finding_in_a_part_is_shown_in_the_file() -> None:
    wrong = TEXT.replace('rule r5 "R" {', 'rule r5 "R" [')
    found = read(wrong, read(TEXT)).diagnostics
    assert found[0].location.startswith(f"a.policy:{wrong[: wrong.index('[')].count(chr(10)) + 1}:")

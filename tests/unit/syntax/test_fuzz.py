"""Whatever the text, parsing ends with a tree and located complaints."""

from __future__ import annotations

import random
from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from policy_engine.model.source import Source
from policy_engine.syntax.grammar import language
from policy_engine.syntax.parser import parse
from policy_engine.syntax.printer import format_file
from tests.unit.syntax.reading import text_of, tree

PIECES = (
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    '"',
    "'",
    "/",
    "=",
    "=>",
    "&&",
    "rule",
    "test",
    "when",
    "not",
    "1",
    "\n",
    "\t",
    "#",
)


def _read(text: str) -> None:
    source = Source("p", text)
    file, found = parse(source)
    for problem in found:
        assert 0 <= problem.span.start <= problem.span.end <= len(text)
        assert problem.message
        assert source.position(problem.span.start)
    if not [d for d in found if d.severity == "error"]:
        assert [d.code for d in parse(Source("p", format_file(file)))[1]] == [d.code for d in found]


def _mutant(text: str, chance: random.Random) -> str:
    start, end = sorted(chance.randrange(len(text)) for _ in range(2))
    match chance.randrange(5):
        case 0:
            return text[:start] + chance.choice(PIECES) + text[start:]
        case 1:
            return text[:start] + text[start + chance.randrange(1, 4) :]
        case 2:
            return text[:start] + text[end:]
        case 3:
            return text[:end] + text[start:end] + text[end:]
        case _:
            return text[:start]


def test_mutants_of_every_form_never_crash() -> None:
    chance = random.Random(7)
    texts = (text_of("forms.policy"), text_of("sample.policy"), text_of("mistakes.policy"))
    for number in range(120):
        text = texts[number % 3]
        for _ in range(chance.randrange(1, 4)):
            text = _mutant(text, chance) or text
        _read(text)


@settings(max_examples=200, deadline=None)
@given(st.lists(st.one_of(st.sampled_from(PIECES), st.text(max_size=3)), max_size=30).map(" ".join))
def test_any_text_is_read(text: str) -> None:
    _read(text)


def test_comments_anywhere_survive_formatting() -> None:
    chance = random.Random(11)
    text = text_of("forms.policy")
    tokens = language().scanner.scan(Source("p", text)).tokens
    # a reserved word is a name after `stage` on the same line only
    starts = [token.start for before, token in pairwise(tokens) if before.kind not in ("STAGE", "BY")]
    for _ in range(25):
        commented = text
        for number, at in enumerate(sorted(chance.sample(starts, 12), reverse=True)):
            before = chance.choice(("", " ", "\n", "\n\n"))
            commented = f"{commented[:at]}{before}# remark {number}\n{commented[at:]}"
        file, found = parse(Source("p", commented))
        once = format_file(file)
        again, _ = parse(Source("p", once))
        assert found == []
        assert tree(again) == tree(file)
        assert sorted(c.text for c in again.comments) == sorted(c.text for c in file.comments)
        assert format_file(again) == once

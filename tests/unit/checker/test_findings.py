"""Every complaint of the cases, word for word: where it begins and ends, what it says, advises and points at."""

from __future__ import annotations

from pathlib import Path

import pytest

from policy_engine.checker.checker import check
from policy_engine.model.diagnostic import Diagnostic, sorted_diagnostics
from policy_engine.model.source import Source, Span
from policy_engine.syntax.parser import damaged, independent, parse
from tests.unit.checker.build import WORDS
from tests.unit.checker.test_cases import FILES, sections
from tests.unit.golden import CASES, recorded

WORDING = sorted((CASES / "checker" / "wording").glob("*.case"))


@pytest.mark.parametrize("path", [*FILES, *WORDING], ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_complaints_are_worded_as_recorded(path: Path) -> None:
    found = "".join(f"=== {title}\n{worded(text)}" for title, text in sections(path))
    assert found == recorded(path.with_suffix(".findings"), found)


def worded(text: str) -> str:
    """All that is said of one policy."""
    file, syntax = parse(Source("case.policy", f"language 1\n{text}"))
    _, found = check([file], WORDS, damaged(file, syntax))
    found = independent(syntax, found)
    return "".join(f"{line}\n" for one in sorted_diagnostics([*syntax, *found]) for line in _lines(one))


def _lines(one: Diagnostic) -> list[str]:
    lines = [f"{_at(one.source, one.span)} {one.severity} {one.code} {one.message}"]
    lines += [f"  help: {one.help}"] if one.help else []
    lines += [f"  {other.message}: {_at(other.source, other.span)}" for other in one.related]
    return lines + ([f"  witness: {one.witness}"] if one.witness else [])


def _at(source: Source, span: Span) -> str:
    line, column = source.position(span.start)
    return f"{line}:{column}+{span.end - span.start}"
